// The picture alone, on a made-up result: no server.
import { expect, test, type Page } from "@playwright/test";
import { build, type Rollup } from "vite";
import { fileURLToPath } from "node:url";
import type {} from "./picture_page";

let script = "";

test.beforeAll(async () => {
  const entry = fileURLToPath(new URL("./picture_page.ts", import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, target: "es2022", lib: { entry, formats: ["iife"], name: "tests" } },
  });
  script = ((built as Rollup.RollupOutput[])[0].output[0] as Rollup.OutputChunk).code;
});

// Any complaint of the page or of the graphics driver is a failure.
let complaints: string[] = [];

test.beforeEach(async ({ page }) => {
  complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    const known = message.text().includes("ReadPixels"); // a remark on speed, when tests or picking read back
    if (["error", "warning"].includes(message.type()) && !known) complaints.push(message.text());
  });
  await page.setViewportSize({ width: 640, height: 400 });
  await page.setContent('<div id="picture" style="position: fixed; inset: 0"></div>');
  await page.addScriptTag({ content: script });
});

test.afterEach(() => expect(complaints).toEqual([]));

const open = (page: Page, dimension: 2 | 3, bodies = 60) =>
  page.evaluate(
    async ([d, n]) => {
      window.stage = await window.open_(d as 2 | 3, n);
    },
    [dimension, bodies],
  );

for (const dimension of [2, 3] as const) {
  test(`picking finds the body and leaves no trace in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const found = await page.evaluate(async () => {
      const { picture, place, pixels } = window.stage;
      const seen = [2, 52, 53, 58, 59]; // the bar, boxes and balls on top
      const before = await pixels(0, 0, 640, 400);
      const got = seen.map((b) => picture.pick(place(b).x, place(b).y));
      const after = await pixels(0, 0, 640, 400);
      const [ground, sky] = [picture.pick(320, 398), picture.pick(630, 3)];
      return { seen, got, ground, sky, same: before.every((value, i) => value === after[i]) };
    });
    expect(found.got).toEqual(found.seen);
    expect(found.ground).toBe(0);
    expect(found.sky).toBe(dimension === 2 ? null : 0); // from above the ground is everywhere
    expect(found.same).toBe(true);
  });

  test(`colours come out as given in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const shown = await page.evaluate(async () => {
      const { picture, frame, pixels, place } = window.stage;
      const rgb = new Uint8Array(frame.x.length).fill(128);
      rgb.set([200, 80, 20], 3 * 59);
      picture.setColours({ rgb });
      const { x, y } = place(59);
      return [...(await pixels(Math.round(x) - 3, Math.round(y) - 2, 1, 1))];
    });
    const shade = shown[0] / 200;
    expect(shade).toBeGreaterThan(dimension === 2 ? 0.99 : 0.7);
    expect(shade).toBeLessThan(dimension === 2 ? 1.01 : 1.08);
    expect(Math.abs(shown[1] - 80 * shade)).toBeLessThan(2);
    expect(Math.abs(shown[2] - 20 * shade)).toBeLessThan(2);
  });

  test(`chains of forces appear and go in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const blue = await page.evaluate(async () => {
      const { look, forces, pixels } = window.stage;
      const count = async () => {
        const data = await pixels(0, 0, 640, 400);
        let n = 0;
        for (let i = 0; i < data.length; i += 4) n += data[i] < 60 && data[i + 2] > 100 ? 1 : 0;
        return n;
      };
      look("hidden");
      const none = await count();
      await forces(true);
      const hidden = await count();
      look("glass");
      const glass = await count();
      await forces(false);
      return { none, hidden, glass, gone: await count() };
    });
    expect(blue.none).toBe(0);
    expect(blue.hidden).toBeGreaterThan(150);
    expect(blue.glass).toBeGreaterThan(dimension === 2 ? 150 : 0);
    expect(blue.gone).toBe(0);
  });

  test(`fitting brings everything into sight in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const sight = await page.evaluate(() => {
      const { picture, frame, place } = window.stage;
      const all: { x: number; y: number; visible: boolean }[] = [];
      for (const [azimuth, elevation] of [[-60, 20], [30, 80], [120, -10]]) {
        picture.setDirection(azimuth, elevation);
        picture.zoomTo(2);
        picture.fit();
        for (let b = 2; b < frame.x.length / 3; ++b) all.push(place(b));
      }
      return all;
    });
    expect(sight.every((at) => at.visible && at.x > 15 && at.x < 625 && at.y > 10 && at.y < 390)).toBe(true);
    const [low, high] = [Math.min(...sight.map((at) => at.y)), Math.max(...sight.map((at) => at.y))];
    expect(high - low).toBeGreaterThan(150);
  });

  test(`the chosen body is marked in every look in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const marked = await page.evaluate(async () => {
      const { look, pixels, place } = window.stage;
      const { x, y } = place(2);
      const counts: number[] = [];
      for (const bodies of ["solid", "glass", "wire", "hidden"] as const) {
        look(bodies);
        const plain = await pixels(Math.round(x) - 40, Math.round(y) - 30, 80, 60);
        const rimmed = await pixels(Math.round(x) - 40, Math.round(y) - 30, 80, 60, 2);
        let n = 0;
        for (let i = 0; i < plain.length; i += 4) n += Math.abs(plain[i + 1] - rimmed[i + 1]) > 60 ? 1 : 0;
        counts.push(n);
      }
      return counts;
    });
    for (const count of marked) expect(count).toBeGreaterThan(60);
  });
}

for (const dimension of [2, 3] as const) {
  test(`the wheel keeps the place under the pointer, dragging moves the view in ${dimension}D`, async ({ page }) => {
    await open(page, dimension);
    const here = () =>
      page.evaluate(() => ({ ...window.stage.place(59), scale: window.stage.picture.pixelsPerMetre() }));
    const settled = async () => {
      for (let last = await here(), now = last, n = 0; n < 40; ++n, last = now) {
        await page.waitForTimeout(60);
        now = await here();
        if (n > 1 && Math.hypot(now.x - last.x, now.y - last.y) < 1e-3) return now;
      }
      throw new Error("the view does not come to rest");
    };
    const before = await here();
    await page.mouse.move(before.x, before.y);
    await page.mouse.wheel(0, -200);
    const near = await settled();
    expect(near.scale / before.scale).toBeGreaterThan(1.1);
    expect(Math.hypot(near.x - before.x, near.y - before.y)).toBeLessThan(dimension === 2 ? 1.5 : 12);
    await page.mouse.down();
    await page.mouse.move(before.x + 50, before.y - 20, { steps: 4 });
    await page.mouse.up();
    const after = await settled();
    const moved = [after.x - near.x, after.y - near.y];
    if (dimension === 2) expect(Math.hypot(moved[0] - 50, moved[1] + 20)).toBeLessThan(1);
    else expect(Math.hypot(...moved)).toBeGreaterThan(5);
  });
}

test("the camera keeps to the body it follows", async ({ page }) => {
  await open(page, 3);
  const moved = await page.evaluate(() => {
    const { picture, frame, place } = window.stage;
    picture.setFollow(2);
    const before = place(2);
    const x = frame.x.slice();
    x[6] += 0.5;
    x[8] -= 0.3;
    picture.setFrame({ ...frame, k: 11, x });
    const after = picture.project([x[6], x[7], x[8]]);
    return Math.hypot(after.x - before.x, after.y - before.y);
  });
  expect(moved).toBeLessThan(0.1);
});

test("the picture comes back when the driver resets", async ({ page }) => {
  await open(page, 3);
  const back = await page.evaluate(async () => {
    const { picture, pixels } = window.stage;
    const before = await pixels(0, 0, 640, 400, 2);
    const driver = picture.canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
    const event = (name: string) => new Promise((done) => picture.canvas.addEventListener(name, done, { once: true }));
    const [lost, restored] = [event("webglcontextlost"), event("webglcontextrestored")];
    driver.loseContext();
    await lost;
    const told = document.querySelector("[role=status]") !== null;
    await new Promise((done) => setTimeout(done, 50)); // not before the page has dealt with the loss
    driver.restoreContext();
    await restored;
    const after = await pixels(0, 0, 640, 400, 2);
    const quiet = document.querySelector("[role=status]") === null;
    return { told, quiet, same: before.every((value, i) => value === after[i]) };
  });
  expect(back).toEqual({ told: true, quiet: true, same: true });
  // Buffers of the time before are given up once more: known, and without effect.
  complaints = complaints.filter((text) => !text.includes("does not belong to this context"));
});
