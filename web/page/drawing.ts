// Drawings of the engine, with pan, zoom and fit.

import { light, lightPart } from "../../src/report/formats/html/stepping.js";
import type { Scene, System } from "./answers";
import { fragment, make } from "./dom";
import { size } from "./verdicts";

const STEP = 1.25;

/** A drawing in a frame: wheel with Ctrl and + and - zoom, dragging pans, 0 fits. */
export function framed(svg: string, label: string): HTMLElement {
  const frame = make("figure", { class: "drawing", tabindex: 0, role: "group", "aria-label": `${label}. Plus and minus zoom, 0 fits.` });
  frame.append(fragment(svg));
  const drawing = frame.querySelector("svg");
  if (!drawing) return frame;
  drawing.setAttribute("aria-label", label);
  const width = Number(drawing.getAttribute("width"));
  let scale = 0;
  const zoom = (to: number) => {
    scale = Math.min(8, Math.max(0.1, to));
    drawing.setAttribute("width", String(width * scale));
    drawing.removeAttribute("height");
    frame.classList.toggle("zoomed", scale !== 0);
  };
  const fit = () => { scale = 0; drawing.setAttribute("width", String(width)); frame.classList.remove("zoomed"); };
  const by = (factor: number) => zoom((scale || drawing.getBoundingClientRect().width / width || 1) * factor);
  const keys: Record<string, () => void> = { "+": () => by(STEP), "=": () => by(STEP), "-": () => by(1 / STEP), "0": fit };
  frame.addEventListener("keydown", (event) => { const act = keys[event.key]; if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act(); } });
  frame.addEventListener("wheel", (event) => { if (event.ctrlKey) { event.preventDefault(); by(event.deltaY < 0 ? STEP : 1 / STEP); } }, { passive: false });
  pannable(frame);
  const button = (text: string, name: string, act: () => void) => make("button", { type: "button", "aria-label": name, onclick: act }, text);
  const tools = make("div", { class: "tools" }, button("+", "Zoom in", keys["+"]!), button("−", "Zoom out", keys["-"]!), button("Fit", "Fit the drawing", fit));
  return make("div", { class: "framed" }, tools, frame);
}

function pannable(frame: HTMLElement): void {
  let from: { x: number; y: number } | undefined;
  frame.addEventListener("pointerdown", (event) => { from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop }; });
  frame.addEventListener("pointermove", (event) => {
    if (!from || event.buttons === 0) return;
    frame.scrollTo(from.x - event.clientX, from.y - event.clientY);
  });
}

/** The drawing of a system; of a composed one a small drawing of each of its parts, and the whole folded. What is too large is said. */
export function drawingsOf(system: System): HTMLElement {
  const out = make("div", { class: "drawings" });
  const whole = system.drawing !== null ? framed(system.drawing, `Drawing of ${system.name}`)
    : make("p", { class: "note" }, `Too large to draw whole: ${size(system)}`);
  if (system.parts.length < 2) {
    out.append(whole);
    return out;
  }
  const parts = make("div", { class: "parts" });
  for (const [at, part] of system.parts.entries()) {
    const drawn = part.drawing === null ? make("p", { class: "note" }, "not drawn") : framed(part.drawing, `Part ${part.name}`);
    parts.append(make("section", { class: "part", "data-part": at, "aria-label": `Part ${part.name}` }, make("h3", {}, part.name), drawn));
  }
  const folded = make("details", { class: "folded unknown", hidden: true }, make("summary"), make("div", { class: "parts" }));
  out.append(parts, folded, system.drawing !== null ? make("details", { class: "folded" }, make("summary", {}, "The whole system"), whole) : whole);
  return out;
}

/** From so many parts on, those of which nothing is known are folded. */
const MANY = 7;

/** Highlights what is possible now: in the system, and in each of its parts. States that were possible before fade. */
export function lightScene(place: HTMLElement, scene: Scene, before?: Scene): void {
  const drawings = place.querySelector<HTMLElement>(".drawings");
  if (!drawings) return;
  const lost = new Set(before?.estimate.ids.map(String));
  light(drawings, { lit: new Set(scene.estimate.ids.map(String)), lost, exposed: scene.exposed && scene.estimate.count === 1 });
  for (const [at, { states }] of scene.parts.entries()) {
    const part = drawings.querySelector<HTMLElement>(`[data-part="${at}"]`);
    if (part) lightPart(part, states.ids.map(String), scene.exposed && states.count === 1, before?.parts[at]?.states.ids.map(String));
  }
  fold(drawings, scene);
  place.classList.add("stepped");
}

/** Folds the parts of which nothing is known, where there are many. */
function fold(drawings: HTMLElement, scene: Scene): void {
  const folded = drawings.querySelector<HTMLElement>(".unknown");
  const [open, closed] = [...drawings.querySelectorAll<HTMLElement>(".parts")];
  if (!folded || !open || !closed) return;
  const isUnknown = (at: number) => scene.parts.length >= MANY && scene.parts[at]?.states.count === scene.parts[at]?.of;
  const sections = [...drawings.querySelectorAll<HTMLElement>("[data-part]")].sort((one, other) => Number(one.dataset.part) - Number(other.dataset.part));
  for (const section of sections) {
    const to = isUnknown(Number(section.dataset.part)) ? closed : open;
    to.append(section);
  }
  const count = closed.childElementCount;
  folded.hidden = count === 0;
  folded.querySelector("summary")!.textContent = `${count} ${count === 1 ? "part" : "parts"} of which nothing is known`;
}
