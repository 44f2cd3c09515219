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

function canDraw(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return context !== null;
}

function explain(root: HTMLElement, error: unknown): void {
  console.error(error);
  if (error instanceof GoneError) return fullMessage(root, "The results are out of reach", error.message);
  fullMessage(root, "These results cannot be shown", messageOf(error), "Reloading the page tries again.");
}

async function begin(root: HTMLElement): Promise<void> {
  if (!canDraw()) {
    fullMessage(
      root,
      "This browser cannot draw the picture",
      "The page needs WebGL 2. It is part of current Firefox, Chrome, Edge and Safari, but may be switched off: look for " +
        "hardware acceleration in the browser's settings, update the graphics driver, or try another browser.",
      "Without it, cairn export --svg makes pictures, and cairn plot shows certificate and energies.",
    );
    return;
  }
  try {
    const app = await startApp(root, fileSource(document) ?? new HttpSource(), createPicture);
    window.cairn = app;
    app.ready.catch((error: unknown) => explain(root, error));
  } catch (error) {
    explain(root, error);
  }
}

const root = document.getElementById("app");
if (root) void begin(root);
