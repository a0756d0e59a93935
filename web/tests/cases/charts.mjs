// What one can do with charts: search, zoom, choose, save.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { assertQuiet, marksOf } from "../support/checks.mjs";
import { dataOf, generated } from "../support/inputs.mjs";

async function saved(page, chart, button) {
  const download = page.waitForEvent("download");
  await page.locator(`figure[data-chart="${chart}"]`).getByRole("button", { name: button }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

describe("a chart", () => {
  test("of iterations zooms by dragging, by button and by key, and back", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="iterations"]');
      const dots = async () => Object.entries(await marksOf(page, "iterations")).reduce((n, [label, count]) => n + (/^host: (iterations|outliers|first iteration)$/.test(label) ? count : 0), 0);
      const whole = await dots();
      await figure.scrollIntoViewIfNeeded();
      const box = await figure.locator("svg[data-panel=host]").boundingBox();
      await page.mouse.move(box.x + box.width * 0.4, box.y + 80);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.6, box.y + 80, { steps: 4 });
      await page.mouse.up();
      const { index } = (await dataOf(page)).iterations;
      const plot = { left: 64, right: box.width - 16 }; // margins of the axis
      const at = (share) => -0.5 + ((box.width * share - plot.left) / (plot.right - plot.left)) * index.length;
      const expected = index.filter((i) => i >= at(0.4) && i <= at(0.6)).length;
      const zoomed = await dots();
      assert.ok(Math.abs(zoomed - expected) <= 1, `${zoomed} dots, not ${expected}, of ${whole}`);
      await figure.getByRole("button", { name: "Show all" }).click();
      assert.equal(await dots(), whole);
      await figure.getByRole("button", { name: "Zoom in" }).click();
      assert.ok((await dots()) < whole);
      await figure.locator(".plot").focus();
      await page.keyboard.press("Escape");
      assert.equal(await dots(), whole);
    });
  });

  test("of scopes has widths that add up, and nothing counts twice", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      await page.locator('figure[data-chart="scopes"]').getByLabel("Names").selectOption("raw");
      const { scopes } = await dataOf(page);
      const total = scopes.host_exclusive_ns.reduce((sum, ns) => sum + Math.max(0, ns ?? 0), 0);
      const width = await page.evaluate(() => {
        const tiles = [...document.querySelectorAll('[role="treeitem"][aria-level="1"]')];
        return tiles.reduce((sum, tile) => sum + tile.getBoundingClientRect().width + 1, 0);
      });
      const plot = await page.locator('figure[data-chart="scopes"] .plot').evaluate((plot) => plot.clientWidth);
      assert.ok(Math.abs(width - plot) < 4, `${width} of ${plot}`);
      // The widest leaf is as wide as its exclusive time.
      const children = new Set(scopes.parent);
      const leaf = scopes.name.map((_, i) => i).filter((i) => !children.has(i)).sort((a, b) => (scopes.host_exclusive_ns[b] ?? 0) - (scopes.host_exclusive_ns[a] ?? 0))[0];
      const expected = (scopes.host_exclusive_ns[leaf] / total) * plot;
      const widths = await page.evaluate((name) => [...document.querySelectorAll('[role="treeitem"]')].filter((t) => t.getAttribute("aria-label").startsWith(`${name}, `)).map((t) => t.getBoundingClientRect().width + 1), scopes.name[leaf]);
      assert.ok(widths.some((w) => Math.abs(w - expected) < 2), `${widths} for ${expected}`);
    });
  });

  test("of scopes is searched, zoomed and walked by key", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="scopes"]');
      await figure.getByLabel("Names").selectOption("raw");
      const { scopes } = await dataOf(page);
      const named = scopes.name.filter((name) => name.includes("attention")).length;
      await figure.getByLabel("Search").fill("attention");
      assert.match(await figure.getByRole("status").textContent(), new RegExp(`^${named} scopes, own time `));
      const drawn = await figure.locator(".is-found").count();
      assert.ok(drawn > 0 && drawn <= named);
      await figure.getByLabel("Search").fill("attention nothing");
      assert.match(await figure.getByRole("status").textContent(), /^0 scopes, /);
      await figure.getByLabel("Search").fill("ATTEN tion");
      assert.equal(await figure.locator(".is-found").count(), drawn);
      await figure.getByLabel("Search").fill("");
      assert.equal(await figure.locator(".is-found").count(), 0);

      const widest = figure.locator('[role="treeitem"][tabindex="0"]');
      await widest.focus();
      assert.match(await figure.locator(".detail").textContent(), /exclusive [\d.,]+ .?s \([\d.]+ % of all\), inclusive/);
      await page.keyboard.press("Enter");
      assert.match(await figure.locator(".trail").textContent(), /^Zoomed to: /);
      await page.keyboard.press("Escape");
      assert.equal(await figure.locator(".trail").textContent(), "");
    });
  });

  test("of scopes shows grouped names where recorded ones differ in numbers, and either on demand", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="scopes"]');
      assert.equal(await figure.getByLabel("Names").inputValue(), "grouped");
      assert.ok((await figure.locator('[aria-label^="layer#,"]').count()) > 0);
      await figure.getByLabel("Names").selectOption("raw");
      assert.equal(await figure.locator('[aria-label^="layer#,"]').count(), 0);
      await figure.getByLabel("Names").selectOption("grouped");
      assert.ok((await figure.locator('[aria-label^="layer#,"]').count()) > 0);
    });
  });

  test("of GPU work never stacks: each bar begins at zero, and shares have an axis of their own", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const starts = await page.evaluate(() => [...new Set([...document.querySelectorAll('figure[data-chart="gpu-scopes"] .projected-bar rect')].map((bar) => bar.getAttribute("x")))]);
      assert.equal(starts.length, 1);
      assert.equal(await page.locator('figure[data-chart="gpu-scopes"] svg').count(), 2);
    });
  });

  test("of the timeline reads its items out and zooms", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="timeline"]');
      await figure.locator(".plot").focus();
      await page.keyboard.press("ArrowRight");
      assert.match(await figure.locator(".detail").textContent(), /\(host range, .*\): [\d.,]+ .?s, from /);
      assert.equal(await figure.locator(".is-read").count(), 1);
      const before = await figure.locator("svg:not(.legend)").getAttribute("aria-label");
      await figure.getByRole("button", { name: "Zoom in" }).click();
      await figure.getByRole("button", { name: "Zoom in" }).click();
      assert.notEqual(await figure.locator("svg:not(.legend)").getAttribute("aria-label"), before);
    });
  });

  test("of the distribution counts every iteration once", async () => {
    await withPage(generated("gpu").page, {}, async (page) => {
      const figure = page.locator('figure[data-chart="distribution"]');
      const { iterations } = await dataOf(page);
      const outliers = iterations.host.outliers.length;
      const label = () => figure.locator("svg[data-panel=host]").getAttribute("aria-label");
      assert.match(await label(), new RegExp(`of ${iterations.index.length - outliers} iterations$`));
      await figure.getByRole("button", { name: "Outliers" }).click();
      assert.match(await label(), new RegExp(`of ${iterations.index.length} iterations$`));
    });
  });

  for (const chart of ["iterations", "distribution", "scopes", "gpu-scopes", "timeline"]) {
    test(`is saved as SVG and PNG: ${chart}`, async () => {
      await withPage(generated("gpu").page, {}, async (page, seen) => {
        const svg = await saved(page, chart, "Save SVG");
        assert.equal(svg.name, `rangewise-${chart}.svg`);
        const text = svg.bytes.toString("utf8");
        assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<svg /);
        assert.doesNotMatch(text, /var\(--|class=|<script|<foreignObject|<style/);
        const shown = await page.evaluate((name) => document.querySelectorAll(`figure[data-chart="${name}"] .plot svg:not(.legend) :is(rect, circle, path)`).length, chart);
        const inFile = (text.match(/<(rect|circle|path)\b/g) ?? []).length;
        const fills = new Set([...text.matchAll(/ fill="(rgb[^"]*)"/g)].map((match) => match[1]));
        assert.ok(fills.size >= 3, `fills ${[...fills].join()}`);
        assert.ok(inFile >= shown * 0.9 - 8, `${inFile} shapes in the file, ${shown} on the page`);
        const parsed = await page.evaluate((source) => {
          const image = new Image();
          image.src = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
          return image.decode().then(() => image.naturalWidth);
        }, text);
        assert.ok(parsed > 300);
        const png = await saved(page, chart, "Save PNG");
        assert.equal(png.name, `rangewise-${chart}.png`);
        assert.deepEqual([...png.bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
        const picture = await page.evaluate(async (bytes) => {
          const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
          const canvas = new OffscreenCanvas(image.width, image.height);
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
          return { width: image.width, colours: new Set(pixels).size };
        }, [...png.bytes]);
        assert.equal(picture.width, 2 * parsed);
        assert.ok(picture.colours > 10, `${picture.colours} colours`);
        await assertQuiet(page, seen);
      });
    });
  }
});
