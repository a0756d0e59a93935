// Makes a static table sortable and filterable, switches the unit of its times, and copies it as CSV.
import { make, makeButton, makeSearch, makeSelect } from "../dom.ts";
import { counted, formatCount } from "../numbers.ts";
import { toCsv } from "./csv.ts";
import { filterRows } from "./filter.ts";
import { addSorting } from "./sort.ts";
import { switchUnit, type UnitChoice } from "./units.ts";

const kFewRows = 8; // a table that is seen at a glance needs no filter

const kUnits: [UnitChoice, string][] = [
  ["auto", "auto"],
  ["ns", "ns"],
  ["us", "µs"],
  ["ms", "ms"],
  ["s", "s"],
];

export function enhanceTable(table: HTMLTableElement): void {
  const body = table.tBodies[0];
  const box = table.closest<HTMLElement>(".table-box") ?? table;
  if (!body || !table.tHead) return;
  const status = make("span", { class: "status", role: "status" });
  const tools = make("div", { class: "tools", role: "group", "aria-label": `Tools: ${nameOf(table)}` });
  if (body.rows.length > kFewRows) {
    tools.append(
      makeSearch("Filter", (text) => {
        const shown = filterRows(body, text);
        const all = body.rows.length;
        status.textContent = text ? `${formatCount(shown)} of ${counted(all, "row")}` : "";
      }),
    );
  }
  if (table.tHead.querySelector('th[data-kind="ns"]')) {
    tools.append(makeSelect("Unit", kUnits, (unit) => switchUnit(table, unit as UnitChoice)));
  }
  tools.append(
    makeButton("Copy as CSV", () => void copyTable(table, status)),
    status,
  );
  box.before(tools);
  addSorting(table);
}

function nameOf(table: HTMLTableElement): string {
  return table.caption?.textContent?.trim() || table.dataset.table || "table";
}

async function copyTable(table: HTMLTableElement, status: HTMLElement): Promise<void> {
  const text = toCsv(table);
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text); // pages from disk may not be given the clipboard
  }
  status.textContent = "Copied";
}

function copyBySelection(text: string): void {
  const area = make("textarea", { class: "off-screen", "aria-hidden": "true", tabindex: -1 });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
