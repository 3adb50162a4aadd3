// The extension's own code with a stand-in for VS Code: what it registers, what it runs, what it says when `desc` is missing.
//     DESC=path/to/desc node --test test/extension.test.js
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");

const DESC = process.env.DESC;
const manifest = require("../package.json");

/** A VS Code that remembers what it was asked. */
function standIn(program, text) {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "desc-")), "model.des");
  fs.writeFileSync(file, text);
  const seen = { commands: {}, errors: [], panels: [], tasks: [], started: [], file };
  const values = { "server.path": program, "server.arguments": [], verify: { enabled: true }, verdicts: "both" };
  const document = { languageId: "des", uri: { fsPath: file }, save: async () => true };
  const vscode = {
    commands: {
      registerCommand: (name, action) => ((seen.commands[name] = action), { dispose() {} }),
      executeCommand: async (name) => (name === "vscode.executeDocumentSymbolProvider" ? seen.symbols : undefined),
    },
    workspace: {
      isTrusted: true,
      getConfiguration: () => ({ get: (key) => values[key], verify: values.verify, verdicts: values.verdicts }),
      onDidChangeConfiguration: () => ({ dispose() {} }),
      onDidGrantWorkspaceTrust: () => ({ dispose() {} }),
      createFileSystemWatcher: () => ({}),
    },
    window: {
      activeTextEditor: { document, selection: { active: 1 } },
      showErrorMessage: async (message) => void seen.errors.push(message),
      showInformationMessage: async (message) => void seen.errors.push(message),
      createWebviewPanel: (kind, title) => {
        const panel = { kind, title, webview: { html: "" } };
        seen.panels.push(panel);
        return panel;
      },
    },
    tasks: { executeTask: async (task) => void seen.tasks.push(task) },
    CustomExecution: class {
      constructor(open) {
        this.open = open;
      }
    },
    EventEmitter: class {
      heard = [];
      event = (listener) => void this.heard.push(listener);
      fire = (value) => this.heard.forEach((listener) => listener(value));
    },
    Task: class {
      constructor(definition, scope, name, source, execution) {
        Object.assign(this, { name, execution });
      }
    },
    SymbolKind: { Module: 1 },
    TaskScope: { Workspace: 2 },
    ViewColumn: { Beside: -2 },
  };
  const client = {
    RevealOutputChannelOn: { Never: 4 },
    LanguageClient: class {
      constructor(id, name, server) {
        seen.started.push(server);
      }
      async start() {}
      async stop() {}
    },
  };
  const load = Module._load;
  Module._load = (name, ...rest) =>
    name === "vscode" ? vscode : name === "vscode-languageclient/node" ? client : load(name, ...rest);
  try {
    delete require.cache[require.resolve("../src/extension.js")];
    return { seen, extension: require("../src/extension.js") };
  } finally {
    Module._load = load;
  }
}

const TWO = `system One { states A, B; initial A, B; events a; A, B -a-> A, B; check infinite-step; }
system Two { states C, D; initial C; events a; C -a-> D; check current-state; }
`;

test("every command of the manifest is registered", async () => {
  const { seen, extension } = standIn("no-such-program", TWO);
  await extension.activate({ subscriptions: [] });
  const named = manifest.contributes.commands.map(({ command }) => command).sort();
  assert.deepStrictEqual(Object.keys(seen.commands).sort(), named);
});

test("a missing program is told once, in plain words, and nothing is started", async () => {
  const { seen, extension } = standIn("no-such-program", TWO);
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(seen.started, []);
  assert.deepStrictEqual(seen.errors, ["`no-such-program` is not on the PATH. Files are coloured, but not checked."]);
});

test("the server is started, and the commands show what `desc` gives", { skip: !DESC && "DESC does not name a binary" }, async () => {
  const { seen, extension } = standIn(DESC, TWO);
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(seen.started, [{ command: DESC, args: ["lsp"] }]);
  const range = (has) => ({ contains: () => has });
  seen.symbols = [{ kind: 1, name: "One", range: range(false) }, { kind: 1, name: "Two", range: range(true) }];
  await seen.commands["desc.showGraph"]();
  const [graph] = seen.panels;
  assert.strictEqual(graph.title, "Graph: Two", "the system at the cursor");
  assert.match(graph.webview.html, /<svg[\s\S]*G of Two/);
  await seen.commands["desc.showReport"]();
  const report = seen.panels[1];
  assert.strictEqual(report.title, "Report: model.des");
  assert.match(report.webview.html, /<title>model\.des: report<\/title>/, "the file by its name, not its whole path");
  assert.match(report.webview.html, /<head><style>code/);
  await seen.commands["desc.check"]();
  const shown = await new Promise(async (done) => {
    const terminal = await seen.tasks[0].execution.open();
    let text = "";
    terminal.onDidWrite((data) => (text += data));
    terminal.onDidClose(() => done(text));
    terminal.open();
  });
  assert.match(shown, /FAILED[\s\S]*model\.des:2:\d+[\s\S]*\r\n/, "the story of the violated check, with ends of lines for a terminal");
  assert.deepStrictEqual(seen.errors, []);
});
