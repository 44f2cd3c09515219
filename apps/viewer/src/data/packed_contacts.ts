// Groups of frames in a page with data: contacts. Those that last are packed as changes.
import { DataError } from "./bundle";
import type { Encoding } from "./packed_bodies";
import { floatOf, StreamReader, unitScale, useScale, useUnknown } from "./streams";
import type { Contacts } from "./types";

interface Pairs {
  count: number[]; // of each frame
  body: number[]; // (all contacts, 2)
  before: number[]; // (all contacts) the same contact in the frame before; -1: new
}

interface Fresh {
  gone: Float64Array;
  count: Float64Array;
  first: Float64Array;
  second: Float64Array;
}

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((total, v) => total + v, 0);

// Both what stayed and what is new are in the order of their bodies; of equal ones those that stayed come first.
function pairsOf(count: Float64Array, fresh: Fresh, bodies: number, what: string): Pairs {
  const out: Pairs = { count: Array.from(count), body: [], before: [] };
  let gone = 0; // read so far
  let next = 0;
  for (let f = 0, begin = 0; f < count.length; ++f) {
    const end = out.before.length;
    const stayed: number[] = [];
    for (let k = begin; k < end; ++k) if (fresh.gone[gone++] === 0) stayed.push(k);
    let s = 0;
    let first = 0;
    for (let n = 0; n < fresh.count[f]; ++n, ++next) {
      first += fresh.first[next];
      const second = first + fresh.second[next];
      if (!(first >= 0 && first < bodies && second >= 0 && second < bodies)) {
        throw new DataError(`${what}: a contact of bodies that do not exist`);
      }
      for (; s < stayed.length && !isAfter(out.body, stayed[s], first, second); ++s) keep(out, stayed[s]);
      out.body.push(first, second);
      out.before.push(-1);
    }
    for (; s < stayed.length; ++s) keep(out, stayed[s]);
    if (out.before.length - end !== count[f]) throw new DataError(`${what}: contacts are missing`);
    begin = end;
  }
  return out;
}

function isAfter(body: number[], k: number, first: number, second: number): boolean {
  return body[2 * k] !== first ? body[2 * k] > first : body[2 * k + 1] > second;
}

function keep(out: Pairs, k: number): void {
  out.body.push(out.body[2 * k], out.body[2 * k + 1]);
  out.before.push(k);
}

function columnOf(reader: StreamReader, before: number[]): Float64Array {
  const changes = reader.byte() === 1;
  const values = reader.stream(before.length);
  if (changes) for (let k = 0; k < values.length; ++k) if (before[k] >= 0) values[k] += values[before[k]];
  return values;
}

// A vector for each contact from its components, z = 0 in the plane.
function vectors(columns: Float64Array[], from: number, to: number, value: (v: number) => number): Float32Array {
  const out = new Float32Array(3 * (to - from));
  columns.forEach((column, i) => {
    for (let k = from; k < to; ++k) out[3 * (k - from) + i] = value(column[k]);
  });
  return out;
}

function normalise(v: Float32Array): Float32Array {
  for (let k = 0; k < v.length; k += 3) {
    const length = Math.hypot(v[k], v[k + 1], v[k + 2]) || 1;
    for (let i = 0; i < 3; ++i) v[k + i] /= length;
  }
  return v;
}

function contactsOf(pairs: Pairs, columns: Float64Array[], from: number, count: number, e: Encoding): Contacts {
  const to = from + count;
  const d = e.dimension;
  const part = (i: number): Float64Array[] => columns.slice(i * d, (i + 1) * d);
  const rest = columns.slice(4 * d).map((column) => column.subarray(from, to));
  return {
    k: 0,
    h: 0,
    count,
    body: Uint32Array.from(pairs.body.slice(2 * from, 2 * to)),
    point: vectors(part(0), from, to, (v) => v * e.place),
    normal: normalise(vectors(part(1), from, to, (v) => v / unitScale)),
    impulse: vectors(part(2), from, to, floatOf),
    velocity: vectors(part(3), from, to, floatOf),
    gap: Float32Array.from(rest[0], floatOf),
    use: Float32Array.from(rest[1], (v) => (v === useUnknown ? Number.NaN : v / useScale)),
    status: Uint8Array.from(rest[2]),
  };
}

// Of each frame of the group; k and h are left to the caller.
export function contactFrames(bytes: ArrayBuffer, frames: number, e: Encoding, what: string): Contacts[] {
  const reader = new StreamReader(bytes, what);
  const count = reader.counts(frames);
  const gone = reader.stream(sum(count.subarray(0, frames - 1)));
  const fresh = reader.counts(frames);
  const news = sum(fresh);
  const first = reader.stream(news);
  const second = reader.stream(news);
  const pairs = pairsOf(count, { gone, count: fresh, first, second }, e.bodies, what);
  const columns: Float64Array[] = [];
  for (let c = 0; c < 4 * e.dimension + 3; ++c) columns.push(columnOf(reader, pairs.before));
  reader.end();
  const out: Contacts[] = [];
  for (let f = 0, from = 0; f < frames; from += count[f++]) out.push(contactsOf(pairs, columns, from, count[f], e));
  return out;
}
