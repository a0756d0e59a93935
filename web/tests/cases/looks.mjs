// Pictures for people to look at, kept in the folder of the build; the tests only see that they are made.
import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { comparison, generated, kOut } from "../support/inputs.mjs";

const kFolder = join(kOut, "screenshots");
const kTall = 6000; // px; a picture of every row of every table is of no use

describe("screenshots", () => {
  mkdirSync(kFolder, { recursive: true });
  for (const [name, file] of [["run", () => generated("gpu").page], ["comparison", () => comparison("usual").page]]) {
    for (const width of [400, 1280, 2500]) {
      for (const dark of [false, true]) {
        test(`of the ${name}, ${width} px, ${dark ? "dark" : "light"}`, async () => {
          await withPage(file(), { width, dark }, async (page) => {
            const height = await page.evaluate(() => document.documentElement.scrollHeight);
            await page.setViewportSize({ width, height: Math.min(height, kTall) });
            const path = join(kFolder, `${name}-${width}-${dark ? "dark" : "light"}.png`);
            await page.screenshot({ path });
            assert.ok(statSync(path).size > 20_000);
          });
        });
      }
    }
  }

  test("of the run, printed from the dark theme, is dark on white", async () => {
    await withPage(generated("gpu").page, { width: 794, dark: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const [ink, ground] = await page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.documentElement).backgroundColor]);
      const light = (color) => Math.max(...color.match(/\d+/g).slice(0, 3).map(Number));
      assert.ok(light(ink) < 80, ink);
      assert.ok(/rgba\(0, 0, 0, 0\)/.test(ground) || light(ground) > 240, ground);
    });
  });

  test("of the run, printed", async () => {
    await withPage(generated("gpu").page, { width: 794 }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const [tools, boxes] = await page.evaluate(() => [
        [...document.querySelectorAll(".tools")].filter((e) => e.getClientRects().length > 0).length,
        [...document.querySelectorAll(".table-box")].filter((box) => box.scrollHeight > box.clientHeight + 1).length,
      ]);
      assert.equal(tools, 0);
      assert.equal(boxes, 0);
      const path = join(kFolder, "run.pdf");
      await page.pdf({ path, format: "A4", margin: { top: "15mm", bottom: "15mm", left: "12mm", right: "12mm" } });
      assert.ok(statSync(path).size > 20_000);
    });
  });
});
