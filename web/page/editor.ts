// The editor. What words mean is asked of the engine: colours, faults, completion and hover come from it.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, toggleLineComment } from "@codemirror/commands";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, WidgetType } from "@codemirror/view";
import type { Beside, Fault, Hovered, Proposals } from "./answers";
import { make, prose, said } from "./dom";

export interface Asks {
  changed: (text: string) => void;
  complete: (at: number) => Promise<Proposals | null>;
  hover: (at: number) => Promise<Hovered | null>;
  explain: (code: string) => void;
  chosen: (beside: Beside) => void;
}

const setColours = StateEffect.define<DecorationSet>();
const setBeside = StateEffect.define<DecorationSet>();
const setShown = StateEffect.define<DecorationSet>();
const colours = shown(setColours);
const verdicts = shown(setBeside);
const lit = shown(setShown);

/** Decorations that move with the text until others come. */
function shown(effect: typeof setColours): StateField<DecorationSet> {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(set, transaction) {
      for (const each of transaction.effects) if (each.is(effect)) return each.value;
      return set.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

class Verdict extends WidgetType {
  constructor(private beside: Beside, private asks: Asks) { super(); }
  override eq(other: Verdict): boolean {
    return this.beside.mark === other.beside.mark && this.beside.text === other.beside.text;
  }
  override toDOM(): HTMLElement {
    const mark = { good: "✓", bad: "✗", unsure: "?" }[this.beside.mark];
    const word = { good: "passed", bad: "failed", unsure: "undecided" }[this.beside.mark];
    return make("button", {
      type: "button", class: `verdict ${this.beside.mark}`, tabindex: -1, "aria-label": `${word}: ${this.beside.text}`,
      onclick: () => this.asks.chosen(this.beside),
    }, `${mark} ${this.beside.text}`);
  }
  override ignoreEvent(): boolean { return true; }
}

export class Editor {
  readonly view: EditorView;
  private quiet = false;

  constructor(place: HTMLElement, text: string, private asks: Asks) {
    // WHY a shadow root: the editor then writes its style into a style sheet object, which a strict policy allows.
    const root = place.attachShadow({ mode: "open" });
    this.view = new EditorView({ root, parent: root as unknown as HTMLElement, state: EditorState.create({ doc: text, extensions: this.extensions() }) });
  }

  get text(): string { return this.view.state.doc.toString(); }

  /** Replaces the text. */
  replace(text: string, quiet = false): void {
    this.quiet = quiet;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.quiet = false;
  }

  faults(found: Fault[]): void {
    const end = this.view.state.doc.length;
    const diagnostics = found.filter((fault) => fault.to <= end).map((fault): Diagnostic => ({
      from: fault.from, to: fault.to, severity: fault.severity, source: fault.code, message: fault.message,
      renderMessage: () => this.message(fault),
      actions: fault.fixes.map(({ title, edits }) => ({ name: title, apply: (view) => view.dispatch({ changes: edits }) })),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  private message(fault: Fault): HTMLElement {
    const code = make("button", { type: "button", class: "code", onclick: () => this.asks.explain(fault.code) }, fault.code);
    return make("span", {}, code, " ", said(fault.message), fault.help !== null && make("span", { class: "help-line" }, "help: ", said(fault.help)));
  }

  colour(tokens: [number, number, string][]): void {
    const end = this.view.state.doc.length;
    const marks = tokens.filter(([from, to]) => from < to && to <= end).map(([from, to, names]) => Decoration.mark({ class: names }).range(from, to));
    this.view.dispatch({ effects: setColours.of(Decoration.set(marks, true)) });
  }

  beside(found: Beside[]): void {
    const doc = this.view.state.doc;
    const widgets = found.filter(({ to }) => to <= doc.length).map((each) =>
      Decoration.widget({ widget: new Verdict(each, this.asks), side: 1 }).range(doc.lineAt(each.to).to));
    this.view.dispatch({ effects: setBeside.of(Decoration.set(widgets, true)) });
  }

  /** Lights lines; the first comes into sight. */
  light(lines: number[]): void {
    const doc = this.view.state.doc;
    const known = lines.filter((line) => line >= 1 && line <= doc.lines).sort((one, other) => one - other);
    const marks = known.map((line) => Decoration.line({ class: "lit" }).range(doc.line(line).from));
    const first = known[0];
    const effects: StateEffect<unknown>[] = [setShown.of(Decoration.set(marks, true))];
    if (first !== undefined) effects.push(EditorView.scrollIntoView(doc.line(first).from, { y: "nearest", yMargin: 40 }));
    this.view.dispatch({ effects });
  }

  goTo(line: number): void {
    const doc = this.view.state.doc;
    if (line < 1 || line > doc.lines) return;
    this.view.dispatch({ selection: { anchor: doc.line(line).from }, scrollIntoView: true });
    this.view.focus();
  }

  private extensions() {
    return [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), closeBrackets(), lintGutter(), colours, verdicts, lit,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "The model", "aria-description": "Escape, then Tab leaves the editor", spellcheck: "false", autocapitalize: "off" }),
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip(async (_view, at) => {
        const found = await this.asks.hover(at);
        return found ? { pos: found.from, end: found.to, create: () => ({ dom: make("div", { class: "hover" }, prose(found.text)) }) } : null;
      }),
      keymap.of([{ key: "Mod-/", run: toggleLineComment }, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
      EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
      EditorState.tabSize.of(4),
      EditorView.updateListener.of((update) => { if (update.docChanged && !this.quiet) this.asks.changed(this.text); }),
      theme,
    ];
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[\w?"]+|->|-/);
    if (!context.explicit && !before) return null;
    const found = await this.asks.complete(context.pos);
    if (!found || context.aborted) return null;
    const options = found.items.map((item, at) => ({
      label: item.label, apply: item.insert, detail: item.detail ?? item.kind, boost: -at / 10,
      info: item.docs === null ? undefined : () => prose(item.docs ?? ""),
    }));
    return { from: found.from, to: found.to, options, filter: true };
  }
}

const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--paper)", fontSize: "var(--editor-size, .95rem)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace", lineHeight: "1.55" },
  // WHY no least width: the longest verdict would be one, and lines would wrap outside of the pane.
  ".cm-content": { caretColor: "var(--ink)", minWidth: "0" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--panel) 60%, transparent)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--focus) 25%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: ".4rem", maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--focus)", color: "var(--paper)" },
  ".cm-completionDetail": { color: "inherit", opacity: ".75" },
  ".cm-diagnostic": { borderLeftWidth: "4px" },
  ".cm-diagnosticAction": { backgroundColor: "var(--focus)", color: "var(--paper)" },
  ".hover": { padding: ".3rem .6rem" },
  ".help-line": { display: "block", color: "var(--soft)" },
  "button.code": { font: "inherit", color: "var(--focus)", background: "none", border: "0", padding: "0", cursor: "pointer", textDecoration: "underline" },
  ".word": { color: "var(--word)", fontWeight: "600" }, ".comment": { color: "var(--comment)", fontStyle: "italic" },
  ".doc": { color: "var(--doc)", fontStyle: "italic" }, ".integer": { color: "var(--integer)" }, ".quoted": { color: "var(--quoted)" },
  ".sign": { color: "var(--sign)" }, ".event": { color: "var(--integer)" }, ".anonymous": { fontStyle: "italic", color: "var(--word)" },
  ".unobservable": { textDecoration: "underline dotted" }, ".secret": { textDecoration: "underline" },
  ".cm-line.lit": { backgroundColor: "var(--lit)", boxShadow: "inset 4px 0 var(--lit-line)" },
  ".verdict": { font: "inherit", fontSize: ".85em", marginLeft: "1.2em", border: "1px solid currentColor", borderRadius: "1rem", padding: "0 .55em", cursor: "pointer", maxWidth: "calc(100% - 1.2em)", overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap", verticalAlign: "bottom" },
  ".good": { color: "var(--good)", backgroundColor: "var(--good-back)" }, ".bad": { color: "var(--bad)", backgroundColor: "var(--bad-back)" },
  ".unsure": { color: "var(--unsure)", backgroundColor: "var(--unsure-back)" },
});
