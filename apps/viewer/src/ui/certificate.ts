// What the solver vouches for, over time: contact error, violation, energy ledger; then the probes.
import type { Steps } from "../data/types";
import type { Model } from "../model";
import type { Store } from "../state";
import { el, throttled } from "./dom";
import { TimePlot, type Curve, type PlotData } from "./plot";

const points = 600; // intervals
const lookAgain = 3000; // [ms] while the run goes on

const colours = ["--curve-1", "--curve-2", "--curve-3", "--curve-4", "--curve-5", "--curve-6"];

const rowOf = (values: Float32Array | Float64Array, i: number, n: number): number[] =>
  Array.from(values.subarray(i * n, (i + 1) * n));
const positive = (values: number[]): (number | null)[] => values.map((v) => (v > 0 ? v : null));

function column(steps: Steps, name: string): number {
  return steps.columns.findIndex((c) => c.name === name);
}

// Greatest in each interval.
function highest(steps: Steps, name: string, label: string, colour: string, log: boolean): Curve[] {
  const c = column(steps, name);
  if (c < 0) return [];
  const values = rowOf(steps.high, c, steps.intervals);
  return [{ name: label, unit: steps.columns[c].unit, colour, values: log ? positive(values) : values }];
}

// Summed over all steps so far.
function summed(steps: Steps, name: string, label: string, colour: string): Curve[] {
  const c = column(steps, name);
  if (c < 0) return [];
  return [{ name: label, unit: steps.columns[c].unit, colour, values: rowOf(steps.total, c, steps.intervals) }];
}

export function ledgerCurves(steps: Steps): Curve[] {
  const main = [
    ...highest(steps, "kinetic", "kinetic", colours[0], false),
    ...summed(steps, "applied", "work of forces", colours[1]),
    ...summed(steps, "boundary", "work of boundaries", colours[2]),
    ...summed(steps, "dissipation", "lost in contacts", colours[3]),
  ];
  const size = (c: Curve): number => c.values.reduce<number>((most, v) => Math.max(most, Math.abs(v ?? 0)), 0);
  const scale = 1e-6 * Math.max(...main.map(size));
  const rest = [
    ...summed(steps, "inertial", "inertial", colours[4]),
    ...summed(steps, "correction", "corrections", colours[5]),
  ];
  const told = (c: Curve): boolean => size(c) > scale;
  return [...main.filter((c) => c.name !== "work of boundaries" || told(c)), ...rest.filter(told)];
}

function probeData(steps: Steps, i: number): PlotData {
  const { name, unit } = steps.probes[i];
  const high = rowOf(steps.probeHigh, i, steps.intervals);
  const low = rowOf(steps.probeLow, i, steps.intervals);
  const spread = high.some((v, k) => v !== low[k]);
  const curves: Curve[] = [{ name: spread ? "most" : name, unit, colour: colours[0], values: high }];
  if (spread) curves.push({ name: "least", unit, colour: colours[1], values: low });
  return { t: steps.t, curves };
}

export class Certificate {
  readonly element = el("div", { class: "tab-body" });
  private readonly error: TimePlot;
  private readonly violation: TimePlot;
  private readonly ledger: TimePlot;
  private readonly probes: TimePlot[] = [];
  private readonly probeBox = el("section", {});
  private readonly note = el("p", { class: "hint" }, "Reading the steps");
  private steps: Steps | null = null;
  private asked = false;
  private askedAt = 0;

  constructor(
    private readonly store: Store,
    private readonly model: Model,
  ) {
    this.error = this.plot("Contact error [-]", true);
    this.violation = this.plot("Violation [m]", true);
    this.ledger = this.plot("Energy ledger [J]", false);
    this.element.append(this.note, this.error.element, this.violation.element, this.ledger.element, this.probeBox);
    model.onShown.push(throttled(() => this.setTime(), 60));
    model.onTimeline.push((timeline) => {
      if (timeline.finished || performance.now() - this.askedAt > lookAgain) this.load();
    });
    store.on(["theme"], () => requestAnimationFrame(() => this.all().forEach((p) => p.rebuild())));
  }

  // Nothing is read before the panel is opened here.
  open(): void {
    if (!this.asked) {
      this.asked = true;
      this.load();
    }
  }

  private plot(title: string, log: boolean): TimePlot {
    return new TimePlot(title, log, (t) => this.store.set({ playing: false, frame: this.model.frameAt(t) }));
  }

  private all(): TimePlot[] {
    return [this.error, this.violation, this.ledger, ...this.probes];
  }

  private load(): void {
    if (!this.asked) return;
    this.askedAt = performance.now();
    this.model.source.steps(points).then(
      (steps) => this.show(steps),
      (error: unknown) => {
        this.note.hidden = false;
        this.note.textContent = `No steps: ${error instanceof Error ? error.message : String(error)}`;
      },
    );
  }

  private show(steps: Steps): void {
    this.steps = steps;
    this.note.hidden = steps.intervals > 0;
    this.note.textContent = "No step has been done yet.";
    const { t } = steps;
    this.error.setData({ t, curves: highest(steps, "error", "largest", colours[0], true) });
    this.violation.setData({
      t,
      curves: [
        ...highest(steps, "deepest", "found", colours[4], true),
        ...highest(steps, "violation", "left", colours[0], true),
      ],
    });
    this.ledger.setData({ t, curves: ledgerCurves(steps) });
    this.showProbes(steps);
    this.setTime();
  }

  private showProbes(steps: Steps): void {
    while (this.probes.length < steps.probes.length) {
      const { name, unit } = steps.probes[this.probes.length];
      const plot = this.plot(`${name} [${unit || "-"}]`, false);
      if (this.probes.length === 0) this.probeBox.append(el("h2", {}, "Probes"));
      this.probes.push(plot);
      this.probeBox.append(plot.element);
    }
    this.probes.forEach((plot, i) => plot.setData(probeData(steps, i)));
  }

  private setTime(): void {
    const t = this.model.shown?.frame.t ?? 0;
    if (this.steps) for (const plot of this.all()) plot.setTime(t);
  }
}
