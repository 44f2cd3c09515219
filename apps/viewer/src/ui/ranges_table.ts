// What the normal forces on the chosen body may be, one row a contact.
import { BodyKind, type Cast, type ForceRanges } from "../data/types";
import { el, setText } from "./dom";
import { withUnit } from "./units";

const most = 80; // rows
const digits = 5;

interface Row {
  contact: number;
  other: number;
}

// Those of the body, the widest first.
function rowsOf(r: ForceRanges, body: number): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < r.count; ++i) {
    const side = [0, 1].find((s) => r.body[2 * i + s] === body);
    if (side !== undefined) rows.push({ contact: i, other: r.body[2 * i + 1 - side] });
  }
  const width = (row: Row): number => r.greatest[row.contact] - r.least[row.contact];
  return rows.sort((a, b) => width(b) - width(a) || a.contact - b.contact);
}

export class RangesTable {
  readonly element = el("section", { class: "contacts ranges", hidden: true });
  private readonly heading = el("h3", {});
  private readonly body = el("tbody", {});
  private key = "";

  constructor(private readonly cast: Cast) {
    const head = el("tr", {});
    const columns: [string, string][] = [
      ["with", "Other body, and the number of the contact in its frame"],
      ["least", "Least normal force of any admissible distribution"],
      ["greatest", "Greatest normal force of any admissible distribution"],
      ["solution", "What the solver found"],
      ["central", "Normal force of the central distribution"],
    ];
    for (const [name, title] of columns) head.append(el("th", { scope: "col", title }, name));
    const table = el("table", {}, el("thead", {}, head), this.body);
    this.element.append(this.heading, el("div", { class: "table-scroll" }, table));
  }

  // Null: they are not known of the frame that is shown.
  update(ranges: ForceRanges | null, body: number): void {
    const key = `${ranges?.k} ${body}`;
    if (key === this.key) return;
    this.key = key;
    const rows = ranges ? rowsOf(ranges, body) : [];
    this.element.hidden = rows.length === 0;
    if (!ranges) return;
    const set = ranges.freedom === 1 ? "one number is free" : `${ranges.freedom} numbers are free`;
    const known = this.cast.kind[body] === BodyKind.free ? "Normal forces on this body" : "Normal forces on this boundary";
    setText(this.heading, `${known}: what they may be`);
    this.heading.title = ranges.freedom > 0 ? `In this frame ${set}` : "In this frame all forces are determined";
    this.body.replaceChildren(...rows.slice(0, most).map((row) => this.row(ranges, row)));
  }

  private row(r: ForceRanges, { contact, other }: Row): HTMLElement {
    const name = el("td", {}, this.cast.names[other] || "body", el("span", { class: "faint" }, ` ${contact}`));
    const cells = [r.least, r.greatest, r.solution, r.central].map((values) => {
      const value = values[contact];
      return el("td", { class: "number", title: `${value} N` }, withUnit(value, "N", digits));
    });
    return el("tr", { "data-contact": contact }, name, ...cells);
  }
}
