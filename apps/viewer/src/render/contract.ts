// What the user interface asks of the picture. The picture knows nothing of panels.
import type { Cast, Contacts, ForceRanges, Frame, Path } from "../data/types";
import type { Bodies, State, Theme } from "../state";

// A colour for every body, and what the legend says of it.
export interface Colouring {
  rgb: Uint8Array; // (bodies, 3) sRGB
}

export interface ArrowLabel {
  x: number; // [px] on the canvas
  y: number;
  contact: number;
  visible: boolean; // in front of the camera and on the canvas
}

export interface Picture {
  readonly canvas: HTMLCanvasElement;
  setCast(cast: Cast): void;
  setFrame(frame: Frame): void;
  setColours(colouring: Colouring): void;
  // Chains of forces; null: none. `reference` [N]: the force drawn with the standard width.
  setForces(contacts: Contacts | null, reference: number, scale: number, colour: State["forceColour"]): void;
  // Forces on this body as arrows; null: none.
  setArrows(contacts: Contacts | null, body: number | null, reference: number): void;
  // What forces may be, of the frame that is shown; null: nothing.
  setRanges(ranges: ForceRanges | null): void;
  rangesDrawn(): { bars: number; idle: number }; // how many are on the canvas
  setTrail(path: Path | null, upTo: number): void; // frames up to that number are drawn strongly
  setSelected(body: number | null): void;
  setFollow(body: number | null): void;
  setLook(look: { bodies: Bodies; edges: boolean; grid: boolean; theme: Theme }): void;
  // Where the viewer stands, in space [degrees]; in the plane without effect.
  setDirection(azimuth: number, elevation: number): void;
  // All that is bounded comes into sight; in these frames, too, but for a few strays.
  fit(beside?: readonly Frame[]): void;
  zoomTo(body: number): void;
  pick(x: number, y: number): number | null; // body at that pixel of the canvas (CSS pixels)
  project(point: [number, number, number]): { x: number; y: number; visible: boolean };
  onViewChange(act: () => void): void; // the camera moved: labels must follow
  resize(): void;
  drawn(): Promise<void>; // when all that was set is on the canvas
  pixelsPerMetre(): number; // at the centre of view: for a scale bar
}
