// Colours for numbers and for kinds of things.

export type Rgb = [number, number, number]; // sRGB, 0 to 255

const hex = (text: string): Rgb => [0, 2, 4].map((i) => Number.parseInt(text.slice(i, i + 2), 16)) as Rgb;

// Viridis (Smith, van der Walt, Firing; CC0) at 16 even places.
const viridisTable = (
  "440154 481a6c 472f7d 414487 39568c 31688e 2a788e 23888e 1f988b 22a884 35b779 54c568 7ad151 a5db36 d2e21b fde725"
).split(" ").map(hex);

const inUnit = (value: number): number => (value > 0 ? Math.min(value, 1) : 0);

export function viridis(value: number): Rgb {
  const place = inUnit(value) * (viridisTable.length - 1);
  const i = Math.min(Math.floor(place), viridisTable.length - 2);
  const f = place - i;
  return [0, 1, 2].map((c) => Math.round((1 - f) * viridisTable[i][c] + f * viridisTable[i + 1][c])) as Rgb;
}

// Okabe and Ito (2008): told apart with all common kinds of colour vision.
const okabeIto = "E69F00 56B4E9 009E73 F0E442 0072B2 D55E00 CC79A7".split(" ").map(hex);

// The same colours come again lighter, then darker.
export function category(i: number): Rgb {
  const base = okabeIto[i % okabeIto.length];
  const round = Math.floor(i / okabeIto.length) % 3;
  if (round === 0) return base;
  const towards = round === 1 ? 255 : 0;
  return base.map((c) => Math.round(0.55 * c + 0.45 * towards)) as Rgb;
}

export const css = (rgb: Rgb): string => `rgb(${rgb.join(" ")})`;

export function gradient(map: (value: number) => Rgb, stops = 16): string {
  const parts = Array.from({ length: stops }, (_, i) => css(map(i / (stops - 1))));
  return `linear-gradient(to right, ${parts.join(", ")})`;
}
