// A model → the fragment of a link that carries it: `#1.` and its JSON, compressed (deflate), in base64url. The manual uses this file too.

/** @param {object} shared @returns {Promise<string>} */
export async function packed(shared) {
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of new Uint8Array(await new Response(stream).arrayBuffer())) binary += String.fromCharCode(byte);
  return "#1." + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
