// One plot over time: a cursor at the shown time, values there beside the names; a click moves the time.
import uPlot from "uplot";
import { el, setText } from "./dom";
import { plain, superscript, withUnit } from "./units";

export interface Curve {
  name: string;
  unit: string;
  colour: string; // a CSS variable's name
  values: (number | null)[];
}

export interface PlotData {
  t: Float64Array;
  curves: Curve[];
}

const height = 130; // [px]

// Distances of ticks: 1, 2, 5 and powers of ten.
const steps = Array.from({ length: 90 }, (_, i) => Number(`${[1, 2, 5][i % 3]}e${Math.floor(i / 3) - 18}`));

const variable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Whole decades around all that is positive.
function decades(low: number, high: number): [number, number] {
  if (!(high > 0)) return [1e-16, 1];
  const from = 10 ** Math.floor(Math.log10(low > 0 ? low : high) + 1e-9);
  const to = 10 ** Math.ceil(Math.log10(high) - 1e-9);
  return from < to ? [from, to] : [from, 10 * to];
}

// Less than a pixel tells: at most six labelled decades.
function decadeTicks(low: number, high: number): number[] {
  const [from, to] = [Math.round(Math.log10(low)), Math.round(Math.log10(high))];
  const step = Math.max(1, Math.ceil((to - from) / 6));
  const list: number[] = [];
  for (let e = from; e <= to; e += step) list.push(Number(`1e${e}`));
  return list;
}

const powerText = (value: number): string => `10${superscript(Math.round(Math.log10(value)))}`;

const tickText = (value: number, step: number): string => {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const [factor, prefix] = size >= 1e9 ? [1e9, "G"] : size >= 1e6 ? [1e6, "M"] : size >= 1e4 ? [1e3, "k"] : [1, ""];
  if (step < 1e-4) return plain(Number(value.toPrecision(6)), 1).replace(/ /g, "");
  const decimals = Math.min(6, Math.max(0, Math.ceil(-Math.log10(step / factor) - 1e-9)));
  return `${(value / factor).toFixed(decimals).replace("-", "−")}${prefix}`;
};

const roomFor = (_: uPlot, labels: string[] | null): number =>
  Math.max(44, 14 + 6.5 * Math.max(0, ...(labels ?? []).map((l) => l.length)));
const linear = (_: uPlot, values: number[], __: number, ___: number, step: number): string[] =>
  values.map((v) => tickText(v, step));
const logarithmic: Partial<uPlot.Axis> = {
  size: 44,
  splits: (_, __, low, high) => decadeTicks(low, high),
  values: (_, list) => list.map(powerText),
  filter: (_, list) => list,
};

const seriesOf = (c: Curve): uPlot.Series => ({ stroke: variable(c.colour), width: 1.25, points: { show: false } });

export class TimePlot {
  readonly element = el("figure", { class: "plot" });
  private readonly names = el("div", { class: "plot-names" });
  private readonly area = el("div", { class: "plot-area" });
  private readonly values: HTMLElement[] = [];
  private plot: uPlot | null = null;
  private line = el("div", { class: "time-line" });
  private data: PlotData = { t: new Float64Array(0), curves: [] };
  private shape = "";
  private time = 0;

  constructor(
    title: string,
    private readonly log: boolean,
    private readonly goTo: (t: number) => void,
  ) {
    this.element.append(el("figcaption", {}, title), this.names, this.area);
    new ResizeObserver(() => this.resize()).observe(this.area);
  }

  setData(data: PlotData): void {
    this.data = data;
    const shape = data.curves.map((c) => c.name).join("|");
    if (shape !== this.shape) {
      this.shape = shape;
      this.nameCurves();
      this.rebuild();
    } else {
      this.plot?.setData(this.aligned());
    }
    this.setTime(this.time);
  }

  setTime(t: number): void {
    this.time = t;
    const { t: times, curves } = this.data;
    let i = times.findIndex((end) => end >= t - 1e-12);
    if (i < 0) i = times.length - 1;
    curves.forEach((curve, c) => {
      const value = i >= 0 && t > 0 ? curve.values[i] : null;
      // A logarithmic axis leaves out zeros; before the first step there is nothing.
      const none = this.log && i >= 0 && t > 0 ? withUnit(0, curve.unit) : "–";
      setText(this.values[c], value === null || value === undefined ? none : withUnit(value, curve.unit, 3));
    });
    if (!this.plot) return;
    this.line.style.transform = `translateX(${this.plot.valToPos(t, "x").toFixed(1)}px)`;
  }

  // Colours of canvas drawings do not follow the style sheet by themselves.
  rebuild(): void {
    this.plot?.destroy();
    this.plot = null;
    if (this.area.clientWidth < 50 || this.data.curves.length === 0) return;
    this.plot = new uPlot(this.options(), this.aligned(), this.area);
    this.plot.over.append(this.line);
    this.listen(this.plot);
    this.setTime(this.time);
  }

  private nameCurves(): void {
    this.values.length = 0;
    this.names.replaceChildren(
      ...this.data.curves.map((curve) => {
        const mark = el("span", { class: "swatch" });
        mark.style.background = `var(${curve.colour})`;
        const value = el("span", { class: "number" });
        this.values.push(value);
        return el("span", { class: "plot-name" }, mark, curve.name, " ", value);
      }),
    );
  }

  private aligned(): uPlot.AlignedData {
    return [this.data.t, ...this.data.curves.map((c) => c.values)] as uPlot.AlignedData;
  }

  private options(): uPlot.Options {
    const ink = variable("--faint");
    const line = { stroke: variable("--hairline"), width: 1 };
    const font = `11px ${getComputedStyle(this.element).fontFamily}`;
    const axis = { stroke: ink, grid: line, ticks: { ...line, size: 4 }, font, gap: 3 };
    return {
      width: this.area.clientWidth,
      height,
      legend: { show: false },
      padding: [8, 10, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { setScale: false, x: false, y: false } },
      scales: {
        x: { time: false, range: (_, low, high) => [Math.min(0, low), high] },
        y: this.log ? { distr: 3, range: (_, low, high) => decades(low, high) } : {},
      },
      axes: [
        { ...axis, size: 24, values: linear, space: 50, incrs: steps },
        this.log ? { ...axis, ...logarithmic } : { ...axis, size: roomFor, values: linear, space: 28, incrs: steps },
      ],
      series: [{}, ...this.data.curves.map(seriesOf)],
    };
  }

  private listen(plot: uPlot): void {
    let held = false;
    const go = (event: PointerEvent): void => {
      const box = plot.over.getBoundingClientRect();
      this.goTo(plot.posToVal(Math.min(Math.max(event.clientX - box.left, 0), box.width), "x"));
    };
    plot.over.addEventListener("pointerdown", (event) => {
      held = true;
      plot.over.setPointerCapture(event.pointerId);
      go(event);
    });
    plot.over.addEventListener("pointermove", (event) => held && go(event));
    for (const end of ["pointerup", "pointercancel"] as const) plot.over.addEventListener(end, () => (held = false));
  }

  private resize(): void {
    const width = this.area.clientWidth;
    if (!this.plot) return this.rebuild();
    if (width > 50 && width !== this.plot.width) {
      this.plot.setSize({ width, height });
      this.setTime(this.time);
    }
  }
}
