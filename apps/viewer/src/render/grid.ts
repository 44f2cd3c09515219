// Grid lines: in the plane behind everything, in space on the ground.
import { BufferAttribute, BufferGeometry, Mesh, Vector3, type OrthographicCamera } from "three";
import { material, type Shared } from "./shared";

// The least of 1, 2, 5 times a power of ten that is at least `least`.
export function roundSpacing(least: number): number {
  if (!(least > 0) || !Number.isFinite(least)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  for (const times of [1, 2, 5]) if (times * power >= least * (1 - 1e-9)) return times * power;
  return 10 * power;
}

// [m] between the lines of the plane's grid; the numbers beside the axes go by the same.
export function gridSpacing(pixelsPerMetre: number): number {
  return roundSpacing(90 / pixelsPerMetre);
}

export const gridGlsl = `
float gridLine(vec2 at, float spacing, float widthPx) {
  vec2 s = at / spacing;
  vec2 step_ = fwidth(s);
  vec2 d = abs(fract(s - 0.5) - 0.5) / max(step_, vec2(1e-6));
  vec2 line = clamp(0.5 + 0.5 * widthPx - d, 0.0, 1.0) * (1.0 - smoothstep(0.1, 0.35, step_));
  return max(line.x, line.y);
}
`;

export function squareGeometry(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

const planeVertex = `
uniform vec4 window; // centre, half sizes [m]
out vec2 at;
void main() {
  at = window.xy + position.xy * window.zw;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

const planeFragment = `
in vec2 at;
uniform float spacing;
uniform float density;
uniform vec3 ink;
layout(location = 0) out vec4 result;
${gridGlsl}
void main() {
  float line = gridLine(at, spacing, density);
  vec2 px = abs(at) / fwidth(at);
  float axis = clamp(0.5 + 0.5 * density - min(px.x, px.y), 0.0, 1.0);
  result = vec4(ink, max(0.11 * line, 0.3 * axis));
}`;

export class PlaneGrid {
  readonly mesh: Mesh;
  private readonly uniforms = { spacing: { value: 1 }, window: { value: new Float32Array(4) } };

  constructor(shared: Shared) {
    const look = material(shared, {
      vertexShader: planeVertex,
      fragmentShader: planeFragment,
      depthTest: false,
      depthWrite: false,
      uniforms: this.uniforms,
    });
    this.mesh = new Mesh(squareGeometry(), look);
    this.mesh.frustumCulled = false;
  }

  follow(camera: OrthographicCamera, pixelsPerMetre: number): void {
    const w = (camera.right - camera.left) / 2 / camera.zoom;
    const h = (camera.top - camera.bottom) / 2 / camera.zoom;
    this.uniforms.window.value.set([camera.position.x, camera.position.y, w, h]);
    this.uniforms.spacing.value = gridSpacing(pixelsPerMetre);
  }
}

const groundVertex = `
uniform vec3 centre;
uniform float reach;
out vec2 at;
out vec2 part;
void main() {
  part = position.xy;
  vec3 world = centre + vec3(position.xy * reach, 0.0);
  at = world.xy;
  gl_Position = projectionMatrix * viewMatrix * vec4(world, 1.0);
}`;

const groundFragment = `
in vec2 at;
in vec2 part;
uniform float spacing;
uniform float density;
uniform vec3 ink;
layout(location = 0) out vec4 result;
${gridGlsl}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(part));
  result = vec4(ink, 0.2 * fade * gridLine(at, spacing, density));
}`;

// For scenes in space that have no level half-space to carry the grid.
export class GroundGrid {
  readonly mesh: Mesh;
  private readonly uniforms = {
    spacing: { value: 1 },
    centre: { value: new Vector3() },
    reach: { value: 1 },
  };

  constructor(shared: Shared) {
    const look = material(shared, {
      vertexShader: groundVertex,
      fragmentShader: groundFragment,
      depthWrite: false,
      side: 2,
      uniforms: this.uniforms,
    });
    this.mesh = new Mesh(squareGeometry(), look);
    this.mesh.frustumCulled = false;
  }

  place(centre: Vector3, reach: number): void {
    this.uniforms.centre.value.copy(centre);
    this.uniforms.reach.value = reach;
  }

  set spacing(metres: number) {
    this.uniforms.spacing.value = metres;
  }
}
