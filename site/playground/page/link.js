// The program in the link's fragment: `#c=` and base64url of raw deflate of UTF-8. A fragment is never sent to a server.
const LONGEST = 400_000; // characters of a program in a link; a small link may unpack to very much

const through = (bytes, stream) => new Blob([bytes]).stream().pipeThrough(stream);

export async function packed(text) {
  const bytes = new Uint8Array(await new Response(through(text, new CompressionStream("deflate-raw"))).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return "#c=" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The program, or null if there is none. Throws where the link is damaged.
export async function unpacked(hash) {
  const found = /[#&]c=([\w-]*)/.exec(hash);
  if (!found) return null;
  const bytes = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > LONGEST) throw new Error("too long");
  }
}
