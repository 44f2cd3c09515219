// Time: playing, stepping, the scrubber, where we are.
import type { Model } from "../model";
import type { Store } from "../state";
import { speeds, type Commands } from "./commands";
import { commandButton, menu, pressed } from "./controls";
import { el, setFlag, setText } from "./dom";
import { icon } from "./icons";
import { scrubber } from "./scrubber";
import { timeText } from "./units";

function playButton(store: Store, commands: Commands): HTMLButtonElement {
  const button = commandButton(commands, "play");
  button.classList.add("play");
  const follow = (): void => {
    const { playing } = store.state;
    button.replaceChildren(icon(playing ? "pause" : "play"));
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
  };
  store.on(["playing"], follow);
  follow();
  return button;
}

function speedMenu(store: Store): HTMLSelectElement {
  const options = speeds.map((s) => [s, `${s}×`] as const);
  const select = menu(store, "speed", "Speed: simulated seconds a second", options, (speed) => store.set({ speed }));
  // A speed from the page's address need not be one of the list.
  const own = el("option", { hidden: true });
  select.append(own);
  const follow = (): void => {
    const { speed } = store.state;
    if (speeds.includes(speed)) return;
    own.value = String(speed);
    own.textContent = `${speed}×`;
    select.value = own.value;
  };
  store.on(["speed"], follow);
  follow();
  return select;
}

// The frame on the picture, not the one asked for.
function readout(store: Store, model: Model): HTMLElement {
  const time = el("output", { class: "time", "aria-label": "Time" });
  const frame = el("span", { class: "count" });
  const box = el("div", { class: "readout" }, time, frame);
  const follow = (): void => {
    const k = model.shown?.frame.k ?? 0;
    setText(time, `t = ${timeText(model.shown?.frame.t ?? 0, model.spacing)} s`);
    setText(frame, `${k} / ${model.last}`);
    setFlag(box, "data-waiting", model.shown !== null && k !== store.state.frame);
  };
  model.onShown.push(follow);
  model.onTimeline.push(follow);
  store.on(["frame"], follow);
  follow();
  return box;
}

export function bottomBar(store: Store, model: Model, commands: Commands): HTMLElement {
  const buttons = el(
    "div",
    { class: "buttons", role: "group", "aria-label": "Time" },
    commandButton(commands, "first"),
    commandButton(commands, "back"),
    playButton(store, commands),
    commandButton(commands, "forward"),
    commandButton(commands, "last"),
  );
  const loop = pressed(commandButton(commands, "loop"), store, "loop");
  const place = [readout(store, model), scrubber(store, model)];
  return el("footer", { class: "bar bottom" }, buttons, ...place, speedMenu(store), loop);
}
