// The panel at the side: three pages, one of them open.
import type { Model } from "../model";
import type { Store } from "../state";
import { BodyPanel } from "./body_panel";
import { Certificate } from "./certificate";
import { el, setFlag } from "./dom";
import { RunPanel } from "./run_panel";

export type Tab = "body" | "certificate" | "run";

interface Page {
  id: Tab;
  name: string;
  content: HTMLElement;
  opened: () => void;
}

export class SidePanel {
  readonly element = el("aside", { class: "side", "aria-label": "Numbers" });
  private readonly pages: Page[];
  private readonly buttons = new Map<Tab, HTMLButtonElement>();

  constructor(store: Store, model: Model, start: Tab) {
    const certificate = new Certificate(store, model);
    const run = new RunPanel(model);
    this.pages = [
      { id: "body", name: "Body", content: new BodyPanel(store, model).element, opened: () => undefined },
      { id: "certificate", name: "Certificate", content: certificate.element, opened: () => certificate.open() },
      { id: "run", name: "Run", content: run.element, opened: () => run.update() },
    ];
    this.element.append(this.tabs(), ...this.pages.map((p) => p.content));
    this.open(start);
    store.on(["selected"], (state) => {
      if (state.selected !== null) this.open("body");
    });
    const follow = (): void => setFlag(this.element, "hidden", !store.state.panel);
    store.on(["panel"], follow);
    follow();
  }

  open(id: Tab): void {
    for (const page of this.pages) {
      const on = page.id === id;
      page.content.hidden = !on;
      const button = this.buttons.get(page.id);
      button?.setAttribute("aria-selected", String(on));
      if (button) button.tabIndex = on ? 0 : -1;
      if (on) page.opened();
    }
  }

  private tabs(): HTMLElement {
    const row = el("div", { class: "tabs", role: "tablist" });
    for (const page of this.pages) {
      page.content.id = `page-${page.id}`;
      page.content.setAttribute("role", "tabpanel");
      const button = el("button", { type: "button", role: "tab", "aria-controls": page.content.id }, page.name);
      button.addEventListener("click", () => this.open(page.id));
      this.buttons.set(page.id, button);
      row.append(button);
    }
    row.addEventListener("keydown", (event) => this.turn(event));
    return row;
  }

  private turn(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const now = this.pages.findIndex((p) => !p.content.hidden);
    const { id } = this.pages[(now + step + this.pages.length) % this.pages.length];
    this.open(id);
    this.buttons.get(id)?.focus();
  }
}
