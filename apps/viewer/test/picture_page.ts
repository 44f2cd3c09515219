// What the tests of the picture call inside the page.
import { synthetic, type Content } from "./synthetic";
import type { Frame } from "../src/data/types";
import { createPicture } from "../src/render/picture";
import type { Picture } from "../src/render/contract";
import type { Bodies, Theme } from "../src/state";

export interface Stage {
  dimension: 2 | 3;
  picture: Picture;
  frame: Frame;
  look(bodies: Bodies, theme?: Theme, edges?: boolean): void;
  // sRGB of pixels of a rectangle of the canvas, as drawn with that body chosen.
  pixels(x: number, y: number, width: number, height: number, chosen?: number): Promise<Uint8ClampedArray>;
  place(body: number): { x: number; y: number; visible: boolean };
  forces(on: boolean): Promise<void>;
}

async function open(dimension: 2 | 3, bodies: number, content: Content = "mixed"): Promise<Stage> {
  const source = synthetic(dimension, bodies, content);
  const cast = await source.cast();
  const frame = await source.frame(10);
  const picture = createPicture(document.getElementById("picture")!, dimension);
  picture.setCast(cast);
  picture.setFrame(frame);
  picture.setDirection(-60, 65);
  picture.fit();
  const stage: Stage = {
    dimension,
    picture,
    frame,
    look: (bodies, theme = "light", edges = false) => picture.setLook({ bodies, edges, grid: false, theme }),
    pixels: async (x, y, width, height, chosen) => {
      const { canvas } = picture;
      const copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const context = copy.getContext("2d")!;
      // The canvas may be emptied once it has been shown: it is copied in the task that drew it.
      picture.setSelected(chosen ?? null);
      await picture.drawn().then(() => context.drawImage(canvas, 0, 0));
      return context.getImageData(x, y, width, height).data;
    },
    place: (body) => picture.project([frame.x[3 * body], frame.x[3 * body + 1], frame.x[3 * body + 2]]),
    forces: async (on) => picture.setForces(on ? await source.contacts(10) : null, 100, 1, "status"),
  };
  stage.look("solid");
  await picture.drawn();
  return stage;
}

declare global {
  interface Window {
    open_: typeof open;
    stage: Stage;
  }
}
window.open_ = open;
