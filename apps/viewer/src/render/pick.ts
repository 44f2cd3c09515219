// Which body is at a pixel: numbers of bodies are drawn around it and read back.
import { Mesh, NoBlending, Scene, WebGLRenderTarget } from "three";
import type { BufferGeometry, OrthographicCamera, PerspectiveCamera, ShaderMaterial, WebGLRenderer } from "three";
import { ballMaterial } from "./balls";
import { edgeMaterial } from "./lines";
import { meshMaterial } from "./meshes";
import type { Shared } from "./shared";

const side = 7; // [px] small bodies are hit when the pointer is beside them

export interface Pickable {
  meshes: BufferGeometry | null;
  balls: BufferGeometry | null;
  bareEdges: BufferGeometry | null;
}

export class Picker {
  private readonly scene = new Scene();
  private readonly target = new WebGLRenderTarget(side, side);
  private readonly bytes = new Uint8Array(4 * side * side);
  private readonly materials: Record<keyof Pickable, ShaderMaterial>;

  constructor(private readonly shared: Shared, planar: boolean) {
    const plain = { blending: NoBlending } as const;
    this.materials = {
      meshes: meshMaterial(shared, planar, "numbers", plain),
      balls: ballMaterial(shared, planar, "numbers", plain),
      bareEdges: edgeMaterial(shared, { NUMBERS: "" }, { ...plain, depthTest: !planar, depthWrite: !planar }),
    };
    this.materials.bareEdges.uniforms.width.value = 3;
  }

  set(things: Pickable): void {
    this.scene.clear();
    for (const key of ["meshes", "balls", "bareEdges"] as const) {
      const geometry = things[key];
      if (geometry === null) continue;
      const mesh = new Mesh(geometry, this.materials[key]);
      mesh.frustumCulled = false;
      this.scene.add(mesh);
    }
  }

  // x, y, width, height in CSS pixels.
  pick(
    renderer: WebGLRenderer,
    camera: PerspectiveCamera | OrthographicCamera,
    x: number,
    y: number,
    width: number,
    height: number,
  ): number | null {
    const { resolution, density, pixel } = this.shared;
    const before = { size: resolution.value.clone(), density: density.value, pixel: pixel.value };
    const half = (side - 1) / 2;
    camera.setViewOffset(width, height, Math.floor(x) - half, Math.floor(y) - half, side, side);
    resolution.value.set(side, side);
    pixel.value = before.pixel * before.density;
    density.value = 1;
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0x000000, 0);
    renderer.clear();
    renderer.render(this.scene, camera);
    renderer.readRenderTargetPixels(this.target, 0, 0, side, side, this.bytes);
    renderer.setRenderTarget(null);
    camera.clearViewOffset();
    resolution.value.copy(before.size);
    density.value = before.density;
    pixel.value = before.pixel;
    return this.nearest();
  }

  private nearest(): number | null {
    const half = (side - 1) / 2;
    let best: number | null = null;
    let least = Infinity;
    for (let i = 0; i < side * side; ++i) {
      const b = this.bytes;
      const number = b[4 * i] + 256 * (b[4 * i + 1] + 256 * (b[4 * i + 2] + 256 * b[4 * i + 3]));
      const off = ((i % side) - half) ** 2 + (Math.floor(i / side) - half) ** 2;
      if (number > 0 && off < least) [best, least] = [number - 1, off];
    }
    return best;
  }
}
