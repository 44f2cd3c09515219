// Columns of integers as `cairn export --html` packs them (docs/viewer-files.md).
import { DataError } from "./bundle";

export const unitScale = 16383; // of components of unit vectors
export const useScale = 4095; // of the part of the friction in use
export const useUnknown = -1;

// Reads one stream after the other.
export class StreamReader {
  private at = 0;
  private readonly bytes: Uint8Array;

  constructor(
    buffer: ArrayBuffer,
    private readonly what: string,
  ) {
    this.bytes = new Uint8Array(buffer);
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new DataError(`${this.what}: ends too early`);
    return this.bytes[this.at++];
  }

  // Bytes of equal weight lie together.
  stream(count: number): Float64Array {
    const planes = this.byte();
    if (planes > 6 || this.at + planes * count > this.bytes.length) throw new DataError(`${this.what}: ends too early`);
    const from = this.at;
    this.at += planes * count;
    return planes <= 3 ? this.shortNumbers(from, planes, count) : this.longNumbers(from, planes, count);
  }

  private shortNumbers(from: number, planes: number, count: number): Float64Array {
    const out = new Float64Array(count);
    const bytes = this.bytes;
    if (planes === 0) return out;
    for (let k = 0; k < count; ++k) {
      let v = bytes[from + k];
      if (planes > 1) v |= bytes[from + count + k] << 8;
      if (planes > 2) v |= bytes[from + 2 * count + k] << 16;
      out[k] = (v >> 1) ^ -(v & 1);
    }
    return out;
  }

  // Sums of products, not shifts: numbers may be longer than 32 bits.
  private longNumbers(from: number, planes: number, count: number): Float64Array {
    const out = new Float64Array(count);
    for (let plane = 0, weight = 1; plane < planes; ++plane, weight *= 256) {
      for (let k = 0; k < count; ++k) out[k] += weight * this.bytes[from + plane * count + k];
    }
    for (let k = 0; k < count; ++k) out[k] = out[k] % 2 === 0 ? out[k] / 2 : -(out[k] + 1) / 2;
    return out;
  }

  // Numbers of things: whole and not negative.
  counts(count: number): Float64Array {
    const out = this.stream(count);
    if (out.some((v) => v < 0)) throw new DataError(`${this.what}: a negative count`);
    return out;
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new DataError(`${this.what}: longer than it should be`);
  }
}

const word = new Uint32Array(1);
const single = new Float32Array(word.buffer);

// The float whose upper 20 bits an integer stands for.
export function floatOf(integer: number): number {
  word[0] = Math.abs(integer) * 4096;
  return integer < 0 ? -single[0] : single[0];
}
