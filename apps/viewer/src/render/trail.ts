// The way of the chosen body through time.
import type { BufferGeometry } from "three";
import type { Path } from "../data/types";
import { quadGeometry } from "./quads";

export function trailGeometry(path: Path): BufferGeometry | null {
  const count = Math.min(path.k.length, path.x.length / 3) - 1;
  if (count < 1) return null;
  const until = new Float32Array(count);
  for (let i = 0; i < count; ++i) until[i] = path.k[i + 1];
  return quadGeometry(count, {
    from: { data: path.x, size: 3 },
    to: { data: path.x.subarray(3), size: 3 },
    until: { data: until, size: 1 },
  });
}
