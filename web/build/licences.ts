// Gathers the licences of the packages whose code ended up in the bundle.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

interface Manifest {
  name?: string;
  version?: string;
  license?: string;
}

// The folder of the package that holds `file`, or null for our own sources and virtual modules.
function packageFolder(file: string): string | null {
  if (!file.includes("/node_modules/")) return null;
  for (let folder = dirname(file); folder.includes("/node_modules/"); folder = dirname(folder)) {
    // Some packages keep nameless package.json files in subfolders to set the module type.
    const path = join(folder, "package.json");
    if (existsSync(path) && (JSON.parse(readFileSync(path, "utf8")) as Manifest).name) return folder;
  }
  return null;
}

function licenceText(folder: string, manifest: Manifest): string {
  const file = readdirSync(folder)
    .sort()
    .find((name) => /^(licen[cs]e|copying)(\.\w+)?$/i.test(name));
  if (file) return readFileSync(join(folder, file), "utf8").replace(/\r\n/g, "\n").trim();
  throw new Error(`${manifest.name} ships no licence text; its code may not be bundled`);
}

/** The licences of all packages among `modules` (paths of files), ordered by package name. */
export function gatherLicences(modules: Iterable<string>): string {
  const folders = new Set<string>();
  for (const module of modules) {
    const folder = packageFolder(module.replace(/^\0/, "").replace(/\?.*$/, ""));
    if (folder) folders.add(folder);
  }
  const entries = [...folders].map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
    const title = `${manifest.name} ${manifest.version} (${manifest.license ?? "licence below"})`;
    return `${title}\n${"-".repeat(title.length)}\n${licenceText(folder, manifest)}\n`;
  });
  return entries.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).join("\n");
}
