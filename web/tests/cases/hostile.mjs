// Names that are markup, scripts, control characters or very long: text everywhere, and nothing runs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { withPage } from "../support/browser.mjs";
import { assertFits, assertQuiet } from "../support/checks.mjs";
import { comparison, dataOf, generated } from "../support/inputs.mjs";

const kScript = "</script><script>document.title='owned'</script>";
const kImage = "<img src=x onerror=\"document.title='owned'\">";
const kMost = 700; // characters of a name on the page, with what says how long it is

async function assertHarmless(page, seen) {
  assert.doesNotMatch(await page.title(), /^owned$/);
  await assertQuiet(page, seen);
  const raw = await page.evaluate(() => {
    // Characters that command a terminal or turn a line around may not be there in any form but spelled out.
    const bad = /[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) if (bad.test(walker.currentNode.data)) found.push(walker.currentNode.data.slice(0, 80));
    return found;
  });
  assert.deepEqual(raw, []);
}

/** All that `chart` says of its items while one walks over them by key. */
async function readOut(page, chart, most) {
  const figure = page.locator(`figure[data-chart="${chart}"]`);
  await figure.locator(".plot").focus();
  const said = [];
  for (let i = 0; i < most; ++i) {
    await page.keyboard.press("ArrowRight");
    said.push(await figure.locator(".detail").textContent());
  }
  return said;
}

describe("hostile names are text", () => {
  for (const id of ["head", "tables-host-ranges", "tables-gpu-ranges", "tables-gpu-projection", "tables-kernels"]) {
    test(`in section ${id}`, async () => {
      await withPage(generated("hostile").page, {}, async (page, seen) => {
        const section = page.locator(`section#${id}`);
        const text = await section.textContent();
        assert.ok(text.includes(id === "head" ? kScript : kImage), text.slice(0, 500));
        if (id !== "head") {
          const names = await section.locator("td.name").allTextContents();
          assert.ok(names.some((name) => name.includes(kScript)));
          assert.ok(names.some((name) => /100,00\d|bytes/.test(name) && name.includes("xxxx")), "the long name says its length");
          for (const name of names) assert.ok(name.length <= kMost, `${name.length} characters`);
          // Each name, or each part of a path, is kept from turning what stands beside it.
          assert.equal(await section.locator("td.name").count(), await section.locator("td.name:has(bdi)").count());
        }
        await assertHarmless(page, seen);
      });
    });
  }

  test("in the title, the data and the heading", async () => {
    await withPage(generated("hostile").page, {}, async (page, seen) => {
      assert.ok((await page.title()).includes(kScript));
      assert.ok((await page.textContent("h1")).includes(kScript));
      const data = await dataOf(page);
      assert.ok(data.scopes.name.includes(kImage));
      const element = await page.evaluate(() => document.getElementById("rangewise-data").innerHTML);
      assert.doesNotMatch(element, /[<>&\u2028\u2029]/);
      await assertHarmless(page, seen);
    });
  });

  test("in the tiles and words of the scope chart", async () => {
    await withPage(generated("hostile").page, {}, async (page, seen) => {
      const figure = page.locator('figure[data-chart="scopes"]');
      const labels = await figure.locator('[role="treeitem"]').evaluateAll((tiles) => tiles.map((tile) => tile.getAttribute("aria-label")));
      assert.ok(labels.some((label) => label.startsWith(kImage)));
      const drawn = await figure.locator(".scope-label text").allTextContents();
      assert.ok(drawn.some((text) => text.startsWith("<") || text.startsWith("\\") || text.startsWith("=")), drawn.join("|"));
      await figure.getByLabel("Search").fill("<img");
      assert.match(await figure.getByRole("status").textContent(), /^\d+ scopes?, own time/);
      const tile = figure.locator('[role="treeitem"].is-found').first();
      await tile.focus();
      await page.keyboard.press("Enter");
      assert.ok((await figure.locator(".trail").textContent()).includes(kImage));
      assert.ok((await figure.locator(".detail").textContent()).includes(kImage));
      await assertHarmless(page, seen);
    });
  });

  test("in the rows of the GPU chart", async () => {
    await withPage(generated("hostile").page, {}, async (page, seen) => {
      const figure = page.locator('figure[data-chart="gpu-scopes"]');
      const drawn = await figure.locator(".row-label text").allTextContents();
      assert.ok(drawn.some((text) => text.startsWith("<img") || text.startsWith("</script>")), drawn.join("|"));
      const plot = figure.locator("svg").first();
      const said = [];
      for (let line = 0; line < drawn.length; ++line) {
        await plot.hover({ position: { x: 10, y: 12 + line * 20 } });
        said.push(await figure.locator(".detail").textContent());
      }
      assert.ok(said.some((text) => text.startsWith(kImage)), said.join("|").slice(0, 800));
      const read = await readOut(page, "gpu-scopes", drawn.length);
      assert.deepEqual(read, said);
      await assertHarmless(page, seen);
    });
  });

  test("in the items of the timeline", async () => {
    await withPage(generated("hostile").page, {}, async (page, seen) => {
      const said = await readOut(page, "timeline", 44);
      assert.ok(said.some((text) => text.includes(kImage) && text.includes("host range")), said.join("|").slice(0, 800));
      assert.ok(said.some((text) => text.includes(kImage) && text.includes("kernel")));
      await assertHarmless(page, seen);
    });
  });

  test("in a saved picture and in CSV", async () => {
    await withPage(generated("hostile").page, {}, async (page, seen) => {
      const download = page.waitForEvent("download");
      await page.locator('figure[data-chart="scopes"]').getByRole("button", { name: "Save SVG" }).click();
      const text = readFileSync(await (await download).path(), "utf8");
      assert.doesNotMatch(text, /<script|<img|onerror="/);
      // Parsed in a page without a policy, as whoever opens the file will.
      const other = await page.context().newPage();
      const parsed = await other.evaluate((source) => {
        const saved = new DOMParser().parseFromString(source, "image/svg+xml");
        return {
          root: saved.documentElement.nodeName,
          elements: [...new Set([...saved.querySelectorAll("*")].map((element) => element.nodeName))].sort(),
          labels: [...saved.querySelectorAll("[aria-label]")].map((element) => element.getAttribute("aria-label")),
        };
      }, text);
      await other.close();
      assert.equal(parsed.root, "svg");
      assert.deepEqual(parsed.elements.filter((name) => !["svg", "g", "rect", "text", "tspan", "title", "line", "path", "circle"].includes(name)), []);
      assert.ok(parsed.labels.some((label) => label.startsWith(kImage)), parsed.labels.join("|").slice(0, 400));
      await page.evaluate(() => {
        Object.defineProperty(navigator, "clipboard", { value: { writeText: async (copied) => (window.copied = copied) } });
      });
      await page.locator("section#tables-kernels").getByRole("button", { name: "Copy as CSV" }).first().click();
      const csv = await page.evaluate(() => window.copied);
      assert.ok(csv.includes(kImage.replaceAll('"', '""')));
      assert.doesNotMatch(csv, /(^|\n)"?=HYPERLINK/);
      await assertHarmless(page, seen);
    });
  });

  test("at 400 px, where nothing may widen the page", async () => {
    await withPage(generated("hostile").page, { width: 400 }, async (page, seen) => {
      await assertFits(page);
      await assertHarmless(page, seen);
    });
  });

  test("without scripts", async () => {
    await withPage(generated("hostile").page, { scripts: false }, async (page, seen) => {
      assert.deepEqual(seen, { errors: [], requests: [], dialogs: [] });
      assert.ok((await page.textContent("section#tables-kernels")).includes(kImage));
      assert.equal(await page.locator("img").count(), 0);
    });
  });

  for (const chart of ["strips", "forest"]) {
    test(`in a comparison: ${chart} and tables`, async () => {
      const { page: file } = comparison("hostile", (analysis) => {
        for (const group of [...analysis.host_ranges, ...analysis.gpu_projected_ranges]) {
          if (group.path.at(-1) === "Compute") {
            group.path[group.path.length - 1] = kImage;
            group.name = kImage;
          }
        }
        analysis.run.run_id = `${kScript} ${analysis.run.run_id}`;
      });
      await withPage(file, {}, async (page, seen) => {
        const data = await dataOf(page);
        assert.ok(data.metrics.some((metric) => metric.rows.some((row) => row.label.includes(kImage))));
        const drawn = await page.locator(`figure[data-chart="${chart}"] .row-label text`).allTextContents();
        assert.ok(drawn.some((text) => text.includes("<img")), drawn.join("|"));
        assert.ok((await page.locator("td.name").allTextContents()).some((name) => name.includes(kImage)));
        await assertHarmless(page, seen);
      });
    });
  }
});
