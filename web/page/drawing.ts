// Drawings of the engine, with pan, zoom and fit.

import { light } from "../../src/report/formats/html/stepping.js";
import type { Scene, System } from "./answers";
import { fragment, make } from "./dom";

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

/** The drawing of a system, or a small one of each of its parts; what is too large is said in a sentence. */
export function drawingsOf(system: System): HTMLElement {
  const out = make("div", { class: "drawings" });
  if (system.drawing !== null) out.append(framed(system.drawing, `Drawing of ${system.name}`));
  else out.append(make("p", { class: "note" }, `${system.name} has ${system.states.toLocaleString("en")} states and ${system.transitions.toLocaleString("en")} transitions: too large to draw whole.`));
  if (system.parts.length > 1) {
    const parts = make("div", { class: "parts" });
    for (const [at, part] of system.parts.entries()) {
      const drawn = part.drawing === null ? make("p", { class: "note" }, "too large to draw") : framed(part.drawing, `Part ${part.name}`);
      parts.append(make("section", { class: "part", "data-part": at, "aria-label": `Part ${part.name}` }, make("h3", {}, part.name), drawn));
    }
    out.append(parts);
  }
  return out;
}

/** Lights what is possible now: in the system, and in each of its parts. */
export function lightScene(place: HTMLElement, scene: Scene): void {
  const ids = (numbers: number[]) => new Set(numbers.map(String));
  const whole = place.querySelector<HTMLElement>(".drawings > .framed");
  if (whole) light(whole, { lit: ids(scene.estimate.ids), exposed: scene.exposed && scene.estimate.count === 1 });
  for (const [at, part] of scene.parts.entries()) {
    const drawn = place.querySelector<HTMLElement>(`[data-part="${at}"]`);
    if (drawn) light(drawn, { lit: ids(part.states.ids), exposed: part.states.count === 1 && scene.exposed });
  }
  place.classList.add("stepped");
}
