// Elements from TypeScript, and HTML from the engine.

type Child = Node | string | null | undefined | false;
type Properties = Record<string, unknown>;

/** An element. Text is always text: no property of it is HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return element;
}

/** The element with an id; the page has it. */
export function byId<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** Elements that the engine's HTML may have. */
const ALLOWED = new Set(
  "a b br button code div figure h4 h5 i li ol p section small span strong sub table tbody td th thead tr ul details summary label input select option nav".split(" ")
    .concat("svg g path rect circle ellipse line text tspan title polygon polyline defs marker".split(" ")),
);

/** The style of a drawing. Names cannot hold it: the engine escapes them. */
const STYLE = /<style>([^<]*)<\/style>/g;

/**
 * HTML that the engine wrote, as nodes. The engine escapes every name; here whatever is not a plain element, an event handler or a link that
 * leaves the page is dropped all the same. The policy of the page allows no style in elements: that of the drawings is kept once, as a style sheet.
 */
export function fragment(html: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(html.replace(STYLE, (_, style: string) => { adopt(style); return ""; }), "text/html");
  for (const element of [...parsed.body.querySelectorAll("*")]) {
    if (!ALLOWED.has(element.localName)) element.remove();
    for (const { name, value } of [...element.attributes]) {
      const leaves = ["href", "src", "xlink:href", "action", "formaction"].includes(name) && !value.startsWith("#");
      if (name.startsWith("on") || name === "style" || leaves) element.removeAttribute(name);
    }
  }
  const nodes = document.createDocumentFragment();
  nodes.append(...[...parsed.body.childNodes].map((node) => document.importNode(node, true)));
  return nodes;
}

let drawing: string | undefined;

/** The style of the drawings: all have the same. */
function adopt(style: string): void {
  if (drawing !== undefined) return;
  drawing = style;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Markdown of hovers and explanations: paragraphs, lists, code. Nothing of it is HTML. */
export function prose(text: string): HTMLElement {
  const out = make("div", { class: "prose" });
  for (const [at, block] of text.split(/```[a-z]*\n?/).entries()) {
    if (at % 2 === 1) out.append(make("pre", {}, make("code", {}, block.trimEnd())));
    else for (const paragraph of block.split(/\n\s*\n/).filter((part) => part.trim())) out.append(spoken(paragraph.trim()));
  }
  return out;
}

function spoken(paragraph: string): HTMLElement {
  const heading = /^#+ (.*)$/.exec(paragraph);
  const element = heading ? make("h3") : make("p");
  for (const [at, part] of (heading?.[1] ?? paragraph).split("`").entries()) {
    element.append(at % 2 === 1 ? make("code", {}, part) : part.replace(/\*\*|__/g, ""));
  }
  return element;
}

/** Words with `code` in backticks. */
export function said(text: string): HTMLElement {
  const out = make("span");
  for (const [at, part] of text.split("`").entries()) out.append(at % 2 === 1 ? make("code", {}, part) : part);
  return out;
}
