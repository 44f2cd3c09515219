// The state in the page's address, after the #: read at the start, written back so that an address can be kept.
import { initialState, type State } from "../state";
import { colours, forcesPatch, looks } from "./commands";
import type { Tab } from "./side_panel";

// What the address may say beyond the state.
export interface Extras {
  azimuth: number | null; // [degrees] where the viewer stands
  elevation: number | null;
  legend: boolean; // shown though the rest of the page is not
  tab: Tab;
}

const kept = ["loop", "edges", "forces", "ranges", "arrows", "trail", "follow", "grid", "panel", "ui"] as const;
const flags = [...kept, "playing", "help"] as const;

const isOn = (text: string): boolean => text !== "0" && text !== "false" && text !== "no";

function oneOf<T extends string>(text: string | null, list: readonly T[]): T | undefined {
  return list.find((item) => item === text);
}

function numberOf(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const above = (value: number | undefined): number | undefined => (value !== undefined && value > 0 ? value : undefined);
const whole = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 ? Math.floor(value) : undefined;

// Only what the address says, and says well.
export function readAddress(hash: string): { state: Partial<State>; extras: Extras } {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const state: Partial<State> = {
    frame: whole(numberOf(said.get("frame"))),
    selected: whole(numberOf(said.get("select"))),
    speed: above(numberOf(said.get("speed"))),
    colour: oneOf(said.get("colour"), colours.map(([c]) => c)),
    colourMax: above(numberOf(said.get("top"))),
    bodies: oneOf(said.get("bodies"), looks.map(([b]) => b)),
    forceColour: oneOf(said.get("forceColour"), ["status", "use"]),
    forceScale: above(numberOf(said.get("forceScale"))),
    theme: oneOf(said.get("theme"), ["light", "dark"]),
  };
  for (const flag of flags) {
    const text = said.get(flag);
    if (text !== null) state[flag] = isOn(text);
  }
  if (state.forces && state.bodies === undefined) state.bodies = forcesPatch(initialState).bodies;
  for (const key of Object.keys(state) as (keyof State)[]) if (state[key] === undefined) delete state[key];
  const extras: Extras = {
    azimuth: numberOf(said.get("azimuth")) ?? null,
    elevation: numberOf(said.get("elevation")) ?? null,
    legend: isOn(said.get("legend") ?? "0"),
    tab: oneOf(said.get("tab"), ["body", "certificate", "run"]) ?? "body",
  };
  return { state, extras };
}

// What differs from the start, apart from what only holds for a moment.
export function writeAddress(state: Readonly<State>, systemTheme: State["theme"]): string {
  const said = new URLSearchParams();
  const say = (name: string, value: string | number, usual: string | number): void => {
    if (value !== usual) said.set(name, String(value));
  };
  say("frame", state.frame, 0);
  say("colour", state.colour, initialState.colour);
  if (state.colourMax !== null) said.set("top", String(state.colourMax));
  say("bodies", state.bodies, state.forces ? "glass" : "solid");
  say("forceColour", state.forceColour, initialState.forceColour);
  say("forceScale", state.forceScale, 1);
  say("speed", state.speed, 1);
  say("theme", state.theme, systemTheme);
  if (state.selected !== null) said.set("select", String(state.selected));
  for (const flag of kept) say(flag, state[flag] ? 1 : 0, initialState[flag] ? 1 : 0);
  return said.toString();
}
