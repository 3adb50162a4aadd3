/*
Language: desc
Description: The .des language: anonymity and opacity of discrete-event systems
Category: scientific

hljs.registerLanguage("des", des);
*/

// The words are those of the lexer; a test of the project compares them.
const item = ["import", "as", "const", "component", "system", "observer"];
const declaration = ["states", "events", "initial", "observable", "unobservable", "anonymous", "secret", "compose"];
const control = ["for", "in", "if", "else"];
const check = ["check", "measure", "not", "estimate", "projection", "given", "among", "about", "against", "exactly"];
const mode = ["strong", "weak", "natural", "anonymity", "opacity"];
const horizon = ["infinite-step", "current-state", "initial-state", "-step"];

function des(hljs) {
  const name = /[\p{XID_Start}_]\p{XID_Continue}*/u;
  const string = { scope: "string", begin: /"/, end: /"|$/, contains: [{ scope: "char.escape", begin: /\\./ }] };
  const comments = [
    hljs.COMMENT(/\/\/\//, /$/, { scope: "doctag" }),
    hljs.C_LINE_COMMENT_MODE,
    hljs.C_BLOCK_COMMENT_MODE,
  ];
  const number = { scope: "number", begin: /\b[0-9]+\b/ };
  const sign = { scope: "symbol", begin: /[?γ](?:[0-9]+|[₀-₉]+)?/u };
  const brackets = { begin: /\[/, end: /\]/, contains: [...comments, string, sign, number, "self"] };
  const arrow = {
    begin: /-(?=[^-;{}>]*->|\s*\{[^-;{}>]*\}\s*->)/,
    end: /->/,
    scope: "operator",
    contains: [...comments, string, brackets, { scope: "title.function", begin: name }, number],
  };
  return {
    name: "desc",
    aliases: ["des"],
    unicodeRegex: true,
    keywords: { $pattern: name, keyword: [...item, ...declaration, ...control, ...check], built_in: mode },
    contains: [
      ...comments,
      string,
      { scope: "literal", begin: /\b(?:infinite-step|current-state|initial-state)\b|-step\b/ },
      { begin: [/\b(?:system|component|observer|against)\b/, /\s+/, name], beginScope: { 1: "keyword", 3: "title.class" } },
      arrow,
      brackets,
      number,
    ],
  };
}

if (typeof module !== "undefined") module.exports = des;
