// What went wrong, in the page itself.
import { el } from "./dom";

// Instead of the page.
export function fullMessage(parent: HTMLElement, title: string, ...lines: string[]): void {
  const text = lines.map((line) => el("p", {}, line));
  parent.replaceChildren(el("div", { class: "full-message", role: "alert" }, el("h1", {}, title), ...text));
}

// Over the picture; goes when things work again.
export class Notice {
  readonly element = el("div", { class: "notice", role: "status", hidden: true });

  show(text: string): void {
    this.element.textContent = text;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
