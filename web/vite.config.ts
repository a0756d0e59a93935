// One entry, one file out: dist/page.html, the template that the program fills in.
import { defineConfig } from "vite";

import { singlePage } from "./build/single_page.ts";

export default defineConfig({
  plugins: [singlePage()],
  build: {
    target: "es2020",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: { input: "page.html", output: { format: "iife" } },
  },
});
