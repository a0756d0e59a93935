// A table as CSV (RFC 4180): exact numbers, units in the headings, the rows that the filter shows, in their order.
import { cellText, columnKinds, headers } from "./cells.ts";

const kUnitSuffix: Record<string, string> = { ns: " (ns)", bytes: " (bytes)", rate: " (bytes/s)" };

export function toCsv(table: HTMLTableElement): string {
  const kinds = columnKinds(table);
  const lines = [headers(table).map((header, i) => cellText(header) + (kUnitSuffix[kinds[i]!] ?? ""))];
  for (const row of table.tBodies[0]!.rows) {
    if (row.hidden) continue;
    lines.push(
      kinds.map((kind, column) => {
        const cell = row.cells[column];
        return kind === "text" ? guardFormula(cellText(cell)) : (cell?.dataset.v ?? cellText(cell));
      }),
    );
  }
  return lines.map((fields) => fields.map(quote).join(",") + "\r\n").join("");
}

function quote(field: string): string {
  return /[",\r\n]/.test(field) ? `"${field.replace(/"/g, '""')}"` : field;
}

// A spreadsheet takes these for the beginning of a formula, whatever stands in quotes.
function guardFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
