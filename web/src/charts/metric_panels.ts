// Charts of a comparison have a panel a metric, whose rows are limited until one asks for all.
import { makeButton } from "../dom.ts";
import type { ComparedMetric, ComparedRow } from "../data.ts";
import { counted } from "../numbers.ts";
import type { ChartFrame } from "./frame.ts";
import { textWidth, type Drawn } from "./plot.ts";

const kFewRows = 25; // of a metric
const kReadLabel = 80; // characters; a longer label takes all the room there is
const kStarWidth = 28; // px, of the star and of the space around a name

/** How far from 1 the ratio is, either way; rows without one come last. */
export function effectOf(row: ComparedRow): number {
  return row.ratio === null || row.ratio <= 0 ? -1 : Math.abs(Math.log(row.ratio));
}

/** The primary row first, then by effect. */
function byImportance(a: ComparedRow, b: ComparedRow): number {
  return Number(b.primary) - Number(a.primary) || effectOf(b) - effectOf(a) || (a.label < b.label ? -1 : 1);
}

/**
 * Draws each metric's chosen rows, now and at every change of the width.
 * `things` is what keys read out one by one ("rows").
 * `draw` gets them with the most important first and decides on their order itself.
 */
export function drawMetricPanels(
  frame: ChartFrame,
  metrics: ComparedMetric[],
  accept: (row: ComparedRow) => boolean,
  things: string,
  draw: (metric: ComparedMetric, rows: ComparedRow[], width: number) => Drawn,
  legend: (width: number) => Drawn,
  missing: string,
): void {
  const panels = metrics
    .map((metric) => ({ metric, rows: metric.rows.filter(accept).sort(byImportance) }))
    .filter((panel) => panel.rows.length > 0);
  const without = metrics.reduce((count, metric) => count + metric.rows.filter((row) => !accept(row)).length, 0);
  if (panels.length === 0) {
    frame.giveUp(`Nothing to draw: ${missing}.`);
    return;
  }
  let all = false;
  let width = 0;
  const redraw = () => {
    const most = all ? Infinity : kFewRows;
    frame.readings = [];
    frame.plot.replaceChildren(
      legend(width),
      ...panels.map(({ metric, rows }) => draw(metric, rows.slice(0, most), width)),
    );
    const left = panels.reduce((count, { rows }) => count + Math.max(0, rows.length - most), 0);
    const folded = metrics.reduce((count, metric) => count + metric.left_out, 0);
    frame.remark(
      [
        left > 0 ? `${counted(left, "row")} with smaller effects not drawn.` : "",
        folded > 0 ? `${counted(folded, "row")} left out of this page.` : "",
        without > 0 ? `${counted(without, "row")} not drawn: ${missing}.` : "",
      ].filter(Boolean).join(" "),
    );
  };
  if (panels.some((panel) => panel.rows.length > kFewRows)) {
    const toggle = makeButton("All rows", () => {
      all = !all;
      toggle.setAttribute("aria-pressed", String(all));
      redraw();
    });
    toggle.setAttribute("aria-pressed", "false");
    frame.tools.append(toggle);
  }
  frame.addSaving();
  frame.addReading(things);
  frame.keepDrawn((newWidth) => {
    width = newWidth;
    redraw();
  });
}

const kLeastNames = 80; // px

/** Width of the names beside a panel: what they need, and at most a third. */
export function nameWidth(width: number, rows: ComparedRow[]): number {
  const needed = rows.reduce((most, row) => Math.max(most, textWidth(row.label.slice(0, kReadLabel))), 0) + kStarWidth;
  return Math.max(kLeastNames, Math.min(needed, 340, Math.floor(width * 0.33)));
}
