// The way of the chosen body through time.
import type { InstancedBufferGeometry } from "three";
import type { Path } from "../data/types";
import { instanced, stripGeometry } from "./lines";

export function trailGeometry(path: Path): InstancedBufferGeometry | null {
  const count = Math.min(path.k.length, path.x.length / 3) - 1;
  if (count < 1) return null;
  const until = new Float32Array(count);
  for (let i = 0; i < count; ++i) until[i] = path.k[i + 1];
  const geometry = stripGeometry(count);
  geometry.setAttribute("from", instanced(path.x.slice(0, 3 * count), 3));
  geometry.setAttribute("to", instanced(path.x.slice(3, 3 * count + 3), 3));
  geometry.setAttribute("until", instanced(until, 1));
  return geometry;
}
