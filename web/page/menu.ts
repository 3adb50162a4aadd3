// The casebook, files, light and dark, and the mode for lectures.

import questioning from "../../examples/questioning.des";
import { byId, make } from "./dom";

interface Case { path: string; title: string; text: string }

export function starter(): string { return questioning; }

/** The casebook as a menu; it is fetched when the page is ready. */
export function setUpCasebook(chosen: (text: string) => void): void {
  const menu = byId<HTMLSelectElement>("casebook");
  void fetch("casebook.json").then((answer) => answer.json()).then((cases: Case[]) => {
    const groups = new Map<string, HTMLOptGroupElement>();
    for (const [at, { path, title }] of cases.entries()) {
      const folder = path.includes("/") ? path.slice(0, path.indexOf("/")) : "first";
      const group = groups.get(folder) ?? make("optgroup", { label: folder.replaceAll("_", " ") });
      groups.set(folder, group);
      group.append(make("option", { value: at, title }, (path.split("/").pop() ?? path).replaceAll("_", " ")));
    }
    menu.append(...groups.values());
    menu.addEventListener("change", () => { const found = cases[Number(menu.value)]; if (menu.value !== "" && found) chosen(found.text); menu.value = ""; });
  });
}

export function openFile(opened: (text: string) => void): void {
  const input = make("input", { type: "file", accept: ".des,text/plain" });
  input.addEventListener("change", () => { void input.files?.[0]?.text().then(opened); });
  input.click();
}

export function saveFile(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: "model.des" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Light, dark, or what the system says. */
export function chooseTheme(): void {
  const button = byId("theme");
  const set = (theme: string | null) => { document.documentElement.dataset.theme = theme ?? ""; };
  set(localStorage.getItem("theme"));
  button.addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme === "dark"
      || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    localStorage.setItem("theme", isDark ? "light" : "dark");
    set(localStorage.getItem("theme"));
  });
}

/** For lectures: large type, and later steps of a story hidden until they are reached. */
export function setUpLecture(): void {
  const button = byId("lecture");
  button.addEventListener("click", () => {
    const on = document.documentElement.classList.toggle("lecture");
    button.setAttribute("aria-pressed", String(on));
  });
}
