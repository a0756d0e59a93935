// Hides the rows that do not hold all of the words.

/** Returns how many rows are shown. */
export function filterRows(body: HTMLTableSectionElement, text: string): number {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of body.rows) {
    const content = words.length > 0 ? (row.textContent ?? "").toLowerCase() : "";
    row.hidden = !words.every((word) => content.includes(word));
    if (!row.hidden) shown += 1;
  }
  return shown;
}
