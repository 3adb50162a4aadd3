// The VS Code side of `desc`: starts the language server and offers what an editor alone can: panels and buttons.
// Everything about the language itself is in the server.
"use strict";

const { execFile } = require("node:child_process");
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
  const server = { command: program, args: ["lsp", ...settings().get("server.arguments")] };
  client = new LanguageClient("desc", "desc", server, {
    documentSelector: [{ language: "des" }],
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationOptions: options(),
    synchronize: { configurationSection: "desc", fileEvents: vscode.workspace.createFileSystemWatcher("**/*.des") },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    await offerPath(program, error);
  }
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

async function offerPath(program, error) {
  const change = "Set the path";
  const chosen = await vscode.window.showErrorMessage(`\`${program} lsp\` does not start: ${error.message ?? error}`, change);
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
  const execution = new vscode.ProcessExecution(settings().get("server.path"), ["check", document.uri.fsPath]);
  const task = new vscode.Task({ type: "desc" }, vscode.TaskScope.Workspace, "check", "desc", execution);
  task.presentationOptions = { clear: true, showReuseMessage: false };
  await vscode.tasks.executeTask(task);
}

async function showGraph() {
  const document = await documentInFront();
  if (!document) return;
  const { stdout, stderr } = await run(["show", "system", document.uri.fsPath, "--format", "svg"]);
  if (!stdout.includes("<svg")) return fault("There is no graph to show", stderr);
  const panel = vscode.window.createWebviewPanel("desc.graph", `Graph: ${nameOf(document)}`, vscode.ViewColumn.Beside);
  panel.webview.html = page(stdout.slice(stdout.indexOf("<svg")));
}

async function showReport() {
  const document = await documentInFront();
  if (!document) return;
  const folder = await mkdtemp(path.join(tmpdir(), "desc-"));
  try {
    const file = path.join(folder, "report.html");
    const { stderr } = await run(["check", document.uri.fsPath, "--report", `html=${file}`]);
    const html = await readFile(file, "utf8").catch(() => undefined);
    if (!html) return fault("There is no report to show", stderr);
    const panel = vscode.window.createWebviewPanel("desc.report", `Report: ${nameOf(document)}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      enableFindWidget: true,
    });
    panel.webview.html = html;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function nameOf(document) {
  return path.basename(document.uri.fsPath);
}

/** A violated check is an answer, not a failure: the exit code is not looked at. */
function run(args) {
  return new Promise((done) => {
    const limits = { maxBuffer: 64 << 20, timeout: 60_000 };
    execFile(settings().get("server.path"), args, limits, (_error, stdout, stderr) => done({ stdout, stderr }));
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
