// Debian's Chromium over playwright-core, and pages that are watched: every request, console message and
// violation of the policy is kept.
import { pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

const kArguments = [
  "--no-sandbox", // Chromium has none for root
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser;

/** One browser, with a fresh profile, for all tests of the process. */
async function theBrowser() {
  browser ??= chromium.launch({
    executablePath: process.env.RANGEWISE_CHROMIUM,
    args: kArguments,
    headless: true,
    timeout: 120_000,
  });
  return browser;
}

export async function closeBrowser() {
  if (browser) await (await browser).close();
  browser = undefined;
}

/** Pages of one context share a window's size and colour scheme, and nothing with those of others. `zoom`: 2 for 200 %. */
export async function newContext({ width = 1280, height = 900, dark = false, scripts = true, zoom = 1, calm = false } = {}) {
  return (await theBrowser()).newContext({
    viewport: { width: Math.floor(width / zoom), height: Math.floor(height / zoom) },
    deviceScaleFactor: zoom,
    reducedMotion: calm ? "reduce" : "no-preference",
    colorScheme: dark ? "dark" : "light",
    javaScriptEnabled: scripts,
    acceptDownloads: true,
  });
}

/**
 * Opens a file and waits until its script is done. `seen` holds what must stay empty: errors, requests other than
 * that for the page itself (data: and blob: reach nobody), and dialogs.
 */
export async function openPage(file, options = {}) {
  const context = await newContext(options);
  const page = await context.newPage();
  const seen = { errors: [], requests: [], dialogs: [] };
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.errors.push(message.text());
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const url = pathToFileURL(file).href;
  page.on("request", (request) => {
    const target = request.url();
    if (target !== url && !/^(data|blob):/.test(target)) seen.requests.push(target);
  });
  await page.route(/^(?!file:|data:|blob:)/, (route) => route.abort());
  await page.goto(url, { timeout: 120_000 });
  if (options.scripts ?? true) {
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true", null, { timeout: 60_000 });
  }
  return { page, seen, close: () => context.close() };
}

/** Opens a page, runs `use` on it, and closes it in any case. */
export async function withPage(file, options, use) {
  const opened = await openPage(file, options);
  try {
    return await use(opened.page, opened.seen);
  } finally {
    await opened.close();
  }
}
