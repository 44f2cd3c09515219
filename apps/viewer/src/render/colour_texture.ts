// Colours of all bodies for the shaders, with flags in the fourth byte: 1 chosen, 2 boundary.
import { DataTexture, NearestFilter, RGBAFormat, UnsignedByteType } from "three";
import { BodyKind, type Cast } from "../data/types";
import { boundaryStone, stone } from "./palette";

const widest = 2048;

export class ColourTexture {
  readonly texture: DataTexture;
  private readonly data: Uint8Array;
  private readonly bodies: number;
  private selected: number | null = null;

  constructor(cast: Cast) {
    this.bodies = cast.bodies;
    const width = Math.max(1, Math.min(widest, cast.bodies));
    const height = Math.max(1, Math.ceil(cast.bodies / width));
    this.data = new Uint8Array(4 * width * height);
    for (let b = 0; b < cast.bodies; ++b) {
      const boundary = cast.kind[b] !== BodyKind.free;
      this.data.set(boundary ? boundaryStone : stone, 4 * b);
      this.data[4 * b + 3] = boundary ? 2 : 0;
    }
    this.texture = new DataTexture(this.data, width, height, RGBAFormat, UnsignedByteType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
  }

  set(rgb: Uint8Array): void {
    const { data } = this;
    const count = Math.min(this.bodies, Math.floor(rgb.length / 3));
    for (let b = 0; b < count; ++b) {
      data[4 * b] = rgb[3 * b];
      data[4 * b + 1] = rgb[3 * b + 1];
      data[4 * b + 2] = rgb[3 * b + 2];
    }
    this.texture.needsUpdate = true;
  }

  select(body: number | null): void {
    if (this.selected !== null) this.data[4 * this.selected + 3] &= ~1;
    this.selected = body !== null && body < this.bodies ? body : null;
    if (this.selected !== null) this.data[4 * this.selected + 3] |= 1;
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}
