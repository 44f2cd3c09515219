// Force chains: a tube from every loaded contact to the centre of each free body that it loads.
import { BufferAttribute, InstancedBufferGeometry, NoBlending, type ShaderMaterial } from "three";
import { BodyKind, type Cast, type Contacts, type Frame } from "../data/types";
import type { State } from "../state";
import { shadeGlsl } from "./glsl";
import { instanced } from "./lines";
import { statusColours, useColour, type Rgb } from "./palette";
import { material, type Shared } from "./shared";

export interface Tubes {
  count: number;
  from: Float32Array; // (tubes, 3) [m]
  to: Float32Array;
  radius: Float32Array; // [m]
  rgb: Uint8Array; // (tubes, 4)
}

const standard = 0.12; // [cast.size] width of a tube at the reference
const most = 3; // widths are clipped at so many times the standard
const least = 0.01; // parts of the reference below which nothing would be seen

export function normalForce(c: Contacts, i: number): number {
  const s = c.impulse[3 * i] * c.normal[3 * i] + c.impulse[3 * i + 1] * c.normal[3 * i + 1];
  return c.h > 0 ? Math.abs(s + c.impulse[3 * i + 2] * c.normal[3 * i + 2]) / c.h : 0;
}

export function contactColour(c: Contacts, i: number, by: State["forceColour"]): Rgb {
  if (by === "use") return useColour(c.use[i]);
  return statusColours[c.status[i] as keyof typeof statusColours] ?? statusColours[0];
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
    if (!(part > least)) continue;
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

// Sides of a tube of radius 1 from 0 to 1: x, y around it, z along; in the plane one flat strip.
function tubeSides(planar: boolean): InstancedBufferGeometry {
  const sides = planar ? 1 : 8;
  const rings: number[] = [];
  const index: number[] = [];
  for (let s = 0; s <= sides; ++s) {
    const angle = planar ? Math.PI * s : (2 * Math.PI * s) / sides;
    for (const along of [0, 1]) rings.push(Math.cos(angle), planar ? 0 : Math.sin(angle), along);
    if (s < sides) index.push(2 * s, 2 * s + 2, 2 * s + 1, 2 * s + 1, 2 * s + 2, 2 * s + 3);
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(rings), 3));
  geometry.setIndex(index);
  return geometry;
}

export function tubeGeometry(tubes: Tubes, planar: boolean): InstancedBufferGeometry {
  const geometry = tubeSides(planar);
  const n = tubes.count;
  geometry.instanceCount = n;
  geometry.setAttribute("from", instanced(tubes.from.subarray(0, 3 * n), 3));
  geometry.setAttribute("to", instanced(tubes.to.subarray(0, 3 * n), 3));
  geometry.setAttribute("thick", instanced(tubes.radius.subarray(0, n), 1));
  geometry.setAttribute("tint", instanced(tubes.rgb.subarray(0, 4 * n), 4, true));
  return geometry;
}

// The two directions across a line; in the plane the first lies in it.
export const acrossGlsl = `
void across(vec3 along, out vec3 u, out vec3 v) {
#ifdef PLANAR
  u = vec3(-along.y, along.x, 0.0);
  v = vec3(0.0, 0.0, 1.0);
#else
  u = normalize(abs(along.z) < 0.9 ? cross(along, vec3(0.0, 0.0, 1.0)) : cross(along, vec3(1.0, 0.0, 0.0)));
  v = cross(along, u);
#endif
}
`;

const vertexShader = `
in vec3 from;
in vec3 to;
in float thick;
in vec4 tint;
uniform float opacity;
out vec4 colour;
${shadeGlsl}${acrossGlsl}
void main() {
  vec3 along = normalize(to - from);
  vec3 u, v;
  across(along, u, v);
  vec3 n = u * position.x + v * position.y;
#ifdef PLANAR
  colour = vec4(tint.rgb, opacity);
#else
  colour = vec4(tint.rgb * shade(n), opacity);
#endif
  gl_Position = projectionMatrix * viewMatrix * vec4(mix(from, to, position.z) + n * thick, 1.0);
}`;

const fragmentShader = `
in vec4 colour;
layout(location = 0) out vec4 result;
void main() { result = colour; }`;

// `through`: the faint pass that is seen through bodies.
export function tubeMaterial(shared: Shared, planar: boolean, through: boolean): ShaderMaterial {
  const flat = planar || through;
  return material(shared, {
    vertexShader,
    fragmentShader,
    defines: planar ? { PLANAR: "" } : {},
    depthTest: !flat,
    depthWrite: !flat,
    side: 2,
    ...(flat ? {} : { blending: NoBlending }),
    uniforms: { opacity: { value: through ? 0.22 : 1 } },
  });
}
