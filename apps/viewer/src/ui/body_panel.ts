// The chosen body: its numbers and the forces on it.
import type { Model } from "../model";
import type { Store } from "../state";
import { factsOf, type BodyFacts } from "./body_facts";
import { ContactsTable } from "./contacts_table";
import { el, setText, throttled } from "./dom";
import { RangesTable } from "./ranges_table";
import { plain, vectorText, withUnit } from "./units";

const invitation = "Click a body in the picture to see its numbers and the forces on it.";
const kindNotes = { free: "", fixed: " · fixed boundary", moved: " · moved boundary" };
const refresh = 90; // [ms] while playing

type Row = [name: string, text: (facts: BodyFacts, plane: boolean) => string | null];

const flat = (v: readonly number[], plane: boolean): readonly number[] => (plane ? v.slice(0, 2) : v);
const degrees = (angle: number): string => `${plain((angle * 180) / Math.PI, 4)}°`;

function rotationText(f: BodyFacts, plane: boolean): string {
  if (plane) return `${degrees(f.angle)}  (${plain(f.angle)} rad)`;
  return f.angle < 1e-7 ? "0°" : `${degrees(f.angle)} about ${vectorText(f.axis, "", 3)}`;
}

const rows: Row[] = [
  ["Mass", (f) => (f.kind === "free" ? withUnit(f.mass, "kg", 5) : null)],
  ["Position", (f, plane) => vectorText(flat(f.position, plane), "m", 5)],
  ["Velocity", (f, plane) => vectorText(flat(f.velocity, plane), "m/s")],
  ["Speed", (f) => withUnit(f.speed, "m/s")],
  ["Spin", (f, plane) => (plane ? withUnit(f.spin[2], "rad/s") : vectorText(f.spin, "rad/s"))],
  ["Rotation", rotationText],
  ["Quaternion", (f, plane) => (plane ? null : vectorText(f.rotation, ""))],
  ["Kinetic energy", (f) => (f.kind === "free" ? withUnit(f.energy, "J") : null)],
  ["Displacement", (f) => (f.displacement === null ? null : withUnit(f.displacement, "m"))],
  ["Weight", (f, plane) => (f.kind === "free" ? vectorText(flat(f.weight, plane), "N") : null)],
  ["Contacts, sum", (f, plane) => (f.contactForce ? vectorText(flat(f.contactForce, plane), "N") : null)],
];

function search(store: Store, model: Model): HTMLElement {
  const input = el("input", {
    type: "search",
    placeholder: "Name or number of a body",
    "aria-label": "Find a body by name or number",
  });
  input.addEventListener("change", () => {
    const text = input.value.trim().toLowerCase();
    if (text === "") return;
    const number = /^#?\d+$/.test(text) ? Number(text.replace("#", "")) : -1;
    const { names, bodies } = model.cast;
    const lower = (b: number): string => names[b].toLowerCase();
    let found = number >= 0 && number < bodies ? number : names.findIndex((_, b) => lower(b) === text);
    if (found < 0) found = names.findIndex((_, b) => lower(b).includes(text));
    input.setCustomValidity(found < 0 ? "No such body" : "");
    input.reportValidity();
    if (found < 0) return;
    input.value = "";
    input.blur();
    store.set({ selected: found });
  });
  input.addEventListener("input", () => input.setCustomValidity(""));
  return input;
}

export class BodyPanel {
  readonly element = el("div", { class: "tab-body" });
  private readonly hint = el("p", { class: "hint" }, invitation);
  private readonly heading = el("h2", {});
  private readonly kind = el("span", { class: "faint" });
  private readonly values = new Map<string, HTMLElement>();
  private readonly content: HTMLElement;
  private readonly table: ContactsTable;
  private readonly ranges: RangesTable;

  constructor(
    private readonly store: Store,
    private readonly model: Model,
  ) {
    const list = el("dl", { class: "facts-list" });
    for (const [name] of rows) {
      const value = el("dd", { class: "number" });
      this.values.set(name, value);
      list.append(el("div", {}, el("dt", {}, name), value));
    }
    this.table = new ContactsTable(model.cast, (body) => store.set({ selected: body }));
    this.ranges = new RangesTable(model.cast);
    const heading = el("div", { class: "heading" }, this.heading, this.kind);
    this.content = el("div", { hidden: true }, heading, list, this.table.element, this.ranges.element);
    this.element.append(search(store, model), this.hint, this.content);
    const update = throttled(() => this.update(), refresh);
    model.onShown.push(update);
    store.on(["selected"], () => this.update());
    this.update();
  }

  private update(): void {
    const { selected } = this.store.state;
    const facts = selected === null ? null : factsOf(this.model, selected);
    this.hint.hidden = facts !== null;
    this.content.hidden = facts === null;
    if (!facts) return;
    const plane = this.model.cast.dimension === 2;
    setText(this.heading, facts.name || `Body ${facts.body}`);
    setText(this.kind, `#${facts.body}${kindNotes[facts.kind]}`);
    for (const [name, text] of rows) {
      const value = this.values.get(name);
      const now = text(facts, plane);
      if (!value) continue;
      setText(value, now ?? "");
      value.parentElement?.toggleAttribute("hidden", now === null);
    }
    this.table.update(facts.contacts, this.model.cast.hasContacts);
    this.ranges.update(this.model.rangesHere, facts.body);
  }
}
