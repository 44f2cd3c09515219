// The built page in a browser, with a made-up result. `npm run build` first.
import { expect, test } from "@playwright/test";
import type { Automation } from "../src/app";
import { contactsOn, length } from "../src/data/derived";
import type { Source, Timeline } from "../src/data/types";
import { Served } from "./serve";
import { synthetic } from "./synthetic";

declare global {
  interface Window {
    cairn: Automation;
  }
}

const state = (served: Served) => served.page.evaluate(() => window.cairn.state());
const shown = (served: Served) => served.page.evaluate(() => window.cairn.shown().frame);

test("numbers of a chosen body are those of the result", async ({ page }) => {
  const served = new Served(page, synthetic(3, 24));
  await served.ready("#frame=7&select=9&forces=1");
  const { source } = served;
  const [cast, frame, contacts] = await Promise.all([source.cast(), source.frame(7), source.contacts(7)]);
  const facts = await page.evaluate(() => window.cairn.body(9));
  expect(facts?.name).toBe(cast.names[9]);
  expect(facts?.position).toEqual([...frame.x.subarray(27, 30)]);
  expect(facts?.velocity).toEqual([...frame.u.subarray(27, 30)]);
  const want = contactsOn(contacts, 9);
  expect(facts?.contacts?.map((c) => [c.other, c.force])).toEqual(want.map((c) => [c.other, c.force]));
  await expect(page.locator(".side tbody tr")).toHaveCount(want.length);
  await expect(page.locator(".heading h2")).toHaveText(cast.names[9]);
  await expect(page.locator(".time")).toHaveText(`t = ${frame.t.toFixed(2)} s`);
  expect(length(want[0].force)).toBeGreaterThan(0);
  expect(await page.locator(".label:visible").count()).toBeGreaterThan(0);
  await page.locator(".side tbody tr").first().click();
  expect((await state(served)).selected).toBe(want[0].other);
  expect(served.errors).toEqual([]);
});

test("keys do what the help says", async ({ page }) => {
  const served = new Served(page, synthetic(2, 12));
  await served.ready();
  const after = async (key: string) => {
    await page.keyboard.press(key);
    return state(served);
  };
  expect((await after("ArrowRight")).frame).toBe(1);
  expect((await after("Shift+ArrowRight")).frame).toBe(11);
  expect((await after("ArrowLeft")).frame).toBe(10);
  expect((await after("End")).frame).toBe(49);
  expect((await after("Home")).frame).toBe(0);
  expect(await after("f")).toMatchObject({ forces: true, bodies: "glass" });
  expect(await after("f")).toMatchObject({ forces: false, bodies: "solid" });
  expect((await after("c")).colour).toBe("speed");
  expect((await after("b")).bodies).toBe("glass");
  expect((await after("e")).edges).toBe(false);
  expect((await after("g")).grid).toBe(false);
  expect((await after("t")).trail).toBe(true);
  expect((await after("o")).follow).toBe(true);
  expect((await after("l")).loop).toBe(true);
  expect((await after("d")).theme).toBe("dark");
  expect((await after("p")).panel).toBe(false);
  expect((await after("+")).speed).toBe(2);
  expect((await after("-")).speed).toBe(1);
  expect((await after("?")).help).toBe(true);
  await expect(page.locator("dialog.help .keys kbd")).toHaveCount(22);
  expect((await after("Escape")).help).toBe(false);
  expect(served.errors).toEqual([]);
});

test("playing follows the clock, waits for frames and ends or loops", async ({ page }) => {
  const served = new Served(page, synthetic(2, 12));
  await served.ready("#speed=1");
  await page.keyboard.press("Space");
  await expect.poll(() => shown(served), { intervals: [50] }).toBeGreaterThan(5);
  await expect.poll(async () => (await state(served)).playing, { timeout: 10_000 }).toBe(false);
  expect(await shown(served)).toBe(49); // 0.98 s in all
  const frames = served.asked.filter((path) => path.startsWith("frame/"));
  expect(new Set(frames).size).toBeLessThanOrEqual(50);
  await page.evaluate(() => window.cairn.set({ loop: true, playing: true, speed: 5 }));
  await page.waitForTimeout(1200);
  expect((await state(served)).playing).toBe(true);
});

test("contacts are read only where something shows them", async ({ page }) => {
  const served = new Served(page, synthetic(3, 12));
  await served.ready();
  await page.evaluate(() => window.cairn.show(5));
  const reads = (): number => served.asked.filter((path) => path.startsWith("contacts/")).length;
  expect(reads()).toBe(0);
  await page.evaluate(() => (window.cairn.set({ colour: "coordination" }), window.cairn.show(6)));
  expect(reads()).toBeGreaterThan(0);
  expect(served.asked.filter((path) => path.startsWith("steps")).length).toBe(0);
  await page.getByRole("tab", { name: "Certificate" }).click();
  await expect(page.locator(".plot canvas")).not.toHaveCount(0);
  expect(served.asked.filter((path) => path.startsWith("steps")).length).toBe(1);
  expect(served.errors).toEqual([]);
});

test("a click in a plot moves the time", async ({ page }) => {
  const served = new Served(page, synthetic(3, 12));
  await served.ready("#tab=certificate");
  const plot = page.locator(".plot .u-over").last();
  await plot.click(); // in the middle
  const { frame } = await state(served);
  expect(frame).toBeGreaterThan(22);
  expect(frame).toBeLessThan(28);
});

test("a hand on the scrubber sees frames go by, and the readout is of the frame on the picture", async ({ page }) => {
  const served = new Served(page, synthetic(2, 12));
  await served.ready();
  served.delay = 60;
  const seen = new Set<number>();
  for (let k = 5; k < 45; k += 2) {
    await page.evaluate((frame) => window.cairn.set({ frame }), k);
    await page.waitForTimeout(20);
    seen.add(await shown(served));
  }
  expect(seen.size).toBeGreaterThan(3);
  await page.evaluate(() => window.cairn.set({ frame: 48 }));
  const [text, frame] = await page.evaluate(() => [
    document.querySelector(".count")?.textContent,
    window.cairn.shown().frame,
  ]);
  expect(text).toBe(`${frame} / 49`);
  await expect.poll(() => shown(served)).toBe(48);
});

// Grows by some frames with every look at it.
function growing(whole: Source, start: number, by: number): Source {
  let frames = start;
  let looks = 0;
  return {
    ...whole,
    live: true,
    timeline: async (from): Promise<Timeline> => {
      if (looks++ > 0) frames = Math.min(frames + by, 50);
      const all = await whole.timeline(0);
      const cut = (values: Float64Array): Float64Array => values.slice(from, frames);
      const finished = frames === 50;
      const outcome = finished ? { stands: true } : null;
      return { ...all, frames, finished, outcome, time: cut(all.time), h: cut(all.h), step: cut(all.step) };
    },
  };
}

test("a running result grows; a cursor at its end stays there", async ({ page }) => {
  const served = new Served(page, growing(synthetic(2, 12), 10, 20));
  await served.ready("#frame=9");
  await expect(page.locator(".badge")).toBeVisible();
  await expect.poll(() => shown(served), { timeout: 8000 }).toBe(49);
  await expect(page.locator(".badge")).toBeHidden();
  expect(served.errors).toEqual([]);
});

test("a server that has gone is said, and forgotten when it is back", async ({ page }) => {
  const served = new Served(page, synthetic(2, 12));
  await served.ready();
  served.gone = true;
  await page.keyboard.press("Shift+ArrowRight"); // beyond what is read in advance
  await expect(page.locator(".notice")).toContainText("does not answer");
  expect(await shown(served)).toBe(0);
  served.gone = false;
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => shown(served)).toBe(11);
  await expect(page.locator(".notice")).toBeHidden();
});

test("results that cannot be read give a message and no blank page", async ({ page }) => {
  const served = new Served(page, synthetic(2, 12));
  served.replace.set("cast", (good) => good.slice(0, good.byteLength / 2));
  await served.open();
  await expect(page.locator(".full-message")).toContainText("cut off");
});

test("a browser without WebGL 2 is told how to get it", async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await new Served(page, synthetic(2, 12)).open();
  await expect(page.locator(".full-message")).toContainText("WebGL 2");
});

test("only the picture, for pictures and movies", async ({ page }) => {
  const served = new Served(page, synthetic(3, 12));
  await served.ready("#ui=0&colour=speed&legend=1&azimuth=30&elevation=20&theme=dark");
  await expect(page.locator(".bar, .side, .settings")).toHaveCount(4);
  for (const part of await page.locator(".bar, .side, .settings").all()) await expect(part).toBeHidden();
  await expect(page.locator(".legend")).toBeVisible();
  const canvas = await page.locator("canvas").first().boundingBox();
  const view = page.viewportSize();
  expect([canvas?.width, canvas?.height]).toEqual([view?.width, view?.height]);
  await page.evaluate(() => window.cairn.set({ legend: false }));
  await expect(page.locator(".legend")).toBeHidden();
  await expect(page.evaluate(() => window.cairn.show(50))).rejects.toThrow(/out of range/);
});

test("a narrow page keeps all its controls", async ({ page }) => {
  await page.setViewportSize({ width: 700, height: 700 });
  const served = new Served(page, synthetic(2, 12));
  await served.ready();
  for (const button of await page.locator(".bar button").all()) {
    const box = await button.boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 700).toBe(true);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(700);
});
