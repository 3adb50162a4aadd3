// The VS Code side of `desc`: starts the language server and offers what an editor alone can: panels and buttons.
// Everything about the language itself is in the server.
"use strict";

const { execFile, spawn } = require("node:child_process");
const { mkdtemp, readFile, rm } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const path = require("node:path");
const vscode = require("vscode");
const { LanguageClient, RevealOutputChannelOn } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("desc.check", checkFile),
    vscode.commands.registerCommand("desc.showGraph", showGraph),
    vscode.commands.registerCommand("desc.showReport", showReport),
    vscode.commands.registerCommand("desc.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("desc.server")) restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

function settings() {
  return vscode.workspace.getConfiguration("desc");
}

async function start() {
  if (!vscode.workspace.isTrusted) return;
  const program = settings().get("server.path");
  const { error } = await run(["--version"]);
  if (error) return offerPath(program, error);
  const server = { command: program, args: ["lsp", ...settings().get("server.arguments")] };
  client = new LanguageClient("desc", "desc", server, {
    documentSelector: [{ language: "des" }],
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: options(),
    synchronize: { configurationSection: "desc", fileEvents: vscode.workspace.createFileSystemWatcher("**/*.des") },
  });
  await client.start();
}

/** What the server reads from `initializationOptions`, and again from `workspace/didChangeConfiguration`. */
function options() {
  const { verify, verdicts } = settings();
  return { verify, verdicts };
}

async function restart() {
  await client?.stop();
  client = undefined;
  await start();
}

/** The server is asked for its version before it is started, so that a wrong path is told once and in plain words. */
async function offerPath(program, error) {
  const change = "Set the path";
  const why = error.code === "ENOENT" ? "is not on the PATH" : `does not start: ${error.message}`;
  const told = `\`${program}\` ${why}. Files are coloured, but not checked.`;
  const chosen = await vscode.window.showErrorMessage(told, change);
  if (chosen === change) vscode.commands.executeCommand("workbench.action.openSettings", "desc.server.path");
}

/** The .des document in front, saved. */
async function documentInFront() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "des") {
    vscode.window.showInformationMessage("Open a .des file first.");
    return undefined;
  }
  await document.save();
  return document;
}

/** `desc check FILE` in a terminal, where its story has colours. */
async function checkFile() {
  const document = await documentInFront();
  if (!document) return;
  const execution = new vscode.CustomExecution(async () => terminal(["check", "--color", "always", nameOf(document)], folderOf(document)));
  const task = new vscode.Task({ type: "desc" }, vscode.TaskScope.Workspace, "check", "desc", execution);
  task.presentationOptions = { clear: true, echo: false, showReuseMessage: false };
  await vscode.tasks.executeTask(task);
}

/**
 * A terminal that shows what `desc` prints. Of a plain process VS Code would say that it "failed to launch" when it ends with 1,
 * and that is what a violated check ends with.
 */
function terminal(args, cwd) {
  const written = new vscode.EventEmitter();
  const closed = new vscode.EventEmitter();
  let program;
  const show = (data) => written.fire(data.toString().replace(/\r?\n/g, "\r\n"));
  return {
    onDidWrite: written.event,
    onDidClose: closed.event,
    open: () => {
      program = spawn(settings().get("server.path"), args, { cwd });
      program.stdout.on("data", show);
      program.stderr.on("data", show);
      program.on("error", (error) => show(`${error.message}\n`));
      program.on("close", () => closed.fire(0));
    },
    close: () => program?.kill(),
  };
}

/** The graph of the system at the cursor, with the witness of its first violated check marked. */
async function showGraph() {
  const document = await documentInFront();
  if (!document) return;
  const system = await systemAtCursor(document);
  const args = ["show", "system", nameOf(document), "--format", "svg", "--highlight", ...(system ? ["--system", system] : [])];
  const { stdout, stderr } = await run(args, folderOf(document));
  if (!stdout.includes("<svg")) return fault("There is no graph to show", stderr);
  const title = `Graph: ${system ?? nameOf(document)}`;
  const panel = vscode.window.createWebviewPanel("desc.graph", title, vscode.ViewColumn.Beside);
  panel.webview.html = page(stdout.slice(stdout.indexOf("<svg")));
}

/** The name of the system around the cursor, else of the first one; none if the server does not answer. */
async function systemAtCursor(document) {
  const found = await vscode.commands.executeCommand("vscode.executeDocumentSymbolProvider", document.uri);
  const systems = (found ?? []).filter((symbol) => symbol.kind === vscode.SymbolKind.Module);
  const cursor = vscode.window.activeTextEditor?.selection.active;
  return (systems.find((system) => cursor && system.range.contains(cursor)) ?? systems[0])?.name;
}

async function showReport() {
  const document = await documentInFront();
  if (!document) return;
  const folder = await mkdtemp(path.join(tmpdir(), "desc-"));
  try {
    const file = path.join(folder, "report.html");
    const { stderr } = await run(["check", nameOf(document), "--report", `html=${file}`], folderOf(document));
    const html = await readFile(file, "utf8").catch(() => undefined);
    if (!html) return fault("There is no report to show", stderr);
    const panel = vscode.window.createWebviewPanel("desc.report", `Report: ${nameOf(document)}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      enableFindWidget: true,
    });
    panel.webview.html = html.replace("<head>", `<head><style>${PLAIN_CODE}</style>`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** VS Code paints `code` in the colours of its theme; the report has its own. */
const PLAIN_CODE = "code { color: inherit; background: none; padding: 0; }";

function nameOf(document) {
  return path.basename(document.uri.fsPath);
}

/** Programs run beside the file, so that what they print names it as a user would. */
function folderOf(document) {
  return path.dirname(document.uri.fsPath);
}

/** A violated check is an answer, not a failure: only a program that cannot run has an `error` that counts. */
function run(args, cwd) {
  return new Promise((done) => {
    const limits = { maxBuffer: 64 << 20, timeout: 60_000, cwd };
    execFile(settings().get("server.path"), args, limits, (error, stdout, stderr) => done({ error, stdout, stderr }));
  });
}

function fault(what, stderr) {
  const first = stderr.split("\n").find((line) => line.trim() !== "") ?? "`desc` said nothing";
  vscode.window.showErrorMessage(`${what}: ${first}`);
}

function page(svg) {
  return `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<style>body { background: #fff; margin: 1em; } svg { max-width: 100%; height: auto; }</style>
${svg}`;
}

module.exports = { activate, deactivate };
