// Bundles for tests, written from docs/view-data.md and not from the page's reader.

export interface TestArray {
  type: string;
  shape: number[];
  values: ArrayBufferView;
}

export function makeBundle(fields: object, arrays: Record<string, TestArray>): ArrayBuffer {
  const entries: Record<string, { type: string; shape: number[]; offset: number }> = {};
  let offset = 0;
  for (const [name, { type, shape, values }] of Object.entries(arrays)) {
    entries[name] = { type, shape, offset };
    offset += 8 * Math.ceil(values.byteLength / 8);
  }
  return assemble(JSON.stringify({ fields, arrays: entries }), offset, (bytes, start) => {
    for (const [name, { values }] of Object.entries(arrays)) {
      bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), start + entries[name].offset);
    }
  });
}

type Fill = (bytes: Uint8Array, start: number) => void;

export function assemble(header: string, room: number, fill: Fill = () => undefined): ArrayBuffer {
  let text = new TextEncoder().encode(header);
  const padded = new Uint8Array(8 * Math.ceil(text.length / 8)).fill(0x20);
  padded.set(text);
  text = padded;
  const bytes = new Uint8Array(8 + text.length + room);
  bytes.set(new TextEncoder().encode("CVB1"));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(text, 8);
  fill(bytes, 8 + text.length);
  return bytes.buffer;
}

export function frameBundle(k: number, bodies: number): ArrayBuffer {
  const f = (n: number): TestArray => {
    return { type: "f32", shape: [bodies, n], values: new Float32Array(n * bodies).fill(k) };
  };
  return makeBundle({ k, t: 0.1 * k, h: 1e-3, step: 100 * k }, { x: f(3), r: f(4), u: f(3), w: f(3) });
}
