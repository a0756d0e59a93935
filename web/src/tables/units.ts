// One unit for all times of a table; "auto" is what the program wrote.
import { formatTimeIn, type TimeUnit } from "../numbers.ts";
import { cellNumber, columnKinds } from "./cells.ts";

export type UnitChoice = "auto" | TimeUnit;

const written = new WeakMap<HTMLTableCellElement, string>();

export function switchUnit(table: HTMLTableElement, unit: UnitChoice): void {
  const kinds = columnKinds(table);
  for (const row of table.tBodies[0]!.rows) {
    for (let column = 0; column < kinds.length; ++column) {
      const cell = row.cells[column];
      if (kinds[column] !== "ns" || !cell) continue;
      const number = cellNumber(cell);
      if (number === null) continue; // what is missing is so in every unit
      if (!written.has(cell)) written.set(cell, cell.textContent ?? "");
      cell.textContent = unit === "auto" ? written.get(cell)! : formatTimeIn(number, unit);
    }
  }
}
