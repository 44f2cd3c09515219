// The slider over all frames, with times below it.
import type { Model } from "../model";
import type { Store } from "../state";
import { el, setText } from "./dom";
import { ticks } from "./ticks";
import { short, timeText } from "./units";

const perTick = 90; // [px]

// Where a time lies on the slider, 0 to 1: frames need not be evenly spaced in time.
function place(model: Model, t: number): number {
  const { time } = model.timeline;
  const k = model.frameAt(t);
  if (k >= model.last) return 1;
  const between = time[k + 1] > time[k] ? (t - time[k]) / (time[k + 1] - time[k]) : 0;
  return (k + Math.max(between, 0)) / model.last;
}

function drawTicks(row: HTMLElement, model: Model): void {
  const { time } = model.timeline;
  if (model.last < 1) return row.replaceChildren();
  const list = ticks(time[0], time[model.last], Math.max(2, row.clientWidth / perTick));
  row.replaceChildren(
    ...list.map((t) => {
      const mark = el("span", {}, short(t));
      mark.style.setProperty("--at", String(place(model, t)));
      return mark;
    }),
  );
  setText(row.lastElementChild ?? row, `${row.lastElementChild?.textContent ?? ""} s`);
}

export function scrubber(store: Store, model: Model): HTMLElement {
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Frame", "data-scrubber": true });
  const row = el("div", { class: "ticks", "aria-hidden": "true" });
  const follow = (): void => {
    slider.max = String(model.last);
    slider.value = String(store.state.frame);
    slider.style.setProperty("--done", String(model.last > 0 ? store.state.frame / model.last : 0));
    slider.setAttribute("aria-valuetext", `${timeText(model.timeline.time[store.state.frame] ?? 0, model.spacing)} s`);
  };
  slider.addEventListener("input", () => store.set({ frame: Number(slider.value), playing: false }));
  store.on(["frame"], follow);
  const redraw = (): void => {
    follow();
    drawTicks(row, model);
  };
  model.onTimeline.push(redraw);
  new ResizeObserver(redraw).observe(row);
  follow();
  return el("div", { class: "scrubber" }, slider, row);
}
