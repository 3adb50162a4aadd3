// The scopes that highlight.js gives to the tour of the language.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const hljs = require("highlight.js/lib/core");

hljs.registerLanguage("des", require("./des.js"));
const text = fs.readFileSync(path.join(__dirname, "../test/tour.des"), "utf8");
const { value, illegal } = hljs.highlight(text, { language: "des", ignoreIllegals: false });
assert(!illegal);

const has = (scope, inner) => assert(value.includes(`<span class="${scope}">${inner}</span>`), `${inner} is not ${scope}`);
has("hljs-keyword", "import");
has("hljs-keyword", "states");
has("hljs-keyword", "check");
has("hljs-title class_", "Network");
has("hljs-title class_", "Clerk");
has("hljs-title function_", "send");
has("hljs-built_in", "weak");
has("hljs-literal", "infinite-step");
has("hljs-literal", "-step");
has("hljs-symbol", "γ₁");
has("hljs-string", "&quot;waiting room&quot;");
console.log("highlight.js: the tour is coloured as expected");

// The manual colours its blocks by docs/highlight/colour.js, which takes its words from des.js: both run as a browser would.
const vm = require("node:vm");
const root = path.join(__dirname, "../..");
const block = { textContent: "/// Doc\nsystem S { states A; check weak 2-step opacity; check [γ₁]; }", replaceChildren: (...nodes) => (block.nodes = nodes) };
const document = {
  createElement: () => ({}),
  createTextNode: (textContent) => ({ textContent }),
  querySelectorAll: (selector) => (selector === "code.language-des" ? [block] : []),
};
const page = vm.createContext({ document });
for (const script of ["editors/highlight.js/des.js", "docs/highlight/colour.js"]) {
  vm.runInContext(fs.readFileSync(path.join(root, script), "utf8"), page, { filename: script });
}
assert.strictEqual(block.nodes.map((node) => node.textContent).join(""), block.textContent, "the text stays as it is");
const classOf = (word) => block.nodes.find((node) => node.textContent === word)?.className;
for (const [word, name] of [["/// Doc", "doctag"], ["system", "keyword"], ["states", "keyword"], ["weak", "built_in"], ["opacity", "built_in"], ["-step", "literal"], ["γ₁", "symbol"], ["2", "number"]]) {
  assert.strictEqual(classOf(word), `hljs-${name}`, `${word} in the manual`);
}
console.log("highlight.js: the manual is coloured by the same words");

// The HTML report colours by the lexer itself. Its words are those that highlight.js knows, in every example.
if (process.env.DESC) {
  const { execFileSync } = require("node:child_process");
  const folder = fs.mkdtempSync(path.join(require("node:os").tmpdir(), "desc-"));
  const file = path.join(folder, "report.html");
  const examples = ["questioning.des", "tour/08_observers.des", "protocols/voting.des"].map((name) => path.join(root, "examples", name));
  execFileSync(process.env.DESC, ["check", "-q", ...examples, "--report", `html=${file}`]);
  const report = new Set([...fs.readFileSync(file, "utf8").matchAll(/<span class="word">(\w+)<\/span>/g)].map((match) => match[1]));
  const here = new Set();
  for (const example of examples) {
    const { value } = hljs.highlight(fs.readFileSync(example, "utf8"), { language: "des" });
    for (const [, words] of value.matchAll(/<span class="hljs-(?:keyword|built_in|literal)">([\w-]+)<\/span>/g)) {
      words.split("-").filter(Boolean).forEach((word) => here.add(word));
    }
  }
  assert(here.size > 15, "there is something to compare");
  assert.deepStrictEqual([...report].sort(), [...here].sort(), "the words of the report");
  fs.rmSync(folder, { recursive: true });
  console.log(`highlight.js: the report colours the same ${here.size} words`);
}
