// Values at the arrows of the chosen body. The smaller ones give way to the larger.
import { contactsOn, length } from "../data/derived";
import type { Model } from "../model";
import { arrowsOn } from "../render/arrows";
import type { Picture } from "../render/contract";
import type { Scene } from "../scene";
import type { Store } from "../state";
import { el } from "./dom";
import { withUnit } from "./units";

const most = 12;

interface Label {
  element: HTMLElement;
  at: [number, number, number];
  width: number;
  height: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export class Labels {
  readonly element = el("div", { class: "labels", "aria-hidden": "true" });
  private labels: Label[] = [];

  constructor(
    private readonly store: Store,
    private readonly model: Model,
    private readonly scene: Scene,
    private readonly picture: Picture,
  ) {
    scene.onForces.push(() => this.rebuild());
    picture.onViewChange(() => this.place());
  }

  private rebuild(): void {
    const { arrows, selected } = this.store.state;
    const contacts = this.model.shown?.contacts;
    this.labels = [];
    if (arrows && selected !== null && contacts) {
      const drawn = new Map(arrowsOn(this.model.cast, contacts, selected, this.scene.arrowReference).map((a) => [a.contact, a]));
      const list = contactsOn(contacts, selected).filter((c) => drawn.has(c.contact));
      for (const c of list.slice(0, most)) {
        const name = this.model.cast.names[c.other] || `body ${c.other}`;
        const element = el("div", { class: "label" }, el("b", {}, withUnit(length(c.force), "N", 3)), ` ${name}`);
        const arrow = drawn.get(c.contact);
        if (arrow) this.labels.push({ element, at: this.farEnd(arrow.tail, arrow.tip, contacts.point, c.contact), width: 0, height: 0 });
      }
    }
    this.element.replaceChildren(...this.labels.map((l) => l.element));
    for (const label of this.labels) {
      label.width = label.element.offsetWidth;
      label.height = label.element.offsetHeight;
    }
    this.place();
  }

  // The end of the arrow that is away from the contact.
  private farEnd(tail: [number, number, number], tip: [number, number, number], points: Float32Array, c: number): [number, number, number] {
    const far = (p: [number, number, number]): number => Math.hypot(...p.map((v, i) => v - points[3 * c + i]));
    return far(tail) > far(tip) ? tail : tip;
  }

  private place(): void {
    const taken: Box[] = [];
    for (const label of this.labels) {
      const { x, y, visible } = this.picture.project(label.at);
      const box: Box = { left: x + 8, top: y - label.height / 2, right: x + 8 + label.width, bottom: y + label.height / 2 };
      const room = visible && !taken.some((other) => overlap(box, other));
      label.element.style.visibility = room ? "visible" : "hidden";
      if (!room) continue;
      taken.push(box);
      label.element.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    }
  }
}
