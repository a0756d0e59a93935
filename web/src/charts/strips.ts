// Each run's value as a point: a panel a metric, a row a range, relative to the median of the baseline's runs.
import { median } from "d3-array";

import type { ComparedMetric, ComparedRow, ComparisonPage, Maybe } from "../data.ts";
import { counted, formatTime } from "../numbers.ts";
import { ChartFrame } from "./frame.ts";
import { drawLegend, type LegendEntry } from "./legend.ts";
import { drawMetricPanels, nameWidth } from "./metric_panels.ts";
import { drawPlot, fitText, Plot, type Drawn } from "./plot.ts";

const kRow = 24;
const kTop = 26;
const kBottom = 36;
const kValueWidth = 84;

interface RunPoint {
  label: string; // of the run
  side: "baseline" | "candidate";
  value: number;
  share: number; // of the row's reference
  line: number;
}

export function drawStrips(figure: HTMLElement, data: ComparisonPage): void {
  const frame = new ChartFrame(figure, "Point at a run, or move with the arrow keys, to read it.");
  const entries: LegendEntry[] = [
    { text: "run of the baseline", mark: "run-baseline", symbol: "circle" },
    { text: "run of the candidate", mark: "run-candidate", symbol: "triangle" },
  ];
  drawMetricPanels(
    frame,
    data.metrics,
    (row) => referenceOf(row) !== null,
    "runs",
    (metric, rows, width) => drawPanel(metric, rows, data.runs, width, frame),
    (width) => drawLegend(entries, width),
    "no run has a value above 0",
  );
}

function present(values: Maybe[]): number[] {
  return values.filter((value): value is number => value !== null);
}

/** The median of the baseline's runs, or of the candidate's where the baseline has none. */
function referenceOf(row: ComparedRow): number | null {
  const values = present(row.baseline).length > 0 ? present(row.baseline) : present(row.candidate);
  const middle = median(values);
  return middle !== undefined && middle > 0 ? middle : null;
}

function drawPanel(metric: ComparedMetric, rows: ComparedRow[], runs: ComparisonPage["runs"], width: number, frame: ChartFrame): Drawn {
  const names = nameWidth(width, rows);
  const right = width > 560 ? kValueWidth : 12;
  const points: RunPoint[] = rows.flatMap((row, line) => {
    const reference = referenceOf(row)!;
    return (["baseline", "candidate"] as const).flatMap((side) =>
      row[side].flatMap((value, run) =>
        value === null ? [] : [{ label: runs[side][run] ?? `${side} ${run + 1}`, side, value, share: value / reference, line }],
      ),
    );
  });
  const height = kTop + kBottom + rows.length * kRow;
  // The sides stand one above the other within a row, so that runs of equal values do not hide each other.
  const y = (point: RunPoint) => point.line + (point.side === "baseline" ? 0.32 : 0.68);
  const shares = points.map((point) => point.share);
  const low = Math.min(0.98, ...shares);
  const high = Math.max(1.02, ...shares);
  const room = (high - low) * 0.04;
  const ticks = Math.max(2, Math.floor((width - names - right) / 80));
  const lines = rows.map((row, line) => ({ row, line }));
  const plot = drawPlot({
    width,
    height,
    marginLeft: names,
    marginRight: right,
    marginTop: kTop,
    marginBottom: kBottom,
    x: { domain: [low - room, high + room] },
    y: { domain: [0, rows.length], range: [kTop, height - kBottom], axis: null },
    marks: [
      Plot.rect(lines, { filter: ({ line }) => line % 2 === 0, x1: () => low - room, x2: () => high + room, y1: "line", y2: ({ line }) => line + 1, className: "lane" }),
      Plot.axisX({ ticks, tickSize: 4, tickFormat: (share: number) => `${Number((100 * share).toPrecision(6))} %`, label: "of the baseline's median", labelArrow: "none", labelAnchor: "right" }),
      Plot.gridX({ ticks }),
      Plot.ruleX([1], { className: "axis-line" }),
      Plot.dot(points, { filter: (point) => point.side === "baseline", x: "share", y, r: 3.5, className: "run-baseline", ariaLabel: "baseline runs" }),
      Plot.dot(points, { filter: (point) => point.side === "candidate", x: "share", y, r: 3.5, symbol: "triangle", className: "run-candidate", ariaLabel: "candidate runs" }),
      Plot.text(lines, { y: ({ line }) => line + 0.5, text: ({ row }) => fitText(row.primary ? `★ ${row.label}` : row.label, names - 10) || "…", frameAnchor: "left", dx: -names, textAnchor: "start", className: "row-label" }),
      ...(right === kValueWidth
        ? [
            Plot.text(lines, { y: ({ line }: { line: number }) => line + 0.5, text: ({ row }: { row: ComparedRow }) => formatTime(referenceOf(row)), frameAnchor: "right", dx: kValueWidth, textAnchor: "end", className: "row-label" }),
            Plot.text(["median = 100 %"], { frameAnchor: "top-right", dx: kValueWidth, dy: -18, textAnchor: "end", className: "mark-label" }),
          ]
        : []),
      Plot.text([metric.title], { frameAnchor: "top-left", dx: -names, dy: -20, textAnchor: "start", className: "panel-title" }),
    ],
  });
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${metric.title}: ${counted(points.length, "value")} of runs in ${counted(rows.length, "row")}`);
  plot.dataset.metric = metric.id;
  const describe = (point: RunPoint) =>
    `${metric.title}, ${rows[point.line]!.label}, ${point.side} ${point.label}: ${formatTime(point.value)} (${(100 * point.share).toFixed(2)} %)`;
  frame.readings.push(...points.map(describe));
  const x = plot.scale("x")!;
  plot.addEventListener("pointermove", (event) => {
    const box = plot.getBoundingClientRect();
    const at = (event.clientY - box.top - kTop) / kRow;
    const share = x.invert!(event.clientX - box.left) as number;
    const near = points
      .filter((point) => Math.abs(y(point) - at) < 0.25)
      .reduce<RunPoint | null>((best, point) => (!best || Math.abs(point.share - share) < Math.abs(best.share - share) ? point : best), null);
    frame.tell(near && describe(near));
  });
  plot.addEventListener("pointerleave", () => frame.tell(null));
  return plot;
}
