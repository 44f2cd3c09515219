// Forces on one body: an arrow at each contact, always in sight.
import { BufferAttribute, InstancedBufferAttribute, InstancedBufferGeometry, type ShaderMaterial } from "three";
import type { Cast, Contacts } from "../data/types";
import { contactColour } from "./forces";
import { material, type Shared } from "./shared";

export interface Arrow {
  contact: number;
  tail: [number, number, number];
  tip: [number, number, number];
  rgb: [number, number, number];
}

const most = 3; // [cast.size] of the longest arrow; at the reference it is one long
const least = 0.02;

// A push ends at the contact, as in a free-body diagram; a pull begins there.
export function arrowsOn(cast: Cast, c: Contacts, body: number, reference: number): Arrow[] {
  const arrows: Arrow[] = [];
  if (!(reference > 0) || !(c.h > 0)) return arrows;
  for (let i = 0; i < c.count; ++i) {
    const side = c.body[2 * i] === body ? 1 : c.body[2 * i + 1] === body ? -1 : 0;
    if (side === 0) continue;
    const force = [0, 1, 2].map((k) => (side * c.impulse[3 * i + k]) / c.h);
    const size = Math.hypot(...force);
    const length = Math.min(size / reference, most);
    if (!(length > least)) continue;
    const push = force.reduce((sum, f, k) => sum + f * side * c.normal[3 * i + k], 0) >= 0;
    const at = (shift: number) =>
      [0, 1, 2].map((k) => c.point[3 * i + k] + (shift * length * cast.size * force[k]) / size) as Arrow["tip"];
    arrows.push({ contact: i, tail: at(push ? -1 : 0), tip: at(push ? 0 : 1), rgb: contactColour(c, i, "status") });
  }
  return arrows;
}

// Rings along the arrow: part of the whole length, lengths of the head back from there, radius in radii of the shaft.
const profile = [
  [0, 0, 0],
  [0, 0, 1],
  [1, 1, 1],
  [1, 1, 2.6],
  [1, 0, 0],
];

function arrowShape(): InstancedBufferGeometry {
  const sides = 12;
  const position: number[] = [];
  const profileOf: number[] = [];
  const index: number[] = [];
  profile.forEach(([along, back, radius], ring) => {
    for (let s = 0; s <= sides; ++s) {
      const angle = (2 * Math.PI * s) / sides;
      position.push(Math.cos(angle), Math.sin(angle), 0);
      profileOf.push(along, back, radius);
      const a = ring * (sides + 1) + s;
      const next = a + sides + 1;
      if (s < sides && ring + 1 < profile.length) index.push(a, a + 1, next, a + 1, next + 1, next);
    }
  });
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("profile", new BufferAttribute(new Float32Array(profileOf), 3));
  geometry.setIndex(index);
  return geometry;
}

export function arrowGeometry(arrows: Arrow[]): InstancedBufferGeometry {
  const geometry = arrowShape();
  geometry.instanceCount = arrows.length;
  geometry.setAttribute("from", new InstancedBufferAttribute(new Float32Array(arrows.flatMap((a) => a.tail)), 3));
  geometry.setAttribute("to", new InstancedBufferAttribute(new Float32Array(arrows.flatMap((a) => a.tip)), 3));
  const tint = new Uint8Array(arrows.flatMap((a) => [...a.rgb, 255]));
  geometry.setAttribute("tint", new InstancedBufferAttribute(tint, 4, true));
  return geometry;
}

const vertexShader = `
in vec3 profile;
in vec3 from;
in vec3 to;
in vec4 tint;
uniform float thick;
uniform float halo;
uniform float pixel;
uniform float density;
uniform vec3 background;
flat out vec4 colour;
void across(vec3 along, out vec3 u, out vec3 v) {
  u = normalize(abs(along.z) < 0.9 ? cross(along, vec3(0.0, 0.0, 1.0)) : cross(along, vec3(1.0, 0.0, 0.0)));
  v = cross(along, u);
}
void main() {
  vec3 way = to - from;
  float whole = length(way);
  vec3 along = way / whole;
  vec3 u, v;
  across(along, u, v);
  float depth = isOrthographic ? 1.0 : max(-(viewMatrix * vec4(to, 1.0)).z, 1e-6);
  float px = pixel * density * depth;
  float r = min(clamp(thick, 1.2 * px, 3.0 * px), 0.12 * whole); // readable from far and near
  float head = min(8.0 * r, 0.6 * whole);
  vec3 n = u * position.x + v * position.y;
  float place = profile.x * whole - profile.y * head;
  float wide = profile.z * r + halo * 1.5 * px;
  place += halo * 1.5 * px * (profile.x > 0.5 && profile.y < 0.5 ? 1.6 : -1.0);
  colour = vec4(halo > 0.5 ? background : tint.rgb, halo > 0.5 ? 0.85 : 1.0);
  gl_Position = projectionMatrix * viewMatrix * vec4(from + along * place + n * wide, 1.0);
}`;

const fragmentShader = `
flat in vec4 colour;
layout(location = 0) out vec4 result;
void main() { result = colour; }`;

// Without depth and without shading: a sign on the picture. `halo`: the rim in the colour of the background below it.
export function arrowMaterial(shared: Shared, thick: { value: number }, halo: boolean): ShaderMaterial {
  return material(shared, {
    vertexShader,
    fragmentShader,
    depthTest: false,
    depthWrite: false,
    side: 2,
    uniforms: { thick, halo: { value: halo ? 1 : 0 } },
  });
}
