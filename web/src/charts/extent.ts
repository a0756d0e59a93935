// The stretch of an axis that is shown, and the ways to change it: brush, buttons, keys.
import { brushX } from "d3-brush";
import { select } from "d3-selection";

import { makeButton } from "../dom.ts";

const kStep = 2; // one press shows half, or twice as much
const kPan = 0.25; // of what is shown
const kLeastBrush = 4; // px: less is a click

export class Extent {
  low: number;
  high: number;
  private readonly changed: (() => void)[] = [];

  constructor(
    readonly first: number,
    readonly last: number,
    private readonly least: number,
  ) {
    this.low = first;
    this.high = last;
  }

  get zoomed(): boolean {
    return this.low > this.first || this.high < this.last;
  }

  onChange(call: () => void): void {
    this.changed.push(call);
  }

  show(low: number, high: number): void {
    const whole = this.last - this.first;
    const length = Math.min(whole, Math.max(high - low, Math.min(this.least, whole)));
    const middle = (low + high) / 2;
    this.low = Math.max(this.first, Math.min(middle - length / 2, this.last - length));
    this.high = this.low + length;
    for (const call of this.changed) call();
  }

  zoomIn(): void {
    this.scale(1 / kStep);
  }

  zoomOut(): void {
    this.scale(kStep);
  }

  pan(direction: -1 | 1): void {
    const by = direction * kPan * (this.high - this.low);
    this.show(this.low + by, this.high + by);
  }

  reset(): void {
    this.show(this.first, this.last);
  }

  private scale(factor: number): void {
    const half = ((this.high - this.low) / 2) * factor;
    const middle = (this.low + this.high) / 2;
    this.show(middle - half, middle + half);
  }
}

export function addZoomTools(tools: HTMLElement, extent: Extent): void {
  const buttons = {
    in: makeButton("Zoom in", () => extent.zoomIn()),
    out: makeButton("Zoom out", () => extent.zoomOut()),
    left: makeButton("◂", () => extent.pan(-1), { "aria-label": "Move left" }),
    right: makeButton("▸", () => extent.pan(1), { "aria-label": "Move right" }),
    all: makeButton("Show all", () => extent.reset()),
  };
  const update = () => {
    // aria-disabled, not disabled: the focus stays where it is.
    for (const [name, button] of Object.entries(buttons)) {
      const idle =
        (name === "left" && extent.low <= extent.first) ||
        (name === "right" && extent.high >= extent.last) ||
        ((name === "out" || name === "all") && !extent.zoomed);
      button.setAttribute("aria-disabled", String(idle));
    }
  };
  extent.onChange(update);
  update();
  tools.append(...Object.values(buttons));
}

/** Keys for a plot that has the focus. Returns whether the key meant something. */
export function zoomByKey(extent: Extent, key: string): boolean {
  if (key === "+" || key === "=") extent.zoomIn();
  else if (key === "-") extent.zoomOut();
  else if (key === "Escape") extent.reset();
  else return false;
  return true;
}

export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Dragging over `area` of the plot shows what was swept over; a double click shows all. */
export function addBrush(
  svg: SVGSVGElement,
  area: Area,
  invert: (x: number) => number,
  extent: Extent,
): void {
  const brush = brushX<undefined>()
    .extent([
      [area.left, area.top],
      [area.right, area.bottom],
    ])
    .touchable(false) // a finger scrolls the page; there are buttons for it
    .on("end", (event: { selection: [number, number] | null; sourceEvent: Event | null }) => {
      if (!event.selection || !event.sourceEvent) return;
      const [from, to] = event.selection;
      if (to - from >= kLeastBrush) extent.show(invert(from), invert(to));
      else group.call(brush.move, null);
    });
  const group = select(svg).append<SVGGElement>("g").datum(undefined).attr("class", "brush").call(brush);
  svg.addEventListener("dblclick", () => extent.reset());
}
