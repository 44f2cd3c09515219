// What the colours and widths on the picture mean.
import { Status } from "../data/types";
import type { Model } from "../model";
import type { Picture } from "../render/contract";
import { statusColours, useColour } from "../render/palette";
import type { Scene } from "../scene";
import type { Store } from "../state";
import { css, gradient, viridis } from "./colour_maps";
import type { Colours, Scale } from "./colouring";
import { el, setText, throttled } from "./dom";
import { RangesKey } from "./ranges_key";
import { ticks } from "./ticks";
import { scaleFor, short } from "./units";

const standardWidth = 0.22; // [size] of a chain at the reference
const widest = 16; // [px] of the sample

const swatch = (colour: string): HTMLElement => {
  const mark = el("span", { class: "swatch" });
  mark.style.background = colour;
  return mark;
};

function ruler(map: string, top: number): HTMLElement {
  const band = el("div", { class: "band" });
  band.style.background = map;
  const row = el("div", { class: "scale-ticks" });
  for (const value of ticks(0, top, 5)) {
    const mark = el("span", {}, short(value));
    mark.style.left = `${(100 * value) / top}%`;
    row.append(mark);
  }
  return el("div", { class: "ruler" }, band, row);
}

// The top can be typed in; then it stays.
function topField(scale: Scale, factor: number, unit: string, store: Store): HTMLElement {
  const input = el("input", {
    type: "text",
    inputmode: "decimal",
    size: 6,
    "aria-label": `Top of the scale [${unit || "-"}]`,
    title: "Top of the scale: type a number to pin it",
  });
  const reset = (): void => {
    input.value = String(Number((scale.top / factor).toPrecision(6)));
  };
  input.addEventListener("change", () => {
    const value = factor * Number(input.value.replace(",", "."));
    if (value > 0 && Number.isFinite(value)) store.set({ colourMax: value });
    else reset();
  });
  reset();
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") input.blur();
  });
  const row = el("div", { class: "top-field" }, el("span", {}, "top"), input, el("span", {}, unit));
  if (scale.pinned) {
    const title = "Let the data choose the top again";
    const free = el("button", { type: "button", class: "text-button", title }, "auto");
    free.addEventListener("click", () => store.set({ colourMax: null }));
    row.append(free);
  }
  return row;
}

function scaleBlock(scale: Scale, store: Store): HTMLElement {
  const { factor, unit } = scaleFor(scale.top, scale.unit);
  const name = unit ? `${scale.title} [${unit}]` : scale.title;
  const parts = [ruler(gradient(viridis), scale.top / factor), topField(scale, factor, unit, store)];
  return el("div", { class: "legend-block" }, el("h3", {}, name), ...parts);
}

function categoryBlock(categories: NonNullable<Colours["categories"]>): HTMLElement {
  const list = el("div", { class: "swatches" });
  for (const { name, rgb } of categories.entries) list.append(el("span", {}, swatch(css(rgb)), name));
  if (categories.more > 0) list.append(el("span", { class: "faint" }, `and ${categories.more} more`));
  return el("div", { class: "legend-block" }, el("h3", {}, categories.title), list);
}

function forceColours(by: "status" | "use"): HTMLElement {
  if (by === "use") {
    return el("div", { class: "use" }, el("span", {}, "Share of the friction in use"), ruler(gradient(useColour), 1));
  }
  const entry = (status: Status, name: string): HTMLElement =>
    el("span", {}, swatch(css(statusColours[status])), name);
  const entries = [entry(Status.stick, "sticks"), entry(Status.slide, "slides"), entry(Status.takeOff, "takes off")];
  return el("div", { class: "swatches" }, ...entries);
}

// Why there is less to see than one might expect.
function forceNote(model: Model, by: "status" | "use"): string {
  const contacts = model.shown?.contacts;
  if (!contacts) return "";
  if (!(contacts.h > 0)) return "No step came before this frame: no forces yet.";
  const unknown = by === "use" && contacts.count > 0 && !contacts.use.some(Number.isFinite);
  return unknown ? "Grey: not known in these results." : "";
}

class WidthSample {
  readonly element = el("div", { class: "width" });
  private readonly line = el("span", { class: "width-line" });
  private readonly text = el("span", {});

  constructor() {
    this.element.append(this.line, this.text);
  }

  // Drawn as wide as it is on the picture; where that is too wide, the width of a smaller force.
  update(reference: number, metres: number, pixelsPerMetre: number): void {
    let force = reference;
    let pixels = metres * pixelsPerMetre;
    while (pixels > widest) {
      pixels /= 10;
      force /= 10;
    }
    while (pixels < 1.5 && pixels > 0 && force < 1e6 * reference) {
      pixels *= 10;
      force *= 10;
    }
    this.line.style.height = `${Math.min(pixels, widest).toFixed(1)}px`;
    setText(this.text, `width: ${short(Number(force.toPrecision(2)), "N")}`);
  }
}

export function legend(store: Store, model: Model, scene: Scene, picture: Picture): HTMLElement {
  const card = el("aside", { class: "card legend", "aria-label": "Legend" });
  const sample = new WidthSample();
  const rangesKey = new RangesKey(model, picture);
  let key = "";
  const width = (): void => {
    const metres = standardWidth * model.cast.size * store.state.forceScale;
    if (store.state.forces) sample.update(scene.reference, metres, picture.pixelsPerMetre());
    rangesKey.update();
  };
  const build = (): void => {
    const { scale, categories } = scene.colours ?? { scale: null, categories: null };
    const { forces, forceColour, colour } = store.state;
    const ranges = store.state.ranges && model.rangesHere !== null;
    const note = forceNote(model, forceColour);
    const fresh = JSON.stringify([scale, categories?.title, colour, forces, forceColour, note, scene.loaded, ranges]);
    width();
    if (fresh === key || card.contains(document.activeElement)) return; // never under the hand of who types
    key = fresh;
    const blocks: HTMLElement[] = [];
    if (scale) blocks.push(scaleBlock(scale, store));
    if (categories) blocks.push(categoryBlock(categories));
    if (forces) {
      const title = el("h3", { title: "As wide as the normal force" }, "Force chains");
      const block = el("div", { class: "legend-block" }, title, forceColours(forceColour));
      if (scene.loaded) block.append(sample.element);
      if (note) block.append(el("span", { class: "faint" }, note));
      blocks.push(block);
    }
    if (ranges) blocks.push(rangesKey.element);
    card.replaceChildren(...blocks);
    card.toggleAttribute("hidden", blocks.length === 0);
  };
  scene.onColours.push(throttled(build, 100));
  card.addEventListener("focusout", () => setTimeout(build));
  picture.onViewChange(throttled(width, 60));
  build();
  return card;
}
