// A model in an address: `#1.` and the model, compressed (deflate) and in base64url. A link comes from anyone: everything is checked.

import { packed } from "./pack.js";

export interface Shared { text: string; tab?: string; system?: number; check?: number; seen?: string[] }

const FORM = "#1.";
/** The longest fragment, and the longest model in one, in characters. */
const LONGEST_FRAGMENT = 120_000;
const LONGEST_TEXT = 1_000_000;

export const toFragment = (shared: Shared): Promise<string> => packed(shared);

/** The model of a fragment; null: there is none. Throws where there is one that is damaged or too large. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  if (fragment === "" || fragment === "#") return null;
  if (!fragment.startsWith(FORM)) throw new Error("the link has no model");
  const packed = fragment.slice(FORM.length);
  if (packed.length > LONGEST_FRAGMENT) throw new Error("the link is too long");
  if (!/^[A-Za-z0-9_-]+$/.test(packed)) throw new Error("the link is damaged");
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = await unpacked(bytes, LONGEST_TEXT);
  return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text)));
}

function checked(value: unknown): Shared {
  if (typeof value !== "object" || value === null) throw new Error("the link has no model");
  const { text, tab, system, check, seen } = value as Record<string, unknown>;
  if (typeof text !== "string") throw new Error("the link has no model");
  const number = (of: unknown) => (Number.isInteger(of) && (of as number) >= 0 ? (of as number) : undefined);
  const words = Array.isArray(seen) && seen.length < 1000 && seen.every((word) => typeof word === "string") ? (seen as string[]) : undefined;
  return {
    text,
    tab: tab === "verdicts" || tab === "drawing" || tab === "explore" ? tab : undefined,
    system: number(system),
    check: number(check),
    seen: words,
  };
}

/** Decompresses no more than is allowed: a short link may hold a very long text. */
async function unpacked(bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) throw new Error("the link is too large");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}
