// A bundle (docs/view-data.md): a JSON header and arrays. The arrays are views into the bytes as they came.

export class DataError extends Error {
  override name = "DataError";
}

const makers = {
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

export type Type = keyof typeof makers;
export type Values<T extends Type> = InstanceType<(typeof makers)[T]>;

interface Piece {
  type: Type;
  shape: number[];
  values: Values<Type>;
}

const headLength = 8;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

export class Bundle {
  constructor(
    readonly what: string,
    readonly fields: Record<string, unknown>,
    private readonly pieces: ReadonlyMap<string, Piece>,
    readonly byteLength: number,
  ) {}

  has(name: string): boolean {
    return this.pieces.has(name);
  }

  // The array of that name; -1 in the shape stands for any extent.
  array<T extends Type>(name: string, type: T, shape: number[]): Values<T> {
    const piece = this.pieces.get(name);
    if (!piece) throw new DataError(`${this.what}: array "${name}" is missing`);
    const fits = piece.shape.length === shape.length && shape.every((n, i) => n < 0 || n === piece.shape[i]);
    if (piece.type !== type || !fits) {
      const want = `${type} (${shape.map((n) => (n < 0 ? "any" : n)).join(", ")})`;
      const is = `${piece.type} (${piece.shape.join(", ")})`;
      throw new DataError(`${this.what}: array "${name}" is ${is}, expected ${want}`);
    }
    return piece.values as Values<T>;
  }

  number(name: string): number {
    const value = this.fields[name];
    if (typeof value !== "number") throw new DataError(`${this.what}: field "${name}" must be a number`);
    return value;
  }

  count(name: string): number {
    const value = this.fields[name];
    if (!isCount(value)) throw new DataError(`${this.what}: field "${name}" must be a number of things, 0 or more`);
    return value;
  }

  text(name: string, fallback?: string): string {
    const value = this.fields[name] ?? fallback;
    if (typeof value !== "string") throw new DataError(`${this.what}: field "${name}" must be a text`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.fields[name];
    if (typeof value !== "boolean") throw new DataError(`${this.what}: field "${name}" must be true or false`);
    return value;
  }

  list(name: string): unknown[] {
    const value = this.fields[name];
    if (!Array.isArray(value)) throw new DataError(`${this.what}: field "${name}" must be a list`);
    return value;
  }

  object(name: string): Record<string, unknown> {
    const value = this.fields[name];
    if (!isObject(value)) throw new DataError(`${this.what}: field "${name}" must be an object`);
    return value;
  }
}

function header(bytes: ArrayBuffer, what: string): { json: Record<string, unknown>; end: number } {
  if (bytes.byteLength < headLength) throw new DataError(`${what}: ${bytes.byteLength} bytes are too few for a bundle`);
  const view = new DataView(bytes);
  const magic = String.fromCharCode(view.getUint8(0), view.getUint8(1), view.getUint8(2), view.getUint8(3));
  if (magic !== "CVB1") throw new DataError(`${what}: not a bundle (it does not begin with CVB1)`);
  const end = headLength + view.getUint32(4, true);
  if (end > bytes.byteLength) throw new DataError(`${what}: cut off within its header`);
  if (end % 8 !== 0) throw new DataError(`${what}: the header's length is not filled up to a multiple of 8`);
  let json: unknown;
  try {
    const text = new Uint8Array(bytes, headLength, end - headLength);
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(text));
  } catch {
    throw new DataError(`${what}: the header is not JSON`);
  }
  if (!isObject(json)) throw new DataError(`${what}: the header is not an object`);
  return { json, end };
}

function piece(bytes: ArrayBuffer, start: number, name: string, entry: unknown, what: string): Piece {
  const at = `${what}: array "${name}"`;
  if (!isObject(entry) || typeof entry.type !== "string" || !Object.hasOwn(makers, entry.type)) {
    throw new DataError(`${at} has no known type`);
  }
  const { shape, offset } = entry;
  if (!Array.isArray(shape) || !shape.every(isCount)) throw new DataError(`${at} has no good shape`);
  if (!isCount(offset) || offset % 8 !== 0) throw new DataError(`${at} must begin at a multiple of 8`);
  const type = entry.type as Type;
  const count = (shape as number[]).reduce((product, n) => product * n, 1);
  const length = count * makers[type].BYTES_PER_ELEMENT;
  const room = bytes.byteLength - start - offset;
  if (!Number.isSafeInteger(length) || length > room) throw new DataError(`${at} is cut off`);
  return { type, shape: shape as number[], values: new makers[type](bytes, start + offset, count) };
}

// `what` names the bundle in messages.
export function parseBundle(input: ArrayBuffer | Uint8Array, what: string): Bundle {
  const bytes = input instanceof Uint8Array ? ownBuffer(input) : input;
  const { json, end } = header(bytes, what);
  if (!isObject(json.fields) || !isObject(json.arrays)) {
    throw new DataError(`${what}: the header lacks fields or arrays`);
  }
  const pieces = new Map<string, Piece>();
  for (const [name, entry] of Object.entries(json.arrays)) pieces.set(name, piece(bytes, end, name, entry, what));
  return new Bundle(what, json.fields, pieces, bytes.byteLength);
}

// Typed arrays need their bytes at a multiple of 8: copies where the bytes lie within a larger buffer.
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  return whole && bytes.buffer instanceof ArrayBuffer ? bytes.buffer : bytes.slice().buffer;
}
