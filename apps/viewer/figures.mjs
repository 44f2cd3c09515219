// Pictures of the page for docs/viewer.md: node figures.mjs PROGRAM FOLDER-OF-RESULTS FOLDER-OF-PICTURES
import { spawn } from "node:child_process";
import { join } from "node:path";
import { chromium } from "@playwright/test";

const [program, results, pictures] = process.argv.slice(2);

// Name of the result, what the page's address says, and how many frames of all to go to.
const shots = [
  { name: "wall", at: 0.62, hash: "forces=1&bodies=glass&select=27&theme=light" },
  { name: "arch", at: 1, hash: "forces=1&bodies=glass&forceColour=use&panel=0&theme=light" },
  { name: "biaxial", at: 1, hash: "forces=1&bodies=glass&panel=0&edges=0&grid=0&theme=light" },
  { name: "biaxial", as: "biaxial-displacement", at: 1, hash: "colour=displacement&tab=run&theme=light" },
  { name: "rock-fall", at: 0.45, hash: "select=2&trail=1&colour=speed&theme=light" },
  { name: "dome", at: 1, hash: "forces=1&bodies=glass&select=30&theme=dark" },
  { name: "table", as: "ranges", at: 1, hash: "select=1&arrows=0&theme=light", options: ["--forces", "table.json"] },
  { name: "wall", as: "certificate", at: 0.62, hash: "tab=certificate&colour=speed&theme=dark" },
];

async function serve(file, options) {
  const words = ["view", file, "--no-open", ...options];
  const child = spawn(program, words, { cwd: results, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((resolve) => {
    child.stdout.on("data", (text) => {
      const found = /http:\/\/\S+/.exec(String(text));
      if (found) resolve(found[0]);
    });
  });
  return { url, stop: () => child.kill("SIGINT") };
}

const browser = await chromium.launch({
  executablePath: process.env.CAIRN_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
for (const { name, as = name, at, hash, options = [] } of shots) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const { url, stop } = await serve(`${name}.h5`, options);
  await page.goto(`${url}#${hash}`);
  await page.evaluate(() => window.cairn.ready);
  await page.evaluate(async (part) => {
    const last = Number(document.querySelector(".count").textContent.split("/")[1]);
    // Scales are those of the frames seen.
    for (let i = 0; i <= 10; ++i) await window.cairn.show(Math.round((i * last) / 10));
    await window.cairn.show(Math.round(part * last));
  }, at);
  await page.waitForTimeout(500); // plots and labels follow a moment later
  await page.screenshot({ path: join(pictures, `${as}.png`) });
  await page.close();
  stop();
}
await browser.close();
