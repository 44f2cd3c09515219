// Many quadrilaterals in one plain draw call. Not instanced: software renderers pay for every instance anew.
import { BufferAttribute, BufferGeometry } from "three";

type Data = Float32Array | Uint32Array | Uint8Array;

export interface Field {
  data: Data; // (quads, size)
  size: number;
  normalised?: boolean;
}

// The same values for the four corners.
function repeated(data: Data, size: number, count: number): Data {
  const out = new (data.constructor as { new (length: number): Data })(4 * size * count);
  for (let q = 0, to = 0; q < count; ++q) {
    for (let corner = 0; corner < 4; ++corner) for (let c = 0; c < size; ++c) out[to++] = data[q * size + c];
  }
  return out;
}

export function quadGeometry(count: number, fields: Record<string, Field>): BufferGeometry {
  const geometry = new BufferGeometry();
  const index = new Uint32Array(6 * count);
  for (let q = 0, to = 0; q < count; ++q) for (const corner of [0, 1, 2, 0, 2, 3]) index[to++] = 4 * q + corner;
  geometry.setIndex(new BufferAttribute(index, 1));
  for (const [name, { data, size, normalised }] of Object.entries(fields)) {
    geometry.setAttribute(name, new BufferAttribute(repeated(data, size, count), size, normalised));
  }
  return geometry;
}

// Which corner a vertex is: x 0 or 1 along, y -1 or 1 across.
export const cornerGlsl = `
vec2 cornerHere() {
  int i = gl_VertexID & 3;
  return vec2(i == 1 || i == 2 ? 1.0 : 0.0, i >= 2 ? 1.0 : -1.0);
}
`;
