// Force chains: a tube from every loaded contact to the centre of each free body that it loads.
import { NoBlending, type BufferGeometry, type ShaderMaterial } from "three";
import { BodyKind, type Cast, type Contacts, type Frame } from "../data/types";
import type { State } from "../state";
import { shadeGlsl } from "./glsl";
import { statusColours, useColour, type Rgb } from "./palette";
import { cornerGlsl, quadGeometry } from "./quads";
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

export function tubeGeometry(tubes: Tubes): BufferGeometry {
  return quadGeometry(tubes.count, {
    from: { data: tubes.from, size: 3 },
    to: { data: tubes.to, size: 3 },
    thick: { data: tubes.radius, size: 1 },
    tint: { data: tubes.rgb, size: 4, normalised: true },
  });
}

// A strip that faces the eye and is lit as if it were round.
const vertexShader = `
in vec3 from;
in vec3 to;
in float thick;
in vec4 tint;
flat out vec3 colour;
flat out vec3 sideways;
flat out vec3 facing;
out float across;
${cornerGlsl}
void main() {
  vec2 corner = cornerHere();
  vec3 along = normalize(to - from);
  vec3 back = vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]);
  vec3 eye = isOrthographic ? back : normalize(cameraPosition - 0.5 * (from + to));
  sideways = cross(along, eye);
  sideways /= max(length(sideways), 1e-6);
  facing = cross(sideways, along);
  across = corner.y;
  colour = tint.rgb;
  gl_Position = projectionMatrix * viewMatrix * vec4(mix(from, to, corner.x) + sideways * corner.y * thick, 1.0);
}`;

const fragmentShader = `
flat in vec3 colour;
flat in vec3 sideways;
flat in vec3 facing;
in float across;
uniform float opacity;
layout(location = 0) out vec4 result;
${shadeGlsl}
void main() {
#ifdef PLANAR
  result = vec4(colour, opacity);
#else
  vec3 n = sideways * across + facing * sqrt(max(1.0 - across * across, 0.0));
  result = vec4(colour * shade(n), opacity);
#endif
}`;

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
