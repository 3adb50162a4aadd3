// TypeScript, styles, engine and casebook → web/dist: static files, nothing else.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const here = import.meta.dirname;
const dist = join(here, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });

/** Browsers of three years ago and newer. Scripts and styles are written down to them; `web/test/older` visits the page in one. */
const target = ["chrome119", "firefox119", "safari17"];

await build({
  entryPoints: { page: join(here, "page/main.ts"), worker: join(here, "page/worker.ts") },
  outdir: dist, bundle: true, format: "esm", target, minify: true, legalComments: "none", loader: { ".des": "text" }, logLevel: "warning",
});
await build({ entryPoints: { page: join(here, "page/page.css") }, outdir: dist, bundle: true, target, minify: true, logLevel: "warning" });
for (const file of ["index.html", "icon.svg", "pack.js"]) cpSync(join(here, "page", file), join(dist, file));
cpSync(join(here, "build/engine.wasm"), join(dist, "engine.wasm"));

/** Every model of the casebook with the first line of its documentation. */
const examples = join(here, "../examples");
const models = readdirSync(examples, { recursive: true }).filter((path) => path.endsWith(".des")).map((path) => path.replaceAll("\\", "/")).sort();
const cases = models.map((path) => {
  const text = readFileSync(join(examples, path), "utf8");
  return { path: path.slice(0, -4), title: /^\s*\/\/[/!]? ?(.*)$/m.exec(text)?.[1] ?? "", text };
}).filter(({ text }) => text.length < 100_000);
cases.sort((one, other) => Number(one.path.includes("/")) - Number(other.path.includes("/")) || (one.path < other.path ? -1 : 1));
writeFileSync(join(dist, "casebook.json"), JSON.stringify(cases));

const files = readdirSync(dist).filter((file) => statSync(join(dist, file)).isFile()).sort();
const version = createHash("sha256");
for (const file of files) version.update(file).update(readFileSync(join(dist, file)));
const offline = readFileSync(join(here, "page/offline.js"), "utf8");
writeFileSync(join(dist, "offline.js"), offline
  .replace("@VERSION@", `desc-${version.digest("hex").slice(0, 16)}`)
  .replace('"@FILES@"', JSON.stringify(["./", ...files]).slice(1, -1)));
console.log(`built ${relative(process.cwd(), dist)}: ${files.length + 1} files`);
