// A file of the machine: `desc explore --web` serves it beside the page, and the page follows it.

export interface Local { text: string; version: string }

/** How often the file is looked at, in milliseconds. */
const OFTEN = 500;

/** The file that is served with the page; null: the page stands alone. */
export async function localFile(): Promise<Local | null> {
  if (!document.querySelector('meta[name="desc-local"][content="yes"]')) return null;
  return look("");
}

async function look(version: string): Promise<Local | null> {
  const answer = await fetch(`file?version=${encodeURIComponent(version)}`);
  return answer.status === 200 ? ((await answer.json()) as Local) : null;
}

export function followFile(local: Local, changed: (text: string) => void): void {
  let { version } = local;
  setInterval(() => void look(version).then((next) => { if (next) { version = next.version; changed(next.text); } }, () => {}), OFTEN);
}
