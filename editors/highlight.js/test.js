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
