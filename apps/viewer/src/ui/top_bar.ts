// What is shown, and the page's own buttons.
import type { Model } from "../model";
import type { Store } from "../state";
import type { Commands } from "./commands";
import { commandButton, iconButton, pressed } from "./controls";
import { el, setFlag, setText } from "./dom";

function facts(model: Model): string {
  const { cast } = model;
  const free = cast.mass.filter((m) => m > 0).length;
  const parts = [cast.dimension === 2 ? "plane" : "space", `${free} ${free === 1 ? "body" : "bodies"}`];
  if (cast.scene && cast.scene !== cast.title) parts.unshift(cast.scene);
  return parts.join(" · ");
}

export function topBar(store: Store, model: Model, commands: Commands, card: HTMLElement): HTMLElement {
  const badge = el("span", { class: "badge", title: "The run goes on; new frames appear as they come" }, "live");
  const live = (): void => setFlag(badge, "hidden", !model.source.live || model.timeline.finished);
  model.onTimeline.push(live);
  live();
  const about = el("span", { class: "facts" });
  setText(about, facts(model));
  const show = (on: boolean): void => {
    setFlag(card, "hidden", !on);
    toggle.setAttribute("aria-pressed", String(on));
  };
  const name = "How things are drawn";
  const toggle = iconButton("settings", name, name, () => show(card.hasAttribute("hidden")));
  show(window.innerWidth > 1100);
  return el(
    "header",
    { class: "bar top" },
    toggle,
    el("h1", { title: model.cast.title }, model.cast.title || model.cast.scene || "Results"),
    about,
    badge,
    el("span", { class: "spring" }),
    commandButton(commands, "fit"),
    commandButton(commands, "theme"),
    pressed(commandButton(commands, "help"), store, "help"),
    pressed(commandButton(commands, "panel"), store, "panel"),
  );
}
