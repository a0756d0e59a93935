// Ratios with their intervals, sorted by effect: a panel a metric, the floor's band behind.
import type { ComparedMetric, ComparedRow, ComparisonPage } from "../data.ts";
import { counted, formatRatio } from "../numbers.ts";
import { ChartFrame } from "./frame.ts";
import { drawLegend, type LegendEntry } from "./legend.ts";
import { drawMetricPanels, nameWidth } from "./metric_panels.ts";
import { drawPlot, fitText, Plot, type Drawn } from "./plot.ts";
import { kVerdicts, lookOf } from "./verdicts.ts";

const kRow = 20;
const kTop = 26;
const kBottom = 36;
const kVerdictWidth = 104;
const kLeastRange = Math.log(1.05); // a picture of no change at all still has an axis

interface Line {
  row: ComparedRow;
  line: number;
}

export function drawForest(figure: HTMLElement, data: ComparisonPage): void {
  const frame = new ChartFrame(figure, "Point at a row, or move with the arrow keys, to read it.");
  const seen = new Set(data.metrics.flatMap((metric) => metric.rows.filter(hasRatio).map((row) => row.verdict)));
  const entries: LegendEntry[] = kVerdicts
    .filter((verdict) => seen.has(verdict))
    .map((verdict) => lookOf(verdict))
    .map((look) => ({ text: look.word, mark: look.mark, symbol: look.symbol }));
  if (data.floor_ratio !== null) entries.push({ text: "within the floor", mark: "floor-band", shape: "band" });
  drawMetricPanels(
    frame,
    data.metrics,
    hasRatio,
    "rows",
    (metric, rows, width) => drawPanel(metric, rows, data.floor_ratio, width, frame),
    (width) => drawLegend(entries, width),
    "they have no ratio (added, removed, or not comparable); the tables list them",
  );
}

function hasRatio(row: ComparedRow): boolean {
  return row.ratio !== null && row.ratio > 0;
}

// Multiples of one step in the logarithm do not read well; these do, and get finer with the range.
function ratioTicks(low: number, high: number, most: number): number[] {
  for (const step of [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 50, 100]) {
    const ticks: number[] = [];
    for (let i = Math.ceil((low - 1) / step); 1 + i * step <= high && ticks.length <= most; ++i) {
      if (1 + i * step > 0) ticks.push(Number((1 + i * step).toPrecision(6)));
    }
    if (ticks.length <= most) return ticks;
  }
  return [1];
}

function drawPanel(metric: ComparedMetric, rows: ComparedRow[], floor: number | null, width: number, frame: ChartFrame): Drawn {
  const lines: Line[] = [...rows]
    .sort((a, b) => b.ratio! - a.ratio! || (a.label < b.label ? -1 : 1))
    .map((row, line) => ({ row, line }));
  const names = nameWidth(width, rows);
  const verdicts = width > 560 ? kVerdictWidth : 12;
  const edge = floor ?? 0;
  const logs = rows.flatMap((row) => [row.ratio!, row.low, row.high].filter((v): v is number => v !== null && v > 0).map(Math.log));
  const low = Math.min(-kLeastRange, -Math.log(1 + edge) * 1.3, ...logs) - 0.005;
  const high = Math.max(kLeastRange, Math.log(1 + edge) * 1.3, ...logs) + 0.005;
  const domain = [Math.exp(low), Math.exp(high)];
  const height = kTop + kBottom + lines.length * kRow;
  const middle = ({ line }: Line) => line + 0.5;
  const withInterval = lines.filter(({ row }) => row.low !== null && row.high !== null && row.low > 0);
  const ticks = ratioTicks(domain[0]!, domain[1]!, Math.max(3, Math.floor((width - names - verdicts) / 60)));
  const name = ({ row }: Line) => fitText(row.primary ? `★ ${row.label}` : row.label, names - 10) || "…";
  const looks = kVerdicts.map(lookOf);
  const plot = drawPlot({
    width,
    height,
    marginLeft: names,
    marginRight: verdicts,
    marginTop: kTop,
    marginBottom: kBottom,
    x: { type: "log", domain },
    y: { domain: [0, lines.length], range: [kTop, height - kBottom], axis: null },
    marks: [
      ...(floor === null
        ? []
        : [Plot.rect([0], { x1: () => 1 / (1 + floor), x2: () => 1 + floor, className: "floor-band", ariaLabel: "floor" })]),
      // As data: of ticks of a logarithmic axis Plot would leave out the labels of some.
      Plot.axisX(ticks, { text: (ratio: number) => String(ratio), tickSize: 4, label: "candidate / baseline", labelArrow: "none", labelAnchor: "right" }),
      Plot.gridX({ ticks }),
      Plot.ruleX([1], { className: "axis-line" }),
      Plot.ruleY(withInterval, { x1: ({ row }) => row.low!, x2: ({ row }) => row.high!, y: middle, className: "interval", ariaLabel: "intervals" }),
      ...looks.map((look) =>
        Plot.dot(lines, {
          filter: ({ row }) => lookOf(row.verdict) === look,
          x: ({ row }) => row.ratio!,
          y: middle,
          r: 4.5,
          symbol: look.symbol,
          className: look.mark,
          ariaLabel: `ratios, ${look.word}`,
        }),
      ),
      Plot.text(lines, { y: middle, text: name, frameAnchor: "left", dx: -names, textAnchor: "start", className: "row-label" }),
      ...(verdicts === kVerdictWidth
        ? [Plot.text(lines, { y: middle, text: ({ row }: Line) => lookOf(row.verdict).word, frameAnchor: "right", dx: 10, textAnchor: "start", className: "row-label" })]
        : []),
      Plot.text([metric.title], { frameAnchor: "top-left", dx: -names, dy: -20, textAnchor: "start", className: "panel-title" }),
    ],
  });
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${metric.title}: ratios of ${counted(lines.length, "row")} with intervals`);
  plot.dataset.metric = metric.id;
  const readings = lines.map(({ row }) => `${metric.title}, ${describe(row)}`);
  frame.readings.push(...readings);
  plot.addEventListener("pointermove", (event) => {
    frame.tell(readings[Math.floor((event.clientY - plot.getBoundingClientRect().top - kTop) / kRow)] ?? null);
  });
  plot.addEventListener("pointerleave", () => frame.tell(null));
  return plot;
}

function describe(row: ComparedRow): string {
  const interval = row.low !== null && row.high !== null ? `, interval ${formatRatio(row.low)} to ${formatRatio(row.high)}` : ", no interval";
  const q = row.q === null ? "" : `, q ${row.q.toPrecision(2)}`;
  const reason = row.reason ? ` (${row.reason})` : "";
  return `${row.label}: ratio ${formatRatio(row.ratio)}${interval}${q}: ${lookOf(row.verdict).word}${reason}`;
}
