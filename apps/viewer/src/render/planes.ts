// Half-spaces: a surface that fades out around the scene; in the plane a hatched line above a soft fill.
import { Mesh, Quaternion, Vector3 } from "three";
import type { Cast, Frame } from "../data/types";
import { gridGlsl, squareGeometry } from "./grid";
import { material, type Shared } from "./shared";

const spaceVertex = `
uniform vec3 origin;
uniform vec3 along;
uniform vec3 across;
uniform vec3 outward;
uniform float reach;
out vec2 at;
out vec2 part;
out vec3 seenFrom;
void main() {
  part = position.xy;
  vec3 world = origin + (along * position.x + across * position.y) * reach;
  at = vec2(dot(world, along), dot(world, across));
  seenFrom = isOrthographic ? vec3(viewMatrix[0][2], viewMatrix[1][2], viewMatrix[2][2]) : cameraPosition - world;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const spaceFragment = `
in vec2 at;
in vec2 part;
in vec3 seenFrom;
uniform vec3 outward;
uniform float spacing;
uniform float density;
uniform float lines;
uniform float strength;
uniform vec3 ground;
uniform vec3 ink;
layout(location = 0) out vec4 result;
${gridGlsl}
void main() {
  float fade = 1.0 - smoothstep(0.3, 1.0, length(part));
  // From outside the wall must not hide what it holds.
  float side = dot(seenFrom, outward) > 0.0 ? 1.0 : 0.12;
  float line = lines * gridLine(at, spacing, density);
  float fill = 0.75 * strength;
  float a = fill + 0.16 * line * (1.0 - fill);
  result = vec4(mix(ground, ink, 0.16 * line / max(a, 1e-3)), a * fade * side);
}`;

const planarVertex = `
uniform vec3 origin;
uniform vec3 along;
uniform vec3 outward;
uniform float reach;
out vec2 at; // along the line, depth below it
void main() {
  at = vec2(position.x, 0.5 - 0.5 * position.y) * reach;
  vec3 world = origin + along * at.x - outward * at.y;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const planarFragment = `
in vec2 at;
uniform float pixel;
uniform float density;
uniform vec3 ground;
uniform vec3 ink;
layout(location = 0) out vec4 result;
void main() {
  vec2 px = at / (pixel * density);
  float fill = 0.75 - 0.25 * smoothstep(0.0, 160.0, px.y);
  float line = 1.0 - smoothstep(1.0, 2.0, px.y);
  float s = abs(fract((px.x - px.y) / 9.0) - 0.5) * 9.0 / 1.4142;
  float hatch = (1.0 - smoothstep(0.35, 1.15, s)) * (1.0 - smoothstep(8.0, 10.0, px.y));
  float drawn = max(0.8 * line, 0.4 * hatch);
  result = vec4(mix(ground, ink, drawn), max(fill, drawn));
}`;

interface Surface {
  body: number;
  point: Vector3;
  normal: Vector3; // both in the axes of the body
  mesh: Mesh;
  origin: Vector3;
  along: Vector3;
  across: Vector3;
  outward: Vector3;
  reach: { value: number };
  spacing: { value: number };
  lines: { value: number };
  strength: { value: number };
}

export class Planes {
  readonly meshes: Mesh[] = [];
  private surfaces: Surface[] = [];

  constructor(cast: Cast, shared: Shared, private readonly planar: boolean) {
    const g = cast.geometry;
    for (let i = 0; i < g.planeBody.length; ++i) {
      const point = new Vector3().fromArray(g.planePoint, 3 * i);
      const normal = new Vector3().fromArray(g.planeNormal, 3 * i);
      this.surfaces.push(this.surface(g.planeBody[i], point, normal, shared));
    }
    this.meshes = this.surfaces.map((s) => s.mesh);
  }

  private surface(body: number, point: Vector3, normal: Vector3, shared: Shared): Surface {
    const vectors = { origin: new Vector3(), along: new Vector3(), across: new Vector3(), outward: new Vector3() };
    const numbers = {
      reach: { value: 1 },
      spacing: { value: 1 },
      lines: { value: 1 },
      strength: { value: 1 },
    };
    const uniforms = {
      ...numbers,
      origin: { value: vectors.origin },
      along: { value: vectors.along },
      across: { value: vectors.across },
      outward: { value: vectors.outward },
    };
    const look = material(shared, {
      vertexShader: this.planar ? planarVertex : spaceVertex,
      fragmentShader: this.planar ? planarFragment : spaceFragment,
      depthTest: !this.planar,
      depthWrite: false,
      side: 2,
      uniforms,
    });
    const mesh = new Mesh(squareGeometry(), look);
    mesh.frustumCulled = false;
    return { body, point, normal, mesh, ...vectors, ...numbers };
  }

  // Puts the surfaces where their bodies are, around the scene.
  place(frame: Frame, centre: Vector3, radius: number): void {
    const turn = new Quaternion();
    const x = new Vector3();
    for (const s of this.surfaces) {
      turn.fromArray(frame.r, 4 * s.body);
      x.fromArray(frame.x, 3 * s.body);
      s.outward.copy(s.normal).applyQuaternion(turn).normalize();
      s.origin.copy(s.point).applyQuaternion(turn).add(x);
      const above = centre.clone().sub(s.origin).dot(s.outward);
      s.origin.copy(centre).addScaledVector(s.outward, -above);
      this.frameOf(s);
      const level = s.outward.z > 0.5;
      s.reach.value = radius * (this.planar ? 60 : level ? 3.5 : 1.5);
      s.strength.value = level ? 1 : 0.4;
    }
  }

  private frameOf(s: Surface): void {
    if (this.planar) {
      s.along.set(-s.outward.y, s.outward.x, 0);
      return;
    }
    const steep = Math.abs(s.outward.x) > 0.9;
    s.along.set(steep ? 0 : 1, steep ? 1 : 0, 0).addScaledVector(s.outward, -(steep ? s.outward.y : s.outward.x));
    s.along.normalize();
    s.across.crossVectors(s.outward, s.along);
  }

  setGrid(spacing: number, shown: boolean): void {
    for (const s of this.surfaces) {
      s.spacing.value = spacing;
      s.lines.value = shown ? 1 : 0;
    }
  }

  // Whether one of them is level, and so can carry the ground's grid.
  get level(): boolean {
    return this.surfaces.some((s) => s.normal.z > 0.9);
  }

  // The half-space that a ray meets first from outside; in the plane the one in which the point lies.
  hit(from: Vector3, ray: Vector3): number | null {
    let best: number | null = null;
    let nearest = Infinity;
    for (const s of this.surfaces) {
      const height = from.clone().sub(s.origin).dot(s.outward);
      if (this.planar) {
        if (height <= 0 && -height < nearest) [best, nearest] = [s.body, -height];
        continue;
      }
      const speed = ray.dot(s.outward);
      const far = -height / speed;
      if (speed < 0 && height > 0 && far < nearest) {
        const off = from.clone().addScaledVector(ray, far).distanceTo(s.origin);
        if (off < 0.8 * s.reach.value) [best, nearest] = [s.body, far];
      }
    }
    return best;
  }

  dispose(): void {
    for (const { mesh } of this.surfaces) mesh.geometry.dispose();
  }
}
