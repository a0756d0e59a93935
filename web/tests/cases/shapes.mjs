// Runs of unusual shape.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { assertAccessible, assertFits, assertQuiet, marksOf, tableOf } from "../support/checks.mjs";
import { dataOf, generated } from "../support/inputs.mjs";
import { remarked } from "./run.mjs";

describe("the page of a run", () => {
  test("without GPU work has host charts only and says why", async () => {
    await withPage(generated("cpu-only").page, {}, async (page, seen) => {
      const marks = await marksOf(page, "iterations");
      assert.ok(marks["host: iterations"] > 0);
      assert.equal(Object.keys(marks).some((label) => label.startsWith("projected:")), false);
      assert.equal(await page.locator('figure[data-chart="gpu-scopes"] svg').count(), 0);
      const rows = await tableOf(page, "iterations");
      assert.ok(rows.every((row) => row["GPU projection"] === null));
      await assertQuiet(page, seen);
      await assertAccessible(page);
    });
  });

  test("with one iteration draws that one", async () => {
    await withPage(generated("one-iteration").page, {}, async (page, seen) => {
      const marks = await marksOf(page, "iterations");
      assert.equal(marks["host: first iteration"], 1);
      assert.equal(marks["host: iterations"] ?? 0, 0);
      assert.equal((await dataOf(page)).timeline.windows.length, 1);
      assert.ok((await marksOf(page, "timeline")).lanes > 1);
      await assertQuiet(page, seen);
      await assertAccessible(page, { whole: true });
    });
  });

  test("without iterations has its scopes, and no empty chart", async () => {
    await withPage(generated("no-iterations").page, {}, async (page, seen) => {
      assert.equal(await page.locator('figure[data-chart="iterations"] svg').count(), 0);
      assert.ok((await marksOf(page, "scopes")).scopes > 2);
      const empty = await page.evaluate(() => [...document.querySelectorAll("figure.chart")].filter((f) => !f.querySelector("svg") && !f.querySelector(".chart-note")?.textContent).map((f) => f.dataset.chart));
      assert.deepEqual(empty, []);
      await assertQuiet(page, seen);
      await assertAccessible(page);
    });
  });

  test("with 10,000 iterations draws all of them, and dots again when zoomed", async () => {
    await withPage(generated("many-iterations").page, {}, async (page, seen) => {
      const data = await dataOf(page);
      assert.equal(data.iterations.index.length, 10_000);
      const vertices = await page.evaluate(() => document.querySelector(".host-line path").getAttribute("d").split("L").length);
      const apart = new Set([0, ...data.iterations.host.outliers]).size;
      assert.equal(vertices, 10_000 - apart);
      const marks = await marksOf(page, "iterations");
      assert.equal(marks["host: outliers"], data.iterations.host.outliers.length);
      const figure = page.locator('figure[data-chart="iterations"]');
      for (let i = 0; i < 3; ++i) await figure.getByRole("button", { name: "Zoom in" }).click();
      const zoomed = await marksOf(page, "iterations");
      assert.ok(zoomed["host: iterations"] > 1000 && zoomed["host: iterations"] <= 1251);
      await assertFits(page);
      await assertQuiet(page, seen);
    });
  });

  test("with 5,000 scope paths draws those that can be seen and counts the others", async () => {
    await withPage(generated("many-paths").page, {}, async (page, seen) => {
      const { scopes } = await dataOf(page);
      assert.ok(scopes.name.length >= 5_000);
      const marks = await marksOf(page, "scopes");
      const narrow = await remarked(page, "scopes", "scopes? too narrow");
      assert.equal(marks.scopes + narrow, scopes.name.length);
      const figure = page.locator('figure[data-chart="scopes"]');
      await figure.getByLabel("Search").fill("operator_3");
      const named = scopes.name.filter((name) => name.includes("operator_3")).length;
      assert.match(await figure.getByRole("status").textContent(), new RegExp(`^${named.toLocaleString("en-US")} scopes, `));
      assert.equal((await marksOf(page, "gpu-scopes")).projections, 30);
      await page.locator('figure[data-chart="gpu-scopes"]').getByRole("combobox", { name: "Paths" }).selectOption("100");
      assert.equal((await marksOf(page, "gpu-scopes")).projections, 100);
      await assertFits(page);
      await assertQuiet(page, seen);
    });
  });
});
