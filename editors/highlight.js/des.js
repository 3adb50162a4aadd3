/*
Language: desc
Description: The .des language: anonymity and opacity of discrete-event systems
Category: scientific

hljs.registerLanguage("des", des);
*/

// The words are those of the lexer; a test of the project compares them.
const item = ["import", "const", "component", "monitor", "system"];
const set = ["states", "events", "initial", "observable", "unobservable", "anonymous", "secret"];
const statement = ["final", "compose", "observer", "check", "measure", "may", "must"];
const control = ["for", "in", "if", "else", "as", "by", "together", "hide", "anonymise", "disable", "from", "cost", "not"];
const projection = ["strong", "weak", "natural"];
const property = ["anonymity", "opacity", "estimate", "projection", "repair"];
const qualifier = ["costs", "impossible", "of", "throughout", "except", "among", "about", "against", "given"];
const horizon = ["exactly", "infinite-step", "current-state", "initial-state", "initial-final"];

function des(hljs) {
  const name = /[\p{XID_Start}_]\p{XID_Continue}*/u;
  const string = { scope: "string", begin: /"/, end: /"|$/, contains: [{ scope: "char.escape", begin: /\\./ }] };
  const comments = [
    hljs.C_LINE_COMMENT_MODE,
    hljs.C_BLOCK_COMMENT_MODE,
  ];
  const number = { scope: "number", begin: /\b[0-9]+\b/ };
  const sign = { scope: "symbol", begin: /[?γ](?:[0-9]+|[₀-₉]+)?/u };
  const brackets = { begin: /\[/, end: /\]/, contains: [...comments, string, sign, number, "self"] };
  const arrow = {
    begin: /-(?=[^-;>]*->)/,
    end: /->/,
    scope: "operator",
    contains: [...comments, string, brackets, { scope: "title.function", begin: name }, number],
  };
  return {
    name: "desc",
    aliases: ["des"],
    unicodeRegex: true,
    keywords: { $pattern: name, keyword: [...item, ...set, ...statement, ...control, ...qualifier], built_in: [...projection, ...property] },
    contains: [
      ...comments,
      string,
      { scope: "literal", begin: new RegExp(`\\b(?:${horizon.join("|")})\\b|-step\\b`) },
      { begin: [/\b(?:system|component|monitor|observer|against)\b/, /\s+/, name], beginScope: { 1: "keyword", 3: "title.class" } },
      arrow,
      brackets,
      number,
    ],
  };
}

if (typeof module !== "undefined") module.exports = des;
