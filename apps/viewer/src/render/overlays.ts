// What lies on the bodies: chains of forces, ranges of forces, arrows, the trail. Rebuilt when asked for, at most once a picture.
import { Mesh, type BufferGeometry, type Scene, type ShaderMaterial } from "three";
import type { Cast, Contacts, ForceRanges, Frame, Path } from "../data/types";
import type { Bodies, State } from "../state";
import { arrowGeometry, arrowMaterial, arrowsOn } from "./arrows";
import { chainTubes, tubeGeometry, tubeMaterial } from "./forces";
import { order } from "./layers";
import { trailMaterial } from "./lines";
import { rangeGeometry, rangeMarks, rangeMaterial } from "./ranges";
import type { Shared } from "./shared";
import { trailGeometry } from "./trail";

interface Chains {
  contacts: Contacts;
  reference: number;
  scale: number;
  colour: State["forceColour"];
}

interface Loads {
  contacts: Contacts;
  body: number;
  reference: number;
}

export class Overlays {
  private readonly tubes: Mesh;
  private readonly through: Mesh;
  private readonly arrows: Mesh;
  private readonly halo: Mesh;
  private readonly trail: Mesh;
  private readonly bars: Mesh;
  private readonly thick = { value: 1 }; // [m] radius of an arrow's shaft
  private chains: Chains | null = null;
  private loads: Loads | null = null;
  private ranges: ForceRanges | null = null;
  private stale = { chains: true, loads: true, ranges: true };
  rangesDrawn = { bars: 0, idle: 0 };

  constructor(private readonly scene: Scene, shared: Shared, private readonly planar: boolean) {
    this.tubes = this.add(tubeMaterial(shared, planar, false), order.tubes);
    this.through = this.add(tubeMaterial(shared, planar, true), order.tubesThrough);
    this.trail = this.add(trailMaterial(shared), order.trail);
    this.bars = this.add(rangeMaterial(shared), order.ranges);
    this.halo = this.add(arrowMaterial(shared, this.thick, true), order.arrows);
    this.arrows = this.add(arrowMaterial(shared, this.thick, false), order.arrows + 1);
  }

  private add(look: ShaderMaterial, renderOrder: number): Mesh {
    const mesh = new Mesh(undefined, look);
    mesh.frustumCulled = false;
    mesh.renderOrder = renderOrder;
    mesh.visible = false;
    this.scene.add(mesh);
    return mesh;
  }

  private replace(meshes: Mesh[], geometry: BufferGeometry | null): void {
    meshes[0].geometry.dispose();
    for (const mesh of meshes) {
      if (geometry !== null) mesh.geometry = geometry;
      mesh.visible = geometry !== null;
    }
  }

  setChains(chains: Chains | null): void {
    this.chains = chains;
    this.stale.chains = true;
  }

  setLoads(loads: Loads | null): void {
    this.loads = loads;
    this.stale.loads = true;
  }

  setRanges(ranges: ForceRanges | null): void {
    if (this.ranges === ranges) return;
    this.ranges = ranges;
    this.stale.ranges = true;
  }

  setTrail(path: Path | null, upTo: number): void {
    this.replace([this.trail], path === null ? null : trailGeometry(path));
    (this.trail.material as ShaderMaterial).uniforms.upTo.value = upTo;
  }

  // Bodies have moved: tubes end at their centres.
  moved(): void {
    this.stale.chains = true;
  }

  prepare(cast: Cast, frame: Frame, look: Bodies): void {
    if (this.stale.chains) {
      const c = this.chains;
      const made = c && chainTubes(cast, frame, c.contacts, c.reference, c.scale, c.colour);
      this.replace([this.tubes, this.through], made && made.count > 0 ? tubeGeometry(made) : null);
    }
    if (this.stale.loads) {
      const l = this.loads;
      const made = l ? arrowsOn(cast, l.contacts, l.body, l.reference) : [];
      this.replace([this.arrows, this.halo], made.length > 0 ? arrowGeometry(made) : null);
      this.thick.value = 0.03 * cast.size;
    }
    if (this.stale.ranges) this.drawRanges(cast, frame);
    this.stale.chains = this.stale.loads = this.stale.ranges = false;
    const beneath = look === "glass" && !this.planar;
    this.tubes.renderOrder = beneath ? order.tubesUnderGlass : order.tubes;
    this.through.visible = this.tubes.visible && look === "solid" && !this.planar;
  }

  private drawRanges(cast: Cast, frame: Frame): void {
    const made = this.ranges && rangeMarks(cast, frame, this.ranges);
    this.replace([this.bars], made && made.marks.length > 0 ? rangeGeometry(made) : null);
    this.rangesDrawn = { bars: made?.bars ?? 0, idle: made?.idle ?? 0 };
  }
}
