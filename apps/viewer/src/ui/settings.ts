// How things are drawn.
import type { Cast } from "../data/types";
import type { Model } from "../model";
import type { Store } from "../state";
import { colours, looks, type Commands } from "./commands";
import { checkbox, field, menu, segmented } from "./controls";
import { el, setFlag } from "./dom";
import { short } from "./units";

function bodiesGroup(store: Store, cast: Cast, commands: Commands): HTMLElement {
  const options = colours.filter(([c]) => c !== "coordination" || cast.hasContacts);
  const choose = menu(store, "colour", "Colour by", options, (colour) => store.set({ colour, colourMax: null }));
  const flags = [
    checkbox(store, "edges", "Edges", commands.get("edges")),
    checkbox(store, "grid", "Grid", commands.get("grid")),
  ];
  return el(
    "section",
    {},
    el("h2", {}, "Bodies"),
    field("Colour by", choose),
    segmented(store, "bodies", "Look of the bodies", looks),
    el("div", { class: "row" }, ...flags),
  );
}

function widthSlider(store: Store): HTMLInputElement {
  const slider = el("input", { type: "range", min: -1, max: 1, step: 0.05, "aria-label": "Width of chains" });
  const follow = (): void => {
    slider.value = String(Math.log10(store.state.forceScale));
  };
  slider.addEventListener("input", () => {
    store.set({ forceScale: Number((10 ** Number(slider.value)).toPrecision(3)) });
  });
  store.on(["forceScale"], follow);
  follow();
  return slider;
}

// Ranges hold for one frame: says which, and leads there.
function rangesRows(store: Store, model: Model): HTMLElement[] {
  const { ranges } = model;
  if (!ranges) return [];
  const go = el("button", { type: "button", class: "text-button", title: "Show that frame" }, "Go there");
  go.addEventListener("click", () => store.set({ playing: false, frame: ranges.k, ranges: true }));
  const said = `at frame ${ranges.k}, ${short(ranges.t, "s")}`;
  const where = el("div", { class: "ranges-where" }, el("span", { class: "faint" }, said), go);
  const follow = (): void => setFlag(go, "disabled", store.state.frame === ranges.k);
  store.on(["frame"], follow);
  follow();
  return [checkbox(store, "ranges", "Force ranges"), where];
}

function chainsRows(store: Store, commands: Commands): HTMLElement[] {
  const more = el(
    "div",
    { class: "sub" },
    segmented(store, "forceColour", "Colour of chains", [
      ["status", "Status"],
      ["use", "Friction use"],
    ]),
    field("Width", widthSlider(store)),
  );
  const follow = (): void => setFlag(more, "hidden", !store.state.forces);
  store.on(["forces"], follow);
  follow();
  return [checkbox(store, "forces", "Force chains", commands.get("forces")), more];
}

function chosenGroup(store: Store, cast: Cast, commands: Commands): HTMLElement {
  const group = el("fieldset", {}, el("legend", {}, "Chosen body"));
  if (cast.hasContacts) group.append(checkbox(store, "arrows", "Forces on it"));
  group.append(
    checkbox(store, "trail", "Path", commands.get("trail")),
    checkbox(store, "follow", "Camera follows", commands.get("follow")),
  );
  const follow = (): void => {
    group.disabled = store.state.selected === null;
  };
  store.on(["selected"], follow);
  follow();
  return group;
}

export function settings(store: Store, model: Model, commands: Commands): HTMLElement {
  const { cast } = model;
  const card = el("aside", { class: "settings", "aria-label": "How things are drawn" });
  card.append(bodiesGroup(store, cast, commands));
  const forces = [...(cast.hasContacts ? chainsRows(store, commands) : []), ...rangesRows(store, model)];
  if (forces.length > 0) card.append(el("section", {}, el("h2", {}, "Forces"), ...forces));
  card.append(chosenGroup(store, cast, commands));
  return card;
}
