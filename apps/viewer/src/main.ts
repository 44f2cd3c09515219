// Begins: where the data are, whether the browser can draw them, and what to say where it cannot.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { startApp, type Automation } from "./app";
import { fileSource } from "./data/file_source";
import { GoneError, HttpSource } from "./data/http_source";
import { createPicture } from "./render/picture";
import { fullMessage, messageOf } from "./ui/message";

declare global {
  interface Window {
    cairn: Automation;
  }
}

class NoWebGl extends Error {}

function canDraw(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

function explain(root: HTMLElement, error: unknown): void {
  if (error instanceof NoWebGl) {
    return fullMessage(
      root,
      "This browser cannot draw the picture",
      "The page needs WebGL 2. It is part of current Firefox, Chrome, Edge and Safari, but may be switched off: look " +
        "for hardware acceleration in the browser's settings, update the graphics driver, or try another browser.",
      "Without it, cairn export --svg makes pictures, and cairn plot shows certificate and energies.",
    );
  }
  if (error instanceof GoneError) return fullMessage(root, "The results are out of reach", error.message);
  fullMessage(root, "These results cannot be shown", messageOf(error), "Reloading the page tries again.");
}

async function begin(root: HTMLElement): Promise<Automation> {
  if (!canDraw()) throw new NoWebGl("this browser has no WebGL 2");
  return startApp(root, fileSource(document) ?? new HttpSource(), createPicture);
}

// There from the first moment on, so that a program need only wait for `ready`.
function handle(started: Promise<Automation>): Automation {
  let app: Automation | null = null;
  const ready = started.then((one) => {
    app = one;
    return one.ready;
  });
  const now = (): Automation => {
    if (!app) throw new Error("the page is not ready");
    return app;
  };
  return {
    ready,
    show: async (frame) => now().show(frame),
    set: (patch) => now().set(patch),
    state: () => now().state(),
    body: (b) => now().body(b),
    shown: () => now().shown(),
    ranges: () => now().ranges(),
    bytes: () => now().bytes(),
    fit: () => now().fit(),
  };
}

const root = document.getElementById("app");
if (root) {
  window.cairn = handle(begin(root));
  window.cairn.ready.catch((error: unknown) => {
    console.error(error);
    explain(root, error);
  });
}
