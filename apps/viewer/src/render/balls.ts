// Spheres and discs: one square each, the round body is found in the fragment shader.
import type { BufferGeometry, ShaderMaterial, ShaderMaterialParameters } from "three";
import type { Cast } from "../data/types";
import { bodyGlsl, numberGlsl, shadeGlsl, turnGlsl } from "./glsl";
import { purposeDefines, type Purpose } from "./meshes";
import { cornerGlsl, quadGeometry } from "./quads";
import { material, type Shared } from "./shared";

export function ballGeometry(cast: Cast, only: number | null = null): BufferGeometry | null {
  const g = cast.geometry;
  const chosen: number[] = [];
  for (let i = 0; i < g.ballBody.length; ++i) if (only === null || g.ballBody[i] === only) chosen.push(i);
  if (chosen.length === 0) return null;
  const body = new Uint32Array(chosen.length);
  const ball = new Float32Array(4 * chosen.length);
  chosen.forEach((i, at) => {
    body[at] = g.ballBody[i];
    ball.set(g.ballCentre.subarray(3 * i, 3 * i + 3), 4 * at);
    ball[4 * at + 3] = g.ballRadius[i];
  });
  return quadGeometry(chosen.length, { body: { data: body, size: 1 }, ball: { data: ball, size: 4 } });
}

const vertexShader = `
in uint body;
in vec4 ball; // centre, radius
uniform float opacity;
uniform float pixel;
out vec3 at;
flat out vec3 centre;
flat out vec4 turnBack;
flat out vec4 colour;
flat out uint number;
flat out float radius;
flat out float pixelHere;
${bodyGlsl}${turnGlsl}${cornerGlsl}
void main() {
  vec3 place; vec4 turn;
  pose(body, place, turn);
  vec4 c = colourOf(body);
  colour = vec4(c.rgb, isSelected(c) ? max(opacity, 0.6 * step(0.001, opacity)) : opacity);
  number = body;
  radius = ball.w;
  turnBack = vec4(-turn.xyz, turn.w);
  centre = (viewMatrix * vec4(place + turned(turn, ball.xyz), 1.0)).xyz;
  vec2 corner = cornerHere();
  corner.x = 2.0 * corner.x - 1.0;
  if (isOrthographic) {
    pixelHere = pixel;
    at = centre + vec3(corner * (radius + pixel), 0.0);
  } else {
    // A square across the line of sight through the centre, as large as the cone that touches the sphere there.
    float d = max(length(centre), 1.0001 * radius);
    pixelHere = pixel * d;
    vec3 w = normalize(centre);
    vec3 u = normalize(abs(w.y) < 0.9 ? cross(w, vec3(0.0, 1.0, 0.0)) : cross(w, vec3(1.0, 0.0, 0.0)));
    vec3 v = cross(u, w);
    float size = radius * min(d / sqrt(d * d - radius * radius), 50.0) + pixelHere;
    at = centre + (u * corner.x + v * corner.y) * size;
  }
  gl_Position = projectionMatrix * vec4(at, 1.0);
}`;

const varyings = `
in vec3 at;
flat in vec3 centre;
flat in vec4 turnBack;
flat in vec4 colour;
flat in uint number;
flat in float radius;
flat in float pixelHere;
layout(location = 0) out vec4 result;
uniform float edges;
uniform float wire;
uniform vec3 mixWith;
uniform float mixed;
uniform float density;
`;

// Lines of the pattern in the axes of the body are as sharp as pixels allow, and vanish where the ball is small.
const sphereFragment = `
uniform mat4 projectionMatrix;
${varyings}${turnGlsl}${shadeGlsl}${numberGlsl}
void main() {
  vec3 eye = isOrthographic ? vec3(at.xy, 0.0) : vec3(0.0);
  vec3 ray = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(at);
  float middle = dot(centre - eye, ray);
  vec3 nearest = eye + ray * middle - centre;
  float off = length(nearest);
  float cover = clamp(0.5 + (radius - off) / pixelHere, 0.0, 1.0);
#if defined(NUMBERS) || defined(MASK)
  if (cover < 0.5) discard;
#else
  if (cover < 0.02) discard;
#endif
  float half_ = sqrt(max(radius * radius - off * off, 0.0));
  vec3 hit = eye + ray * (middle - half_);
  vec4 clip = projectionMatrix * vec4(hit, 1.0);
  gl_FragDepth = clamp(0.5 + 0.5 * clip.z / clip.w, 0.0, 1.0);
#if defined(NUMBERS)
  result = asColour(number);
#elif defined(MASK)
  result = vec4(1.0);
#else
  vec3 n = normalize(hit - centre) * mat3(viewMatrix); // world's axes: the transpose turns back
  vec3 own = turned(turnBack, n);
  float px = pixelHere / radius;
  float fine = clamp(1.0 - 4.0 * px, 0.0, 1.0);
  vec3 octant = clamp(own / (1.5 * px), -1.0, 1.0);
  float rim = clamp((radius - off) / (pixelHere * density), 0.0, 1.5);
  if (wire > 0.5) {
    vec3 great = 1.0 - smoothstep(0.5, 1.5, abs(own) / (px * density));
    float line = max(1.0 - smoothstep(0.5, 1.5, rim), 0.35 * fine * max(great.x, max(great.y, great.z)));
    result = vec4(mix(colour.rgb, mixWith, mixed), cover * line);
    if (result.a < 0.03) discard;
  } else {
    vec3 c = colour.rgb * shade(n) * (1.0 + 0.055 * fine * octant.x * octant.y * octant.z);
    float outer = edges * fine * (1.0 - smoothstep(0.3, 1.2, rim));
    result = vec4(mix(c, mixWith, 0.45 * outer), cover * colour.a);
#ifdef GLASS
    result.a = mix(result.a, 0.6, outer);
    if (cover < 0.5) discard;
#endif
  }
#endif
}`;

const discFragment = `
${varyings}${turnGlsl}${numberGlsl}
void main() {
  vec2 out_ = at.xy - centre.xy;
  float off = length(out_);
  float cover = clamp(0.5 + (radius - off) / pixelHere, 0.0, 1.0);
#if defined(NUMBERS) || defined(MASK)
  if (cover < 0.5) discard;
  result = vec4(1.0);
#ifdef NUMBERS
  result = asColour(number);
#endif
#else
  if (cover <= 0.0) discard;
  float px = pixelHere * density; // a CSS pixel
  float fine = smoothstep(2.0, 7.0, radius / px);
  float rim = 1.0 - smoothstep(0.5, 1.5, (radius - off) / px);
  vec2 own = turned(turnBack, vec3(out_, 0.0)).xy;
  float mark = own.x > 0.0 ? 1.0 - smoothstep(0.4, 1.3, abs(own.y) / px) : 0.0;
  float line = max(rim, 0.55 * mark) * fine;
  vec3 ink = mix(colour.rgb, mixWith, mixed);
  if (wire > 0.5) result = vec4(ink, cover * max(line, rim * 0.7));
  else {
    float drawn = max(edges * rim * fine, 0.55 * mark * fine);
    result = vec4(mix(colour.rgb, ink, drawn), cover * mix(colour.a, 1.0, drawn));
  }
#endif
}`;

export function ballMaterial(
  shared: Shared,
  planar: boolean,
  purpose: Purpose,
  more: ShaderMaterialParameters = {},
): ShaderMaterial {
  const { defines, ...rest } = more;
  return material(shared, {
    vertexShader,
    fragmentShader: planar ? discFragment : sphereFragment,
    defines: { ...purposeDefines(purpose, planar), ...defines },
    depthTest: !planar,
    depthWrite: !planar,
    side: 2,
    uniforms: {
      opacity: { value: 1 },
      edges: { value: 1 },
      wire: { value: 0 },
      mixWith: { value: shared.outline.value },
      mixed: { value: 0.6 },
    },
    ...rest,
  });
}
