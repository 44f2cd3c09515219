// The program, its results and the page together, in a real browser. What the page shows is compared with the tables that
// `cairn export --csv` writes.
import { type ConsoleMessage, expect, type Page, test } from "@playwright/test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Automation } from "../src/app";
import { cairn, folder, makeResults, removeResults, result, type Row, type Served, serve, startRun, table } from "./program";

declare global {
  interface Window {
    cairn: Automation;
  }
}

let served: Served | null = null;
let errors: string[] = [];

test.beforeAll(() => makeResults());
test.afterAll(() => removeResults());

test.beforeEach(({ page }) => {
  errors = [];
  page.on("console", (message: ConsoleMessage) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
});

test.afterEach(async () => {
  const code = await served?.stop();
  if (served) expect(code).toBe(0);
  served = null;
  expect(errors).toEqual([]);
});

async function open(page: Page, file: string, hash = ""): Promise<void> {
  served = await serve(file);
  await page.goto(served.url + hash);
  await page.evaluate(() => window.cairn.ready);
}

const shot = (page: Page, name: string) => page.screenshot({ path: join("test-results", "screens", `${name}.png`) });
const picture = (page: Page) => page.locator("canvas").first().screenshot();
const shown = (page: Page) => page.evaluate(() => window.cairn.shown());
const near = (value: number, want: number, scale: number) => expect(Math.abs(value - want)).toBeLessThan(2e-6 * scale);

// The page holds numbers in single precision: seven digits of the scale of the scene.
async function compareBodies(page: Page, name: string, bodies: number[]): Promise<void> {
  const { t } = await shown(page);
  const rows = table(name, "states", t);
  for (const b of bodies) {
    const facts = await page.evaluate((body) => window.cairn.body(body), b);
    const row: Row = rows[b];
    expect(facts?.name).toBe(row.name);
    ["x", "y", "z"].forEach((axis, i) => {
      if (!(`position_${axis} [m]` in row)) return;
      near(facts?.position[i] ?? NaN, Number(row[`position_${axis} [m]`]), 20);
      near(facts?.velocity[i] ?? NaN, Number(row[`velocity_${axis} [m/s]`]), 20);
    });
    const energy = Number(row["kinetic_energy [J]"]);
    near(facts?.energy ?? NaN, energy, 1e-6 + energy);
  }
}

// Forces on the body: the table's act on the first of the two, their opposite on the second.
async function compareContacts(page: Page, name: string, body: number): Promise<void> {
  const { t } = await shown(page);
  const facts = await page.evaluate((b) => window.cairn.body(b), body);
  const rows = table(name, "contacts", t).filter((r) => Number(r.first) === body || Number(r.second) === body);
  expect(facts?.contacts?.length).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(0);
  const key = (other: number, normal: number) => `${other} ${normal.toPrecision(4)}`;
  const want = rows.map((r) => key(Number(Number(r.first) === body ? r.second : r.first), Number(r["normal_force [N]"])));
  expect(facts?.contacts?.map((c) => key(c.other, c.normal)).sort()).toEqual(want.sort());
  const sum = rows.reduce((s, r) => s + (Number(r.first) === body ? 1 : -1) * Number(r["force_y [N]"]), 0);
  near(facts?.contactForce?.[1] ?? NaN, sum, 1e5);
  for (const c of facts?.contacts ?? []) {
    expect(c.use).toBeGreaterThanOrEqual(0);
    expect(c.use).toBeLessThan(1 + 1e-5);
  }
}

async function playsAndScrubs(page: Page): Promise<void> {
  const last = await page.evaluate(() => Number(document.querySelector(".count")?.textContent?.split("/")[1]));
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(async () => (await shown(page)).frame).toBeGreaterThan(2);
  await page.keyboard.press("Space");
  expect((await page.evaluate(() => window.cairn.state())).playing).toBe(false);
  const scrubber = page.locator("[data-scrubber]");
  await scrubber.fill(String(Math.floor(last / 2)));
  await expect.poll(async () => (await shown(page)).frame).toBe(Math.floor(last / 2));
  await page.keyboard.press("End");
  await expect.poll(async () => (await shown(page)).frame).toBe(last);
}

async function coloursAndForces(page: Page): Promise<void> {
  const plain = await picture(page);
  await page.getByLabel("Colour by").selectOption("speed");
  await expect(page.locator(".legend")).toContainText(/Speed \[.*m\/s\]/);
  await expect.poll(async () => plain.equals(await picture(page))).toBe(false);
  const coloured = await picture(page);
  await page.getByLabel("Force chains").check();
  await expect(page.locator(".legend")).toContainText("Force chains");
  await expect.poll(async () => coloured.equals(await picture(page))).toBe(false);
}

// Clicks where something is drawn: bodies fill the middle of the picture.
async function chooseByClick(page: Page): Promise<number> {
  const box = await page.locator("canvas").first().boundingBox();
  if (!box) throw new Error("no canvas");
  for (const [x, y] of [[0.5, 0.5], [0.45, 0.6], [0.6, 0.7], [0.35, 0.45], [0.5, 0.75], [0.3, 0.7]]) {
    await page.mouse.click(box.x + x * box.width, box.y + y * box.height);
    const { selected } = await page.evaluate(() => window.cairn.state());
    const free = await page.evaluate((b) => (b === null ? false : window.cairn.body(b)?.kind === "free"), selected);
    if (selected !== null && free) return selected;
  }
  throw new Error("no body where six clicks went");
}

test("a wall in the plane: plays, scrubs, colours, forces, the right numbers", async ({ page }) => {
  await open(page, result("wall"));
  await playsAndScrubs(page);
  const body = await chooseByClick(page);
  await page.evaluate(() => window.cairn.show(17));
  await expect(page.locator(".heading h2")).toHaveText(`block.${body}`);
  await compareBodies(page, "wall", [0, 60, 175, body]);
  await compareContacts(page, "wall", body);
  await coloursAndForces(page);
  await shot(page, "wall");
});

test("a dome in space: plays, scrubs, colours, forces, the right numbers", async ({ page }) => {
  await open(page, result("dome"), "#theme=dark");
  await playsAndScrubs(page);
  const body = await chooseByClick(page);
  await page.evaluate(() => window.cairn.show(9));
  await compareBodies(page, "dome", [0, 35, body]);
  await compareContacts(page, "dome", body);
  await coloursAndForces(page);
  await shot(page, "dome");
  const before = await picture(page);
  const box = await page.locator("canvas").first().boundingBox();
  if (!box) throw new Error("no canvas");
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 80, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => before.equals(await picture(page))).toBe(false);
});

test("the certificate's plots show the run's energy ledger", async ({ page }) => {
  await open(page, result("wall"), "#tab=certificate");
  await expect(page.locator(".plot canvas")).not.toHaveCount(0);
  await page.keyboard.press("End");
  await shot(page, "certificate");
});

test("rocks on a slope: path and camera follow a rock", async ({ page }) => {
  await open(page, result("rock-fall"), "#select=3&frame=40");
  await page.keyboard.press("t");
  await page.keyboard.press("o");
  await page.evaluate(() => window.cairn.show(45));
  await compareBodies(page, "rock-fall", [1, 3]);
  await shot(page, "rock-fall");
});

// A frame is 52 bytes a body. What is read for one picture must not grow with the number of frames: itself, and a few
// beside it that may be wanted next.
test("a large result is not read whole", async ({ page }) => {
  const bodies = 20000;
  const started = Date.now();
  await open(page, result("flock"));
  const opened = Date.now() - started;
  const atFirst = await page.evaluate(() => window.cairn.bytes());
  for (const k of [199, 50, 120]) await page.evaluate((frame) => window.cairn.show(frame), k);
  const later = await page.evaluate(() => window.cairn.bytes());
  console.log(`20 000 bodies, 200 frames: open after ${opened} ms and ${(atFirst / 1e6).toFixed(1)} MB, ` +
    `three frames more ${((later - atFirst) / 1e6).toFixed(1)} MB`);
  const frame = 52 * bodies;
  expect(atFirst).toBeLessThan(8 * frame); // with the bodies' shapes and names
  expect(later - atFirst).toBeLessThan(12 * frame);
  await compareBodies(page, "flock", [0, 12345, 19999]);
  await shot(page, "flock");
});

test("an exported page works from the disk, without any network", async ({ page, context }) => {
  for (const name of ["wall", "dome"]) {
    const file = join(folder, `${name}.html`);
    if (!existsSync(file)) cairn("export", result(name), "--html", file);
    await context.setOffline(true);
    const asked: string[] = [];
    const listen = (request: { url(): string }) => asked.push(request.url());
    page.on("request", listen);
    await page.goto(pathToFileURL(file).href);
    await page.evaluate(() => window.cairn.ready);
    await page.evaluate(() => window.cairn.show(9));
    page.off("request", listen);
    expect(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:") && !url.startsWith("data:"))).toEqual([]);
    const row = table(name, "states", (await shown(page)).t)[5];
    const facts = await page.evaluate(() => window.cairn.body(5));
    expect(Math.abs((facts?.position[0] ?? NaN) - Number(row["position_x [m]"]))).toBeLessThan(1e-3);
    await page.getByLabel("Force chains").check();
    await shot(page, `exported-${name}`);
  }
});

test("a run in progress is followed to its end", async ({ page }) => {
  const run = await startRun("live");
  await open(page, result("live"));
  const frames = () => page.evaluate(() => Number(document.querySelector(".count")?.textContent?.split("/")[1]));
  const first = await frames();
  await expect.poll(frames, { timeout: 20_000 }).toBeGreaterThan(first);
  await run.ended;
  const times = new Set(table("live", "states").map((row) => row["t [s]"]));
  await expect.poll(frames, { timeout: 20_000 }).toBe(times.size - 1);
});

test("a gallery has a picture, figures and a page for each result", async ({ page }) => {
  const site = join(folder, "site");
  cairn("gallery", join(folder, "shown"), "--out", site);
  await page.goto(pathToFileURL(join(site, "index.html")).href);
  await expect(page.locator("img")).toHaveCount(2);
  for (const image of await page.locator("img").all()) {
    expect(await image.evaluate((i: HTMLImageElement) => i.naturalWidth)).toBeGreaterThan(100);
  }
  await shot(page, "gallery");
  expect(readFileSync(join(site, "index.html"), "utf8")).not.toContain("<script");
  await page.locator("h2 a").first().click();
  await page.evaluate(() => window.cairn.ready);
});
