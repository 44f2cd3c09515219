// A colour for every body by what the state asks for, and what the legend must say of it.
import { freeValues, isQuantity, quantities, quantityOf, ScaleTop, type Quantity } from "../data/derived";
import { BodyKind, type Cast } from "../data/types";
import type { Model, Shown } from "../model";
import type { State, Theme } from "../state";
import { category, viridis, type Rgb } from "./colour_maps";
import { roundUp } from "./ticks";

export interface Scale {
  title: string;
  unit: string;
  top: number;
  pinned: boolean;
}

export interface Category {
  name: string;
  rgb: Rgb;
}

export interface Colours {
  rgb: Uint8Array;
  scale: Scale | null;
  categories: { title: string; entries: Category[]; more: number } | null;
}

const stone: Record<Theme, { free: Rgb; boundary: Rgb }> = {
  light: { free: [201, 194, 181], boundary: [158, 163, 168] },
  dark: { free: [166, 160, 148], boundary: [84, 90, 97] },
};

const listed = 12; // categories in the legend

function paint(cast: Cast, theme: Theme, of: (body: number) => Rgb | null): Uint8Array {
  const rgb = new Uint8Array(3 * cast.bodies);
  for (let b = 0; b < cast.bodies; ++b) {
    const free = cast.kind[b] === BodyKind.free;
    rgb.set(of(b) ?? (free ? stone[theme].free : stone[theme].boundary), 3 * b);
  }
  return rgb;
}

function byCategory(cast: Cast, theme: Theme, what: "material" | "label"): Colours {
  const values = cast[what];
  const free = (b: number): boolean => what === "material" || cast.kind[b] === BodyKind.free;
  const kinds = [...new Set(values.filter((_, b) => free(b)))].sort((a, b) => a - b);
  const place = new Map(kinds.map((value, i) => [value, i]));
  const title = what === "material" ? "Material" : "Label";
  return {
    rgb: paint(cast, theme, (b) => (free(b) ? category(place.get(values[b]) ?? 0) : null)),
    scale: null,
    categories: {
      title,
      entries: kinds.slice(0, listed).map((value, i) => ({ name: String(value), rgb: category(i) })),
      more: Math.max(0, kinds.length - listed),
    },
  };
}

export class Colourist {
  private readonly tops = new Map<Quantity, ScaleTop>();

  constructor(private readonly model: Model) {}

  colours(state: Readonly<State>, shown: Shown): Colours {
    const { cast } = this.model;
    if (isQuantity(state.colour)) return this.byQuantity(state.colour, state, shown);
    if (state.colour !== "none") return byCategory(cast, state.theme, state.colour);
    return { rgb: paint(cast, state.theme, () => null), scale: null, categories: null };
  }

  private byQuantity(what: Quantity, state: Readonly<State>, shown: Shown): Colours {
    const { cast, first } = this.model;
    const values = quantityOf(what, cast, shown.frame, first, shown.contacts);
    const top = state.colourMax ?? this.topOf(what, shown, values);
    const { name, unit } = quantities[what];
    return {
      rgb: paint(cast, state.theme, (b) => (cast.kind[b] === BodyKind.free ? viridis(values[b] / top) : null)),
      scale: { title: name, unit, top, pinned: state.colourMax !== null },
      categories: null,
    };
  }

  private topOf(what: Quantity, shown: Shown, values: Float32Array): number {
    const tops = this.tops.get(what) ?? new ScaleTop(0.98, 1);
    this.tops.set(what, tops);
    const complete = (what !== "coordination" || shown.contacts) && (what !== "displacement" || this.model.first);
    if (complete) tops.see(shown.frame.k, freeValues(this.model.cast, values));
    return tops.value > 0 ? roundUp(tops.value) : 1;
  }
}
