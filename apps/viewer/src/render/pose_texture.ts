// Places and rotations of all bodies for the shaders: two texels a body.
import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import type { Frame } from "../data/types";

const widest = 2048; // every device that has WebGL 2 takes it

export class PoseTexture {
  readonly texture: DataTexture;
  private readonly data: Float32Array;

  constructor(readonly bodies: number) {
    const texels = Math.max(2 * bodies, 2);
    const width = Math.min(widest, texels);
    const height = Math.ceil(texels / width);
    this.data = new Float32Array(4 * width * height);
    for (let b = 0; b < bodies; ++b) this.data[8 * b + 7] = 1; // no rotation
    this.texture = new DataTexture(this.data, width, height, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  set(frame: Frame): void {
    const { data } = this;
    const { x, r } = frame;
    const count = Math.min(this.bodies, x.length / 3);
    for (let b = 0, to = 0, at = 0, turn = 0; b < count; ++b, to += 8, at += 3, turn += 4) {
      data[to] = x[at];
      data[to + 1] = x[at + 1];
      data[to + 2] = x[at + 2];
      data[to + 4] = r[turn];
      data[to + 5] = r[turn + 1];
      data[to + 6] = r[turn + 2];
      data[to + 7] = r[turn + 3];
    }
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
