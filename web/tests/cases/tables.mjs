// Tables: sorting, filtering, units, CSV.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { tableOf } from "../support/checks.mjs";
import { generated } from "../support/inputs.mjs";

const kTable = 'table[data-table="host-ranges"]';

function heading(page, text) {
  return page.locator(`${kTable} thead th`, { has: page.getByRole("button", { name: text, exact: true }) });
}

function tools(page) {
  return page.locator(".tools", { has: page.getByRole("button", { name: "Copy as CSV" }) }).and(page.locator('[aria-label*="Host ranges"], [aria-label*="host ranges"]')).last();
}

describe("a table", () => {
  test("sorts by exact numbers both ways, missing values last", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const columns = async (name) => (await tableOf(page, "host-ranges")).map((row) => row[name]);
      const deviation = heading(page, "std. dev."); // the one column of it in which values are missing
      for (const [order, sign] of [["descending", -1], ["ascending", 1]]) {
        await deviation.getByRole("button").click();
        assert.equal(await deviation.getAttribute("aria-sort"), order);
        const values = await columns("std. dev.");
        const numbers = values.filter((value) => value !== null);
        assert.ok(new Set(numbers).size > 2 && numbers.length < values.length);
        assert.deepEqual(numbers, [...numbers].sort((a, b) => sign * (a - b)));
        assert.equal(values.slice(numbers.length).every((value) => value === null), true);
      }
      const name = heading(page, "host range");
      await name.getByRole("button").press("Enter");
      assert.equal(await name.getAttribute("aria-sort"), "ascending");
      assert.equal(await deviation.getAttribute("aria-sort"), null);
      const names = await columns("host range");
      const collator = new Intl.Collator("en", { numeric: true });
      assert.deepEqual(names, [...names].sort(collator.compare));
    });
  });

  test("filters by all words and says how many rows are left", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const all = await tableOf(page, "host-ranges");
      const wanted = all.filter((row) => row["host range"].includes("forward") && row["host range"].includes("layer1"));
      assert.ok(wanted.length > 0 && wanted.length < all.length);
      await tools(page).getByLabel("Filter").fill("LAYER1 forward");
      const left = await tableOf(page, "host-ranges");
      assert.deepEqual(left.map((row) => row["host range"]), wanted.map((row) => row["host range"]));
      assert.equal(await tools(page).getByRole("status").textContent(), `${wanted.length} of ${all.length} rows`);
    });
  });

  test("switches its times to a unit and back, to the nanosecond", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const cell = page.locator(`${kTable} tbody tr:first-child td[data-v]`).first();
      const written = await cell.textContent();
      const ns = Number(await cell.getAttribute("data-v"));
      const unit = tools(page).getByLabel("Unit");
      await unit.selectOption("ns");
      assert.equal(await cell.textContent(), `${ns.toLocaleString("en-US")} ns`);
      await unit.selectOption("us");
      assert.equal(await cell.textContent(), `${(ns / 1e3).toLocaleString("en-US", { minimumFractionDigits: 3 })} µs`);
      await unit.selectOption("s");
      assert.equal(await cell.textContent(), `${(ns / 1e9).toFixed(9)} s`);
      await unit.selectOption("auto");
      assert.equal(await cell.textContent(), written);
    });
  });

  test("is copied as CSV: exact numbers, the rows in sight", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      await page.evaluate(() => {
        window.copied = null;
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => (window.copied = text) } });
      });
      await tools(page).getByLabel("Filter").fill("layer2");
      await tools(page).getByRole("button", { name: "Copy as CSV" }).click();
      const lines = (await page.evaluate(() => window.copied)).split("\r\n");
      const rows = await tableOf(page, "host-ranges");
      assert.match(lines[0], /^host range,exclusive \(ns\),inclusive \(ns\),ranges,/);
      assert.equal(lines.length, rows.length + 2);
      const first = lines[1].split(",");
      assert.deepEqual(first.slice(0, 4), [rows[0]["host range"], String(rows[0].exclusive), String(rows[0].inclusive), String(rows[0].ranges)]);
      assert.equal(await tools(page).getByRole("status").textContent(), "Copied");
    });
  });
});
