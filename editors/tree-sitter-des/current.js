// Run by editors/test.sh: src/grammar.json says what grammar.js says. The words of grammar.js mean here what they mean to
// tree-sitter, so that a forgotten `tree-sitter generate` is seen on machines without that program (which is long to build).
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

const rule = (value) => {
  if (typeof value === "string") return { type: "STRING", value };
  if (value instanceof RegExp) return { type: "PATTERN", value: value.source };
  return value;
};
const members = (type) => (...list) => ({ type, members: list.map(rule) });
const inside = (type, more = {}) => (content) => ({ type, ...more, content: rule(content) });
const leveled = (type) => (level, content) =>
  content === undefined ? { type, value: 0, content: rule(level) } : { type, value: level, content: rule(content) };

const words = {
  seq: members("SEQ"),
  choice: members("CHOICE"),
  repeat: inside("REPEAT"),
  repeat1: inside("REPEAT1"),
  optional: (content) => words.choice(content, { type: "BLANK" }),
  field: (name, content) => inside("FIELD", { name })(content),
  alias: (content, value) => ({ type: "ALIAS", content: rule(content), named: typeof value !== "string", value: value.name ?? value }),
  token: inside("TOKEN"),
  prec: Object.assign(leveled("PREC"), { left: leveled("PREC_LEFT"), right: leveled("PREC_RIGHT"), dynamic: leveled("PREC_DYNAMIC") }),
  grammar: (given) => {
    const symbols = new Proxy({}, { get: (_, name) => ({ type: "SYMBOL", name }) });
    const rules = Object.entries(given.rules).map(([name, body]) => [name, rule(body(symbols))]);
    return {
      name: given.name,
      word: given.word(symbols).name,
      rules: Object.fromEntries(rules),
      extras: given.extras(symbols).map(rule),
      conflicts: given.conflicts(symbols).map((conflict) => conflict.map((symbol) => symbol.name)),
      supertypes: given.supertypes(symbols).map((symbol) => symbol.name),
    };
  },
};

Object.assign(globalThis, words);
const written = require("./grammar.js");
const generated = JSON.parse(fs.readFileSync(path.join(__dirname, "src/grammar.json"), "utf8"));
for (const key of Object.keys(written)) {
  assert.deepStrictEqual(generated[key], written[key], `${key}: run \`tree-sitter generate --abi 14\``);
}
console.log(`grammar.json is current: ${Object.keys(written.rules).length} rules`);
