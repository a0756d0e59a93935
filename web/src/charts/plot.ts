// The one place that calls Observable Plot, so that all plots look alike and obey the page's policy.
import * as Plot from "@observablehq/plot";
import { extent, ticks } from "d3-array";

export { Plot };

export type Drawn = SVGSVGElement & Plot.Plot;

const kClass = "rw-plot";
export const kFontSize = 11;

interface LabelledMark {
  ariaLabel?: string;
  channels?: Record<string, { value?: unknown } | undefined>;
}

// Plot takes the option ariaLabel for a column of labels, one a datum; here it names the whole group.
function nameGroups(marks: Plot.Markish[]): void {
  for (const mark of marks as LabelledMark[]) {
    const name = mark?.channels?.ariaLabel?.value;
    if (typeof name !== "string") continue;
    mark.ariaLabel = name;
    delete mark.channels!.ariaLabel;
  }
}

/** Plot brings a style element of its own, which the policy forbids: styles/charts.css holds its rules. */
export function drawPlot(options: Plot.PlotOptions): Drawn {
  nameGroups(options.marks ?? []);
  const plot = Plot.plot({ className: kClass, ...options }) as Drawn;
  plot.querySelectorAll("style").forEach((style) => style.remove());
  plot.setAttribute("font-size", String(kFontSize));
  // The names of groups are for style sheets and tests; assistive technology may have them only with a role.
  for (const group of plot.querySelectorAll<SVGGElement>("g[aria-label]")) {
    group.dataset.marks = group.getAttribute("aria-label")!;
    group.removeAttribute("aria-label");
  }
  return plot;
}

/** Which datum of its mark an element was drawn from. */
export function datumOf(element: Element): number {
  return (element as Element & { __data__: number }).__data__;
}

/** Values of an axis that counts: whole ones only. */
export function wholeTicks(low: number, high: number, about: number): number[] {
  return ticks(low, high, about).filter(Number.isInteger);
}

/** What an axis needs to show at least: a value alone has no length of its own, so it gets some. */
export function domainOf(values: number[]): [number, number] {
  const [low, high] = extent(values) as [number, number];
  const room = low < high ? 0 : Math.abs(low) / 100 || 1;
  return [low - room, high + room];
}

const canvas = document.createElement("canvas").getContext("2d");
const widths = new Map<string, number>();

export function textWidth(text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    if (canvas) canvas.font = `${kFontSize}px system-ui, sans-serif`;
    width = canvas ? canvas.measureText(text).width : text.length * kFontSize * 0.6;
    widths.set(text, width);
  }
  return width;
}

const kLongestLabel = 400; // no label that fits on a screen is longer

/** As much of `text` as fits, with an ellipsis; empty where not even three characters do. */
export function fitText(text: string, width: number): string {
  const cut = text.length > kLongestLabel ? `${text.slice(0, kLongestLabel)}…` : text;
  if (textWidth(cut) <= width) return cut;
  const characters = [...cut];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(`${characters.slice(0, middle).join("")}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return low < 3 ? "" : `${characters.slice(0, low).join("")}…`;
}
