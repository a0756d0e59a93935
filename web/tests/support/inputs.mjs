// What the tests look at: pages that the built program makes of samples and of runs that page_inputs writes.
// Places come from the environment (web/tests/run sets them): RANGEWISE_BINARY, RANGEWISE_PAGE_INPUTS,
// RANGEWISE_WEB_OUT (a folder of the build).
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const kSource = resolve(fileURLToPath(import.meta.url), "../../../..");
const kBinary = process.env.RANGEWISE_BINARY;
const kPageInputs = process.env.RANGEWISE_PAGE_INPUTS;
export const kOut = process.env.RANGEWISE_WEB_OUT;
if (!kBinary || !kPageInputs || !kOut) throw new Error("start these tests by web/tests/run");

const kRuns = join(kOut, "runs");
const made = new Map();

function rangewise(...words) {
  execFileSync(kBinary, words, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
}

function once(name, make) {
  if (!made.has(name)) made.set(name, make());
  return made.get(name);
}

/** Forgets what an earlier run of the tests left. */
export function startAfresh() {
  rmSync(kRuns, { recursive: true, force: true });
  mkdirSync(kRuns, { recursive: true });
}

function pageOf(folder) {
  const page = join(folder, "report.html");
  rangewise("analyze", folder, "--quiet");
  rangewise("report", folder, "-o", page);
  return { page, analysis: join(folder, "analysis.json") };
}

/** The page and the analysis of a run that page_inputs writes ("gpu", "hostile", …). */
export function generated(name) {
  return once(`generated ${name}`, () => {
    execFileSync(kPageInputs, [kRuns, name]);
    return pageOf(join(kRuns, name));
  });
}

/** The page and the analysis of a sample of the repository. */
export function sample(name) {
  return once(`sample ${name}`, () => {
    const folder = join(kRuns, name);
    cpSync(join(kSource, "samples", name), folder, { recursive: true });
    return pageOf(folder);
  });
}

/**
 * The page and the JSON of a comparison of the sample's cohorts. `change` may alter each analysis (and gets the side)
 * before they are compared.
 */
export function comparison(name, change = () => {}) {
  return once(`comparison ${name}`, () => {
    const folder = join(kRuns, `comparison-${name}`);
    for (const side of ["before", "after"]) {
      cpSync(join(kSource, "samples", "cohorts", side), join(folder, side), { recursive: true });
      for (const run of runsBelow(join(folder, side))) {
        const analysis = JSON.parse(readFileSync(run, "utf8"));
        change(analysis, side);
        writeFileSync(run, JSON.stringify(analysis));
      }
    }
    const json = join(folder, "comparison.json");
    try {
      rangewise("compare", "--baseline", join(folder, "before"), "--candidate", join(folder, "after"), "--format", "json", "-o", json);
    } catch (error) {
      if (!existsSync(json)) throw error; // a verdict other than "no change" has an exit code of its own
    }
    const page = join(folder, "report.html");
    rangewise("report", json, "-o", page);
    return { page, json };
  });
}

function runsBelow(side) {
  const listed = execFileSync("find", [side, "-name", "analysis.json"], { encoding: "utf8" });
  return listed.split("\n").filter(Boolean).sort();
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The JSON that the page itself holds. */
export function dataOf(page) {
  return page.evaluate(() => JSON.parse(document.getElementById("rangewise-data").textContent));
}
