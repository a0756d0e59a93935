// GPU projection and busy share of scope paths: a row each, on axes of their own, never stacked.
import { make, makeSearch, makeSelect } from "../dom.ts";
import type { Scopes } from "../data.ts";
import { counted, formatPercent, formatTick, formatTime, kNsPer, unitFor, unitLabel } from "../numbers.ts";
import { ChartFrame } from "./frame.ts";
import { firstNames, kNameChoices } from "./icicle.ts";
import { drawPlot, fitText, Plot, textWidth, type Drawn } from "./plot.ts";
import { pathOf } from "./scope_tree.ts";

const kRow = 20;
const kTop = 8;
const kBottom = 34;
const kRight = 24; // room for half of the last tick's label
const kIndent = 10;
const kMostIndent = 8; // levels
const kLeastNames = 80; // px
const kNameSpace = 16; // px around a name
const kReadLabel = 80; // characters; a longer name takes all the room there is
const kChoices: [string, string][] = [
  ["30", "30 longest"],
  ["100", "100 longest"],
  ["300", "300 longest"],
];

interface Row {
  position: number;
  depth: number;
  line: number;
}

// The paths with a projection, longest first.
function longestOf(scopes: Scopes): number[] {
  const projected = scopes.name.map((_, i) => i).filter((i) => scopes.projected_ns[i] !== null);
  return projected.sort((a, b) => scopes.projected_ns[b]! - scopes.projected_ns[a]! || a - b);
}

/** `grouped` are the same scopes after the manifest's name rules, where there are any. */
export function drawGpuScopes(figure: HTMLElement, raw: Scopes, grouped: Scopes | null): void {
  const frame = new ChartFrame(figure, "Point at a row, or move with the arrow keys, to read it.");
  const first = grouped && longestOf(grouped).length > 0 ? firstNames(raw, grouped) : "raw";
  let scopes = first === "grouped" ? grouped! : raw;
  let longest = longestOf(scopes);
  if (longest.length === 0) {
    frame.giveUp("No scope launched work on a GPU that the trace tells of.");
    return;
  }
  let depths = depthsOf(scopes);
  let most = Number(kChoices[0]![0]);
  let words: string[] = [];
  let width = 0;
  const status = make("span", { class: "status", role: "status" });
  const draw = () => {
    const matching = longest.filter((i) => {
      const name = scopes.name[i]!.toLowerCase();
      return words.every((word) => name.includes(word));
    });
    // Chosen by length, shown in the order of the tree.
    const chosen = new Set(matching.slice(0, most));
    const rows: Row[] = treeOrder(scopes).filter((i) => chosen.has(i)).map((position, line) => ({ position, depth: depths[position]!, line }));
    status.textContent = words.length > 0 ? counted(matching.length, "path") : "";
    frame.readings = rows.map((row) => describe(row, scopes));
    frame.plot.replaceChildren(...drawPanels(rows, scopes, width, frame));
    const left = matching.length - rows.length;
    frame.remark(
      [
        left > 0 ? `${counted(left, "shorter path")} not drawn.` : "",
        scopes.folded > 0 ? `${counted(scopes.folded, "path")} left out of this page.` : "",
      ].filter(Boolean).join(" "),
    );
  };
  if (grouped && longestOf(grouped).length > 0) {
    frame.tools.append(
      makeSelect("Names", kNameChoices, (choice) => {
        scopes = choice === "grouped" ? grouped : raw;
        longest = longestOf(scopes);
        depths = depthsOf(scopes);
        draw();
      }, first),
    );
  }
  if (longestOf(raw).length > most) {
    frame.tools.append(
      makeSearch("Search", (text) => {
        words = text.toLowerCase().split(/\s+/).filter(Boolean);
        draw();
      }),
      makeSelect("Paths", kChoices, (value) => {
        most = Number(value);
        draw();
      }),
      status,
    );
  }
  frame.addSaving();
  frame.addReading("rows");
  frame.keepDrawn((newWidth) => {
    width = newWidth;
    draw();
  });
}

function depthsOf(scopes: Scopes): number[] {
  const depths: number[] = [];
  scopes.parent.forEach((parent) => depths.push(parent < 0 ? 0 : depths[parent]! + 1));
  return depths;
}

// Positions so that children follow their parent, in the order of the data.
function treeOrder(scopes: Scopes): number[] {
  const children = new Map<number, number[]>();
  scopes.parent.forEach((parent, i) => {
    const list = children.get(parent);
    if (list) list.push(i);
    else children.set(parent, [i]);
  });
  const order: number[] = [];
  const open = [...(children.get(-1) ?? [])].reverse();
  while (open.length > 0) {
    const at = open.pop()!;
    order.push(at);
    const below = children.get(at);
    if (below) for (let i = below.length - 1; i >= 0; --i) open.push(below[i]!);
  }
  return order;
}

function drawPanels(rows: Row[], scopes: Scopes, width: number, frame: ChartFrame): Drawn[] {
  const names = nameWidth(rows, scopes, width);
  const left = Math.floor((width - names) * 0.55) + names;
  const unit = unitFor(rows.reduce((most, row) => Math.max(most, scopes.projected_ns[row.position] ?? 0), 0));
  const per = kNsPer[unit];
  const height = kTop + kBottom + Math.max(1, rows.length) * kRow;
  const y = { domain: [0, Math.max(1, rows.length)], range: [kTop, height - kBottom], axis: null };
  const middle = (row: Row) => row.line + 0.5;
  // Every other row has a ground, so that the eye finds the same row in both panels.
  const striped = (left: number, right: number) =>
    Plot.rect(rows, { filter: (row) => row.line % 2 === 0, y1: "line", y2: (row) => row.line + 1, insetLeft: -left, insetRight: -right, className: "lane", ariaLabel: "rows" });
  const label = (row: Row) => {
    const indent = Math.min(row.depth, kMostIndent) * kIndent;
    return fitText(scopes.name[row.position]!, names - indent - 10) || "…";
  };
  const projection = drawPlot({
    width: left,
    height,
    marginLeft: names,
    marginRight: kRight,
    marginTop: kTop,
    marginBottom: kBottom,
    x: { zero: true, nice: true },
    y,
    marks: [
      striped(names, kRight),
      Plot.axisX({ label: `GPU projection (${unitLabel(unit)})`, labelArrow: "none", labelAnchor: "right", ticks: Math.max(2, Math.floor((left - names) / 70)), tickSize: 4, tickFormat: formatTick }),
      Plot.gridX({ ticks: Math.max(2, Math.floor((left - names) / 70)) }),
      Plot.rect(rows, { x1: () => 0, x2: (row) => scopes.projected_ns[row.position]! / per, y1: "line", y2: (row) => row.line + 1, insetTop: 4, insetBottom: 4, className: "projected-bar", ariaLabel: "projections" }),
      Plot.ruleX([0], { className: "axis-line" }),
      ...nameMarks(rows, label, middle, names),
    ],
  });
  const shares = rows.filter((row) => scopes.busy_share_ratio[row.position] !== null);
  const busy = drawPlot({
    width: width - left,
    height,
    marginLeft: 16,
    marginRight: kRight,
    marginTop: kTop,
    marginBottom: kBottom,
    x: { domain: [0, 1] },
    y,
    marks: [
      striped(16, kRight),
      Plot.axisX({ label: width - left < 260 ? "busy share" : "busy share of the projection", labelArrow: "none", labelAnchor: "right", ticks: [0, 0.5, 1], tickSize: 4, tickFormat: (share: number) => `${100 * share} %` }),
      Plot.gridX({ ticks: [0, 0.25, 0.5, 0.75, 1] }),
      Plot.ruleY(shares, { x1: () => 0, x2: (row) => scopes.busy_share_ratio[row.position]!, y: middle, className: "busy-stem" }),
      Plot.dot(shares, { x: (row) => scopes.busy_share_ratio[row.position]!, y: middle, r: 4, className: "busy-dot", ariaLabel: "busy shares" }),
      Plot.text(rows.filter((row) => scopes.busy_share_ratio[row.position] === null), { x: () => 0, dx: 6, y: middle, text: () => "–", textAnchor: "start", className: "row-label" }),
      Plot.ruleX([0], { className: "axis-line" }),
    ],
  });
  for (const [plot, title] of [[projection, "GPU projection"], [busy, "busy share"]] as const) {
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", `${title} of ${counted(rows.length, "path")}`);
    watchRows(plot, frame);
  }
  return [projection, busy];
}

function nameWidth(rows: Row[], scopes: Scopes, width: number): number {
  const needed = rows.reduce((most, row) => {
    const indent = Math.min(row.depth, kMostIndent) * kIndent;
    return Math.max(most, indent + textWidth(scopes.name[row.position]!.slice(0, kReadLabel)) + kNameSpace);
  }, 0);
  return Math.max(kLeastNames, Math.min(needed, 320, Math.floor(width * 0.36)));
}

// Names stand in the margin, indented by depth: a mark for each indentation.
function nameMarks(rows: Row[], label: (row: Row) => string, y: (row: Row) => number, names: number): Plot.Markish[] {
  const indents = new Set(rows.map((row) => Math.min(row.depth, kMostIndent)));
  return [...indents].map((indent) =>
    Plot.text(
      rows.filter((row) => Math.min(row.depth, kMostIndent) === indent),
      { y, text: label, frameAnchor: "left", dx: indent * kIndent - names, textAnchor: "start", className: "row-label" },
    ),
  );
}

function describe({ position }: Row, scopes: Scopes): string {
  return (
    `${pathOf(scopes, position)}: GPU projection ${formatTime(scopes.projected_ns[position])}, ` +
    `busy ${formatTime(scopes.gpu_busy_ns[position])}, busy share ${formatPercent(scopes.busy_share_ratio[position])}`
  );
}

function watchRows(plot: Drawn, frame: ChartFrame): void {
  plot.addEventListener("pointermove", (event) => {
    frame.tell(frame.readings[Math.floor((event.clientY - plot.getBoundingClientRect().top - kTop) / kRow)] ?? null);
  });
  plot.addEventListener("pointerleave", () => frame.tell(null));
}
