// Iterations over their index: host time and GPU projection are two plots with an axis each, aligned.
import type { Iterations, Maybe, Spread } from "../data.ts";
import { counted, formatTick, formatTime, kNsPer, unitFor, unitLabel } from "../numbers.ts";
import { addBrush, addZoomTools, Extent, zoomByKey } from "./extent.ts";
import { ChartFrame, stepByKey } from "./frame.ts";
import { drawLegend } from "./legend.ts";
import { domainOf, drawPlot, Plot, wholeTicks, type Drawn } from "./plot.ts";

const kMostDots = 2500; // in sight; more are drawn as one line, which the eye cannot tell apart anyway
export const kMads = 3; // median absolute deviations on either side of the median, as in the rule for outliers
const kHeight = 190;
const kMargin = { left: 64, right: 16, top: 24, bottom: 34 };

interface Point {
  position: number;
  index: number;
  value: number; // in the unit of the axis
}

interface Panel {
  title: string;
  series: "host" | "projected";
  column: Maybe[];
  spread: Spread | null;
}

export function drawIterations(figure: HTMLElement, data: Iterations): void {
  const frame = new ChartFrame(
    figure,
    "Point at an iteration, or move with the arrow keys; drag to zoom, Escape or a double click shows all.",
  );
  const panels: Panel[] = [
    { title: "host inclusive", series: "host", column: data.host_inclusive_ns, spread: data.host },
    { title: "GPU projection", series: "projected", column: data.projected_ns, spread: data.projection },
  ];
  const drawable = panels.filter((panel) => panel.column.some((value) => value !== null));
  if (data.index.length === 0 || drawable.length === 0) {
    frame.giveUp("There are no iterations to draw.");
    return;
  }
  const first = data.index[0]!;
  const last = data.index[data.index.length - 1]!;
  const extent = new Extent(first - 0.5, last + 0.5, 2);
  const cursor = new Cursor(frame, data, panels, extent);
  let width = 0;
  const draw = () => {
    const plots = drawable.map((panel, i) => drawPanel(panel, data, extent, width, i === drawable.length - 1));
    frame.plot.replaceChildren(drawLegend(legendFor(data, drawable), width), ...plots);
    plots.forEach((plot) => cursor.watch(plot));
    remarkOn(frame, panels, data);
  };
  if (data.index.length > 2) addZoomTools(frame.tools, extent);
  frame.addSaving();
  extent.onChange(draw);
  frame.takeFocus("Arrow keys read the iterations one by one, plus and minus zoom.");
  frame.plot.addEventListener("keydown", (event) => {
    if (cursor.moveByKey(event.key) || zoomByKey(extent, event.key)) event.preventDefault();
  });
  frame.keepDrawn((newWidth) => {
    width = newWidth;
    draw();
  });
}

function legendFor(data: Iterations, panels: Panel[]) {
  const words = { host: "iteration, host", projected: "iteration, GPU projection" };
  const isOdd = panels.some((panel) => (panel.spread?.outliers.length ?? 0) > 0);
  return [
    ...panels.map(({ series }) => ({ text: words[series], mark: `${series}-dot` })),
    ...(isOdd ? [{ text: "outlier", mark: "outlier", symbol: "diamond" as const }] : []),
    { text: `first (${data.index[0]})`, mark: "first", symbol: "square" as const },
    { text: "median", mark: "median", shape: "line" as const },
    { text: `median ± ${kMads} MAD`, mark: "mad-band", shape: "band" as const },
  ];
}

function remarkOn(frame: ChartFrame, panels: Panel[], data: Iterations): void {
  const parts = panels.flatMap((panel) => {
    const missing = panel.column.filter((value) => value === null).length;
    if (missing === 0) return [];
    return missing === data.index.length
      ? [`No iteration has a value of ${panel.title}.`]
      : [`${counted(missing, "iteration")} without ${panel.title}: not drawn.`];
  });
  if (data.left_out > 0) parts.push(`${counted(data.left_out, "later iteration")} left out of this page.`);
  frame.remark(parts.join(" "));
}

function pointsInSight(panel: Panel, data: Iterations, extent: Extent, per: number): Point[] {
  const points: Point[] = [];
  data.index.forEach((index, position) => {
    const value = panel.column[position];
    if (value === null || value === undefined || index < extent.low || index > extent.high) return;
    points.push({ position, index, value: value / per });
  });
  return points;
}

function largest(values: Maybe[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function drawPanel(panel: Panel, data: Iterations, extent: Extent, width: number, isLast: boolean): Drawn {
  const unit = unitFor(largest(panel.column));
  const per = kNsPer[unit];
  const points = pointsInSight(panel, data, extent, per);
  const outliers = new Set(panel.spread?.outliers ?? []);
  const odd = points.filter((point) => outliers.has(point.position));
  const firsts = points.filter((point) => point.position === 0);
  const usual = points.filter((point) => !outliers.has(point.position) && point.position !== 0);
  const x = { domain: [extent.low, extent.high] };
  const marks: Plot.Markish[] = [Plot.axisY({ label: null, ticks: 5, tickSize: 4, tickFormat: formatTick }), Plot.gridY({ ticks: 5 })];
  const ticks = Math.max(2, Math.min(Math.floor(width / 90), Math.floor(extent.high - extent.low)));
  marks.push(
    Plot.axisX(wholeTicks(extent.low, extent.high, ticks), {
      tickSize: 4,
      label: isLast ? "iteration" : null,
      labelAnchor: "right",
      labelArrow: "none",
      text: (index: number) => String(index),
    }),
  );
  const shown = points.map((point) => point.value);
  if (panel.spread) {
    const median = panel.spread.median_ns / per;
    const mad = (kMads * (panel.spread.mad_ns ?? 0)) / per;
    const low = Math.max(0, median - mad); // no time is less
    shown.push(low, median + mad);
    marks.push(
      Plot.rect([median], { x1: extent.low, x2: extent.high, y1: low, y2: median + mad, className: "mad-band", ariaLabel: "median and MAD band" }),
      Plot.ruleY([median], { className: "median", ariaLabel: "median" }),
    );
  }
  const name = panel.series;
  if (usual.length > kMostDots) {
    marks.push(Plot.lineY(usual, { x: "index", y: "value", className: `${name}-line`, ariaLabel: "iterations" }));
  } else {
    marks.push(Plot.dot(usual, { x: "index", y: "value", r: usual.length > 300 ? 1.8 : 3, className: `${name}-dot`, ariaLabel: "iterations" }));
  }
  marks.push(
    Plot.dot(odd, { x: "index", y: "value", r: 4.5, symbol: "diamond", className: "outlier", ariaLabel: "outliers" }),
    Plot.dot(firsts, { x: "index", y: "value", r: 5, symbol: "square", className: "first", ariaLabel: "first iteration" }),
    Plot.text([`${panel.title} (${unitLabel(unit)})`], { frameAnchor: "top-left", dx: -kMargin.left, dy: -18, textAnchor: "start", className: "panel-title" }),
  );
  const plot = drawPlot({
    width,
    height: kHeight + (isLast ? 12 : 0),
    marginLeft: kMargin.left,
    marginRight: kMargin.right,
    marginTop: kMargin.top,
    marginBottom: isLast ? kMargin.bottom : kMargin.bottom - 12,
    x,
    y: { domain: domainOf(shown), nice: true, insetTop: 6, insetBottom: 6 },
    marks,
  });
  const range = panel.spread ? `, median ${formatTime(panel.spread.median_ns)}` : "";
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `${panel.title} of ${counted(points.length, "iteration")}${range}, ${counted(odd.length, "outlier")}`);
  plot.dataset.panel = panel.series;
  const scale = plot.scale("x")!;
  const area = { left: kMargin.left, right: width - kMargin.right, top: kMargin.top, bottom: Number(plot.getAttribute("height")) - (isLast ? kMargin.bottom : kMargin.bottom - 12) };
  if (data.index.length > 2) addBrush(plot, area, (at) => scale.invert!(at) as number, extent);
  return plot;
}

// The iteration that is read out: a line through both plots, and its numbers in words.
class Cursor {
  private position = -1;
  private plots: Drawn[] = [];

  constructor(
    private readonly frame: ChartFrame,
    private readonly data: Iterations,
    private readonly panels: Panel[],
    private readonly extent: Extent,
  ) {
    extent.onChange(() => {
      this.plots = [];
      this.position = -1;
      this.frame.tell(null);
    });
  }

  watch(plot: Drawn): void {
    this.plots = [...this.plots.filter((other) => other.isConnected), plot];
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const scale = plot.scale("x")!;
      this.moveTo(this.nearest(scale.invert!(event.clientX - box.left) as number));
    });
    plot.addEventListener("pointerleave", () => this.moveTo(-1));
  }

  moveByKey(key: string): boolean {
    const last = this.data.index.length - 1;
    const from = this.position >= 0 ? this.position : this.nearest(this.extent.low) - 1;
    const next = stepByKey(key, from, last);
    if (next !== null) this.moveTo(next);
    return next !== null;
  }

  private nearest(index: number): number {
    const all = this.data.index;
    let low = 0;
    let high = all.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle]! < index) low = middle + 1;
      else high = middle;
    }
    return low > 0 && index - all[low - 1]! < all[low]! - index ? low - 1 : low;
  }

  private moveTo(position: number): void {
    if (position === this.position) return;
    this.position = position;
    const index = this.data.index[position];
    for (const plot of this.plots) {
      plot.querySelector(".cursor")?.remove();
      if (index === undefined || index < this.extent.low || index > this.extent.high) continue;
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      const x = String(plot.scale("x")!.apply(index));
      const attributes = { class: "cursor", x1: x, x2: x, y1: String(kMargin.top), y2: String(kHeight - 22) };
      for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
      plot.append(line);
    }
    this.frame.tell(index === undefined ? null : this.describe(position, index));
  }

  private describe(position: number, index: number): string {
    const parts = this.panels.map((panel) => {
      const outlier = panel.spread?.outliers.includes(position) ? " (outlier)" : "";
      return `${panel.title} ${formatTime(panel.column[position])}${outlier}`;
    });
    return `Iteration ${index}: ${parts.join(", ")}`;
  }
}
