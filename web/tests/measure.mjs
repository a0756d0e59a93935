// Times how soon a page can be used, in headless Chromium:  node tests/measure.mjs PAGE [ROUNDS]
// No test, since times are those of the machine; docs/performance.md has figures and says what they mean.
import { availableParallelism, loadavg } from "node:os";
import { pathToFileURL } from "node:url";

import { closeBrowser, newContext } from "./support/browser.mjs";

const [file, rounds = "5"] = process.argv.slice(2);
if (!file || !process.env.RANGEWISE_CHROMIUM) {
  console.error("RANGEWISE_CHROMIUM=/usr/bin/chromium node tests/measure.mjs PAGE [ROUNDS]");
  process.exit(2);
}

/** Runs in the page before all else: notes long tasks and how long inputs wait for the frame that answers them. */
function watch() {
  const seen = { tasks: [], answers: {} };
  window.measured = seen;
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) seen.tasks.push([task.startTime, task.duration]);
  }).observe({ type: "longtask", buffered: true });
  for (const kind of ["click", "input"]) {
    window.addEventListener(kind, (event) => {
      // After the frame that follows: a task of its own runs once that frame is handed over.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => (seen.answers[kind] = performance.now() - event.timeStamp);
        port2.postMessage(null);
      });
    }, { capture: true });
  }
}

/** Milliseconds from the start of the navigation until the script is done, and until the frame after that. */
function untilReady() {
  return new Promise((resolve) => {
    const afterFrame = () => requestAnimationFrame(() => setTimeout(() => resolve({
      parsed: performance.getEntriesByType("navigation")[0].domInteractive,
      ready: performance.getEntriesByName("rangewise-ready")[0].startTime,
      interactive: performance.now(),
    })));
    const root = document.documentElement;
    if (root.dataset.ready) afterFrame();
    else new MutationObserver((_, observer) => {
      observer.disconnect();
      afterFrame();
    }).observe(root, { attributeFilter: ["data-ready"] });
  });
}

async function answerTo(page, kind) {
  const answer = await page.waitForFunction((kind) => window.measured.answers[kind], kind);
  return answer.jsonValue();
}

async function measureOnce() {
  const context = await newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.addInitScript(watch);
  await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
  const times = await page.evaluate(untilReady);
  const { metrics } = await session.send("Performance.getMetrics");
  const seconds = (name) => 1000 * metrics.find((metric) => metric.name === name).value;
  const result = { ...times, task: seconds("TaskDuration"), processor: seconds("ThreadTime"), script: seconds("ScriptDuration"), layout: seconds("LayoutDuration") + seconds("RecalcStyleDuration") };

  // The table with the most rows, since it takes the longest to sort.
  const button = await page.evaluateHandle(() => {
    const tables = [...document.querySelectorAll("table.data")].sort((a, b) => b.rows.length - a.rows.length);
    const heading = tables[0].querySelector('th[data-kind="ns"] button') ?? tables[0].querySelector("th button");
    heading.scrollIntoView({ block: "center" });
    return heading;
  });
  await button.asElement().click();
  result.click = await answerTo(page, "click");
  const search = page.locator('figure[data-chart="scopes"] input[type="search"]');
  if ((await search.count()) > 0) {
    await search.focus();
    await page.keyboard.press("o");
    result.key = await answerTo(page, "input");
  }
  result.longest = Math.max(0, ...(await page.evaluate(() => window.measured.tasks)).map(([, duration]) => duration));
  await context.close();
  return result;
}

const kTitles = {
  parsed: "HTML parsed",
  ready: "script done",
  interactive: "interactive (the frame after that)",
  task: "main thread busy until then",
  processor: "main thread's processor time until then",
  script: "script",
  layout: "style and layout",
  click: "click on a heading of the longest table → frame",
  key: "key in the search of scopes → frame",
  longest: "longest task",
};

const results = [];
await measureOnce(); // the first start of the browser is no matter of the page
for (let round = 0; round < Number(rounds); ++round) results.push(await measureOnce());
await closeBrowser();
for (const [name, title] of Object.entries(kTitles)) {
  const values = results.map((result) => result[name]).filter((value) => value !== undefined).sort((a, b) => a - b);
  if (values.length === 0) continue;
  const [least, middle, most] = [values[0], values[values.length >> 1], values.at(-1)].map((ms) => ms.toFixed(0).padStart(6));
  console.log(`${title.padEnd(50)} median ${middle} ms   (${least} to ${most})`);
}
console.log(`${rounds} rounds, load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors`);
