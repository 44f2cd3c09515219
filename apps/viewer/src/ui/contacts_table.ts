// Forces on the chosen body, one row a contact.
import { length, type BodyContact } from "../data/derived";
import { Status, type Cast } from "../data/types";
import { statusColours } from "../render/palette";
import { css } from "./colour_maps";
import { el, setText, svg } from "./dom";
import { plain, withUnit } from "./units";

const most = 80; // rows

const statusNames: Record<number, string> = {
  [Status.takeOff]: "open",
  [Status.stick]: "sticks",
  [Status.slide]: "slides",
};

function direction(c: BodyContact, plane: boolean): HTMLElement {
  const size = length(c.force);
  if (size === 0) return el("td", { class: "number" }, "–");
  if (!plane) {
    const unit = c.force.map((f) => (f / size).toFixed(2).replace("-", "−"));
    return el("td", { class: "number" }, unit.join(" "));
  }
  const angle = (Math.atan2(c.force[1], c.force[0]) * 180) / Math.PI;
  const arrow = svg(
    "svg",
    { viewBox: "-8 -8 16 16", width: 14, height: 14, class: "direction", "aria-hidden": "true" },
    svg("path", { d: "M-6 0H5M1.5-3.5L5.5 0 1.5 3.5", class: "line", transform: `rotate(${(-angle).toFixed(1)})` }),
  );
  return el("td", { class: "number" }, arrow, ` ${Math.round(angle).toString().replace("-", "−")}°`);
}

// Below a nanometre only rounding is seen.
const gapText = (gap: number): string => (gap !== 0 && Math.abs(gap) < 1e-9 ? "< 1 nm" : withUnit(gap, "m", 2));

function useBar(use: number): HTMLElement {
  if (!Number.isFinite(use)) return el("td", { class: "faint" }, "–");
  const fill = el("span", { class: "use-fill" });
  fill.style.width = `${Math.round(100 * Math.min(Math.max(use, 0), 1))}%`;
  const said = `${Math.round(100 * use)} % of the friction`;
  const bar = el("span", { class: "use-bar", role: "img", "aria-label": said }, fill);
  return el("td", { title: `${plain(100 * use, 3)} % of the friction that the law allows` }, bar);
}

function headingFor(contacts: BodyContact[] | null, kept: boolean): string {
  if (!contacts) return kept ? "Forces on this body: reading" : "Contacts were not kept in these results";
  if (contacts.length === 0) return "No contacts";
  return `Forces on this body (${contacts.length} ${contacts.length === 1 ? "contact" : "contacts"})`;
}

export class ContactsTable {
  readonly element = el("section", { class: "contacts" });
  private readonly heading = el("h3", {});
  private readonly body = el("tbody", {});
  private readonly scroll: HTMLElement;
  private readonly shared = new Set<string>(); // names of several bodies

  constructor(
    private readonly cast: Cast,
    private readonly choose: (body: number) => void,
  ) {
    const seen = new Set<string>();
    for (const name of cast.names) (seen.has(name) ? this.shared : seen).add(name);
    const head = el("tr", {});
    const columns: [string, string][] = [
      ["with", "Other body"],
      ["N", "Normal force on this body; pressing is positive"],
      ["T", "Tangential force on this body"],
      ["status", "Sticks, slides, or open: no force"],
      ["use", "Share of the friction that the law allows"],
      ["gap", "Distance where the contact was found; negative: violation"],
      ["direction", "Of the whole force on this body"],
    ];
    for (const [name, title] of columns) head.append(el("th", { scope: "col", title }, name));
    this.scroll = el("div", { class: "table-scroll" }, el("table", {}, el("thead", {}, head), this.body));
    this.element.append(this.heading, this.scroll);
  }

  update(contacts: BodyContact[] | null, kept: boolean): void {
    this.scroll.hidden = !contacts || contacts.length === 0;
    setText(this.heading, headingFor(contacts, kept));
    if (!contacts) return;
    const focused = this.body.contains(document.activeElement)
      ? [...this.body.children].indexOf(document.activeElement as Element)
      : -1;
    this.body.replaceChildren(...contacts.slice(0, most).map((c) => this.row(c)));
    (this.body.children[focused] as HTMLElement | undefined)?.focus();
  }

  // The number only where the name does not tell.
  private nameCell(body: number, name: string): HTMLElement {
    const cell = el("td", {}, name);
    if (this.shared.has(name)) cell.append(el("span", { class: "faint" }, ` #${body}`));
    return cell;
  }

  private row(c: BodyContact): HTMLElement {
    const name = this.cast.names[c.other] || "body";
    const dot = el("span", { class: "swatch round" });
    dot.style.background = css(statusColours[c.status] ?? statusColours[Status.takeOff]);
    const row = el(
      "tr",
      { tabindex: 0, title: `Choose ${name} #${c.other}`, class: length(c.force) === 0 ? "open" : undefined },
      this.nameCell(c.other, name),
      el("td", { class: "number" }, withUnit(c.normal, "N", 3)),
      el("td", { class: "number" }, withUnit(c.tangential, "N", 3)),
      el("td", {}, dot, statusNames[c.status] ?? ""),
      useBar(c.use),
      el("td", { class: "number" }, gapText(c.gap)),
      direction(c, this.cast.dimension === 2),
    );
    row.addEventListener("click", () => this.choose(c.other));
    row.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") this.choose(c.other);
    });
    return row;
  }
}
