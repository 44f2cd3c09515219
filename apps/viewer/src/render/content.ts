// All of the picture that goes with one set of bodies.
import { Box3, Sphere, Vector3, type Scene } from "three";
import type { Cast, Frame } from "../data/types";
import { ColourTexture } from "./colour_texture";
import { Extent } from "./extent";
import { Layers, order } from "./layers";
import { Planes } from "./planes";
import { PoseTexture } from "./pose_texture";
import type { Shared } from "./shared";

export class Content {
  readonly extent: Extent;
  readonly poses: PoseTexture;
  readonly colours: ColourTexture;
  readonly layers: Layers;
  readonly planes: Planes;
  readonly home: Sphere; // around the bodies in the first frame: surfaces without end are centred there
  readonly around: Sphere; // with where they are now
  frame: Frame | null = null;

  constructor(readonly cast: Cast, shared: Shared, planar: boolean, private readonly scene: Scene) {
    const box = new Box3(new Vector3(...cast.bounds[0]), new Vector3(...cast.bounds[1]));
    this.home = box.getBoundingSphere(new Sphere());
    this.home.radius = Math.max(this.home.radius, cast.size, 1e-6);
    this.around = this.home.clone();
    this.extent = new Extent(cast);
    this.poses = new PoseTexture(cast.bodies);
    this.colours = new ColourTexture(cast);
    this.layers = new Layers(cast, shared, planar, scene);
    this.planes = new Planes(cast, shared, planar);
    for (const mesh of this.planes.meshes) {
      mesh.renderOrder = order.planes;
      scene.add(mesh);
    }
    shared.poses.value = this.poses.texture;
    shared.colours.value = this.colours.texture;
  }

  setFrame(frame: Frame): void {
    this.frame = frame;
    this.poses.set(frame);
    this.planes.place(frame, this.home.center, this.home.radius);
    const box = this.extent.around(frame);
    if (!box.isEmpty()) box.getBoundingSphere(this.around).union(this.home);
  }

  dispose(): void {
    this.layers.dispose();
    this.planes.dispose();
    this.scene.remove(...this.planes.meshes);
    this.poses.dispose();
    this.colours.dispose();
  }
}
