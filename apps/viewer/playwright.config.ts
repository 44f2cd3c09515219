// Tests of the page. They use a Chromium that is installed: no browser is downloaded.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "test",
  outputDir: "test-results",
  timeout: 60_000,
  workers: 1,
  retries: 1, // a machine with other work may be late once
  reporter: "list",
  use: {
    launchOptions: {
      executablePath: process.env.CAIRN_CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
      ],
    },
  },
});
