// Colours of the picture, all in sRGB as shown. The legend takes those of forces from here.
import { Status } from "../data/types";
import type { Theme } from "../state";

export type Rgb = [number, number, number]; // 0 to 255

export interface Scheme {
  background: Rgb;
  ink: Rgb; // lines on the background
  accent: Rgb; // the chosen body
  outline: Rgb; // what edges of solid bodies are mixed with
  ground: Rgb; // half-spaces
}

export const schemes: Record<Theme, Scheme> = {
  light: {
    background: [251, 251, 250],
    ink: [58, 64, 70],
    accent: [196, 18, 122],
    outline: [32, 34, 38],
    ground: [226, 225, 220],
  },
  dark: {
    background: [20, 23, 26],
    ink: [206, 211, 216],
    accent: [255, 104, 184],
    outline: [10, 12, 14],
    ground: [44, 48, 53],
  },
};

// Free bodies and boundaries before anybody has chosen colours.
export const stone: Rgb = [196, 189, 178];
export const boundaryStone: Rgb = [164, 166, 168];

// Okabe and Ito: told apart by all kinds of eyes, seen on light and on dark.
export const statusColours: Record<Status, Rgb> = {
  [Status.takeOff]: [140, 140, 140],
  [Status.stick]: [0, 114, 178],
  [Status.slide]: [213, 94, 0],
};

// Ranges of forces, as in the pictures that `cairn forces` makes (ColorBrewer's blues, and red).
export const rangeColours: Record<"certain" | "possible" | "solution" | "central", Rgb> = {
  certain: [8, 81, 156],
  possible: [158, 202, 225],
  solution: [203, 24, 29],
  central: [20, 20, 20],
};

// Plasma (Smith, van der Walt; CC0), perceptually uniform, without its darkest and lightest ends: seen on both
// backgrounds.
const useStops: Rgb[] = [
  [106, 0, 168],
  [132, 5, 167],
  [156, 23, 158],
  [177, 42, 144],
  [195, 61, 128],
  [211, 81, 113],
  [225, 100, 98],
  [237, 121, 83],
  [246, 143, 68],
  [252, 166, 54],
  [254, 192, 41],
];

// Colour of a part 0 to 1 of the allowed friction; not a number: grey.
export function useColour(use: number): Rgb {
  if (!Number.isFinite(use)) return statusColours[Status.takeOff];
  const at = Math.min(Math.max(use, 0), 1) * (useStops.length - 1);
  const i = Math.min(Math.floor(at), useStops.length - 2);
  const mix = (c: number) => Math.round(useStops[i][c] + (at - i) * (useStops[i + 1][c] - useStops[i][c]));
  return [mix(0), mix(1), mix(2)];
}
