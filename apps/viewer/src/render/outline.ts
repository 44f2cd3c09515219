// The chosen body: its silhouette is drawn alone, then rimmed on top of the picture, so that it is seen in all looks.
import { Box2, Mesh, Scene, Vector2, Vector4, WebGLRenderTarget } from "three";
import type { BufferGeometry, Camera, ShaderMaterial, WebGLRenderer } from "three";
import type { Cast } from "../data/types";
import { ballGeometry, ballMaterial } from "./balls";
import { edgeGeometry } from "./edges";
import { squareGeometry } from "./grid";
import { edgeMaterial } from "./lines";
import { meshGeometry, meshMaterial } from "./meshes";
import { material, type Shared } from "./shared";

const vertexShader = `
uniform vec4 window; // part of the canvas, in 0 to 1
out vec2 at;
void main() {
  at = mix(window.xy, window.zw, 0.5 + 0.5 * position.xy);
  gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);
}`;

const fragmentShader = `
in vec2 at;
uniform sampler2D mask;
uniform vec2 resolution;
uniform float density;
uniform vec3 accent;
layout(location = 0) out vec4 result;
void main() {
  float here = texture(mask, at).r;
  float near = here;
  for (int i = 0; i < 12; ++i) {
    float angle = 6.2831853 * float(i) / 12.0;
    near = max(near, texture(mask, at + vec2(cos(angle), sin(angle)) * 2.2 * density / resolution).r);
  }
  result = vec4(accent, max(0.14 * here, near - here));
}`;

export class Outline {
  readonly mesh: Mesh;
  private readonly scene = new Scene();
  private readonly target = new WebGLRenderTarget(1, 1, { samples: 4, depthBuffer: false });
  private readonly window = new Vector4(0, 0, 1, 1);
  private readonly materials: { meshes: ShaderMaterial; balls: ShaderMaterial; edges: ShaderMaterial };

  constructor(private readonly shared: Shared, planar: boolean) {
    const flat = { depthTest: false, depthWrite: false };
    this.materials = {
      meshes: meshMaterial(shared, planar, "mask", flat),
      balls: ballMaterial(shared, planar, "mask", flat),
      edges: edgeMaterial(shared, { MASK: "" }, flat),
    };
    this.materials.edges.uniforms.width.value = 2;
    const look = material(shared, {
      vertexShader,
      fragmentShader,
      depthTest: false,
      depthWrite: false,
      uniforms: { mask: { value: this.target.texture }, window: { value: this.window } },
    });
    this.mesh = new Mesh(squareGeometry(), look);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  select(cast: Cast, body: number | null): void {
    for (const child of this.scene.children) (child as Mesh).geometry.dispose();
    this.scene.clear();
    if (body === null) return;
    this.add(meshGeometry(cast, body), this.materials.meshes);
    this.add(ballGeometry(cast, body), this.materials.balls);
    this.add(edgeGeometry(cast, body, true), this.materials.edges);
  }

  private add(geometry: BufferGeometry | null, look: ShaderMaterial): void {
    if (geometry === null) return;
    const mesh = new Mesh(geometry, look);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
  }

  // Draws the silhouette; `where` [px] holds it on the canvas, so that no more of it is looked at than needed.
  prepare(renderer: WebGLRenderer, camera: Camera, where: Box2): void {
    this.mesh.visible = this.scene.children.length > 0;
    if (!this.mesh.visible) return;
    const size = this.shared.resolution.value;
    this.target.setSize(size.x, size.y);
    const margin = new Vector2(6, 6).multiplyScalar(this.shared.density.value);
    const low = where.min.clone().sub(margin).divide(size).clampScalar(0, 1);
    const high = where.max.clone().add(margin).divide(size).clampScalar(0, 1);
    this.window.set(low.x, low.y, high.x, high.y);
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(this.scene, camera);
    renderer.setRenderTarget(null);
  }
}
