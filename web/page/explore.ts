// Playing the intruder: what is seen, what can come next, what is known of every instant.

import type { Explored, Eyes, Names, Part, Scene, Sign, System } from "./answers";
import { byId, make } from "./dom";
import { drawingsOf, lightScene } from "./drawing";

export interface Plays {
  ask: (play: object) => Promise<Explored>;
  light: (lines: number[]) => void;
  changed: () => void;
}

const LOOKS = ["natural", "strong", "weak"];

export class Explore {
  seen: string[] = [];
  system = 0;
  check: number | null = null;
  private eyes: Eyes = { observer: 0, projection: "natural" };
  private other: Eyes | null = null;
  private systems: System[] = [];
  private drawn: System | undefined;
  private before: Scene | undefined;
  private asked = 0;

  constructor(private plays: Plays) {
    byId("explore-system").addEventListener("change", (event) => { this.start(Number((event.target as HTMLSelectElement).value), null); });
    byId("explore-goal").addEventListener("change", (event) => { this.goal((event.target as HTMLSelectElement).value); });
    byId("explore-view").addEventListener("change", (event) => { this.look((event.target as HTMLSelectElement).value); });
    byId("explore-other").addEventListener("change", (event) => { this.compare((event.target as HTMLSelectElement).value); });
    byId("explore-back").addEventListener("click", () => this.back());
    byId("explore-reset").addEventListener("click", () => { this.seen = []; void this.show(); });
    byId("explore-jump").addEventListener("click", () => void this.show(true));
    byId("explore-form").addEventListener("submit", (event) => { event.preventDefault(); this.typed(); });
    byId("explore").addEventListener("keydown", (event) => this.key(event as KeyboardEvent));
  }

  /** The systems changed. What was seen stays as far as it can be seen. */
  update(systems: System[]): void {
    this.systems = systems;
    this.drawn = undefined;
    if (this.system >= systems.length) this.start(0, null);
    else this.start(this.system, this.check, this.seen);
  }

  /** Plays one system, perhaps for one check. */
  start(system: number, check: number | null, seen: string[] = []): void {
    const of = this.systems[system]?.checks[check ?? -1];
    this.system = system;
    this.check = of?.property ? (check ?? null) : null;
    if (of?.property) this.eyes = of.view;
    else if (seen.length === 0) this.eyes = { observer: 0, projection: this.systems[system]?.anonymous ? "strong" : "natural" };
    this.seen = seen;
    this.choices();
    void this.show();
  }

  private goal(value: string): void {
    this.start(this.system, value === "" ? null : Number(value));
  }

  private look(value: string): void {
    this.eyes = eyesOf(value);
    this.seen = [];
    void this.show();
  }

  private compare(value: string): void {
    this.other = value === "" ? null : eyesOf(value);
    void this.show();
  }

  private back(): void {
    this.seen.pop();
    void this.show();
  }

  private typed(): void {
    const input = byId<HTMLInputElement>("explore-sign");
    const words = input.value.split(/[\s,]+/).filter(Boolean);
    if (words.length > 0) void this.show(false, words);
    input.value = "";
  }

  private key(event: KeyboardEvent): void {
    const typing = (event.target as Element).closest("input, select, .drawing");
    if (typing || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Backspace") { event.preventDefault(); this.back(); }
    const number = Number(event.key);
    if (number >= 1) byId("explore-next").querySelectorAll<HTMLButtonElement>("button.next")[number - 1]?.click();
  }

  /** Asks the engine and shows what it says; `words` are seen too, if they can come. */
  async show(jump = false, words: string[] = []): Promise<void> {
    const system = this.systems[this.system];
    byId("explore-none").hidden = system !== undefined;
    byId("explore-some").hidden = system === undefined;
    if (!system) return;
    const asked = ++this.asked;
    const observation = [...this.seen, ...words];
    const answer = await this.plays.ask({ system: this.system, view: this.eyes, check: this.check, observation, jump, other: this.other });
    if (asked !== this.asked) return;
    this.tell(answer, words);
    if (answer.scene) {
      this.seen = answer.scene.observation.map(({ word }) => word);
      this.scene(system, answer.scene, answer);
    } else this.clear();
    this.plays.changed();
  }

  /** Nothing is known: what was shown is of another observation. */
  private clear(): void {
    for (const name of ["seen", "estimate", "next", "instants", "parts", "drawing", "others"]) byId(`explore-${name}`).replaceChildren();
    byId("explore-parts-table").hidden = true;
    byId<HTMLButtonElement>("explore-back").disabled = this.seen.length === 0;
    byId<HTMLButtonElement>("explore-reset").disabled = this.seen.length === 0;
    this.drawn = undefined;
  }

  /** What cannot be shown is said. */
  private tell(answer: Explored, words: string[]): void {
    const note = byId("explore-note");
    const scene = answer.scene;
    const missing = scene ? words[scene.observation.length - this.seen.length] : undefined;
    if (answer.stopped !== undefined) note.textContent = `Too large for the page: what they know was not computed ${answer.stopped}. Locally: desc explore model.des`;
    else if (answer.error !== undefined) note.textContent = answer.error;
    else if (answer.found === false) note.textContent = "No continuation exposes anything: this intruder never learns it.";
    else if (missing !== undefined) note.textContent = `“${missing}” cannot come next.`;
    else if (scene?.exposed) note.textContent = "Exposed: they know too much.";
    else note.textContent = "";
    note.className = scene?.exposed ? "note bad" : "note";
  }

  private scene(system: System, scene: Scene, answer: Explored): void {
    const seen = scene.observation.map(({ shown }) => make("li", {}, shown));
    byId("explore-seen").replaceChildren(...(seen.length > 0 ? seen : [make("li", { class: "nothing" }, "nothing yet")]));
    byId("explore-estimate").replaceChildren(possible("Possible now", scene.estimate));
    byId<HTMLButtonElement>("explore-back").disabled = scene.observation.length === 0;
    byId<HTMLButtonElement>("explore-reset").disabled = scene.observation.length === 0;
    this.next(scene, answer.lines ?? []);
    instants(scene);
    parts(scene);
    this.others(answer);
    const place = byId("explore-drawing");
    if (this.drawn !== system) { place.replaceChildren(drawingsOf(system)); this.drawn = system; this.before = undefined; }
    const follows = this.before && this.before.observation.length + 1 === scene.observation.length;
    lightScene(place, scene, follows ? this.before : undefined);
    this.before = scene;
  }

  private next(scene: Scene, lines: number[][]): void {
    const had = document.activeElement?.classList.contains("next");
    const buttons = scene.next.map(({ sign, remain, exposes }, at) => {
      const remains = `${remain} ${remain === 1 ? "state remains" : "states remain"}`;
      const warning = exposes.length > 0 && make("span", { class: "exposes" }, exposes.includes(scene.observation.length + 1) ? " exposes now" : ` exposes instant ${exposes[0]}`);
      const show = () => this.plays.light(lines[at] ?? []);
      return make("li", {}, make("button", {
        type: "button", class: exposes.length > 0 ? "next bad" : "next", onclick: () => { this.seen.push(sign.word); void this.show(); },
        onfocus: show, onmouseenter: show,
      }, make("b", {}, sign.shown), make("span", { class: "remain" }, remains), warning));
    });
    byId("explore-next").replaceChildren(...(buttons.length > 0 ? buttons : [make("li", { class: "note" }, "Nothing more can be seen.")]));
    if (had) byId("explore-next").querySelector<HTMLButtonElement>("button")?.focus();
  }

  private others(answer: Explored): void {
    const place = byId("explore-others");
    place.replaceChildren();
    place.parentElement?.classList.toggle("row", (this.systems[this.system]?.parts.length ?? 0) > 1);
    if (!answer.others || !this.other) return;
    const rows = answer.others.rows.map((row) => make("tr", { class: row.exposed ? "exposed" : "" },
      make("td", {}, signs(row.observation)), make("td", {}, set(row.estimate)), make("td", {}, row.exposed ? make("span", { class: "badge bad" }, "exposed") : "")));
    const heading = ["They may have seen", "Possible to them", ""].map((word) => word === "" ? make("td") : make("th", { scope: "col" }, word));
    place.append(make("h2", {}, `What the other intruder would know: ${this.naming(this.other)}`),
      make("div", { class: "wide" }, make("table", {}, make("thead", {}, make("tr", {}, ...heading)), make("tbody", {}, ...rows))));
    if (answer.others.cut) place.append(make("p", { class: "note" }, "There are more; these are the first."));
  }

  private naming(eyes: Eyes): string {
    const name = this.systems[this.system]?.observers[eyes.observer];
    return name === null || name === undefined ? eyes.projection : `${eyes.projection} against ${name}`;
  }

  private choices(): void {
    const system = this.systems[this.system];
    const option = (value: string, text: string, selected: boolean) => make("option", { value, selected }, text);
    byId("explore-system").replaceChildren(...this.systems.map(({ name }, at) => option(String(at), name, at === this.system)));
    byId("explore-system-label").hidden = this.systems.length < 2;
    if (!system) return;
    const goals = system.checks.flatMap((check, at) => check.property ? [option(String(at), check.name ?? check.text, at === this.check)] : []);
    byId("explore-goal").replaceChildren(option("", "the state, at any instant", this.check === null), ...goals);
    const eyes = system.observers.flatMap((_, observer) => LOOKS.map((projection): Eyes => ({ observer, projection })));
    const value = ({ observer, projection }: Eyes) => `${observer} ${projection}`;
    byId("explore-view").replaceChildren(...eyes.map((each) => option(value(each), this.naming(each), value(each) === value(this.eyes))));
    const other = this.other && eyes.some((each) => value(each) === value(this.other!)) ? this.other : null;
    this.other = other;
    byId("explore-other").replaceChildren(option("", "nobody", other === null), ...eyes.map((each) => option(value(each), this.naming(each), other !== null && value(each) === value(other))));
  }
}

function eyesOf(value: string): Eyes {
  const [observer, projection] = value.split(" ");
  return { observer: Number(observer), projection: projection ?? "natural" };
}

function signs(list: Sign[]): string {
  return list.length === 0 ? "nothing" : list.map(({ shown }) => shown).join(" ");
}

function set(names: Names): HTMLElement {
  const more = names.count > names.names.length ? `, and ${names.count - names.names.length} more` : "";
  return make("code", {}, `{${names.names.join(", ")}${more}}`);
}

/** The most states that are named without being asked for. */
const FEW = 8;

function possible(word: string, names: Names): HTMLElement {
  if (names.count <= FEW) return make("p", {}, `${word} (${names.count}): `, set(names));
  return make("details", {}, make("summary", {}, `${word}: ${names.count.toLocaleString("en")} states`), set(names));
}

/** What was possible at an instant: many states are folded, below those of the parts of which something is known. */
function known(states: Names, parts: Part[]): HTMLElement {
  if (states.count <= FEW) return set(states);
  const lines = parts.map(({ name, states: own }) => make("li", {}, `${name}: `, set(own)));
  return make("div", {}, lines.length > 0 && make("ul", { class: "known" }, ...lines), make("details", {}, make("summary", {}, `${states.count.toLocaleString("en")} states`), set(states)));
}

/** The table of what is known of every instant: it shrinks as more is seen. */
function instants(scene: Scene): void {
  const rows = scene.instants.map((instant) => make("tr", { class: instant.exposed ? "exposed" : "" },
    make("th", { scope: "row" }, String(instant.at)), make("td", {}, instant.sees?.shown ?? "start"),
    make("td", {}, known(instant.states, instant.parts)), make("td", {}, instant.states.count === instant.then ? String(instant.then) : `${instant.states.count} of ${instant.then}`),
    make("td", {}, instant.exposed ? make("span", { class: "badge bad" }, "exposed") : "")));
  byId("explore-instants").replaceChildren(...rows);
}

function parts(scene: Scene): void {
  const rows = scene.parts.map(({ name, of, states }) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, set(states)), make("td", {}, `${states.count} of ${of}`)));
  byId("explore-parts").replaceChildren(...rows);
  byId("explore-parts-table").hidden = rows.length < 2;
}
