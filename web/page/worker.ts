// The engine in a thread of its own: it gets the compiled module, then requests as text, and answers in order.

/** The border of `web/engine/src/border.rs`. */
interface Border { memory: WebAssembly.Memory; room: (bytes: number) => number; ask: () => number; answer: () => number }

let engine: Border | undefined;

function ask(border: Border, request: string): string {
  const bytes = new TextEncoder().encode(request);
  const room = border.room(bytes.length);
  new Uint8Array(border.memory.buffer, room, bytes.length).set(bytes);
  const length = border.ask();
  return new TextDecoder().decode(new Uint8Array(border.memory.buffer, border.answer(), length));
}

self.onmessage = ({ data }: MessageEvent) => {
  if (data instanceof WebAssembly.Module) {
    const now = () => performance.now();
    engine = new WebAssembly.Instance(data, { page: { now } }).exports as unknown as Border;
    return;
  }
  const { id, request } = data as { id: number; request: string };
  try {
    self.postMessage({ id, answer: engine ? ask(engine, request) : '{"error":"the engine is not ready"}' });
  } catch (error) {
    // A panic of the engine, or no memory: this worker cannot go on, and the page starts another.
    self.postMessage({ id, broken: String(error) });
  }
};
