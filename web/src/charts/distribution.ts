// How often iterations took how long: a histogram each for host time and GPU projection.
import { bin } from "d3-array";

import { makeButton } from "../dom.ts";
import type { Iterations, Maybe, Spread } from "../data.ts";
import { counted, formatTick, formatTime, kNsPer, unitFor, unitLabel } from "../numbers.ts";
import { ChartFrame } from "./frame.ts";
import { kMads } from "./iterations.ts";
import { datumOf, domainOf, drawPlot, Plot, wholeTicks, type Drawn } from "./plot.ts";

const kHeight = 210;
const kLeastPanel = 360; // px; narrower and the two stand one below the other
const kMostBins = 60;
const kStretch = 4; // outliers that make the axis this much longer start out of sight

interface Panel {
  title: string;
  series: "host" | "projected";
  values: number[];
  usual: number[]; // without outliers
  spread: Spread | null;
}

function panelOf(title: string, series: Panel["series"], column: Maybe[], spread: Spread | null): Panel {
  const outliers = new Set(spread?.outliers ?? []);
  const values: number[] = [];
  const usual: number[] = [];
  column.forEach((value, position) => {
    if (value === null) return;
    values.push(value);
    if (!outliers.has(position)) usual.push(value);
  });
  return { title, series, values, usual, spread };
}

function length(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
}

export function drawDistribution(figure: HTMLElement, data: Iterations): void {
  const frame = new ChartFrame(figure, "Point at a bar, or move with the arrow keys, to read it.");
  const panels = [
    panelOf("host inclusive", "host", data.host_inclusive_ns, data.host),
    panelOf("GPU projection", "projected", data.projected_ns, data.projection),
  ].filter((panel) => panel.values.length > 0);
  if (panels.length === 0) {
    frame.giveUp("There are no iterations to draw.");
    return;
  }
  const hasOutliers = panels.some((panel) => panel.usual.length > 0 && panel.usual.length < panel.values.length);
  let all = !panels.some((panel) => panel.usual.length > 0 && length(panel.values) > kStretch * length(panel.usual));
  let width = 0;
  const draw = () => {
    const columns = width >= 2 * kLeastPanel && panels.length > 1 ? 2 : 1;
    frame.plot.classList.toggle("two-columns", columns === 2);
    const each = columns === 2 ? Math.floor((width - 16) / 2) : width;
    frame.readings = [];
    frame.plot.replaceChildren(...panels.map((panel) => drawPanel(panel, all, each, frame)));
    frame.remark(all ? "" : remarkOn(panels));
  };
  if (hasOutliers) {
    const toggle = makeButton("Outliers", () => {
      all = !all;
      toggle.setAttribute("aria-pressed", String(all));
      draw();
    });
    toggle.setAttribute("aria-pressed", String(all));
    frame.tools.append(toggle);
  }
  frame.addSaving();
  frame.addReading("bars");
  frame.keepDrawn((newWidth) => {
    width = newWidth;
    draw();
  });
}

function remarkOn(panels: Panel[]): string {
  const left = panels
    .filter((panel) => panel.usual.length < panel.values.length)
    .map((panel) => `${counted(panel.values.length - panel.usual.length, "outlier")} of ${panel.title}`);
  return left.length > 0 ? `Not drawn: ${left.join(", ")}; the button Outliers shows them.` : "";
}

function drawPanel(panel: Panel, all: boolean, width: number, frame: ChartFrame): Drawn {
  const values = all || panel.usual.length === 0 ? panel.values : panel.usual;
  const unit = unitFor(values.reduce((a, b) => Math.max(a, b), 0));
  const per = kNsPer[unit];
  const scaled = values.map((value) => value / per);
  const wanted = Math.min(kMostBins, Math.max(5, Math.ceil(2 * Math.cbrt(values.length)))); // Rice's rule
  const bins = bin().thresholds(wanted)(scaled).map((held) => ({ from: held.x0!, to: held.x1!, count: held.length }));
  const filled = bins.filter((held) => held.count > 0);
  const single = length(values) === 0; // a histogram of one value has no width
  const counts = wholeTicks(0, single ? values.length : Math.max(...filled.map((held) => held.count)), 4);
  const marks: Plot.Markish[] = [
    Plot.axisY(counts, { label: null, tickSize: 4, text: (count: number) => count.toLocaleString("en-US") }),
    Plot.gridY(counts),
    Plot.axisX({ label: `${panel.title} (${unitLabel(unit)})`, labelArrow: "none", labelAnchor: "right", tickSize: 4, tickFormat: formatTick, ticks: Math.max(3, Math.floor(width / 90)) }),
  ];
  const className = `${panel.series}-bar`;
  if (single) {
    marks.push(Plot.ruleX([scaled[0]!], { y: values.length, strokeWidth: 8, className: `${className}-single`, ariaLabel: "bins" }));
  } else {
    marks.push(Plot.rect(filled, { x1: "from", x2: "to", y1: () => 0, y2: "count", insetRight: 1, className, ariaLabel: "bins" }));
  }
  if (panel.spread) {
    const median = panel.spread.median_ns / per;
    const mad = (kMads * (panel.spread.mad_ns ?? 0)) / per;
    marks.unshift(Plot.rect([median], { x1: Math.max(0, median - mad), x2: median + mad, className: "mad-band", ariaLabel: "median and MAD band" }));
    marks.push(
      Plot.ruleX([median], { className: "median", ariaLabel: "median" }),
      Plot.text([median], { x: median, text: () => `median ${formatTime(panel.spread!.median_ns)}`, frameAnchor: "top", dy: -14, className: "mark-label" }),
    );
  }
  marks.push(Plot.ruleY([0], { className: "axis-line" }));
  const plot = drawPlot({
    width,
    height: kHeight,
    marginLeft: 48,
    marginRight: 16,
    marginTop: 26,
    marginBottom: 36,
    x: single ? { domain: domainOf(scaled) } : { nice: true },
    y: { nice: true, zero: true },
    marks,
  });
  plot.setAttribute("role", "img");
  plot.setAttribute("aria-label", `Histogram of ${panel.title} of ${counted(values.length, "iteration")}`);
  plot.dataset.panel = panel.series;
  const readings = filled.map((held) => {
    const [from, to] = [held.from, held.to].map((edge) => formatTime(Math.round(edge * per)));
    return `${counted(held.count, "iteration")} with ${panel.title} from ${from} to ${to}`;
  });
  frame.readings.push(...readings);
  plot.addEventListener("pointermove", (event) => {
    const bar = event.target as Element;
    if (bar.parentElement?.classList.contains(className)) frame.tell(readings[datumOf(bar)]!);
  });
  plot.addEventListener("pointerleave", () => frame.tell(null));
  return plot;
}
