// Values at the arrows of the chosen body. The smaller ones give way to the larger.
import { contactsOn, length, vectorAt } from "../data/derived";
import type { Contacts } from "../data/types";
import type { Model } from "../model";
import { arrowsOn, type Arrow } from "../render/arrows";
import type { Picture } from "../render/contract";
import type { Scene } from "../scene";
import type { Store } from "../state";
import { el } from "./dom";
import { withUnit } from "./units";

const most = 12;

type Point = [number, number, number];

interface Label {
  element: HTMLElement;
  at: Point;
  width: number;
  height: number;
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// The end of an arrow that is away from the contact.
function farEnd(arrow: Arrow, contact: Point): Point {
  const far = (p: Point): number => Math.hypot(...p.map((v, i) => v - contact[i]));
  return far(arrow.tail) > far(arrow.tip) ? arrow.tail : arrow.tip;
}

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
    this.labels = arrows && selected !== null && contacts ? this.make(contacts, selected) : [];
    this.element.replaceChildren(...this.labels.map((l) => l.element));
    for (const label of this.labels) {
      label.width = label.element.offsetWidth;
      label.height = label.element.offsetHeight;
    }
    this.place();
  }

  private make(contacts: Contacts, selected: number): Label[] {
    const { cast } = this.model;
    const arrows = new Map(arrowsOn(cast, contacts, selected, this.scene.arrowReference).map((a) => [a.contact, a]));
    const labels: Label[] = [];
    for (const c of contactsOn(contacts, selected)) {
      const arrow = arrows.get(c.contact);
      if (!arrow || labels.length >= most) continue;
      const value = el("b", {}, withUnit(length(c.force), "N", 3));
      const element = el("div", { class: "label" }, value, ` ${cast.names[c.other] || `body ${c.other}`}`);
      labels.push({ element, at: farEnd(arrow, vectorAt(contacts.point, c.contact)), width: 0, height: 0 });
    }
    return labels;
  }

  private place(): void {
    const taken: Box[] = [];
    for (const label of this.labels) {
      const { x, y, visible } = this.picture.project(label.at);
      const [left, top] = [x + 8, y - label.height / 2];
      const box: Box = { left, top, right: left + label.width, bottom: top + label.height };
      const room = visible && !taken.some((other) => overlap(box, other));
      label.element.style.visibility = room ? "visible" : "hidden";
      if (!room) continue;
      taken.push(box);
      label.element.style.transform = `translate(${Math.round(box.left)}px, ${Math.round(box.top)}px)`;
    }
  }
}
