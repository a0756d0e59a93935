// What the columns and cells of a table hold.

/** Kinds of the columns by position: "text", "count", "ns", "bytes", "ratio", "rate". */
export function columnKinds(table: HTMLTableElement): string[] {
  return headers(table).map((header) => header.dataset.kind ?? "text");
}

/** The heading cells of the last row of the head: one a column. */
export function headers(table: HTMLTableElement): HTMLTableCellElement[] {
  const rows = table.tHead?.rows;
  return rows && rows.length > 0 ? [...rows[rows.length - 1]!.cells] : [];
}

/** The exact number of a cell; null where it is missing. */
export function cellNumber(cell: HTMLTableCellElement | undefined): number | null {
  const raw = cell?.dataset.v;
  return raw === undefined || raw === "" ? null : Number(raw);
}

export function cellText(cell: HTMLTableCellElement | undefined): string {
  return cell?.textContent?.trim() ?? "";
}
