// What the signs of force ranges mean, and how long a force is drawn.
import type { Model } from "../model";
import type { Picture } from "../render/contract";
import { rangeColours } from "../render/palette";
import { rangeScale, type RangeScale } from "../render/ranges";
import { css } from "./colour_maps";
import { el, setText, svg } from "./dom";
import { short } from "./units";

const longest = 120; // [px] of the sample

const sign = (...parts: SVGElement[]): SVGSVGElement =>
  svg("svg", { viewBox: "0 0 16 12", width: 16, height: 12, class: "sign", "aria-hidden": "true" }, ...parts);

const bar = (fill: string): SVGElement => svg("rect", { x: 0, y: 3, width: 16, height: 6, fill });

const dot = (fill: string, stroke: string): SVGElement =>
  svg("circle", { cx: 8, cy: 6, r: 3, fill, stroke, "stroke-width": 1.2 });

function signs(): HTMLElement {
  const { certain, possible, solution, central } = rangeColours;
  const entry = (name: string, title: string, ...parts: SVGElement[]): HTMLElement =>
    el("span", { title }, sign(...parts), name);
  const tick = svg("rect", { x: 6.8, y: 0, width: 2.4, height: 12, fill: css(solution) });
  return el(
    "div",
    { class: "swatches" },
    entry("certain", "Every admissible distribution has at least this", bar(css(certain))),
    entry("possible", "Up to the greatest that an admissible distribution has", bar(css(possible))),
    entry("solution", "What the solver found", tick),
    entry("central", "The central distribution", dot(css(central), "#fff")),
    entry("none", "No admissible distribution has a force here", dot("#fff", css(central))),
  );
}

// As long as the force is drawn in the middle of the picture.
export class RangesKey {
  readonly element: HTMLElement;
  private readonly line = el("span", { class: "length-line" });
  private readonly text = el("span", {});
  private readonly sample = el("div", { class: "width" }, this.line, this.text);

  constructor(
    private readonly model: Model,
    private readonly picture: Picture,
  ) {
    const title = el("h3", { title: "What the normal forces may be" }, "Force ranges");
    this.element = el("div", { class: "legend-block" }, title, signs(), this.sample);
  }

  update(): void {
    const { cast, shown, rangesHere } = this.model;
    const scale: RangeScale | null = shown && rangesHere && rangeScale(cast, shown.frame, rangesHere);
    this.sample.hidden = !scale;
    if (!scale) return;
    let pixels = scale.length * this.picture.pixelsPerMetre();
    let force = scale.force;
    for (; pixels > longest; pixels /= 2) force /= 2;
    this.line.style.width = `${pixels.toFixed(1)}px`;
    setText(this.text, short(Number(force.toPrecision(3)), "N"));
  }
}
