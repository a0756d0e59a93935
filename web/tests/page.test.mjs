// All tests of the page, in one process with one browser.
import { after } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { startAfresh } from "./support/inputs.mjs";

startAfresh();
after(closeBrowser);

await import("./cases/run.mjs");
await import("./cases/tables.mjs");
await import("./cases/charts.mjs");
await import("./cases/shapes.mjs");
await import("./cases/comparison.mjs");
await import("./cases/hostile.mjs");
await import("./cases/readers.mjs");
await import("./cases/looks.mjs");
