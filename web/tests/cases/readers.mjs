// Readers with a keyboard only, a magnified page, no wish for motion; and runs at the edge of what can be drawn.
import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { assertAccessible, assertFits, assertQuiet, assertReadable, marksOf } from "../support/checks.mjs";
import { comparison, dataOf, generated, readJson } from "../support/inputs.mjs";

async function readByKey(page, chart) {
  const figure = page.locator(`figure[data-chart="${chart}"]`);
  const stop = chart === "scopes" ? figure.locator('[role="treeitem"][tabindex="0"]') : figure.locator(".plot");
  const hint = await figure.locator(".detail").textContent();
  await stop.focus();
  await page.keyboard.press("ArrowRight");
  const first = await figure.locator(".detail").textContent();
  await page.keyboard.press("End");
  const last = await figure.locator(".detail").textContent();
  return { hint, first, last };
}

describe("a reader", () => {
  for (const [chart, input, pattern] of [
    ["iterations", () => generated("gpu").page, /^Iteration \d+: /],
    ["distribution", () => generated("gpu").page, /^\d+ iterations? with /],
    ["scopes", () => generated("gpu").page, /exclusive /],
    ["gpu-scopes", () => generated("gpu").page, /: GPU projection /],
    ["timeline", () => generated("gpu").page, /from .* on$/],
    ["strips", () => comparison("usual").page, /, (baseline|candidate) .*: .* %\)$/],
    ["forest", () => comparison("usual").page, /: ratio [\d.]+, /],
  ]) {
    test(`with a keyboard reads the chart ${chart}`, async () => {
      await withPage(input(), {}, async (page) => {
        const { hint, first, last } = await readByKey(page, chart);
        assert.doesNotMatch(hint, pattern);
        assert.match(first, pattern);
        assert.match(last, pattern);
        if (chart !== "scopes") assert.notEqual(first, last);
      });
    });
  }

  test("with a keyboard reaches every tool and sees where the focus is", async () => {
    await withPage(generated("one-iteration").page, {}, async (page) => {
      const wanted = await page.evaluate(() => document.querySelectorAll("button, select, input, a[href], summary, [tabindex='0']").length);
      const reached = new Set();
      for (let i = 0; i < wanted + 5; ++i) {
        await page.keyboard.press("Tab");
        const at = await page.evaluate(() => {
          const element = document.activeElement;
          if (element === document.body) return null;
          const { outlineStyle, stroke } = getComputedStyle(element);
          element.dataset.order ??= String(Math.random());
          return { key: element.dataset.order, seen: outlineStyle !== "none" || (element instanceof SVGElement && stroke !== "none"), what: element.outerHTML.slice(0, 80) };
        });
        if (!at) break;
        assert.ok(at.seen, at.what);
        reached.add(at.key);
      }
      assert.equal(reached.size, wanted);
    });
  });

  test("who magnifies to 200 % sees all of it", async () => {
    await withPage(generated("gpu").page, { zoom: 2 }, async (page) => {
      await assertFits(page);
      await assertReadable(page);
      await assertAccessible(page);
    });
  });

  test("who wants no motion gets none", async () => {
    await withPage(generated("gpu").page, { calm: true }, async (page) => {
      await page.locator('figure[data-chart="iterations"]').getByRole("button", { name: "Zoom in" }).click();
      const moving = await page.evaluate(() => [
        document.getAnimations().length,
        [...document.querySelectorAll("*")].filter((e) => getComputedStyle(e).transitionDuration !== "0s" || getComputedStyle(e).scrollBehavior === "smooth").length,
      ]);
      assert.deepEqual(moving, [0, 0]);
    });
  });

  test("finds warnings before notices before what is for information", async () => {
    const { page: file, analysis } = generated("gpu");
    await withPage(file, {}, async (page) => {
      const severities = await page.locator("section#findings li").evaluateAll((items) => items.map((item) => item.dataset.severity));
      const ranks = ["warning", "notice", "info", "not computed"];
      const order = severities.map((severity) => ranks.indexOf(severity));
      assert.deepEqual(order, [...order].sort());
      assert.ok(new Set(order).size > 1 && !order.includes(-1), severities.join());
      const { findings } = readJson(analysis);
      assert.equal(severities.filter((severity) => severity === "notice").length, findings.filter((f) => f.severity === "notice" && f.computed).length);
    });
  });
});

describe("every text of a chart is in sight and no tick covers another", () => {
  for (const [name, input] of [
    ...["gpu", "one-iteration", "cpu-only", "many-iterations", "many-paths", "hostile", "odd-times"].map((name) => [name, () => generated(name).page]),
    ["comparison", () => comparison("usual").page],
  ]) {
    for (const width of [400, 1280]) {
      test(`${name}, ${width} px`, async () => {
        await withPage(input(), { width }, assertReadable);
      });
    }
  }
});

describe("a run of odd shape", () => {
  test("with times before zero, without length and of years is drawn", async () => {
    await withPage(generated("odd-times").page, {}, async (page, seen) => {
      const { iterations } = await dataOf(page);
      assert.equal(Math.max(...iterations.host_inclusive_ns), 3e17);
      const marks = await marksOf(page, "iterations");
      assert.equal(marks["host: first iteration"] + marks["host: iterations"], iterations.index.length);
      const figure = page.locator('figure[data-chart="timeline"]');
      for (let i = 0; i < 20; ++i) await figure.getByRole("button", { name: "Zoom in" }).click();
      await assertReadable(page);
      await assertFits(page);
      await assertQuiet(page, seen);
    });
  });

  test("with 3,000 threads has the lanes that fit, and counts the rest", async () => {
    await withPage(generated("many-threads").page, {}, async (page, seen) => {
      const { timeline } = await dataOf(page);
      const [window] = timeline.windows;
      assert.ok(window.host.length > 1 && window.left_out > 2_000);
      assert.equal((await marksOf(page, "timeline")).lanes, window.host.length);
      const note = await page.textContent('figure[data-chart="timeline"] .chart-note');
      assert.ok(note.includes(`${window.left_out.toLocaleString("en-US")} items left out`), note);
      await assertQuiet(page, seen);
    });
  });
});
