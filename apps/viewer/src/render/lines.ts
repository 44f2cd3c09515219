// Straight lines of a width in pixels, as flat strips: hairlines of the graphics interface are too thin and uneven.
import type { ShaderMaterialParameters, ShaderMaterial } from "three";
import { bodyGlsl, numberGlsl, turnGlsl } from "./glsl";
import { cornerGlsl } from "./quads";
import { material, type Shared } from "./shared";

// Puts the strip between two places of the view's axes, `beyond` half-widths past the ends; widths in CSS pixels.
const stripGlsl = `${cornerGlsl}uniform vec2 resolution;
uniform float density;
vec4 strip(vec3 a, vec3 b, vec2 corner, float width, float beyond, out float lengthPx) {
  if (!isOrthographic) { // what lies behind the eye is cut off, or it would be mirrored to the front
    float near = -1e-4;
    if (a.z > near && b.z < near) a = mix(a, b, (near - a.z) / (b.z - a.z));
    if (b.z > near && a.z < near) b = mix(b, a, (near - b.z) / (a.z - b.z));
  }
  vec4 ca = projectionMatrix * vec4(a, 1.0);
  vec4 cb = projectionMatrix * vec4(b, 1.0);
  vec2 along = (cb.xy / cb.w - ca.xy / ca.w) * 0.5 * resolution;
  lengthPx = length(along) / density;
  along = lengthPx > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec4 at = corner.x < 0.5 ? ca : cb;
  vec2 shift = vec2(-along.y, along.x) * corner.y + along * (2.0 * corner.x - 1.0) * beyond;
  at.xy += shift * width * density / resolution * at.w;
  return at;
}
`;

const edgeVertex = `
in vec3 from;
in vec3 to;
in uint body;
in float strong;
uniform float width;
uniform float opacity;
uniform vec3 mixWith;
uniform vec3 ink;
uniform float mixed;
uniform float towards;
flat out vec4 colour;
flat out uint number;
${bodyGlsl}${turnGlsl}${stripGlsl}
void main() {
  vec3 place; vec4 turn;
  pose(body, place, turn);
  vec4 c = colourOf(body);
  // A little nearer to the eye along the ray: same place on the screen, never inside its own face.
  float nearer = isOrthographic ? 1.0 : 1.0 - towards;
  vec3 a = (viewMatrix * vec4(place + turned(turn, from), 1.0)).xyz * nearer;
  vec3 b = (viewMatrix * vec4(place + turned(turn, to), 1.0)).xyz * nearer;
  float lengthPx;
  gl_Position = strip(a, b, cornerHere(), width * (strong > 0.5 ? 1.8 : 1.0), 1.0, lengthPx);
  // Outlines of bodies that are a few pixels large would drown their colour.
  float seen = strong > 0.5 ? 1.0 : smoothstep(2.0, 24.0, lengthPx);
  // Lines that are all there is of a body lie on the background, not on a face.
  colour = strong > 0.5 ? vec4(mix(c.rgb, ink, 0.5), 1.0) : vec4(mix(c.rgb, mixWith, mixed), opacity * seen);
  number = body;
}`;

const edgeFragment = `
flat in vec4 colour;
flat in uint number;
layout(location = 0) out vec4 result;
${numberGlsl}
void main() {
#if defined(NUMBERS)
  result = asColour(number);
#elif defined(MASK)
  result = vec4(1.0);
#else
  result = colour;
#endif
}`;

const trailVertex = `
in vec3 from;
in vec3 to;
in float until;
uniform float width;
uniform float upTo;
uniform vec3 accent;
flat out vec4 colour;
${stripGlsl}
void main() {
  vec3 a = (viewMatrix * vec4(from, 1.0)).xyz;
  vec3 b = (viewMatrix * vec4(to, 1.0)).xyz;
  float lengthPx;
  gl_Position = strip(a, b, cornerHere(), width, 0.0, lengthPx);
  colour = vec4(accent, until <= upTo ? 0.95 : 0.3);
}`;

const plainFragment = `
flat in vec4 colour;
layout(location = 0) out vec4 result;
void main() { result = colour; }`;

export function edgeMaterial(
  shared: Shared,
  defines: Record<string, string>,
  more: ShaderMaterialParameters = {},
): ShaderMaterial {
  return material(shared, {
    vertexShader: edgeVertex,
    fragmentShader: edgeFragment,
    defines,
    side: 2,
    uniforms: {
      width: { value: 1 },
      opacity: { value: 1 },
      mixWith: { value: shared.outline.value },
      mixed: { value: 0.6 },
      towards: { value: 1e-3 },
    },
    ...more,
  });
}

export function trailMaterial(shared: Shared): ShaderMaterial {
  return material(shared, {
    vertexShader: trailVertex,
    fragmentShader: plainFragment,
    side: 2,
    depthTest: false,
    depthWrite: false,
    uniforms: { width: { value: 2 }, upTo: { value: 0 } },
  });
}
