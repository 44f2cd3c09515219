// Bodies of the scene as a few meshes, and how each look shows them.
import { CustomBlending, LessEqualDepth, Mesh, NormalBlending } from "three";
import type { BufferGeometry, Scene, ShaderMaterial } from "three";
import type { Cast } from "../data/types";
import type { Bodies } from "../state";
import { ballGeometry, ballMaterial } from "./balls";
import { edgeGeometry } from "./edges";
import { edgeMaterial } from "./lines";
import { meshGeometry, meshMaterial } from "./meshes";
import type { Pickable } from "./pick";
import { opaque, type Shared } from "./shared";

// What is drawn after what. In glass, tubes come before bodies, which lie over them like a thin coat.
export const order = {
  grid: 0,
  planes: 1,
  tubesUnderGlass: 2,
  prepass: 5,
  bodies: 10,
  tubes: 20,
  edges: 30,
  tubesThrough: 40,
  trail: 50,
  outline: 60,
  ranges: 65,
  arrows: 70,
};

const glass = 0.25; // opacity

interface Materials {
  mesh: ShaderMaterial;
  meshGlass: ShaderMaterial;
  meshDepth: ShaderMaterial;
  ball: ShaderMaterial;
  ballGlass: ShaderMaterial;
  ballDepth: ShaderMaterial;
  edge: ShaderMaterial;
  hiddenEdge: ShaderMaterial;
}

function makeMaterials(shared: Shared, planar: boolean): Materials {
  const solid = planar ? {} : opaque;
  const depthOnly = { colorWrite: false } as const;
  const coat = { depthWrite: false, depthFunc: LessEqualDepth } as const;
  const made: Materials = {
    mesh: meshMaterial(shared, planar, "picture", solid),
    meshGlass: meshMaterial(shared, planar, "picture", coat),
    meshDepth: meshMaterial(shared, planar, "picture", depthOnly),
    ball: ballMaterial(shared, planar, "picture", { ...solid, alphaToCoverage: !planar }),
    ballGlass: ballMaterial(shared, planar, "picture", { ...coat, defines: { GLASS: "" } }),
    ballDepth: ballMaterial(shared, planar, "picture", { ...depthOnly, defines: { GLASS: "" } }),
    edge: edgeMaterial(shared, {}, { depthTest: !planar, depthWrite: false }),
    hiddenEdge: edgeMaterial(shared, {}, { depthTest: false, depthWrite: false }),
  };
  made.meshGlass.uniforms.opacity.value = made.ballGlass.uniforms.opacity.value = glass;
  made.hiddenEdge.uniforms.opacity.value = 0.13;
  return made;
}

export class Layers {
  private readonly materials: Materials;
  private readonly meshes: Record<keyof Materials, Mesh | null>;
  private readonly bareEdges: BufferGeometry | null;

  constructor(cast: Cast, private readonly shared: Shared, private readonly planar: boolean, private scene: Scene) {
    this.materials = makeMaterials(shared, planar);
    const faces = meshGeometry(cast);
    const balls = ballGeometry(cast);
    const edges = edgeGeometry(cast);
    this.bareEdges = edgeGeometry(cast, null, true);
    const m = this.materials;
    this.meshes = {
      mesh: this.add(faces, m.mesh, order.bodies),
      meshGlass: this.add(faces, m.meshGlass, order.bodies),
      meshDepth: this.add(faces, m.meshDepth, order.prepass),
      ball: this.add(balls, m.ball, order.bodies + 1),
      ballGlass: this.add(balls, m.ballGlass, order.bodies + 1),
      ballDepth: this.add(balls, m.ballDepth, order.prepass),
      edge: this.add(edges, m.edge, order.edges),
      hiddenEdge: this.add(edges, m.hiddenEdge, order.edges + 1),
    };
  }

  private add(geometry: BufferGeometry | null, look: ShaderMaterial, renderOrder: number): Mesh | null {
    if (geometry === null) return null;
    const mesh = new Mesh(geometry, look);
    mesh.frustumCulled = false;
    mesh.renderOrder = renderOrder;
    this.scene.add(mesh);
    return mesh;
  }

  get pickable(): Pickable {
    return {
      meshes: this.meshes.mesh?.geometry ?? null,
      balls: this.meshes.ball?.geometry ?? null,
      bareEdges: this.bareEdges,
    };
  }

  show(look: Bodies, edges: boolean): void {
    const solid = look === "solid";
    const coat = look === "glass";
    const wire = look === "wire";
    const shown: Record<keyof Materials, boolean> = {
      mesh: solid,
      meshGlass: coat,
      meshDepth: coat && !this.planar,
      ball: solid || wire,
      ballGlass: coat,
      ballDepth: coat && !this.planar,
      edge: wire || (edges && look !== "hidden"),
      hiddenEdge: coat && edges && !this.planar,
    };
    for (const key of Object.keys(shown) as (keyof Materials)[]) {
      const mesh = this.meshes[key];
      if (mesh) mesh.visible = shown[key];
    }
    this.setInk(solid, wire, edges);
  }

  // Lines on solid faces are darker than them; lines on the background must stand out from that.
  private setInk(solid: boolean, wire: boolean, edges: boolean): void {
    const { edge, hiddenEdge, ball, ballGlass } = this.materials;
    const with_ = solid ? this.shared.outline.value : this.shared.ink.value;
    for (const m of [edge, hiddenEdge, ball, ballGlass]) {
      m.uniforms.mixWith.value = with_;
      m.uniforms.mixed.value = solid ? 0.6 : 0.45;
    }
    edge.uniforms.opacity.value = solid ? 0.85 : 0.9;
    edge.uniforms.width.value = 1.1;
    for (const m of [ball, ballGlass]) {
      m.uniforms.wire.value = wire ? 1 : 0;
      m.uniforms.edges.value = edges ? 1 : 0;
    }
    if (!this.planar) this.setBlending(ball, wire);
  }

  // Rings are blended over each other; solid balls get their smooth rim from coverage.
  private setBlending(ball: ShaderMaterial, wire: boolean): void {
    ball.blending = wire ? NormalBlending : CustomBlending;
    ball.alphaToCoverage = !wire;
    ball.depthWrite = !wire;
    ball.needsUpdate = true;
  }

  dispose(): void {
    for (const key of Object.keys(this.meshes) as (keyof Materials)[]) {
      const mesh = this.meshes[key];
      if (mesh === null) continue;
      this.scene.remove(mesh);
      mesh.geometry.dispose();
      this.materials[key].dispose();
    }
    this.bareEdges?.dispose();
  }
}
