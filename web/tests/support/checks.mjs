// What every page must hold to.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const kAxe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No error, no request, no dialog; only our one script; no markup from data; nothing wider than the window. */
export async function assertQuiet(page, seen) {
  assert.deepEqual(seen, { errors: [], requests: [], dialogs: [] });
  const found = await page.evaluate(() => ({
    scripts: document.querySelectorAll('script:not([type="application/json"])').length,
    strangers: document.querySelectorAll("img, iframe, object, embed, base, link, form, b, main style").length,
    handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
    policy: document.querySelector('meta[http-equiv="Content-Security-Policy"]')?.content ?? "",
  }));
  assert.equal(found.scripts, 1);
  assert.equal(found.strangers, 0);
  assert.equal(found.handlers, 0);
  assert.match(found.policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
}

export async function assertFits(page) {
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(content <= window, `the page is ${content} px wide in a window of ${window}`);
}

/** axe-core finds nothing. `within` narrows what is looked at. */
export async function assertAccessible(page, within = "html") {
  await page.evaluate(kAxe);
  // Rows of a table are alike, and axe-core takes long over thousands of cells: the first ones stand for all.
  await page.evaluate(() => {
    for (const body of document.querySelectorAll("table.data tbody")) while (body.rows.length > 6) body.deleteRow(6);
  });
  const violations = await page.evaluate(async (root) => {
    const result = await globalThis.axe.run(root, { resultTypes: ["violations"] });
    return result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")} (${v.nodes.length})`);
  }, within);
  assert.deepEqual(violations, []);
}

/** How many marks of each group, by the group's label, a chart drew. */
export function marksOf(page, chart) {
  return page.evaluate((name) => {
    const counts = {};
    for (const group of document.querySelectorAll(`figure[data-chart="${name}"] svg g[data-marks]`)) {
      const panel = group.closest("svg").dataset.panel ?? group.closest("svg").dataset.metric ?? "";
      const key = panel ? `${panel}: ${group.dataset.marks}` : group.dataset.marks;
      counts[key] = (counts[key] ?? 0) + group.childElementCount;
    }
    return counts;
  }, chart);
}

/** The scopes that a chart shows: the grouped ones where it says so. */
export async function shownScopes(page, chart, data) {
  const names = page.locator(`figure[data-chart="${chart}"]`).getByLabel("Names");
  const grouped = (await names.count()) > 0 && (await names.inputValue()) === "grouped";
  return grouped ? data.grouped_scopes : data.scopes;
}

/** The exact numbers and the texts of a table's rows, by column heading. */
export function tableOf(page, name) {
  return page.evaluate((id) => {
    const table = document.querySelector(`table[data-table="${id}"]`);
    if (!table) return null;
    const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
    return [...table.tBodies[0].rows]
      .filter((row) => !row.hidden)
      .map((row) =>
        Object.fromEntries(
          [...row.cells].map((cell, i) => {
            const raw = cell.dataset.v;
            return [heads[i], raw === undefined ? cell.textContent.trim() : raw === "" ? null : Number(raw)];
          }),
        ),
      );
  }, name);
}
