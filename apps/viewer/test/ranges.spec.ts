// What `cairn forces` found, as the page shows it: a table whose three legs share its load in more than one way.
import { expect, type Page, test } from "@playwright/test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withUnit } from "../src/ui/units";
import { cairn, folder, removeResults, result, type Served, serve } from "./program";

interface Row {
  contact: number;
  least: number;
  greatest: number | null;
  solution: number;
  central: number | null;
}

interface ForcesFile {
  frame: number;
  time: number;
  carry: number;
  may_carry: number;
  idle: number;
  ranges: Row[];
}

const scene = fileURLToPath(new URL("../../../docs/code/table.toml", import.meta.url));
const file = join(folder, "table.json");
let told: ForcesFile;
let served: Served | null = null;
let errors: string[] = [];

test.beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  cairn("run", scene, "--quiet", "--out", result("table"), "--set", "aside=0.2");
  cairn("forces", result("table"), "--step", "40", "--out", file);
  told = JSON.parse(readFileSync(file, "utf8")) as ForcesFile;
});
test.afterAll(() => removeResults());

test.beforeEach(({ page }) => {
  errors = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
});

test.afterEach(async () => {
  await served?.stop();
  served = null;
  expect(errors).toEqual([]);
});

async function open(page: Page, hash: string, ...options: string[]): Promise<void> {
  served = await serve(result("table"), ...options);
  await page.goto(served.url + hash);
  await page.evaluate(() => window.cairn.ready);
}

const ranges = (page: Page) => page.evaluate(() => window.cairn.ranges());
const picture = (page: Page) => page.locator("canvas").first().screenshot();

// The legs' contacts, and the load's: all have bars, in that frame and with the box checked.
async function looksRight(page: Page): Promise<void> {
  const box = page.getByLabel("Force ranges");
  await expect(box).toBeChecked();
  const found = await ranges(page);
  expect(found?.t).toBeCloseTo(told.time, 12);
  expect(found?.bars).toBe(0);
  await expect(page.locator(".ranges-where")).toContainText(`at frame ${found?.frame}`);
  await page.getByRole("button", { name: "Go there" }).click();
  await expect.poll(async () => (await ranges(page))?.bars).toBe(told.carry + told.may_carry);
  expect((await ranges(page))?.idle).toBe(told.idle);
  await expect(page.getByRole("button", { name: "Go there" })).toBeDisabled();
  await expect(page.locator(".legend")).toContainText("Force ranges");
  const withBars = await picture(page);
  await box.uncheck();
  await expect.poll(async () => (await ranges(page))?.bars).toBe(0);
  await expect(page.locator(".legend")).not.toContainText("Force ranges");
  expect(withBars.equals(await picture(page))).toBe(false);
  await box.check();
}

async function numbersAreTheFiles(page: Page): Promise<void> {
  await page.evaluate(() => window.cairn.set({ selected: 1 }));
  const rows = page.locator(".ranges tbody tr");
  await expect(rows).toHaveCount(told.ranges.length);
  for (const row of told.ranges) {
    const cells = page.locator(`.ranges tr[data-contact="${row.contact}"] td.number`);
    const numbers = [row.least, row.greatest ?? Infinity, row.solution, row.central ?? NaN];
    await expect(cells).toHaveText(numbers.map((n) => withUnit(n, "N", 5)));
    for (const [i, n] of numbers.entries()) expect(await cells.nth(i).getAttribute("title")).toBe(`${n} N`);
  }
}

test("bars at the contacts, and the numbers of the file", async ({ page }) => {
  expect(told.ranges.length).toBe(4);
  await open(page, "", "--forces", file);
  await looksRight(page);
  await numbersAreTheFiles(page);
  await page.screenshot({ path: join("test-results", "screens", "ranges.png") });
  await page.keyboard.press("Home");
  await expect.poll(async () => (await ranges(page))?.bars).toBe(0);
  await expect(page.locator(".ranges")).toBeHidden();
});

test("without a file there is no such box", async ({ page }) => {
  await open(page, "");
  expect(await ranges(page)).toBeNull();
  await expect(page.getByLabel("Force chains")).toBeVisible();
  await expect(page.getByLabel("Force ranges")).toHaveCount(0);
});

test("an exported page has them, with fewer frames", async ({ page }) => {
  const html = join(folder, "table.html");
  cairn("export", result("table"), "--html", html, "--forces", file, "--at", "0");
  await page.goto(pathToFileURL(html).href);
  await page.evaluate(() => window.cairn.ready);
  expect((await ranges(page))?.frame).toBe(1);
  await looksRight(page);
  await numbersAreTheFiles(page);
});

test("files of other results and of other kinds are refused", () => {
  cairn("run", scene, "--quiet", "--out", result("other"));
  expect(() => cairn("view", result("other"), "--no-open", "--forces", file)).toThrow(/expected a file made of them/);
  expect(() => cairn("view", result("table"), "--no-open", "--forces", scene)).toThrow(/holds no ranges of forces/);
});
