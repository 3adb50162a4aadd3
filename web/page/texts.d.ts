declare module "*.des" { const text: string; export default text; }
