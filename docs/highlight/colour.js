// Colours `.des` blocks. mdBook brings an older highlight.js, which cannot read the definition of the editors (des.js); so the
// words are taken from there, and the few rules of the language are applied here.
(function () {
  const words = new Set([...item, ...set, ...statement, ...control, ...qualifier, ...horizon]);
  const modes = new Set([...projection, ...property]);
  const token =
    /(\/\/\/?[^\n]*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\\n])*")|(infinite-step|current-state|initial-state|-step\b)|([?γ](?:[0-9]+|[₀-₉]+)?)|([\p{XID_Start}_]\p{XID_Continue}*)|([0-9]+)/gu;

  function scope(match) {
    const [, comment, string, horizon, sign, name, number] = match;
    if (comment) return comment.startsWith("///") ? "hljs-doctag" : "hljs-comment";
    if (string) return "hljs-string";
    if (horizon) return "hljs-literal";
    if (sign) return "hljs-symbol";
    if (number) return "hljs-number";
    if (words.has(name)) return "hljs-keyword";
    if (modes.has(name)) return "hljs-built_in";
    return null;
  }

  function span(text, name) {
    const node = document.createElement("span");
    node.className = name;
    node.textContent = text;
    return node;
  }

  for (const block of document.querySelectorAll("code.language-des")) {
    const text = block.textContent;
    const nodes = [];
    let at = 0;
    for (const match of text.matchAll(token)) {
      const name = scope(match);
      if (!name) continue;
      nodes.push(document.createTextNode(text.slice(at, match.index)), span(match[0], name));
      at = match.index + match[0].length;
    }
    nodes.push(document.createTextNode(text.slice(at)));
    block.replaceChildren(...nodes);
  }
})();

// Adds "try it" to every model: a link that carries it into the playground, which stands beside the manual (docs/build.sh).
(function () {
  const script = document.currentScript;
  const blocks = [...document.querySelectorAll("pre > code.language-des")];
  if (blocks.length === 0) return;
  const top = new URL(typeof path_to_root === "string" ? path_to_root : script.src.replace(/[^/]*$/, ""), document.baseURI);
  import(new URL("playground/pack.js", top)).then(async ({ packed }) => {
    for (const block of blocks) {
      const link = document.createElement("a");
      link.className = "try-it";
      link.textContent = "try it";
      link.href = new URL(`playground/index.html${await packed({ text: block.textContent })}`, top);
      block.parentElement.after(link);
    }
  }, () => {}); // The manual alone, without the page: no links.
})();
