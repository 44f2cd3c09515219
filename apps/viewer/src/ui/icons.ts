// Small line drawings on a 20 x 20 field.
import { svg } from "./dom";

const filled: Record<string, string> = {
  play: "M6 4.2v11.6L15.5 10z",
  pause: "M5.5 4.5h3v11h-3zM11.5 4.5h3v11h-3z",
  back: "M13 4.5v11L5.5 10zM4 4.5h1.4v11H4z",
  forward: "M7 4.5v11L14.5 10zM14.6 4.5H16v11h-1.4z",
  first: "M16 4.5v11L10 10zM10 4.5v11L4.6 10zM3.2 4.5h1.4v11H3.2z",
  last: "M4 4.5v11L10 10zM10 4.5v11l5.4-5.5zM15.4 4.5h1.4v11h-1.4z",
};

const lines: Record<string, string> = {
  loop: "M5 8.2A5.4 5.4 0 0 1 14.6 7M15 11.8A5.4 5.4 0 0 1 5.4 13M14.8 3.6V7h-3.4M5.2 16.4V13h3.4",
  theme: "M10 3.2a6.8 6.8 0 1 0 0 13.6zM10 3.2a6.8 6.8 0 0 1 0 13.6",
  help: "M7.4 7.4a2.6 2.6 0 1 1 3.9 2.3c-.9.5-1.3 1-1.3 2M10 14.4v.2M10 17.2a7.2 7.2 0 1 0 0-14.4 7.2 7.2 0 0 0 0 14.4",
  panel: "M3 4.2h14v11.6H3zM12 4.2v11.6",
  fit: "M3.5 7.5v-4h4M12.5 3.5h4v4M16.5 12.5v4h-4M7.5 16.5h-4v-4",
  settings: "M3 6h7.5M14.5 6H17M3 14h2.5M9.5 14H17M12.5 4v4M7.5 12v4",
  close: "M5 5l10 10M15 5L5 15",
};

export function icon(name: string): SVGElement {
  const solid = filled[name];
  const path = svg("path", solid ? { d: solid, fill: "currentColor" } : { d: lines[name] ?? "", class: "line" });
  return svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true", class: "icon" }, path);
}
