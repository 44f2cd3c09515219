// Keys, and what is seen: colours, units, on which body a force acts.
import type { Store } from "../state";
import type { Commands } from "./commands";
import { iconButton } from "./controls";
import { el } from "./dom";

const notes: [string, string][] = [
  [
    "Choosing",
    "Click a body to choose it; click a row of its contacts to go to the other body. A double click brings a body " +
      "near, or everything back into sight.",
  ],
  [
    "Moving",
    "In space: drag turns, right drag or two fingers shift, the wheel zooms. In the plane: drag shifts, the wheel " +
      "zooms.",
  ],
  [
    "Forces",
    "A force is the contact's impulse over the step, divided by the step's length. Values in the panel and arrows " +
      "are forces ON the chosen body; the other body feels the opposite. N is normal and positive where the bodies " +
      "press, T is tangential.",
  ],
  [
    "Force chains",
    "A line from each contact that presses to the centre of each free body it loads, as wide as the normal force. " +
      "Blue sticks, orange slides; or coloured by the share of the friction that the law allows which is in use.",
  ],
  [
    "Colours",
    "Scales begin at zero and end at a round number above most of what was seen so far; type another top into the " +
      "legend to pin it. Boundaries stay grey.",
  ],
  ["Time", "The frame shown is the last recorded one at that time or before it. Nothing is interpolated."],
  ["Units", "All is in SI units: m, kg, s, N, J, rad; with the prefixes n, µ, m, k, M, G."],
];

function keyTable(commands: Commands): HTMLElement[] {
  return commands.groups.map((group) => {
    const list = el("dl", { class: "keys" });
    for (const { shown, doc } of group.commands) {
      list.append(el("div", {}, el("dt", {}, el("kbd", {}, shown)), el("dd", {}, doc)));
    }
    return el("section", {}, el("h3", {}, group.name), list);
  });
}

export function help(store: Store, commands: Commands): HTMLDialogElement {
  const close = iconButton("close", "Close", "Close (Esc)", () => store.set({ help: false }));
  const about = el("section", { class: "notes" });
  for (const [name, text] of notes) about.append(el("h3", {}, name), el("p", {}, text));
  const dialog = el(
    "dialog",
    { class: "help", "aria-label": "Help" },
    el("div", { class: "help-head" }, el("h2", {}, "Keys and signs"), close),
    el("div", { class: "help-body" }, el("div", { class: "key-groups" }, ...keyTable(commands)), about),
  );
  dialog.addEventListener("close", () => store.set({ help: false }));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) store.set({ help: false }); // beside the box
  });
  const follow = (): void => {
    if (store.state.help && !dialog.open) dialog.showModal();
    if (!store.state.help && dialog.open) dialog.close();
  };
  store.on(["help"], follow);
  requestAnimationFrame(follow);
  return dialog;
}
