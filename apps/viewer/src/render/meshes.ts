// All shapes made of triangles, of all bodies, in one buffer: each corner carries the number of its body.
import { BufferAttribute, BufferGeometry, type ShaderMaterial, type ShaderMaterialParameters } from "three";
import type { Cast, Geometry } from "../data/types";
import { bodyGlsl, numberGlsl, shadeGlsl, turnGlsl } from "./glsl";
import { material, type Shared } from "./shared";

// Instances of shapes that a filter lets through.
export function instancesOf(g: Geometry, only: number | null): number[] {
  const all: number[] = [];
  for (let i = 0; i < g.meshBody.length; ++i) if (only === null || g.meshBody[i] === only) all.push(i);
  return all;
}

interface Faces {
  position: Float32Array;
  normal: Int8Array; // (corners, 4): 1/127 units, the fourth for alignment
}

// Flat faces: every triangle has its own three corners and their normal.
function facesOf(g: Geometry, shape: number): Faces {
  const first = g.shapeTriangle[shape];
  const count = g.shapeTriangle[shape + 1] - first;
  const offset = g.shapeVertex[shape];
  const position = new Float32Array(9 * count);
  const normal = new Int8Array(12 * count);
  for (let t = 0; t < count; ++t) {
    for (let c = 0; c < 3; ++c) {
      const v = 3 * (offset + g.triangle[3 * (first + t) + c]);
      position.set(g.vertex.subarray(v, v + 3), 9 * t + 3 * c);
    }
    const n = faceNormal(position, 9 * t);
    for (let c = 0; c < 3; ++c) normal.set(n, 12 * t + 4 * c);
  }
  return { position, normal };
}

function faceNormal(p: Float32Array, at: number): [number, number, number] {
  const ax = p[at + 3] - p[at], ay = p[at + 4] - p[at + 1], az = p[at + 5] - p[at + 2];
  const bx = p[at + 6] - p[at], by = p[at + 7] - p[at + 1], bz = p[at + 8] - p[at + 2];
  const nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
  const scale = 127 / (Math.hypot(nx, ny, nz) || 1);
  return [Math.round(nx * scale), Math.round(ny * scale), Math.round(nz * scale)];
}

// `only`: the shapes of that body alone. Null when there is nothing to draw.
export function meshGeometry(cast: Cast, only: number | null = null): BufferGeometry | null {
  const g = cast.geometry;
  const instances = instancesOf(g, only);
  const faces = new Map<number, Faces>();
  let corners = 0;
  for (const i of instances) {
    const shape = g.meshShape[i];
    if (!faces.has(shape)) faces.set(shape, facesOf(g, shape));
    corners += 3 * (g.shapeTriangle[shape + 1] - g.shapeTriangle[shape]);
  }
  if (corners === 0) return null;
  const position = new Float32Array(3 * corners);
  const normal = new Int8Array(4 * corners);
  const body = new Uint32Array(corners);
  let at = 0;
  for (const i of instances) {
    const face = faces.get(g.meshShape[i])!;
    const count = face.position.length / 3;
    position.set(face.position, 3 * at);
    normal.set(face.normal, 4 * at);
    body.fill(g.meshBody[i], at, at + count);
    at += count;
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(position, 3));
  geometry.setAttribute("facing", new BufferAttribute(normal, 4, true));
  geometry.setAttribute("body", new BufferAttribute(body, 1));
  return geometry;
}

const vertexShader = `
in vec4 facing;
in uint body;
uniform float opacity;
flat out vec4 colour;
flat out uint number;
flat out float hatch;
out vec2 inBody;
${bodyGlsl}${turnGlsl}${shadeGlsl}
void main() {
  vec3 place; vec4 turn;
  pose(body, place, turn);
  vec4 c = colourOf(body);
  number = body;
#ifdef PLANAR
  colour.rgb = c.rgb;
  hatch = isBoundary(c) ? 1.0 : 0.0;
#else
  colour.rgb = c.rgb * shade(turned(turn, facing.xyz));
  hatch = 0.0;
#endif
  colour.a = isSelected(c) ? max(opacity, 0.6 * step(0.001, opacity)) : opacity;
  inBody = position.xy;
  gl_Position = projectionMatrix * viewMatrix * vec4(place + turned(turn, position), 1.0);
}`;

const fragmentShader = `
flat in vec4 colour;
flat in uint number;
flat in float hatch;
in vec2 inBody;
layout(location = 0) out vec4 result;
uniform float pixel;
uniform float density;
${numberGlsl}
void main() {
#if defined(NUMBERS)
  result = asColour(number);
#elif defined(MASK)
  result = vec4(1.0);
#else
  result = colour;
#ifdef PLANAR
  // Boundaries are hatched, in the axes of the body so that the pattern moves with it.
  if (hatch > 0.5) {
    float s = (inBody.x - inBody.y) / (pixel * density * 9.0);
    float line = abs(fract(s) - 0.5) * 9.0;
    result.rgb *= 1.0 - 0.13 * (1.0 - smoothstep(0.4, 1.2, line));
  }
#endif
#endif
}`;

// What is written: the picture, numbers of bodies for picking, or a plain mask.
export type Purpose = "picture" | "numbers" | "mask";

export function purposeDefines(purpose: Purpose, planar: boolean): Record<string, string> {
  const defines: Record<string, string> = {};
  if (planar) defines.PLANAR = "";
  if (purpose === "numbers") defines.NUMBERS = "";
  if (purpose === "mask") defines.MASK = "";
  return defines;
}

export function meshMaterial(
  shared: Shared,
  planar: boolean,
  purpose: Purpose,
  more: ShaderMaterialParameters = {},
): ShaderMaterial {
  return material(shared, {
    vertexShader,
    fragmentShader,
    defines: purposeDefines(purpose, planar),
    depthTest: !planar,
    depthWrite: !planar,
    side: 2, // both: some shapes are open surfaces
    uniforms: { opacity: { value: 1 } },
    ...more,
  });
}
