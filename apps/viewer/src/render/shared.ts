// What all shaders read: one set of uniforms, changed in one place.
import { CustomBlending, GLSL3, OneFactor, ShaderMaterial, Vector2, Vector3, ZeroFactor } from "three";
import type { ShaderMaterialParameters, Texture } from "three";
import { schemes, type Rgb } from "./palette";
import type { Theme } from "../state";

export interface Shared {
  poses: { value: Texture | null };
  colours: { value: Texture | null };
  resolution: { value: Vector2 }; // [px] of what is drawn to
  pixel: { value: number }; // [m] size of a pixel: at distance 1 in perspective, everywhere in parallel projection
  density: { value: number }; // device pixels a CSS pixel
  background: { value: Vector3 };
  ink: { value: Vector3 };
  accent: { value: Vector3 };
  ground: { value: Vector3 };
  outline: { value: Vector3 };
}

export function toVector(rgb: Rgb, into = new Vector3()): Vector3 {
  return into.set(rgb[0] / 255, rgb[1] / 255, rgb[2] / 255);
}

export function makeShared(): Shared {
  const vector = () => ({ value: new Vector3() });
  const shared: Shared = {
    poses: { value: null },
    colours: { value: null },
    resolution: { value: new Vector2(1, 1) },
    pixel: { value: 1 },
    density: { value: 1 },
    background: vector(),
    ink: vector(),
    accent: vector(),
    ground: vector(),
    outline: vector(),
  };
  setTheme(shared, "light");
  return shared;
}

export function setTheme(shared: Shared, theme: Theme): void {
  const scheme = schemes[theme];
  for (const key of ["background", "ink", "accent", "ground", "outline"] as const) {
    toVector(scheme[key], shared[key].value);
  }
}

// Replaces what is there; alpha only tells how much of a pixel is covered, and the canvas itself stays opaque.
export const opaque = {
  blending: CustomBlending,
  blendSrc: OneFactor,
  blendDst: ZeroFactor,
  blendSrcAlpha: ZeroFactor,
  blendDstAlpha: OneFactor,
} as const;

// A material that shares the uniforms and is drawn in the order that renderOrder says: everything is in the
// transparent list of the renderer, which alone lets us place prepasses and overlays freely.
export function material(shared: Shared, parameters: ShaderMaterialParameters): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true,
    ...parameters,
    glslVersion: GLSL3,
    uniforms: { ...(shared as unknown as ShaderMaterialParameters["uniforms"]), ...parameters.uniforms },
  });
}
