// A legend as a picture of its own, so that a saved chart has it, too.
import { drawPlot, Plot, textWidth, type Drawn } from "./plot.ts";

export interface LegendEntry {
  text: string;
  mark: string; // class of the mark, as in the chart
  symbol?: Plot.SymbolType;
  shape?: "dot" | "line" | "band";
  hollow?: boolean;
}

const kRow = 18;
const kSwatch = 22;
const kGap = 18;

export function drawLegend(entries: LegendEntry[], width: number): Drawn {
  let x = 0;
  let row = 0;
  const placed = entries.map((entry) => {
    const length = kSwatch + textWidth(entry.text) + kGap;
    if (x > 0 && x + length > width) {
      x = 0;
      row += 1;
    }
    const place = { ...entry, x, y: row * kRow + kRow / 2 };
    x += length;
    return place;
  });
  const height = (row + 1) * kRow;
  const marks: Plot.Markish[] = placed.map((entry) => {
    const className = `${entry.mark} legend-mark`;
    const middle = [entry.x + 8];
    if (entry.shape === "band") {
      return Plot.rect(middle, { x1: entry.x, x2: entry.x + 16, y1: entry.y - 5, y2: entry.y + 5, className });
    }
    if (entry.shape === "line") {
      return Plot.ruleY(middle, { x1: entry.x, x2: entry.x + 16, y: entry.y, className });
    }
    return Plot.dot(middle, { x: entry.x + 8, y: entry.y, r: 4, symbol: entry.symbol ?? "circle", className });
  });
  marks.push(
    Plot.text(placed, { x: (d) => d.x + kSwatch, y: "y", text: "text", textAnchor: "start", className: "legend-text" }),
  );
  const legend = drawPlot({
    width,
    height,
    margin: 0,
    x: { domain: [0, width], range: [0, width], axis: null },
    y: { domain: [0, height], range: [0, height], axis: null },
    marks,
  });
  legend.setAttribute("aria-hidden", "true"); // the labels of the chart say the same
  legend.classList.add("legend");
  return legend;
}
