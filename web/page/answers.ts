// The answers of the engine (`web/engine`), as far as the page reads them. Positions count UTF-16 units.

export type Mark = "good" | "bad" | "unsure";
export interface Eyes { observer: number; projection: string }
export interface Edit { from: number; to: number; insert: string }
export interface Fault {
  from: number; to: number; code: string; message: string; help: string | null; label: string;
  severity: "error" | "warning"; fixes: { title: string; edits: Edit[] }[];
}
export interface Opened { diagnostics: Fault[]; tokens: [number, number, string][]; model: boolean }
export interface Check {
  name: string | null; text: string; from: number; to: number; mark: Mark; says: string; line: number;
  story: boolean; property: boolean; view: Eyes;
}
export interface Beside { from: number; to: number; mark: Mark; text: string }
export interface System {
  name: string; docs: string[]; built: boolean; states: number; events: number; transitions: number;
  /** How many parts it has, if their product is not built. */
  uncomposed: number | null;
  observers: (string | null)[]; anonymous: boolean; checks: Check[]; beside: Beside[];
  drawing: string | null; parts: { name: string; drawing: string | null }[];
}
export interface Decided { systems: System[] }
export interface Names { count: number; ids: number[]; names: string[] }
export interface Sign { word: string; shown: string }
export interface Part { name: string; of: number; states: Names }
export interface Scene {
  observation: Sign[]; estimate: Names; exposed: boolean;
  instants: { at: number; sees: Sign | null; then: number; states: Names; parts: Part[]; exposed: boolean }[];
  next: { sign: Sign; remain: number; exposes: number[] }[];
  parts: Part[];
}
export interface Others { rows: { observation: Sign[]; estimate: Names; exposed: boolean }[]; cut: boolean }
export interface Explored {
  scene?: Scene; others?: Others | null; found?: boolean | null; lines?: number[][]; stopped?: string; remedy?: string; error?: string;
}
export interface Proposals {
  from: number; to: number; all: boolean;
  items: { label: string; insert: string; kind: string; detail: string | null; docs: string | null }[];
}
export interface Hovered { from: number; to: number; text: string }
