// The page's side of the worker. A run is cancelled by replacing the worker.

interface Waiting { resolve: (answer: unknown) => void; reject: (error: Error) => void }

export class Cancelled extends Error {}

export class Client {
  private worker: Worker | undefined;
  private waiting = new Map<number, Waiting>();
  private last = 0;
  private constructor(private module: WebAssembly.Module) { this.start(); }

  static async load(): Promise<Client> {
    return new Client(await WebAssembly.compileStreaming(fetch("engine.wasm")));
  }

  get busy(): boolean { return this.waiting.size > 0; }

  ask<T>(request: object): Promise<T> {
    const id = ++this.last;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: unknown) => void, reject });
      this.worker?.postMessage({ id, request: JSON.stringify(request) });
    });
  }

  /** Ends whatever is under way. The next request must open the text again. */
  restart(why = "cancelled"): void {
    this.worker?.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.start();
    for (const { reject } of waiting) reject(new Cancelled(why));
  }

  private start(): void {
    this.worker = new Worker("worker.js", { type: "module" });
    this.worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.broken !== undefined) this.restart(`the engine ended: ${data.broken}`);
      else waiting?.resolve(JSON.parse(data.answer));
    };
    this.worker.onerror = () => this.restart("the engine ended");
    this.worker.postMessage(this.module);
  }
}
