// How long it takes from a keystroke to its diagnostics, in a file of many transitions:
//     node editors/latency.js target/release/desc [transitions] [keystrokes]
// On a busy machine the processor time tells more than the clock; it is shown where the system counts it (Linux).
// Each keystroke breaks or repairs a name in the middle of the file; the time runs until the diagnostics of that version arrive.
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const [program = "desc", transitions = "10000", keystrokes = "40"] = process.argv.slice(2);

function model(count) {
  const n = Math.ceil(count / 2);
  const states = Array.from({ length: n }, (_, i) => `s${i}`).join(", ");
  const lines = Array.from({ length: n }, (_, i) => [
    `    s${i} -a-> s${(i * 7 + 1) % n};`,
    `    s${i} -b-> s${(i * 13 + 5) % n};`,
  ]).flat();
  return ["system Large {", `    states ${states};`, "    initial s0;", "    events a, b;", "    anonymous a, b;", ...lines, "}", ""];
}

const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();
let buffer = Buffer.alloc(0);

server.stdout.on("data", (data) => {
  buffer = Buffer.concat([buffer, data]);
  for (;;) {
    const end = buffer.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    receive(JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString()));
    buffer = buffer.subarray(end + 4 + length);
  }
});

function receive(message) {
  const key = message.method === "textDocument/publishDiagnostics" ? `version ${message.params.version}` : `answer ${message.id}`;
  waiting.get(key)?.(message);
  waiting.delete(key);
}

function send(message) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message });
  server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

/** Milliseconds of processor time that the server has used, or nothing where that is not counted. */
function processor() {
  try {
    const folder = `/proc/${server.pid}/task`;
    const used = fs.readdirSync(folder).map((task) => Number(fs.readFileSync(`${folder}/${task}/schedstat`, "utf8").split(" ")[0]));
    return used.reduce((sum, one) => sum + one, 0) / 1e6;
  } catch {
    return NaN;
  }
}

const arrival = (key) => new Promise((done) => waiting.set(key, done));

async function main() {
  const lines = model(Number(transitions));
  const uri = "file:///large.des";
  send({ id: 0, method: "initialize", params: { processId: null, rootUri: null, capabilities: {}, initializationOptions: { verify: { enabled: false } } } });
  await arrival("answer 0");
  send({ method: "initialized", params: {} });
  send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "des", version: 1, text: lines.join("\n") } } });
  await arrival("version 1");

  const line = Math.floor(lines.length / 2);
  const character = lines[line].length - 1;
  const times = { diagnostics: [], processor: [], completion: [], colours: [] };
  for (let version = 2; version < 2 + Number(keystrokes); version++) {
    const typed = version % 2 === 0;
    const range = { start: { line, character }, end: { line, character: character + (typed ? 0 : 1) } };
    let start = performance.now();
    const before = processor();
    send({ method: "textDocument/didChange", params: { textDocument: { uri, version }, contentChanges: [{ range, text: typed ? "x" : "" }] } });
    const { params } = await arrival(`version ${version}`);
    times.diagnostics.push(performance.now() - start);
    times.processor.push(processor() - before);
    const faults = params.diagnostics.filter((fault) => fault.severity === 1).length;
    if (faults > 0 !== typed) throw new Error(`version ${version} has ${faults} faults`);
    start = performance.now();
    send({ id: version, method: "textDocument/completion", params: { textDocument: { uri }, position: { line, character: character - 1 } } });
    await arrival(`answer ${version}`);
    times.completion.push(performance.now() - start);
    start = performance.now();
    send({ id: version, method: "textDocument/semanticTokens/full", params: { textDocument: { uri } } });
    await arrival(`answer ${version}`);
    times.colours.push(performance.now() - start);
  }
  for (const [what, list] of Object.entries(times)) {
    list.sort((a, b) => a - b);
    const at = (part) => list[Math.min(list.length - 1, Math.floor(list.length * part))].toFixed(1);
    console.log(`${what.padEnd(12)} median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, best ${at(0)} ms (${transitions} transitions, ${list.length} keystrokes)`);
  }
  send({ id: "end", method: "shutdown" });
  await arrival("answer end");
  send({ method: "exit" });
}

main();
