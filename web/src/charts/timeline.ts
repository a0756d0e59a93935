// What ran when in a chosen iteration: host ranges in lanes by thread, GPU operations in lanes by stream.
import { makeSelect } from "../dom.ts";
import type { Timeline, TimelineWindow } from "../data.ts";
import { counted, formatTick, formatTime, kNsPer, unitFor, unitLabel } from "../numbers.ts";
import { addBrush, addZoomTools, Extent, zoomByKey } from "./extent.ts";
import { ChartFrame, stepByKey } from "./frame.ts";
import { drawLegend } from "./legend.ts";
import { datumOf, drawPlot, fitText, Plot, type Drawn } from "./plot.ts";

const kRow = 18;
const kLaneGap = 8;
const kLaneLabel = 15; // px above a lane where there is no room beside it
const kNarrow = 720; // px
const kTop = 26;
const kBottom = 8;
const kRight = 18; // px: half of the last tick's label
const kLeft = 10; // px, of the first one's, where lanes have their labels above
const kLeastWidth = 0.4; // px
const kLeastLabel = 26; // px
const kShown = 2 ** 16; // parts of the window to which one can zoom

// Told apart by height as well as by colour.
const kKinds = [
  { name: "kernel", mark: "kernel-item", inset: 1 },
  { name: "copy", mark: "copy-item", inset: 2.5 },
  { name: "memory set", mark: "set-item", inset: 7 },
  { name: "whole CUDA graph", mark: "graph-item", inset: 2.5 },
];

interface Item {
  start: number;
  end: number;
  row: number;
  name: number;
  lane: string;
  kind: number; // -1: a host range
  cut: boolean; // goes on outside of the window
}

interface Lane {
  label: string;
  row: number;
  rows: number;
  isGpu: boolean;
}

interface Layout {
  items: Item[];
  lanes: Lane[];
  height: number;
}

export function drawTimeline(figure: HTMLElement, timeline: Timeline): void {
  const frame = new ChartFrame(figure, "Point at an item to read it; drag to zoom, Escape or a double click shows all.");
  if (timeline.windows.length === 0) {
    frame.giveUp(timeline.reason ?? "There is no timeline.");
    return;
  }
  const views = timeline.windows.map((window) => new WindowView(frame, window));
  let view = views[0]!;
  const zoom = document.createElement("span");
  zoom.className = "group";
  const show = (next: WindowView) => {
    view = next;
    zoom.replaceChildren();
    addZoomTools(zoom, view.extent);
    view.draw();
  };
  if (views.length > 1) {
    const choices = timeline.windows.map((window, i) => [String(i), window.label] as [string, string]);
    frame.tools.append(makeSelect("Iteration", choices, (value) => show(views[Number(value)]!)));
  }
  frame.tools.append(zoom);
  frame.addSaving();
  frame.takeFocus("Arrow keys read the items one by one, plus and minus zoom.");
  frame.plot.addEventListener("keydown", (event) => {
    if (view.moveByKey(event.key) || zoomByKey(view.extent, event.key)) event.preventDefault();
  });
  frame.keepDrawn((width) => {
    for (const each of views) each.width = width;
    show(view);
  });
}

/** `labelled`: with room for a label above each lane. */
function layOut(window: TimelineWindow, labelled: boolean): Layout {
  const items: Item[] = [];
  const lanes: Lane[] = [];
  let row = 0;
  const addLane = (label: string, rows: number, isGpu: boolean) => {
    lanes.push({ label, row, rows, isGpu });
    row += rows + kLaneGap / kRow;
  };
  const above = labelled ? kLaneLabel / kRow : 0;
  for (const lane of window.host) {
    row += above;
    const cut = new Set(lane.cut);
    lane.start_ns.forEach((start, i) => {
      const end = start + lane.length_ns[i]!;
      items.push({ start, end, row: row + lane.level[i]!, name: lane.name[i]!, lane: lane.label, kind: -1, cut: cut.has(i) });
    });
    addLane(lane.label, Math.max(1, lane.levels), false);
  }
  for (const lane of window.gpu) {
    row += above;
    const cut = new Set(lane.cut);
    lane.start_ns.forEach((start, i) => {
      const end = start + lane.length_ns[i]!;
      items.push({ start, end, row, name: lane.name[i]!, lane: lane.label, kind: lane.kind[i]!, cut: cut.has(i) });
    });
    addLane(lane.label, 1, true);
  }
  return { items, lanes, height: Math.max(1, row) };
}

class WindowView {
  readonly extent: Extent;
  width = 0;
  private layout: Layout | null = null;
  private isNarrow = false; // what the layout was made for
  private drawn: Item[] = [];
  private plot: Drawn | null = null;
  private at = -1;

  constructor(
    private readonly frame: ChartFrame,
    private readonly window: TimelineWindow,
  ) {
    const length = Math.max(1, window.length_ns);
    this.extent = new Extent(0, length, Math.max(1, length / kShown));
    this.extent.onChange(() => this.draw());
  }

  private get left(): number {
    return this.isNarrow ? kLeft : Math.min(210, Math.floor(this.width * 0.2));
  }

  private get top(): number {
    return this.isNarrow ? kTop + kLaneLabel : kTop;
  }

  draw(): void {
    if (this.width === 0) return;
    const isNarrow = this.width < kNarrow;
    if (!this.layout || isNarrow !== this.isNarrow) this.layout = layOut(this.window, isNarrow);
    this.isNarrow = isNarrow;
    const { items, lanes, height } = this.layout;
    const { low, high } = this.extent;
    const inner = this.width - this.left - kRight;
    const scale = inner / (high - low);
    const inSight = items.filter((item) => item.end >= low && item.start <= high);
    this.drawn = inSight.filter((item) => (Math.min(item.end, high) - Math.max(item.start, low)) * scale >= kLeastWidth);
    this.drawn.sort((a, b) => a.row - b.row || a.start - b.start);
    this.at = -1;
    const plot = this.plotOf(lanes, height, inner, scale);
    this.plot = plot;
    this.frame.plot.replaceChildren(drawLegend(this.legend(), this.width), plot);
    this.frame.tell(null);
    const narrow = inSight.length - this.drawn.length;
    this.frame.remark(
      [
        `${this.window.label}: ${formatTime(this.window.length_ns)}.`,
        narrow > 0 ? `${counted(narrow, "item")} too short to draw at this zoom.` : "",
        this.window.left_out > 0 ? `${counted(this.window.left_out, "item")} left out of this page.` : "",
      ].filter(Boolean).join(" "),
    );
  }

  private legend() {
    const kinds = kKinds.filter((_, kind) => this.layout!.items.some((item) => item.kind === kind));
    return [
      { text: "host range", mark: "host-item", shape: "band" as const },
      ...kinds.map((kind) => ({ text: kind.name, mark: kind.mark, shape: "band" as const })),
    ];
  }

  private plotOf(lanes: Lane[], height: number, inner: number, scale: number): Drawn {
    const { low, high } = this.extent;
    const unit = unitFor(high);
    const per = kNsPer[unit];
    const top = this.top;
    const size = top + kBottom + height * kRow;
    const from = (item: Item) => Math.max(item.start, low) / per;
    const to = (item: Item) => Math.min(item.end, high) / per;
    const groups = [
      { kind: -1, className: "host-item", inset: 1 },
      ...kKinds.map((kind, i) => ({ kind: i, className: kind.mark, inset: kind.inset })),
    ];
    // Where the next item of the row covers an item, its label ends there.
    const open = (item: Item, next: Item | undefined) => (next?.row === item.row ? Math.min(to(item), from(next)) : to(item)) - from(item);
    const labels = this.drawn
      .map((item, i) => ({ item, width: open(item, this.drawn[i + 1]) * per * scale }))
      .filter(({ item, width }) => width >= kLeastLabel && item.kind !== 2)
      .map(({ item, width }) => ({ item, text: fitText(this.window.names[item.name] ?? "", width - 8) }))
      .filter(({ text }) => text !== "");
    const laneName = (lane: Lane) => fitText(lane.label, (this.isNarrow ? this.width : this.left) - 8) || "…";
    const laneLine = (lane: Lane) => lane.row + (this.isNarrow ? -kLaneLabel / kRow / 2 : 0.5);
    const plot = drawPlot({
      width: this.width,
      height: size,
      marginLeft: this.left,
      marginRight: kRight,
      marginTop: top,
      marginBottom: kBottom,
      x: { domain: [low / per, high / per] },
      y: { domain: [0, height], range: [top, size - kBottom], axis: null },
      marks: [
        Plot.rect(lanes, { x1: () => low / per, x2: () => high / per, y1: "row", y2: (lane) => lane.row + lane.rows, className: "lane", ariaLabel: "lanes" }),
        Plot.axisX({ anchor: "top", ticks: Math.max(2, Math.floor(inner / 110)), tickSize: 4, tickFormat: formatTick, label: null }),
        Plot.gridX({ ticks: Math.max(2, Math.floor(inner / 110)) }),
        ...groups.map((group) =>
          Plot.rect(this.drawn, {
            filter: (item) => item.kind === group.kind,
            x1: from,
            x2: to,
            y1: "row",
            y2: (item) => item.row + 1,
            insetTop: group.inset,
            insetBottom: group.inset,
            className: group.className,
            ariaLabel: group.kind < 0 ? "host ranges" : `${kKinds[group.kind]!.name} items`,
          }),
        ),
        Plot.text(labels, { x: ({ item }) => from(item), y: ({ item }) => item.row + 0.5, dx: 4, text: "text", textAnchor: "start", className: "item-label" }),
        Plot.text([`${unitLabel(unit)} from the start`], { frameAnchor: "top-left", dx: -this.left, dy: this.isNarrow ? -28 : -16, textAnchor: "start", className: "mark-label" }),
        Plot.text(lanes, { y: laneLine, text: laneName, frameAnchor: "left", dx: -this.left, textAnchor: "start", className: "row-label" }),
      ],
    });
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", `${this.window.label}: ${counted(this.drawn.length, "item")} in ${counted(lanes.length, "lane")}`);
    const invert = plot.scale("x")!.invert!;
    const area = { left: this.left, right: this.width - kRight, top, bottom: size - kBottom };
    addBrush(plot, area, (x) => (invert(x) as number) * per, this.extent);
    this.watch(plot, (x) => (invert(x) as number) * per);
    return plot;
  }

  // The brush lies over the items, so what is pointed at is found by its place.
  private watch(plot: Drawn, invert: (x: number) => number): void {
    plot.addEventListener("pointermove", (event) => {
      const box = plot.getBoundingClientRect();
      const time = invert(event.clientX - box.left);
      const row = (event.clientY - box.top - this.top) / kRow;
      this.mark(this.drawn.findIndex((item) => item.start <= time && time <= item.end && item.row <= row && row < item.row + 1));
    });
    plot.addEventListener("pointerleave", () => this.mark(-1));
  }

  moveByKey(key: string): boolean {
    const next = stepByKey(key, this.at, this.drawn.length - 1);
    if (next !== null) this.mark(next);
    return next !== null;
  }

  private mark(at: number): void {
    if (at === this.at) return;
    this.at = at;
    this.plot?.querySelector(".is-read")?.classList.remove("is-read");
    const item = this.drawn[at];
    if (!item) return this.frame.tell(null);
    const kind = item.kind < 0 ? "host range" : kKinds[item.kind]!.name;
    const group = this.plot?.querySelector(`g.${item.kind < 0 ? "host-item" : kKinds[item.kind]!.mark}`);
    for (const rect of group?.children ?? []) if (datumOf(rect) === at) rect.classList.add("is-read");
    const name = this.window.names[item.name] ?? "";
    const cut = item.cut ? "; it goes on outside of this window" : "";
    this.frame.tell(`${name} (${kind}, ${item.lane}): ${formatTime(item.end - item.start)}, from ${formatTime(item.start)} on${cut}`);
  }
}
