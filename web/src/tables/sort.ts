// Sorting by any column, by the exact numbers. Missing values come last in both directions.
import { make } from "../dom.ts";
import { cellNumber, cellText, columnKinds, headers } from "./cells.ts";

type Order = "ascending" | "descending";

export function addSorting(table: HTMLTableElement): void {
  const kinds = columnKinds(table);
  headers(table).forEach((header, column) => {
    const button = make("button", { type: "button", class: "sort" });
    if (header.title) {
      button.title = header.title; // the heading's own is not reached by keyboard
      header.removeAttribute("title");
    }
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener("click", () => {
      const numeric = kinds[column] !== "text";
      const first: Order = numeric ? "descending" : "ascending";
      const second: Order = numeric ? "ascending" : "descending";
      const order = header.getAttribute("aria-sort") === first ? second : first;
      for (const other of headers(table)) other.removeAttribute("aria-sort");
      header.setAttribute("aria-sort", order);
      sortRows(table, column, numeric, order);
    });
  });
}

function sortRows(table: HTMLTableElement, column: number, numeric: boolean, order: Order): void {
  const body = table.tBodies[0]!;
  const sign = order === "ascending" ? 1 : -1;
  const collator = new Intl.Collator("en", { numeric: true });
  const keyed = [...body.rows].map((row) => ({
    row,
    number: numeric ? cellNumber(row.cells[column]) : null,
    text: numeric ? "" : cellText(row.cells[column]),
  }));
  keyed.sort((a, b) => {
    if (!numeric) return sign * collator.compare(a.text, b.text);
    if (a.number === null || b.number === null) {
      return (a.number === null ? 1 : 0) - (b.number === null ? 1 : 0);
    }
    return sign * (a.number - b.number);
  });
  body.append(...keyed.map((entry) => entry.row));
}
