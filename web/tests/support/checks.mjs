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

/**
 * axe-core finds nothing. It takes seconds over a thousand cells, so of each table it sees the first rows, which the program
 * writes as it writes all others; with `whole` it sees every row.
 */
export async function assertAccessible(page, { whole = false } = {}) {
  await page.evaluate(kAxe);
  if (!whole) {
    await page.evaluate(() => {
      for (const body of document.querySelectorAll("table.data tbody")) while (body.rows.length > 6) body.deleteRow(6);
    });
  }
  const violations = await page.evaluate(async () => {
    const result = await globalThis.axe.run("html", { resultTypes: ["violations"] });
    return result.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ")).join("; ")} (${v.nodes.length})`);
  });
  assert.deepEqual(violations, []);
}

/** Each text of a chart lies within its picture, ticks of an axis leave room between them, and no number is none. */
export async function assertReadable(page) {
  const bad = await page.evaluate(() => {
    const found = [];
    for (const svg of document.querySelectorAll("figure.chart .plot svg")) {
      const where = svg.closest("figure").dataset.chart;
      const frame = svg.getBoundingClientRect();
      for (const text of svg.querySelectorAll("text")) {
        const box = text.getBoundingClientRect();
        if (box.width === 0) continue;
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 2 || box.bottom > frame.bottom + 2) found.push(`${where}: "${text.textContent}" sticks out`);
      }
      for (const axis of svg.querySelectorAll('g[data-marks$="axis tick label"]')) {
        const boxes = [...axis.querySelectorAll("text")].map((text) => [text.getBoundingClientRect(), text.textContent]);
        boxes.forEach(([a, one], i) => {
          for (const [b, other] of boxes.slice(i + 1)) {
            if (a.left < b.right && b.left < a.right && a.top < b.bottom - 2 && b.top < a.bottom - 2) found.push(`${where}: ticks "${one}" and "${other}" overlap`);
          }
        });
      }
      for (const shape of svg.querySelectorAll("*")) {
        for (const { name, value } of shape.attributes) {
          if (/NaN|Infinity|undefined/.test(value) && name !== "aria-label") found.push(`${where}: ${name}="${value.slice(0, 40)}"`);
        }
      }
    }
    return found;
  });
  assert.deepEqual(bad, []);
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
