// Force chains: a tube from every loaded contact to the centre of each free body that it loads.
import { AlwaysStencilFunc, NotEqualStencilFunc, ReplaceStencilOp } from "three";
import type { BufferGeometry, ShaderMaterial } from "three";
import { BodyKind, Status, type Cast, type Contacts, type Frame } from "../data/types";
import type { State } from "../state";
import { shadeGlsl } from "./glsl";
import { statusColours, useColour, type Rgb } from "./palette";
import { cornerGlsl, quadGeometry } from "./quads";
import { material, opaque, type Shared } from "./shared";

export interface Tubes {
  count: number;
  from: Float32Array; // (tubes, 3) [m]
  to: Float32Array;
  radius: Float32Array; // [m]
  rgb: Uint8Array; // (tubes, 4)
}

const standard = 0.22; // [cast.size] width of a tube at the reference
const most = 3; // widths are clipped at so many times the standard
const least = 0.02; // parts of the reference below which nothing would be seen
const touching = 1e-4; // [cast.size] gap of bodies that touch, whether they press or take off

export function normalForce(c: Contacts, i: number): number {
  const s = c.impulse[3 * i] * c.normal[3 * i] + c.impulse[3 * i + 1] * c.normal[3 * i + 1];
  return c.h > 0 ? Math.abs(s + c.impulse[3 * i + 2] * c.normal[3 * i + 2]) / c.h : 0;
}

export function contactColour(c: Contacts, i: number, by: State["forceColour"]): Rgb {
  if (by === "use") return useColour(c.use[i]);
  return statusColours[c.status[i] as keyof typeof statusColours] ?? statusColours[0];
}

// Touches and carries nothing: drawn as a hairline.
function takesOff(cast: Cast, c: Contacts, i: number): boolean {
  return c.h > 0 && c.status[i] === Status.takeOff && c.gap[i] < touching * cast.size;
}

export function chainTubes(
  cast: Cast,
  frame: Frame,
  contacts: Contacts,
  reference: number,
  scale: number,
  by: State["forceColour"],
): Tubes {
  const room = 2 * contacts.count;
  const tubes: Tubes = {
    count: 0,
    from: new Float32Array(3 * room),
    to: new Float32Array(3 * room),
    radius: new Float32Array(room),
    rgb: new Uint8Array(4 * room),
  };
  if (!(reference > 0)) return tubes;
  for (let i = 0; i < contacts.count; ++i) {
    const part = Math.min(normalForce(contacts, i) / reference, most);
    if (!(part > least) && !(by === "status" && takesOff(cast, contacts, i))) continue;
    const colour = contactColour(contacts, i, by);
    for (const side of [0, 1]) {
      const body = contacts.body[2 * i + side];
      if (cast.kind[body] === BodyKind.free) {
        addTube(tubes, contacts.point, 3 * i, frame.x, 3 * body, 0.5 * standard * cast.size * part * scale, colour);
      }
    }
  }
  return tubes;
}

function addTube(
  tubes: Tubes,
  points: Float32Array,
  point: number,
  centres: Float32Array,
  centre: number,
  radius: number,
  colour: Rgb,
): void {
  const at = tubes.count;
  let apart = 0;
  for (let c = 0; c < 3; ++c) {
    tubes.from[3 * at + c] = points[point + c];
    tubes.to[3 * at + c] = centres[centre + c];
    apart += (points[point + c] - centres[centre + c]) ** 2;
  }
  if (apart < 1e-12 * radius * radius) return; // the contact is at the centre: no direction to draw
  tubes.radius[at] = radius;
  tubes.rgb.set(colour, 4 * at);
  tubes.rgb[4 * at + 3] = 255;
  ++tubes.count;
}

export function tubeGeometry(tubes: Tubes): BufferGeometry {
  return quadGeometry(tubes.count, {
    from: { data: tubes.from, size: 3 },
    to: { data: tubes.to, size: 3 },
    thick: { data: tubes.radius, size: 1 },
    tint: { data: tubes.rgb, size: 4, normalised: true },
  });
}

// A strip with round ends that faces the eye and is lit as if it were a tube. Never thinner than a pixel: in the plane
// weak forces fade instead, in space they stay hairlines.
const vertexShader = `
in vec3 from;
in vec3 to;
in float thick;
in vec4 tint;
uniform float pixel;
uniform float density;
flat out vec4 colour;
flat out vec3 sideways;
flat out vec3 facing;
flat out float span;
out vec2 at; // along and across in radii; the axis goes from 0 to span
${cornerGlsl}
void main() {
  vec2 corner = cornerHere();
  vec3 along = normalize(to - from);
  vec3 back = vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
  vec3 middle = 0.5 * (from + to);
  vec3 eye = isOrthographic ? back : normalize(cameraPosition - middle);
  float px = pixel * density * (isOrthographic ? 1.0 : max(-(viewMatrix * vec4(middle, 1.0)).z, 0.0));
  float radius = max(thick, 0.55 * px);
  sideways = cross(along, eye);
  sideways /= max(length(sideways), 1e-6);
  facing = cross(sideways, along);
  span = length(to - from) / radius;
  at = vec2(mix(-1.0, span + 1.0, corner.x), corner.y);
  colour = vec4(tint.rgb, 1.0);
#ifdef PLANAR
  colour.a = max(thick / radius, 0.3);
#endif
  vec3 world = from + (along * at.x + sideways * at.y) * radius;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const fragmentShader = `
flat in vec4 colour;
flat in vec3 sideways;
flat in vec3 facing;
flat in float span;
in vec2 at;
uniform float opacity;
layout(location = 0) out vec4 result;
${shadeGlsl}
void main() {
  float off = length(vec2(at.x - clamp(at.x, 0.0, span), at.y));
  float cover = clamp(0.5 + (1.0 - off) / fwidth(off), 0.0, 1.0);
#ifdef THROUGH
  if (cover < 0.5) discard; // a soft rim would be kept from what is drawn next
  cover = 1.0;
#endif
  if (cover < 0.02) discard;
  result = vec4(colour.rgb, colour.a * opacity * cover);
#ifndef PLANAR
  vec3 n = sideways * at.y + facing * sqrt(max(1.0 - at.y * at.y, 0.0));
  result.rgb *= shade(n);
#endif
}`;

// `through`: the faint pass that is seen through bodies. It draws each pixel once, and none that is seen anyway, or
// places where many tubes cross would grow dark.
export function tubeMaterial(shared: Shared, planar: boolean, through: boolean): ShaderMaterial {
  const flat = planar || through;
  return material(shared, {
    vertexShader,
    fragmentShader,
    defines: { ...(planar ? { PLANAR: "" } : {}), ...(through ? { THROUGH: "" } : {}) },
    depthTest: !flat,
    depthWrite: !flat,
    side: 2,
    ...(flat ? {} : { ...opaque, alphaToCoverage: true }),
    stencilWrite: !planar,
    stencilRef: 1,
    stencilFunc: through ? NotEqualStencilFunc : AlwaysStencilFunc,
    stencilZPass: ReplaceStencilOp,
    uniforms: { opacity: { value: through ? 0.3 : 1 } },
  });
}
