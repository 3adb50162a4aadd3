// Renders a .des file as HTML with the TextMate grammar and colours like those of VS Code's "Dark Modern":
//     node screenshot.js FILE.des > page.html
// A look at the grammar: text that no rule matched is red, and editors/test.sh fails on it.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const colours = [
  ["comment.line.documentation", "#6a9955"],
  ["comment", "#6a9955"],
  ["string", "#ce9178"],
  ["constant.character.escape", "#d7ba7d"],
  ["constant.numeric", "#b5cea8"],
  ["constant.language", "#569cd6"],
  ["constant.other.sign", "#4fc1ff"],
  ["variable.other.constant", "#4fc1ff"],
  ["variable", "#9cdcfe"],
  ["entity.name.type", "#4ec9b0"],
  ["entity.name.function", "#dcdcaa"],
  ["entity.name.label", "#c8c8c8"],
  ["keyword.control", "#c586c0"],
  ["keyword.operator", "#d4d4d4"],
  ["keyword", "#c586c0"],
  ["storage", "#569cd6"],
  ["punctuation", "#d4d4d4"],
];

function colour(scopes) {
  for (const scope of [...scopes].reverse()) {
    const found = colours.find(([prefix]) => scope.startsWith(prefix));
    if (found) return found[1];
  }
  return undefined;
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

async function main(file) {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => {
      const grammar = path.join(__dirname, "syntaxes/des.tmLanguage.json");
      return textmate.parseRawGrammar(fs.readFileSync(grammar, "utf8"), grammar);
    },
  });
  const grammar = await registry.loadGrammar("source.des");
  let stack = textmate.INITIAL;
  const lines = fs.readFileSync(file, "utf8").trimEnd().split("\n").map((line, at) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    const spans = tokens.map(({ startIndex, endIndex, scopes }) => {
      const text = line.slice(startIndex, endIndex);
      const style = colour(scopes) ?? (text.trim() === "" ? "inherit" : "red");
      return `<span style="color:${style}">${escape(text)}</span>`;
    });
    return `<span class="n">${at + 1}</span>${spans.join("")}`;
  });
  process.stdout.write(`<!doctype html><meta charset="utf-8"><style>
body { background: #1f1f1f; color: #ccc; margin: 0; padding: 14px; font: 14px/20px "DejaVu Sans Mono", monospace; }
pre { margin: 0; font: inherit; } .n { color: #6e7681; display: inline-block; width: 3ch; margin-right: 2ch; text-align: right; }
</style><pre>${lines.join("\n")}</pre>`);
}

main(process.argv[2]);
