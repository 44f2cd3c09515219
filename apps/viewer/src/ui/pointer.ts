// Choosing bodies by click or touch, and their names under a resting pointer.
import type { Model } from "../model";
import type { Picture } from "../render/contract";
import type { Store } from "../state";
import { el } from "./dom";

const still = 5; // [px] a click may wander
const rest = 110; // [ms] before a name appears: looking up a body costs a small drawing

export function pointer(store: Store, model: Model, picture: Picture): HTMLElement {
  const tip = el("div", { class: "tip", hidden: true, role: "tooltip" });
  const { canvas } = picture;
  const spot = (event: PointerEvent | MouseEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  let down: { x: number; y: number } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = (): void => {
    clearTimeout(timer);
    tip.hidden = true;
  };
  const name = (x: number, y: number): void => {
    const body = picture.pick(x, y);
    tip.hidden = body === null;
    if (body === null) return;
    tip.textContent = `${model.cast.names[body] || "body"} · #${body}`;
    tip.style.transform = `translate(${Math.round(x + 14)}px, ${Math.round(y + 12)}px)`;
  };
  canvas.addEventListener("pointerdown", (event) => {
    hide();
    down = event.isPrimary && event.button === 0 ? spot(event) : null;
  });
  canvas.addEventListener("pointerup", (event) => {
    const at = spot(event);
    const stayed = down !== null && event.isPrimary && Math.hypot(at.x - down.x, at.y - down.y) < still;
    if (stayed) store.set({ selected: picture.pick(at.x, at.y) });
    down = null;
  });
  canvas.addEventListener("dblclick", (event) => {
    const { x, y } = spot(event);
    const body = picture.pick(x, y);
    if (body !== null && model.cast.mass[body] > 0) picture.zoomTo(body);
    else picture.fit();
  });
  canvas.addEventListener("pointermove", (event) => {
    hide();
    if (event.pointerType !== "mouse" || event.buttons !== 0 || store.state.playing) return;
    const { x, y } = spot(event);
    timer = setTimeout(() => name(x, y), rest);
  });
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("wheel", hide, { passive: true });
  model.onShown.push(hide);
  return tip;
}
