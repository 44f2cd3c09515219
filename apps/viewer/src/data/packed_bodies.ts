// Groups of frames in a page with data: places and velocities.
import { DataError } from "./bundle";
import { floatOf, StreamReader, unitScale } from "./streams";

// How the numbers of a page were rounded.
export interface Encoding {
  dimension: 2 | 3;
  bodies: number;
  frames: number;
  group: number; // frames that are packed together
  place: number; // [m]
  turn: number; // [rad]
}

export interface Places {
  x: Float32Array;
  r: Float32Array;
  u: Float32Array;
  w: Float32Array;
}

// Columns of integers: a component of all bodies, frame after frame.
export type Columns = Float64Array[];

const componentsOf = (e: Encoding): number => (e.dimension === 2 ? 6 : 13);
const placeComponentsOf = (e: Encoding): number => (e.dimension === 2 ? 3 : 7);

// Undoes the differences: 0 from the first frame of all, 1 from the frame before, 2 from even motion.
function addUp(values: Float64Array, frames: number, bodies: number, form: number, first: Float64Array | null): void {
  for (let f = 0, at = 0; f < frames; ++f) {
    for (let b = 0; b < bodies; ++b, ++at) {
      if (form > 0 && f > 0) {
        const before = values[at - bodies];
        values[at] += form > 1 && f > 1 ? 2 * before - values[at - 2 * bodies] : before;
      } else if (first) {
        values[at] += first[b];
      }
    }
  }
}

interface Group {
  frames: number;
  first: Columns | null; // columns of the first frame; null where that is what is read
  components?: number; // so many alone, places come first; not given: all
}

export function columnsOf(bytes: ArrayBuffer, group: Group, e: Encoding, what: string): Columns {
  const { frames, first, components = componentsOf(e) } = group;
  const reader = new StreamReader(bytes, what);
  const columns: Columns = [];
  for (let c = 0; c < components; ++c) {
    const form = reader.byte();
    if (form > 2) throw new DataError(`${what}: an unknown form of a column (${form})`);
    const values = reader.stream(frames * e.bodies);
    addUp(values, frames, e.bodies, form, c < placeComponentsOf(e) && first ? first[c] : null);
    columns.push(values);
  }
  if (components === componentsOf(e)) reader.end();
  return columns;
}

function rotate(r: Float32Array, b: number, columns: Columns, at: number, e: Encoding): void {
  if (e.dimension === 2) {
    const half = (columns[2][at] * e.turn) / 2;
    r[4 * b + 2] = Math.sin(half);
    r[4 * b + 3] = Math.cos(half);
    return;
  }
  const [x, y, z, w] = [columns[3][at], columns[4][at], columns[5][at], columns[6][at]];
  const length = Math.hypot(x, y, z, w) || unitScale;
  r[4 * b] = x / length;
  r[4 * b + 1] = y / length;
  r[4 * b + 2] = z / length;
  r[4 * b + 3] = w / length;
}

// Frame `f` of a group.
export function placesOf(columns: Columns, f: number, e: Encoding): Places {
  const n = e.bodies;
  const d = e.dimension;
  const out = {
    x: new Float32Array(3 * n),
    r: new Float32Array(4 * n),
    u: new Float32Array(3 * n),
    w: new Float32Array(3 * n),
  };
  const velocity = placeComponentsOf(e);
  for (let b = 0, at = f * n; b < n; ++b, ++at) {
    for (let i = 0; i < d; ++i) out.x[3 * b + i] = columns[i][at] * e.place;
    rotate(out.r, b, columns, at, e);
    for (let i = 0; i < d; ++i) out.u[3 * b + i] = floatOf(columns[velocity + i][at]);
    for (let i = d === 2 ? 2 : 0, c = velocity + d; i < 3; ++i, ++c) out.w[3 * b + i] = floatOf(columns[c][at]);
  }
  return out;
}
