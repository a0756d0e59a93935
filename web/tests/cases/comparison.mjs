// The page of a comparison.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { assertAccessible, assertFits, assertQuiet, marksOf, tableOf } from "../support/checks.mjs";
import { comparison, dataOf, readJson } from "../support/inputs.mjs";

const kWords = { "no-change": "no change", "not-comparable": "not comparable" };

function values(side) {
  return side.filter((value) => value !== null).length;
}

describe("the page of a comparison", () => {
  test("draws each run and each ratio, with the verdict as a shape and a word", async () => {
    await withPage(comparison("usual").page, {}, async (page, seen) => {
      const data = await dataOf(page);
      const strips = await marksOf(page, "strips");
      const forest = await marksOf(page, "forest");
      for (const metric of data.metrics) {
        const count = (side) => metric.rows.reduce((n, row) => n + values(row[side]), 0);
        assert.equal(strips[`${metric.id}: baseline runs`], count("baseline"), metric.id);
        assert.equal(strips[`${metric.id}: candidate runs`], count("candidate"), metric.id);
        const rated = metric.rows.filter((row) => row.ratio !== null);
        assert.equal(forest[`${metric.id}: intervals`] ?? 0, rated.filter((row) => row.low !== null).length);
        assert.equal(forest[`${metric.id}: floor`], 1);
        for (const verdict of new Set(rated.map((row) => row.verdict))) {
          const label = `${metric.id}: ratios, ${kWords[verdict] ?? verdict}`;
          assert.equal(forest[label], rated.filter((row) => row.verdict === verdict).length, label);
        }
      }
      await assertQuiet(page, seen);
    });
  });

  test("sorts the forest by effect and shows the ratios of the comparison", async () => {
    const { page: file, json } = comparison("usual");
    await withPage(file, {}, async (page) => {
      const data = await dataOf(page);
      const tables = readJson(json).tables;
      const metric = data.metrics.find((m) => m.id === "host-inclusive");
      const ratios = tables["host-inclusive"].rows.map((row) => row.ratio);
      assert.deepEqual(metric.rows.map((row) => row.ratio).sort(), [...ratios].sort());
      const shown = await tableOf(page, "host-inclusive");
      assert.equal(shown.length, ratios.length);
      const places = await page.evaluate(() => {
        const svg = document.querySelector('figure[data-chart="forest"] svg[data-metric="host-inclusive"]');
        return [...svg.querySelectorAll('g[data-marks^="ratios"] path, g[data-marks^="ratios"] circle')]
          .map((mark) => mark.getBoundingClientRect())
          .map((box) => [box.top + box.height / 2, box.left + box.width / 2])
          .sort((a, b) => a[0] - b[0])
          .map(([, x]) => Math.round(x));
      });
      assert.equal(places.length, metric.rows.filter((row) => row.ratio !== null).length);
      assert.deepEqual(places, [...places].sort((a, b) => b - a));
    });
  });

  test("reads rows out and is saved", async () => {
    await withPage(comparison("usual").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="forest"]');
      await figure.scrollIntoViewIfNeeded();
      const box = await figure.locator("svg[data-metric]").first().boundingBox();
      await page.mouse.move(box.x + box.width / 2, box.y + 36);
      assert.match(await figure.locator(".detail").textContent(), /: ratio [\d.]+, interval [\d.]+ to [\d.]+.*: (regressed|improved|no change|inconclusive)/);
      const download = page.waitForEvent("download");
      await figure.getByRole("button", { name: "Save SVG" }).click();
      assert.equal((await download).suggestedFilename(), "rangewise-forest.svg");
    });
  });

  test("of what is not comparable draws runs and no verdict", async () => {
    const { page: file } = comparison("not-comparable", (analysis, side) => {
      if (side === "after") analysis.run.device = "cuda:7";
    });
    await withPage(file, {}, async (page, seen) => {
      const data = await dataOf(page);
      const verdicts = new Set(data.metrics.flatMap((metric) => metric.rows.map((row) => row.verdict)));
      assert.deepEqual([...verdicts], ["not-comparable"]);
      const strips = await marksOf(page, "strips");
      assert.ok(Object.values(strips).some((count) => count > 0));
      const forest = await marksOf(page, "forest");
      assert.equal(Object.keys(forest).some((label) => /regressed|improved|no change/.test(label) && forest[label] > 0), false);
      await assertQuiet(page, seen);
      await assertAccessible(page);
    });
  });

  for (const [dark, width] of [[false, 1280], [true, 400]]) {
    test(`is accessible and fits, ${dark ? "dark" : "light"}, ${width} px`, async () => {
      await withPage(comparison("usual").page, { dark, width }, async (page) => {
        await assertFits(page);
        await assertAccessible(page);
      });
    });
  }
});
