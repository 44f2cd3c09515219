// What the user has chosen: one object, one place to change it, listeners by key. Panels and the view follow it and
// never talk to each other.

export type Colour = "none" | "speed" | "displacement" | "spin" | "energy" | "coordination" | "material" | "label";
export type Bodies = "solid" | "glass" | "wire" | "hidden";
export type Theme = "light" | "dark";

export interface State {
  frame: number; // wanted; the one that is shown may come a little later
  playing: boolean;
  speed: number; // simulated seconds a second
  loop: boolean;
  colour: Colour;
  colourMax: number | null; // top of the colour scale in the quantity's unit; null: by the data
  bodies: Bodies;
  edges: boolean; // outlines of bodies
  forces: boolean; // force chains
  forceColour: "status" | "use";
  forceScale: number; // width of chains against the standard one
  ranges: boolean; // what forces may be, in the frame where that is known
  arrows: boolean; // forces on the chosen body
  trail: boolean; // of the chosen body
  follow: boolean; // the camera keeps to the chosen body
  grid: boolean;
  theme: Theme;
  selected: number | null; // body
  panel: boolean; // the side panel is open
  ui: boolean; // false: nothing but the picture (for pictures and movies)
  help: boolean;
}

export const initialState: State = {
  frame: 0,
  playing: false,
  speed: 1,
  loop: false,
  colour: "none",
  colourMax: null,
  bodies: "solid",
  edges: true,
  forces: false,
  forceColour: "status",
  forceScale: 1,
  ranges: true,
  arrows: true,
  trail: false,
  follow: false,
  grid: true,
  theme: "light",
  selected: null,
  panel: true,
  ui: true,
  help: false,
};

type Listener = (state: Readonly<State>, changed: ReadonlySet<keyof State>) => void;

export class Store {
  private current: State;
  private listeners: { keys: ReadonlySet<keyof State> | null; act: Listener }[] = [];

  constructor(start: Partial<State> = {}) {
    this.current = { ...initialState, ...start };
  }

  get state(): Readonly<State> {
    return this.current;
  }

  set(patch: Partial<State>): void {
    const changed = new Set<keyof State>();
    for (const key of Object.keys(patch) as (keyof State)[]) {
      if (patch[key] !== undefined && this.current[key] !== patch[key]) changed.add(key);
    }
    if (changed.size === 0) return;
    this.current = { ...this.current, ...patch };
    for (const { keys, act } of [...this.listeners]) {
      if (keys === null || [...keys].some((key) => changed.has(key))) act(this.current, changed);
    }
  }

  // No keys: any change.
  on(keys: (keyof State)[] | null, act: Listener): void {
    this.listeners.push({ keys: keys === null ? null : new Set(keys), act });
  }
}
