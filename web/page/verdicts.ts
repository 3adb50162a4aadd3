// The verdicts, and the story of a check: stepped, in the drawing and in the source at once.

import { stepThrough } from "../../src/report/formats/html/stepping.js";
import type { Check, System } from "./answers";
import { byId, fragment, make, said } from "./dom";

export interface Tells {
  story: (system: number, check: number) => Promise<string | null>;
  light: (lines: number[]) => void;
  goTo: (line: number) => void;
  explore: (system: number, check: number) => void;
}

const WORDS = { good: ["✓", "passed"], bad: ["✗", "failed"], unsure: ["?", "undecided"] } as const;

export function badge(check: Check): HTMLElement {
  const [mark, word] = WORDS[check.mark];
  return make("span", { class: `badge ${check.mark}` }, make("span", { "aria-hidden": "true" }, mark), ` ${word}`);
}

/** The table of a model's verdicts. */
export function showVerdicts(systems: System[], tells: Tells): void {
  const list = byId("verdicts-list");
  list.replaceChildren();
  for (const [at, system] of systems.entries()) {
    list.append(make("h2", {}, `System ${system.name}`));
    for (const line of system.docs) list.append(make("p", { class: "docs" }, line.trim()));
    list.append(make("p", { class: "note" }, size(system)));
    if (!system.built) list.append(make("p", { class: "unsure note" }, "It was too large to build here. Run it locally: ", make("code", {}, "desc check model.des")));
    if (system.checks.length === 0) list.append(make("p", { class: "note" }, "It has no checks."));
    else list.append(table(at, system, tells));
  }
}

/** How large a system is. */
export function size(system: System): string {
  const count = (number: number, what: string) => `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
  if (system.uncomposed !== null) return `${count(system.uncomposed, "part")}, ${count(system.events, "event")}; their product is not built.`;
  return `${count(system.states, "state")}, ${count(system.events, "event")}, ${count(system.transitions, "transition")}.`;
}

function table(at: number, system: System, tells: Tells): HTMLElement {
  const heading = ["Verdict", "Check", "Line"].map((word) => make("th", { scope: "col" }, word));
  const rows = system.checks.map((check, number) => row(at, number, check, tells));
  const caption = make("caption", { class: "unseen" }, `The checks of ${system.name}`);
  return make("div", { class: "wide" }, make("table", {}, caption, make("thead", {}, make("tr", {}, ...heading)), make("tbody", {}, ...rows)));
}

function row(system: number, number: number, check: Check, tells: Tells): HTMLElement {
  const detail = make("span", { class: "detail" }, said(`${check.says}.`));
  const told = check.story && make("button", { type: "button", class: "small", onclick: () => void showStory(system, number, tells) }, "How it happens");
  const play = check.property && make("button", { type: "button", class: "small", onclick: () => tells.explore(system, number) }, "Play the intruder");
  const local = check.mark === "unsure" && make("p", { class: "note" }, "The page ends a run after its limit. Without one: ", make("code", {}, "desc check model.des"));
  const line = make("a", { href: "#", onclick: (event: Event) => { event.preventDefault(); tells.goTo(check.line); } }, String(check.line));
  return make("tr", {}, make("td", {}, badge(check)),
    make("td", {}, check.name !== null && make("b", {}, `${check.name} `), make("code", {}, check.text), make("br"), detail, make("br"), told, " ", play, local),
    make("td", { class: "place" }, line));
}

/** Shows the story of a check below the table. */
export async function showStory(system: number, check: number, tells: Tells): Promise<void> {
  const place = byId("story");
  const html = await tells.story(system, check);
  place.replaceChildren();
  if (html === null) return;
  place.append(fragment(html));
  const story = place.querySelector<HTMLElement>(".story");
  if (!story) return;
  stepThrough(story, (item: HTMLElement) => tells.light(lines(item)));
  story.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a[href^='#line-']");
    if (!link) return;
    event.preventDefault();
    tells.goTo(lineOf(link));
  });
  story.scrollIntoView({ block: "nearest" });
  story.focus({ preventScroll: true });
}

export function forgetStory(): void { byId("story").replaceChildren(); }

function lines(item: HTMLElement): number[] {
  return [...item.querySelectorAll("a[href^='#line-']")].map(lineOf);
}

function lineOf(link: Element): number {
  return Number(link.getAttribute("href")?.split("-").pop());
}
