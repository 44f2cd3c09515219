// One HTML file with everything in it: the program embeds it, and exported pages are this file with data inside.
import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  build: {
    target: "es2022",
    outDir: process.env.CAIRN_PAGE_DIR ?? "page",
    emptyOutDir: true,
    reportCompressedSize: false,
  },
});
