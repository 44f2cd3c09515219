// Sizes on the picture: numbers along its borders in the plane, a scale bar and the axes' directions in space.
import type { Cast } from "../data/types";
import type { Picture } from "../render/contract";
import type { Store } from "../state";
import { el, setText, throttled } from "./dom";
import { roundDown, ticks } from "./ticks";
import { short } from "./units";

const perTick = 110; // [px]
const barLength = 120; // [px] at most
const margin = { left: 44, bottom: 22 }; // [px]

function mark(side: "x" | "y", at: number, text: string): HTMLElement {
  const element = el("span", { class: `tick ${side}` }, text);
  element.style[side === "x" ? "left" : "top"] = `${at.toFixed(1)}px`;
  return element;
}

// Parallel projection: one factor and one shift for each axis.
function axis(picture: Picture, side: "x" | "y", pixels: number): HTMLElement[] {
  const from = picture.project([0, 0, 0])[side];
  const scale = picture.project(side === "x" ? [1, 0, 0] : [0, 1, 0])[side] - from;
  if (!Number.isFinite(scale) || scale === 0) return [];
  const ends = [(0 - from) / scale, (pixels - from) / scale];
  const list = ticks(Math.min(...ends), Math.max(...ends), pixels / perTick);
  const room = side === "x" ? [margin.left, pixels - 30] : [14, pixels - margin.bottom - 6];
  return list
    .map((value) => ({ value, at: from + scale * value }))
    .filter(({ at }) => at > room[0] && at < room[1])
    .map(({ value, at }) => mark(side, at, short(value)));
}

function planeAxes(picture: Picture): { element: HTMLElement; update: () => void } {
  const element = el("div", { class: "axes", "aria-hidden": "true" });
  const update = (): void => {
    const { clientWidth, clientHeight } = picture.canvas;
    const unit = el("span", { class: "tick unit" }, "m");
    element.replaceChildren(...axis(picture, "x", clientWidth), ...axis(picture, "y", clientHeight), unit);
  };
  return { element, update };
}

function scaleBar(picture: Picture): { element: HTMLElement; update: () => void } {
  const line = el("span", { class: "bar-line" });
  const text = el("span", {});
  const element = el("div", { class: "scale-bar", title: "Length at the centre of view" }, text, line);
  const update = (): void => {
    const perMetre = picture.pixelsPerMetre();
    if (!(perMetre > 0) || !Number.isFinite(perMetre)) return;
    const metres = roundDown(barLength / perMetre);
    line.style.width = `${(metres * perMetre).toFixed(1)}px`;
    setText(text, short(metres, "m"));
  };
  return { element, update };
}

// Directions of the axes, as seen at the middle of the scene.
function triad(picture: Picture, cast: Cast): { element: HTMLElement; update: () => void } {
  const size = 64; // [px]
  const canvas = el("canvas", { class: "triad", "aria-hidden": "true" });
  const density = Math.min(window.devicePixelRatio || 1, 2);
  canvas.width = canvas.height = size * density;
  canvas.style.width = canvas.style.height = `${size}px`;
  const centre = [0, 1, 2].map((i) => (cast.bounds[0][i] + cast.bounds[1][i]) / 2) as [number, number, number];
  const step = 1e-3 * Math.max(...[0, 1, 2].map((i) => cast.bounds[1][i] - cast.bounds[0][i]), cast.size);
  const update = (): void => {
    const draw = canvas.getContext("2d");
    if (!draw) return;
    const origin = picture.project(centre);
    const arms = ["x", "y", "z"].map((name, i) => {
      const p = [...centre] as [number, number, number];
      p[i] += step;
      const q = picture.project(p);
      return { name, x: q.x - origin.x, y: q.y - origin.y };
    });
    const longest = Math.max(...arms.map((a) => Math.hypot(a.x, a.y)), 1e-9);
    draw.setTransform(density, 0, 0, density, 0, 0);
    draw.clearRect(0, 0, size, size);
    const style = getComputedStyle(canvas);
    draw.strokeStyle = draw.fillStyle = style.color;
    draw.font = `11px ${style.fontFamily}`;
    draw.textAlign = "center";
    draw.textBaseline = "middle";
    for (const { name, x, y } of arms) {
      const [dx, dy] = [(x / longest) * 20, (y / longest) * 20];
      draw.beginPath();
      draw.moveTo(size / 2, size / 2);
      draw.lineTo(size / 2 + dx, size / 2 + dy);
      draw.stroke();
      const reach = Math.hypot(dx, dy);
      if (reach > 3) draw.fillText(name, size / 2 + (dx * (reach + 8)) / reach, size / 2 + (dy * (reach + 8)) / reach);
    }
  };
  return { element: canvas, update };
}

export function measures(store: Store, cast: Cast, picture: Picture): HTMLElement {
  const parts = cast.dimension === 2 ? [planeAxes(picture)] : [scaleBar(picture), triad(picture, cast)];
  const element = el("div", { class: "measures" }, ...parts.map((p) => p.element));
  const update = throttled(() => parts.forEach((p) => p.update()), 30);
  picture.onViewChange(update);
  store.on(["theme", "panel"], () => setTimeout(update));
  new ResizeObserver(update).observe(element);
  update();
  return element;
}
