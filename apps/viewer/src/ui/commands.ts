// All that keys and buttons do, in one table: the keyboard, the buttons' titles and the help are made from it.
import type { Model } from "../model";
import type { Picture } from "../render/contract";
import type { Bodies, Colour, State, Store } from "../state";

export interface Command {
  id: string;
  keys: string[]; // KeyboardEvent.key; "Shift+" before it where that matters
  shown: string; // the keys as the help says them
  doc: string;
  act: () => void;
}

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
export const colours: [Colour, string][] = [
  ["none", "Stone"],
  ["speed", "Speed"],
  ["displacement", "Displacement"],
  ["spin", "Spin"],
  ["energy", "Kinetic energy"],
  ["coordination", "Bodies in contact"],
  ["material", "Material"],
  ["label", "Label"],
];
export const looks: [Bodies, string][] = [
  ["solid", "Solid"],
  ["glass", "Glass"],
  ["wire", "Wire"],
  ["hidden", "Hidden"],
];

function next<T>(list: readonly [T, string][], now: T): T {
  const i = list.findIndex(([value]) => value === now);
  return list[(i + 1) % list.length][0];
}

// Chains are inside the bodies: solid ones become glass while they are shown.
export function forcesPatch(state: Readonly<State>): Partial<State> {
  if (!state.forces) return { forces: true, bodies: state.bodies === "solid" ? "glass" : state.bodies };
  return { forces: false, bodies: state.bodies === "glass" ? "solid" : state.bodies };
}

type Act = (id: string, keys: string[], shown: string, doc: string, act: () => void) => Command;
const command: Act = (id, keys, shown, doc, act) => ({ id, keys, shown, doc, act });

function timeCommands(store: Store, model: Model): Command[] {
  const go = (frame: number): void => store.set({ playing: false, frame: Math.min(Math.max(frame, 0), model.last) });
  const by = (n: number) => (): void => go(store.state.frame + n);
  const faster = (n: number) => (): void => {
    const far = speeds.map((s) => Math.abs(Math.log(s / store.state.speed)));
    const near = far.indexOf(Math.min(...far));
    store.set({ speed: speeds[Math.min(Math.max(near + n, 0), speeds.length - 1)] });
  };
  return [
    command("play", [" "], "Space", "Play or pause", () => store.set({ playing: !store.state.playing })),
    command("back", ["ArrowLeft"], "←", "One frame back", by(-1)),
    command("forward", ["ArrowRight"], "→", "One frame on", by(1)),
    command("back10", ["Shift+ArrowLeft"], "Shift ←", "Ten frames back", by(-10)),
    command("forward10", ["Shift+ArrowRight"], "Shift →", "Ten frames on", by(10)),
    command("first", ["Home"], "Home", "First frame", () => go(0)),
    command("last", ["End"], "End", "Last frame", () => go(model.last)),
    command("faster", ["+", "="], "+", "Play faster", faster(1)),
    command("slower", ["-"], "−", "Play slower", faster(-1)),
    command("loop", ["l"], "L", "Begin again at the end", () => store.set({ loop: !store.state.loop })),
  ];
}

function lookCommands(store: Store, model: Model): Command[] {
  const flip = (key: "edges" | "grid" | "trail" | "follow") => (): void => store.set({ [key]: !store.state[key] });
  const { cast } = model;
  const usable = colours.filter(([c]) => c !== "coordination" || cast.hasContacts);
  const colour = (): void => store.set({ colour: next(usable, store.state.colour), colourMax: null });
  const look = (): void => store.set({ bodies: next(looks, store.state.bodies) });
  const forces = (): void => {
    if (cast.hasContacts) store.set(forcesPatch(store.state));
  };
  return [
    command("forces", ["f"], "F", "Force chains", forces),
    command("colour", ["c"], "C", "Next colouring of the bodies", colour),
    command("bodies", ["b"], "B", "Next look of the bodies", look),
    command("edges", ["e"], "E", "Edges of the bodies", flip("edges")),
    command("grid", ["g"], "G", "Grid", flip("grid")),
    command("trail", ["t"], "T", "Path of the chosen body", flip("trail")),
    command("follow", ["o"], "O", "Camera keeps to the chosen body", flip("follow")),
  ];
}

function pageCommands(store: Store, picture: Picture): Command[] {
  const escape = (): void => {
    if (store.state.help) store.set({ help: false });
    else store.set({ selected: null });
  };
  const theme = (): void => store.set({ theme: store.state.theme === "dark" ? "light" : "dark" });
  return [
    command("fit", ["0", "r"], "0 or R", "Bring everything into sight", () => picture.fit()),
    command("theme", ["d"], "D", "Light or dark", theme),
    command("panel", ["p"], "P", "Side panel", () => store.set({ panel: !store.state.panel })),
    command("help", ["h", "?"], "H or ?", "This help", () => store.set({ help: !store.state.help })),
    command("escape", ["Escape"], "Esc", "Close the help, or choose no body", escape),
  ];
}

export interface CommandGroup {
  name: string;
  commands: Command[];
}

export class Commands {
  readonly groups: CommandGroup[];
  private readonly byId = new Map<string, Command>();

  constructor(store: Store, model: Model, picture: Picture) {
    this.groups = [
      { name: "Time", commands: timeCommands(store, model) },
      { name: "Picture", commands: lookCommands(store, model) },
      { name: "Page", commands: pageCommands(store, picture) },
    ];
    for (const { commands } of this.groups) for (const c of commands) this.byId.set(c.id, c);
  }

  get(id: string): Command {
    const found = this.byId.get(id);
    if (!found) throw new Error(`no command ${id}`);
    return found;
  }

  bindKeys(target: Document): void {
    const byKey = new Map<string, Command>();
    for (const c of this.byId.values()) for (const key of c.keys) byKey.set(key, c);
    target.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      const found = (event.shiftKey && byKey.get(`Shift+${key}`)) || byKey.get(key);
      if (!found) return;
      event.preventDefault();
      found.act();
    });
    target.addEventListener("click", releaseFocus);
  }
}

// Keys that the focused element needs for itself.
function isTyping(event: KeyboardEvent): boolean {
  const at = event.target;
  if (!(at instanceof HTMLElement)) return false;
  if (event.key === "Escape") return false;
  if (at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return true;
  if (at instanceof HTMLInputElement) {
    if (at.type === "checkbox") return event.key === " ";
    if (at.type === "radio") return event.key === " " || event.key.startsWith("Arrow");
    return !(at.type === "range" && at.dataset.scrubber !== undefined);
  }
  const pressed = event.key === " " || event.key === "Enter";
  if (pressed && at.closest("button, a, summary, [role=tab], tr[tabindex]")) return true;
  return at.getAttribute("role") === "tab" && event.key.startsWith("Arrow");
}

// After a click of the mouse the space bar is for playing again, not for the button that was clicked.
function releaseFocus(event: MouseEvent): void {
  const at = event.target;
  if (event.detail === 0 || !(at instanceof HTMLElement || at instanceof SVGElement)) return;
  const control = at.closest("button, input[type=checkbox], input[type=range], input[type=radio]");
  if (control instanceof HTMLElement) control.blur();
}
