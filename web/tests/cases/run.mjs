// The page of a run: each chart with the right number of marks, and the numbers of analysis.json.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { assertAccessible, assertFits, assertQuiet, marksOf, shownScopes, tableOf } from "../support/checks.mjs";
import { withPage } from "../support/browser.mjs";
import { dataOf, generated, readJson, sample } from "../support/inputs.mjs";

/** The sum of the numbers before `words` in the remark below a chart. */
export async function remarked(page, chart, words) {
  const text = await page.textContent(`figure[data-chart="${chart}"] .chart-note`);
  const found = new RegExp(`([\\d,]+) ${words}`).exec(text);
  return found ? Number(found[1].replaceAll(",", "")) : 0;
}

function present(values) {
  return values.filter((value) => value !== null).length;
}

function sum(counts, pattern) {
  return Object.entries(counts).reduce((total, [label, count]) => total + (pattern.test(label) ? count : 0), 0);
}

async function assertIterations(page, data) {
  const { index, host_inclusive_ns, projected_ns, host, projection } = data.iterations;
  const marks = await marksOf(page, "iterations");
  for (const [panel, column, spread] of [["host", host_inclusive_ns, host], ["projected", projected_ns, projection]]) {
    if (present(column) === 0) continue;
    const first = column[0] === null ? 0 : 1;
    const outliers = spread?.outliers ?? [];
    assert.equal(marks[`${panel}: first iteration`] ?? 0, first);
    assert.equal(marks[`${panel}: outliers`] ?? 0, outliers.length);
    const others = present(column) - first - outliers.filter((at) => at !== 0).length;
    assert.equal(marks[`${panel}: iterations`] ?? 0, others);
    assert.equal(marks[`${panel}: median`], 1);
    assert.equal(marks[`${panel}: median and MAD band`], 1);
  }
  assert.ok(index.length > 0);
}

async function assertScopes(page, data) {
  const marks = await marksOf(page, "scopes");
  const narrow = await remarked(page, "scopes", "scopes? too narrow");
  assert.ok(marks.scopes > 0);
  assert.equal(marks.scopes + narrow, (await shownScopes(page, "scopes", data)).name.length);
}

async function assertGpuScopes(page, data) {
  const marks = await marksOf(page, "gpu-scopes");
  const shorter = await remarked(page, "gpu-scopes", "shorter paths?");
  const scopes = await shownScopes(page, "gpu-scopes", data);
  assert.equal(marks.projections + shorter, present(scopes.projected_ns));
  if (shorter === 0) assert.equal(marks["busy shares"] ?? 0, present(scopes.busy_share_ratio));
}

async function assertTimeline(page, data) {
  const select = page.locator('figure[data-chart="timeline"] label:has-text("Iteration") select');
  for (const [i, window] of data.timeline.windows.entries()) {
    if (data.timeline.windows.length > 1) await select.selectOption(String(i));
    const marks = await marksOf(page, "timeline");
    const lanes = [...window.host, ...window.gpu];
    assert.equal(marks.lanes, lanes.length);
    const items = lanes.reduce((count, lane) => count + lane.start_ns.length, 0);
    const short = await remarked(page, "timeline", "items? too short");
    assert.equal(sum(marks, /^host ranges$| items$/) + short, items);
  }
}

describe("the page of a run", () => {
  for (const [what, input] of [
    ["a made-up recording", () => generated("gpu")],
    ["the sample power-iteration", () => sample("power-iteration")],
  ]) {
    test(`has every chart with the right number of marks: ${what}`, async () => {
      await withPage(input().page, {}, async (page, seen) => {
        const data = await dataOf(page);
        await assertIterations(page, data);
        const bars = await marksOf(page, "distribution");
        assert.ok(bars["host: bins"] > 1 && bars["projected: bins"] > 1);
        await assertScopes(page, data);
        await assertGpuScopes(page, data);
        assert.equal(data.timeline.windows.length, 3);
        await assertTimeline(page, data);
        await assertQuiet(page, seen);
      });
    });
  }

  test("shows the numbers of analysis.json", async () => {
    const { page: file, analysis: path } = generated("gpu");
    const analysis = readJson(path);
    await withPage(file, {}, async (page) => {
      const rows = await tableOf(page, "iterations");
      assert.deepEqual(
        rows.map((row) => [row.iteration, row["host inclusive"], row["host exclusive"], row["GPU projection"], row["GPU ops"]]),
        analysis.iterations.map((i) => [i.index, i.host.inclusive_ns, i.host.exclusive_ns, i.gpu_projection.projected_ns, i.gpu_projection.gpu_operation_count]),
      );
      const { iterations } = await dataOf(page);
      assert.deepEqual(iterations.index, analysis.iterations.map((i) => i.index));
      assert.deepEqual(iterations.host_inclusive_ns, analysis.iterations.map((i) => i.host.inclusive_ns));
      assert.deepEqual(iterations.projected_ns, analysis.iterations.map((i) => i.gpu_projection.projected_ns));

      const key = (list) => list.map(String).sort();
      const host = await tableOf(page, "host-ranges");
      assert.deepEqual(
        key(host.map((row) => [row.exclusive, row.inclusive, row.ranges, row.median])),
        key(analysis.host_ranges.map((g) => [g.exclusive.total_ns, g.inclusive.total_ns, g.instances, g.inclusive.median_ns])),
      );
      const kernels = await page.evaluate(() => [...document.querySelectorAll('table[data-table="kernels"] tbody tr')].map((row) => Number(row.cells[1].dataset.v)));
      assert.deepEqual(key(kernels), key(analysis.capture_gpu_work.kernels.map((k) => k.cumulative_duration_ns)));
    });
  });

  test("reads an iteration out under the pointer and by key", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="iterations"]');
      await figure.locator(".plot").focus();
      await page.keyboard.press("End");
      const { iterations } = await dataOf(page);
      const last = iterations.index.length - 1;
      assert.match(await figure.locator(".detail").textContent(), new RegExp(`^Iteration ${iterations.index[last]}: host inclusive [\\d.]+ .s, GPU projection [\\d.]+ .s$`));
      assert.equal(await figure.locator(".cursor").count(), 2);
      const box = await figure.locator("svg[data-panel=host]").boundingBox();
      await page.mouse.move(box.x + 65, box.y + 80);
      assert.match(await figure.locator(".detail").textContent(), /^Iteration 0: /);
    });
  });

  test("holds everything without scripts", async () => {
    await withPage(generated("gpu").page, { scripts: false }, async (page, seen) => {
      assert.deepEqual(seen, { errors: [], requests: [], dialogs: [] });
      for (const id of ["head", "findings", "iterations", "tables-host-ranges", "tables-kernels", "coverage", "glossary", "provenance"]) {
        assert.ok(await page.locator(`section#${id} h2`).isVisible(), id);
      }
      assert.ok(await page.locator('table[data-table="host-ranges"]').isVisible());
      assert.equal(await page.locator(".tools").count(), 0);
    });
  });

  test("lets nothing run that its policy does not name", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const blocked = await page.evaluate(async () => {
        const heard = [];
        document.addEventListener("securitypolicyviolation", (event) => heard.push(event.effectiveDirective));
        const script = document.createElement("script");
        try {
          script.textContent = "window.pwned = 1";
        } catch {
          heard.push("trusted types");
        }
        const style = document.createElement("style");
        style.textContent = "body { display: none }";
        document.head.append(script, style);
        const image = new Image();
        image.src = "http://127.0.0.1:9/never.png";
        await fetch("http://127.0.0.1:9/never").catch(() => heard.push("fetch"));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { heard, pwned: window.pwned, display: getComputedStyle(document.body).display };
      });
      assert.equal(blocked.pwned, undefined);
      assert.equal(blocked.display, "block");
      for (const what of ["style-src-elem", "img-src", "connect-src", "fetch", "trusted types"]) assert.ok(blocked.heard.includes(what), what);
    });
  });

  for (const [dark, width] of [[false, 1280], [true, 1280], [false, 400], [true, 400]]) {
    test(`is accessible and fits, ${dark ? "dark" : "light"}, ${width} px`, async () => {
      await withPage(generated("gpu").page, { dark, width }, async (page) => {
        await assertFits(page);
        await assertAccessible(page);
      });
    });
  }

  test("fits 2,500 px", async () => {
    await withPage(generated("gpu").page, { width: 2500 }, assertFits);
  });
});
