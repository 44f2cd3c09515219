// Bytes that a page holds: base64 of deflated bytes, in script elements that are not run.
import { DataError } from "./bundle";

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const noDigit = 64;
const valueOf = new Uint8Array(256).fill(noDigit);
for (let v = 0; v < digits.length; ++v) valueOf[digits.charCodeAt(v)] = v;

// By a table: atob() would make a string as long as the bytes first.
export function fromBase64(text: string, what: string): Uint8Array<ArrayBuffer> {
  if (text.length % 4 !== 0) throw new DataError(`${what}: cut off (${text.length} characters)`);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const out = new Uint8Array((text.length / 4) * 3 - padding);
  const full = text.length - padding;
  let bits = 0;
  let bad = 0;
  for (let at = 0, to = 0; at < text.length; ++at) {
    const v = at < full ? valueOf[text.charCodeAt(at) & 255] : 0;
    bad |= v | (text.charCodeAt(at) >> 8 === 0 ? 0 : noDigit);
    bits = (bits << 6) | v;
    if ((at & 3) !== 3) continue;
    out[to++] = bits >> 16; // beyond the end of the array nothing is written
    out[to++] = bits >> 8;
    out[to++] = bits;
    bits = 0;
  }
  if (bad >= noDigit) throw new DataError(`${what}: damaged, a character that base64 does not have`);
  return out;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>, what: string): Promise<ArrayBuffer> {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return await new Response(stream).arrayBuffer();
  } catch {
    throw new DataError(`${what}: damaged, it cannot be unpacked`);
  }
}

// The texts of blobs by name.
export interface Texts {
  has(name: string): boolean;
  text(name: string): string | null;
}

// Those of the page; null where it holds none. Texts stay in the document: a copy of them all would double the memory.
export function blobsOf(page: Document): Texts | null {
  const elements = new Map<string, Element>();
  for (const element of page.querySelectorAll("script.cairn-blob")) {
    elements.set(element.getAttribute("data-name") ?? "", element);
  }
  if (elements.size === 0) return null;
  return { has: (name) => elements.has(name), text: (name) => elements.get(name)?.textContent ?? null };
}
