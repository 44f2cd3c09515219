// Outlines of all shapes in one buffer.
import type { BufferGeometry } from "three";
import type { Cast, Geometry } from "../data/types";
import { instancesOf } from "./meshes";
import { quadGeometry } from "./quads";

const hasTriangles = (g: Geometry, shape: number) => g.shapeTriangle[shape + 1] > g.shapeTriangle[shape];
const edgesOf = (g: Geometry, shape: number) => g.shapeEdge[shape + 1] - g.shapeEdge[shape];

// `bare`: only shapes that consist of edges alone (terrain in the plane).
export function edgeGeometry(cast: Cast, only: number | null = null, bare = false): BufferGeometry | null {
  const g = cast.geometry;
  const chosen = instancesOf(g, only).filter((i) => !bare || !hasTriangles(g, g.meshShape[i]));
  const count = chosen.reduce((sum, i) => sum + edgesOf(g, g.meshShape[i]), 0);
  if (count === 0) return null;
  const from = new Float32Array(3 * count);
  const to = new Float32Array(3 * count);
  const body = new Uint32Array(count);
  const strong = new Uint8Array(count);
  let at = 0;
  for (const i of chosen) {
    const shape = g.meshShape[i];
    const weight = hasTriangles(g, shape) ? 0 : 1;
    for (let e = g.shapeEdge[shape]; e < g.shapeEdge[shape + 1]; ++e, ++at) {
      const a = 3 * (g.shapeVertex[shape] + g.edge[2 * e]);
      const b = 3 * (g.shapeVertex[shape] + g.edge[2 * e + 1]);
      for (let c = 0; c < 3; ++c) {
        from[3 * at + c] = g.vertex[a + c];
        to[3 * at + c] = g.vertex[b + c];
      }
      body[at] = g.meshBody[i];
      strong[at] = weight;
    }
  }
  return quadGeometry(count, {
    from: { data: from, size: 3 },
    to: { data: to, size: 3 },
    body: { data: body, size: 1 },
    strong: { data: strong, size: 1 },
  });
}
