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

  test("of the run, printed from a dark window: on white, whole, without tools", async () => {
    await withPage(generated("gpu").page, { width: 794, dark: true }, async (page) => {
      await page.emulateMedia({ media: "print" });
      const [ground, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.documentElement).color]);
      assert.equal(ground, "rgb(255, 255, 255)");
      assert.equal(ink, "rgb(27, 31, 36)");
      const [tools, boxes] = await page.evaluate(() => [
        [...document.querySelectorAll(".tools")].filter((e) => e.getClientRects().length > 0).length,
        [...document.querySelectorAll(".table-box")].filter((box) => box.scrollHeight > box.clientHeight + 1).length,
      ]);
      assert.equal(tools, 0);
      assert.equal(boxes, 0);
      const picture = join(kFolder, "run-print.png");
      await page.screenshot({ path: picture, clip: { x: 0, y: 0, width: 794, height: kTall }, fullPage: true });
      assert.ok(statSync(picture).size > 20_000);
      const path = join(kFolder, "run.pdf");
      await page.pdf({ path, format: "A4", margin: { top: "15mm", bottom: "15mm", left: "12mm", right: "12mm" } });
      assert.ok(statSync(path).size > 20_000);
    });
  });
});
