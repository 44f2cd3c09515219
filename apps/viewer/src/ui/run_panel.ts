// What was run, and how it came out.
import type { Model } from "../model";
import { el } from "./dom";
import { bytesText, short, vectorText } from "./units";

function valueText(value: unknown): string {
  if (typeof value === "number") {
    const count = Number.isInteger(value) && Math.abs(value) < 1e7;
    return count ? String(value).replace("-", "−") : short(Number(value.toPrecision(4)));
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "–" : JSON.stringify(value);
}

function list(entries: [string, string][]): HTMLElement {
  const box = el("dl", { class: "facts-list" });
  for (const [name, text] of entries) {
    box.append(el("div", {}, el("dt", {}, name), el("dd", { class: "number" }, text)));
  }
  return box;
}

const named = (object: Record<string, unknown>): [string, string][] =>
  Object.entries(object).map(([name, value]) => [name, valueText(value)]);

function runFacts(model: Model): [string, string][] {
  const { cast, timeline } = model;
  const free = cast.mass.filter((m) => m > 0).length;
  const facts: [string, string][] = [
    ["Title", cast.title || "–"],
    ["Scene", cast.scene || "–"],
    ["Dimension", cast.dimension === 2 ? "plane" : "space"],
    ["Free bodies", String(free)],
    ["Boundaries", String(cast.bodies - free)],
    ["Gravity", vectorText(cast.dimension === 2 ? cast.gravity.slice(0, 2) : cast.gravity, "m/s²", 3)],
    ["Time step h", `${short(cast.h)} s`],
    ["Time simulated", `${short(timeline.time[model.last] ?? 0)} s`],
    ["Steps", String(timeline.step[model.last] ?? 0)],
    ["Frames", String(timeline.frames)],
    ["State", timeline.finished ? "finished" : "running, or stopped before its end"],
    ["Version", cast.version],
    ["Read so far", bytesText(model.source.bytes())],
  ];
  if (cast.note) facts.push(["This file", cast.note]);
  return facts;
}

export class RunPanel {
  readonly element = el("div", { class: "tab-body" });

  constructor(private readonly model: Model) {
    model.onTimeline.push(() => this.update());
    this.update();
  }

  update(): void {
    const { cast, timeline } = this.model;
    this.element.replaceChildren(el("h2", {}, "Run"), list(runFacts(this.model)));
    const parameters = named(cast.parameters);
    if (parameters.length > 0) this.element.append(el("h2", {}, "Parameters"), list(parameters));
    if (timeline.outcome) this.element.append(el("h2", {}, "Outcome"), list(named(timeline.outcome)));
  }
}
