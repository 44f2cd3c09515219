// Buttons, switches and choices that are tied to the state or to a command.
import type { State, Store } from "../state";
import type { Command, Commands } from "./commands";
import { el, freshId } from "./dom";
import { icon } from "./icons";

const titleOf = (command: Command): string => `${command.doc} (${command.shown})`;

export function iconButton(name: string, label: string, title: string, act: () => void): HTMLButtonElement {
  const button = el("button", { type: "button", class: "icon-button", "aria-label": label, title }, icon(name));
  button.addEventListener("click", act);
  return button;
}

export function commandButton(commands: Commands, id: string, picture = id): HTMLButtonElement {
  const command = commands.get(id);
  return iconButton(picture, command.doc, titleOf(command), command.act);
}

type Flag = { [K in keyof State]: State[K] extends boolean ? K : never }[keyof State];

// Pressed while the flag is set.
export function pressed(button: HTMLButtonElement, store: Store, key: Flag): HTMLButtonElement {
  const follow = (): void => button.setAttribute("aria-pressed", String(store.state[key]));
  store.on([key], follow);
  follow();
  return button;
}

export function checkbox(store: Store, key: Flag, label: string, command?: Command): HTMLLabelElement {
  const box = el("input", { type: "checkbox" });
  const follow = (): void => {
    box.checked = store.state[key];
  };
  box.addEventListener("change", () => (command ? command.act() : store.set({ [key]: box.checked })));
  store.on([key], follow);
  follow();
  return el("label", { class: "check", title: command ? titleOf(command) : undefined }, box, el("span", {}, label));
}

// A few choices side by side.
export function segmented<K extends keyof State>(
  store: Store,
  key: K,
  label: string,
  options: readonly (readonly [State[K], string])[],
): HTMLElement {
  const name = freshId(key);
  const row = el("div", { class: "segmented", role: "radiogroup", "aria-label": label });
  const inputs = options.map(([value, text]) => {
    const input = el("input", { type: "radio", name, value: String(value) });
    input.addEventListener("change", () => store.set({ [key]: value } as Partial<State>));
    row.append(el("label", {}, input, el("span", {}, text)));
    return { value, input };
  });
  const follow = (): void => inputs.forEach(({ value, input }) => (input.checked = store.state[key] === value));
  store.on([key], follow);
  follow();
  return row;
}

export function menu<K extends keyof State>(
  store: Store,
  key: K,
  label: string,
  options: readonly (readonly [State[K], string])[],
  act: (value: State[K]) => void,
): HTMLSelectElement {
  const select = el("select", { "aria-label": label, title: label });
  for (const [value, text] of options) select.append(el("option", { value: String(value) }, text));
  const follow = (): void => {
    select.value = String(store.state[key]);
  };
  select.addEventListener("change", () => {
    const chosen = options.find(([value]) => String(value) === select.value);
    if (chosen) act(chosen[0]);
    select.blur();
  });
  store.on([key], follow);
  follow();
  return select;
}

export function field(label: string, control: HTMLElement): HTMLElement {
  return el("div", { class: "field" }, el("span", { class: "field-name" }, label), control);
}
