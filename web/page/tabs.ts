// The three panes beside the editor.

import { byId } from "./dom";

const NAMES = ["verdicts", "drawing", "explore"];

export class Tabs {
  now = "verdicts";

  constructor(private shown: (name: string) => void) {
    for (const [at, name] of NAMES.entries()) {
      const tab = byId(`tab-${name}`);
      tab.addEventListener("click", () => this.show(name));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (step !== undefined) { this.at((at + step + NAMES.length) % NAMES.length); byId(`tab-${this.now}`).focus(); }
      });
    }
  }

  at(number: number): void {
    const name = NAMES[number];
    if (name) this.show(name, true);
  }

  show(name: string, focus = false): void {
    this.now = name;
    for (const each of NAMES) {
      const tab = byId(`tab-${each}`);
      tab.setAttribute("aria-selected", String(each === name));
      tab.tabIndex = each === name ? 0 : -1;
      byId(each).hidden = each !== name;
    }
    if (focus) byId(name).focus();
    this.shown(name);
  }
}
