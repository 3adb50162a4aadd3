// The page: text → engine → verdicts, drawings, explorer. One run at a time; a newer text replaces the run of an older one.

import type { Beside, Decided, Explored, Opened, Proposals, System, Hovered } from "./answers";
import { Cancelled, Client } from "./client";
import { byId, make, prose } from "./dom";
import { drawingsOf } from "./drawing";
import { Editor } from "./editor";
import { Explore } from "./explore";
import { fromFragment, toFragment } from "./link";
import { followFile, localFile } from "./local";
import { chooseTheme, openFile, saveFile, setUpCasebook, setUpLecture, starter } from "./menu";
import { Tabs } from "./tabs";
import { forgetStory, showStory, showVerdicts, type Tells } from "./verdicts";

/** How long one run may take, in seconds, and how large a text may be, in characters. */
const LIMIT = 20;
const LARGEST = 2_000_000;
/** How long after a keystroke the text is read, and how long an older run may go on then, in milliseconds. */
const PAUSE = 60;
const PATIENCE = 150;

class Page {
  private systems: System[] = [];
  private version = 0;
  private timer = 0;
  private story: { system: number; check: number } | null = null;
  readonly editor: Editor;
  readonly explore: Explore;
  readonly tabs: Tabs;

  constructor(private client: Client, text: string) {
    const light = (lines: number[]) => this.editor.light(lines);
    this.editor = new Editor(byId("editor"), text, {
      changed: () => this.changed(),
      complete: (at) => this.quietly(this.client.ask<Proposals>({ ask: "complete", at })),
      hover: (at) => this.quietly(this.client.ask<Hovered | null>({ ask: "hover", at })),
      explain: (code) => void this.explain(code),
      chosen: (beside) => this.chosen(beside),
    });
    this.explore = new Explore({
      ask: async (play) => (await this.quietly(this.client.ask<Explored>({ ask: "explore", seconds: LIMIT, ...play }))) ?? { error: "Stopped." },
      light,
      changed: () => {},
    });
    this.tabs = new Tabs(() => {});
    byId("stop").addEventListener("click", () => { this.client.restart("stopped"); this.status("Stopped. Change the text to run it again."); });
    byId("format").addEventListener("click", () => void this.format());
    byId("share").addEventListener("click", () => void this.share());
    byId("save").addEventListener("click", () => saveFile(this.editor.text));
    byId("open").addEventListener("click", () => openFile((text) => this.editor.replace(text)));
    addEventListener("keydown", (event) => this.key(event));
  }

  private get tells(): Tells {
    return {
      story: async (system, check) => {
        this.story = { system, check };
        const told = await this.quietly(this.client.ask<{ html: string | null }>({ ask: "story", system, check, seconds: LIMIT }));
        return told?.html ?? null;
      },
      light: (lines) => this.editor.light(lines),
      goTo: (line) => this.editor.goTo(line),
      explore: (system, check) => { this.explore.start(system, check); this.tabs.show("explore", true); },
    };
  }

  changed(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.run(), PAUSE);
  }

  /** Reads the text and decides its checks. */
  async run(): Promise<void> {
    const version = ++this.version;
    const text = this.editor.text;
    if (text.length > LARGEST) return this.status("The text is too large for the page. Run it locally: desc check model.des");
    const began = performance.now();
    if (this.client.busy) setTimeout(() => { if (version === this.version && this.client.busy && this.waiting) this.client.restart(); }, PATIENCE);
    try {
      this.waiting = true;
      if (version !== this.version) return;
      this.status("Reading…", true);
      const opened = await this.client.ask<Opened>({ ask: "open", text, seconds: LIMIT });
      this.waiting = false;
      if (version !== this.version) return;
      this.editor.colour(opened.tokens);
      this.editor.faults(opened.diagnostics);
      if (!opened.model) return this.faulty(opened);
      this.status("Deciding…", true);
      const decided = await this.client.ask<Decided>({ ask: "decide", seconds: LIMIT });
      if (version === this.version) this.decided(decided.systems, performance.now() - began);
    } catch (error) {
      this.waiting = false;
      if (!(error instanceof Cancelled)) throw error;
      if (version === this.version && error.message === "cancelled") return this.run();
      if (version === this.version && error.message !== "stopped") this.status(`Too large for the page (${error.message}). Run it locally: desc check model.des`);
    }
  }
  private waiting = false;

  private faulty(opened: Opened): void {
    const errors = opened.diagnostics.filter(({ severity }) => severity === "error").length;
    this.editor.beside([]);
    this.status(`${errors} ${errors === 1 ? "error" : "errors"}: ${opened.diagnostics.find(({ severity }) => severity === "error")?.message ?? ""}`);
    byId("page").classList.add("stale");
  }

  private decided(systems: System[], milliseconds: number): void {
    this.systems = systems;
    byId("page").classList.remove("stale");
    this.editor.light([]);
    this.editor.beside(systems.flatMap(({ beside }) => beside));
    showVerdicts(systems, this.tells);
    byId("drawings").replaceChildren(...systems.flatMap((system) => [make("h2", {}, `System ${system.name}`), drawingsOf(system)]));
    const checks = systems.flatMap((system) => system.checks);
    const count = (mark: string) => checks.filter((check) => check.mark === mark).length;
    const failed = count("bad") > 0 ? `, ${count("bad")} failed` : "";
    const open = count("unsure") > 0 ? `, ${count("unsure")} undecided` : "";
    this.status(`${count("good")} passed${failed}${open}.`);
    document.documentElement.dataset.ready = String(++this.runs);
    document.documentElement.dataset.milliseconds = milliseconds.toFixed(1);
    this.explore.update(systems);
    if (this.story && systems[this.story.system]?.checks[this.story.check]?.story) void showStory(this.story.system, this.story.check, this.tells);
    else { this.story = null; forgetStory(); }
  }
  private runs = 0;

  /** The story of a check that does not hold; otherwise its row. */
  private chosen({ from, to }: Beside): void {
    this.tabs.show("verdicts");
    for (const [at, system] of this.systems.entries()) {
      const check = system.checks.findIndex((each) => each.from === from && each.to === to && each.story);
      if (check >= 0) return void showStory(at, check, this.tells);
    }
  }

  private async format(): Promise<void> {
    await this.quietly(this.client.ask({ ask: "open", text: this.editor.text, seconds: LIMIT }));
    const done = await this.quietly(this.client.ask<{ text?: string; refused?: string }>({ ask: "format" }));
    if (done?.text !== undefined && done.text !== this.editor.text) this.editor.replace(done.text);
    else if (done?.refused !== undefined) this.status(`Not formatted: ${done.refused}`);
    else void this.run();
  }

  private async share(): Promise<void> {
    const shown = this.tabs.now === "verdicts" && this.story ? this.story : { system: this.explore.system, check: this.explore.check ?? undefined };
    const shared = { text: this.editor.text, tab: this.tabs.now, ...shown, seen: this.explore.seen };
    location.hash = await toFragment(shared);
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.status(copied ? "The address of this model is copied." : "The address bar has the link to this model.");
  }

  /** Shows the story of a check, if it has one. */
  tell(system: number, check: number): void {
    if (this.systems[system]?.checks[check]?.story) void showStory(system, check, this.tells);
  }

  private async explain(code: string): Promise<void> {
    const found = await this.quietly(this.client.ask<{ code: string; title: string; page: string } | null>({ ask: "explain", code }));
    if (!found) return;
    const dialog = byId<HTMLDialogElement>("explain");
    byId("explain-text").replaceChildren(make("h2", { id: "explain-title" }, `${found.code}: ${found.title}`), prose(found.page));
    dialog.showModal();
  }

  private key(event: KeyboardEvent): void {
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === "s") { event.preventDefault(); saveFile(this.editor.text); }
    else if (event.altKey && event.shiftKey && event.code === "KeyF") { event.preventDefault(); void this.format(); }
    else if (event.altKey && /^[1-3]$/.test(event.key)) { event.preventDefault(); this.tabs.at(Number(event.key) - 1); }
    else if (event.altKey && event.key === "0") { event.preventDefault(); this.editor.view.focus(); }
  }

  /** An answer, or null where the run was cancelled. */
  private async quietly<T>(answer: Promise<T>): Promise<T | null> {
    try { return await answer; } catch (error) { if (error instanceof Cancelled) return null; throw error; }
  }

  status(text: string, busy = false): void {
    byId("status").textContent = text;
    byId("stop").hidden = !busy;
  }
}

async function begin(): Promise<void> {
  chooseTheme();
  setUpLecture();
  const local = await localFile();
  let shared = null;
  let refused = "";
  try { shared = await fromFragment(location.hash); } catch (error) { refused = (error as Error).message; }
  const page = new Page(await Client.load(), local?.text ?? shared?.text ?? starter());
  if (shared) {
    page.explore.system = shared.system ?? 0;
    page.explore.check = shared.check ?? null;
    page.explore.seen = shared.seen ?? [];
  }
  await page.run();
  if (shared?.tab) page.tabs.show(shared.tab);
  if (shared?.tab === "verdicts" && shared.check !== undefined) page.tell(shared.system ?? 0, shared.check);
  if (local) page.tabs.show("explore");
  if (refused) page.status(`The link was refused: ${refused}. This is an example.`);
  setUpCasebook((text) => { history.replaceState(null, "", location.pathname); page.explore.seen = []; page.explore.check = null; page.explore.system = 0; page.editor.replace(text); });
  addEventListener("hashchange", () => void fromFragment(location.hash).then((next) => { if (next && next.text !== page.editor.text) page.editor.replace(next.text); }, (error: Error) => page.status(`The link was refused: ${error.message}.`)));
  if (local) followFile(local, (text) => { page.editor.replace(text); page.status("Read again."); });
  else if ("serviceWorker" in navigator) void navigator.serviceWorker.register("offline.js").catch(() => {});
}

void begin();
