// A little help with making elements.

type Attributes = Record<string, string | number | boolean | undefined>;
type Child = Node | string;

function dress(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children);
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  dress(element, attributes, children);
  return element;
}

const svgSpace = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(svgSpace, tag);
  dress(element, attributes, children);
  return element;
}

// Text is only written where it differs: less layout while playing.
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setFlag(element: Element, name: string, on: boolean): void {
  if (element.hasAttribute(name) !== on) element.toggleAttribute(name, on);
}

// Calls at most once in `interval` ms, the last one always.
export function throttled(act: () => void, interval: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let before = Number.NEGATIVE_INFINITY;
  const go = (): void => {
    timer = null;
    before = performance.now();
    act();
  };
  return () => {
    if (timer !== null) return;
    const rest = before + interval - performance.now();
    if (rest <= 0) go();
    else timer = setTimeout(go, rest);
  };
}

let names = 0;
export const freshId = (stem: string): string => `${stem}-${++names}`;
