// The scope tree as an icicle of exclusive host time: outermost scopes on top, zoom by choosing one.
import { make, makeButton, makeSearch, makeSelect } from "../dom.ts";
import type { Scopes } from "../data.ts";
import { counted, formatCount, formatPercent, formatTime } from "../numbers.ts";
import { ChartFrame } from "./frame.ts";
import { drawLegend } from "./legend.ts";
import { datumOf, drawPlot, fitText, Plot, type Drawn } from "./plot.ts";
import { growTree, kRoot, ownTime, pathOf, type ScopeNode, type ScopeTree } from "./scope_tree.ts";

const kRow = 22; // px a level
const kMostLevels = 40; // drawn at once; deeper ones come into sight by zooming
const kAncestors = 3; // levels above the chosen scope that stay in sight
const kLeastWidth = 0.5; // px
const kLeastLabel = 28; // px
export const kNameChoices: [string, string][] = [
  ["raw", "as recorded"],
  ["grouped", "grouped"],
];

// How much of all exclusive time is a scope's own: four shades, darkest first.
const kShades = [
  { from: 0.2, fill: "var(--shade-4)", mark: "shade-4", text: "own time ≥ 20 % of all" },
  { from: 0.05, fill: "var(--shade-3)", mark: "shade-3", text: "≥ 5 %" },
  { from: 0.01, fill: "var(--shade-2)", mark: "shade-2", text: "≥ 1 %" },
  { from: -Infinity, fill: "var(--shade-1)", mark: "shade-1", text: "less" },
];

/** Which names are shown at first: the grouped ones where the recorded ones differ in little but numbers. */
export function firstNames(raw: Scopes, grouped: Scopes | null): "raw" | "grouped" {
  return grouped && grouped.name.length > 0 && 2 * grouped.name.length <= raw.name.length ? "grouped" : "raw";
}

interface Tile {
  node: ScopeNode;
  x1: number;
  x2: number;
  level: number;
  fill: string;
  label: string;
}

/** `grouped` are the same scopes after the manifest's name rules, where there are any. */
export function drawIcicle(figure: HTMLElement, raw: Scopes, grouped: Scopes | null): void {
  const frame = new ChartFrame(
    figure,
    "Choose a scope to zoom in; Escape shows all. Arrow keys move: down into children, up to the parent.",
  );
  if (growTree(raw).total_ns === 0) {
    frame.giveUp("There are no scopes with exclusive host time to draw.");
    return;
  }
  const first = firstNames(raw, grouped);
  const icicle = new Icicle(frame, first === "grouped" ? grouped! : raw);
  if (grouped && grouped.name.length > 0) {
    frame.tools.append(makeSelect("Names", kNameChoices, (choice) => icicle.show(choice === "grouped" ? grouped : raw), first));
  }
  icicle.start();
}

class Icicle {
  private chosen: ScopeNode;
  private active: ScopeNode | null = null; // has, or last had, the focus
  private words: string[] = [];
  private width = 0;
  private tiles: Tile[] = [];
  private plot: Drawn | null = null;
  private readonly found: HTMLElement;
  private readonly trail: HTMLElement;

  private tree: ScopeTree;

  constructor(
    private readonly frame: ChartFrame,
    private scopes: Scopes,
  ) {
    this.tree = growTree(scopes);
    this.chosen = this.tree.root;
    this.found = make("span", { class: "status", role: "status" });
    this.trail = make("p", { class: "trail" });
  }

  start(): void {
    this.frame.tools.append(
      makeSearch("Search", (text) => this.search(text)),
      makeButton("Zoom out", () => this.choose(this.chosen.parent ?? this.tree.root)),
      makeButton("Show all", () => this.choose(this.tree.root)),
      this.found,
    );
    this.frame.addSaving();
    this.frame.plot.before(this.trail);
    this.frame.keepDrawn((width) => {
      this.width = width;
      this.draw();
    });
  }

  show(scopes: Scopes): void {
    this.scopes = scopes;
    this.tree = growTree(scopes);
    this.active = null;
    this.chosen = this.tree.root;
    this.search(this.words.join(" "));
  }

  private choose(node: ScopeNode): void {
    if (node.data.folded) return;
    const hadFocus = this.frame.plot.contains(document.activeElement);
    this.chosen = node;
    this.active = node === this.tree.root ? this.active : node;
    this.draw();
    if (hadFocus) this.focus(this.active);
  }

  private nameOf(node: ScopeNode): string {
    return node.data.folded ? "(left out)" : this.scopes.name[node.data.position]!;
  }

  private matches(node: ScopeNode): boolean {
    if (this.words.length === 0 || node.data.folded || node.data.position === kRoot) return false;
    const name = this.nameOf(node).toLowerCase();
    return this.words.every((word) => name.includes(word));
  }

  private search(text: string): void {
    this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.draw();
    if (this.words.length === 0) {
      this.found.textContent = "";
      return;
    }
    let count = 0;
    let own_ns = 0;
    this.tree.root.each((node) => {
      if (!this.matches(node)) return;
      count += 1;
      own_ns += ownTime(this.scopes, node.data);
    });
    this.found.textContent = `${counted(count, "scope")}, own time ${formatTime(own_ns)} (${formatPercent(own_ns / this.tree.total_ns)})`;
  }

  private layOut(): { tiles: Tile[]; narrow: number; deep: number; levels: number } {
    const { x0, x1, depth } = this.chosen;
    const top = Math.max(1, depth - kAncestors);
    const bottom = Math.max(1, depth) + kMostLevels;
    const scale = this.width / (x1 - x0 || 1);
    const tiles: Tile[] = [];
    let narrow = 0;
    let deep = 0;
    let levels = 1;
    this.tree.root.each((node) => {
      if (node.depth < top || node.x1 <= x0 || node.x0 >= x1) {
        // A scope without time has no width at any zoom.
        if (node.depth > 0 && node.x0 >= x0 && node.x1 <= x1 && node.depth >= top) narrow += 1;
        return;
      }
      if (node.depth >= bottom) {
        deep += 1;
        return;
      }
      const left = (Math.max(node.x0, x0) - x0) * scale;
      const right = (Math.min(node.x1, x1) - x0) * scale;
      if (right - left < kLeastWidth) {
        narrow += 1;
        return;
      }
      const level = node.depth - top;
      levels = Math.max(levels, level + 1);
      const label = right - left >= kLeastLabel ? fitText(this.nameOf(node), right - left - 8) : "";
      tiles.push({ node, x1: left, x2: right, level, fill: this.fillOf(node), label });
    });
    return { tiles, narrow, deep, levels };
  }

  private fillOf(node: ScopeNode): string {
    if (node.data.folded) return "var(--ground-3)";
    if (this.words.length > 0) return this.matches(node) ? "var(--found)" : "var(--shade-1)";
    const share = ownTime(this.scopes, node.data) / this.tree.total_ns;
    return kShades.find((shade) => share >= shade.from)!.fill;
  }

  private draw(): void {
    if (this.width === 0) return;
    const { tiles, narrow, deep, levels } = this.layOut();
    this.tiles = tiles;
    const plot = drawPlot({
      width: this.width,
      height: levels * kRow + 1,
      margin: 0,
      x: { domain: [0, this.width], range: [0, this.width], axis: null },
      y: { domain: [0, levels], range: [0, levels * kRow], axis: null },
      color: { type: "identity" },
      marks: [
        Plot.rect(tiles, { x1: "x1", x2: "x2", y1: "level", y2: (tile) => tile.level + 1, inset: 0.5, fill: "fill", className: "scope-tile", ariaLabel: "scopes" }),
        Plot.text(tiles.filter((tile) => tile.label), { x: (tile) => tile.x1 + 4, y: (tile) => tile.level + 0.5, text: "label", textAnchor: "start", className: "scope-label" }),
      ],
    });
    this.plot = plot;
    const entries = this.words.length > 0
      ? [{ text: "found", mark: "found", shape: "band" as const }, { text: "others", mark: "shade-1", shape: "band" as const }]
      : kShades.map((shade) => ({ text: shade.text, mark: shade.mark, shape: "band" as const }));
    this.frame.plot.replaceChildren(drawLegend(entries, this.width), plot);
    this.makeUsable(plot);
    this.trail.textContent = this.chosen.data.position === kRoot ? "" : `Zoomed to: ${pathOf(this.scopes, this.chosen.data.position)}`;
    this.frame.remark(this.remarks(narrow, deep).join(" "));
  }

  private remarks(narrow: number, deep: number): string[] {
    const parts: string[] = [];
    if (narrow > 0) parts.push(`${counted(narrow, "scope")} too narrow to draw at this zoom.`);
    if (deep > 0) parts.push(`${counted(deep, "scope")} more than ${kMostLevels} levels down: zoom in to see them.`);
    if (this.tree.negative > 0) parts.push(`${counted(this.tree.negative, "scope")} with negative exclusive time, drawn without width of their own.`);
    if (this.tree.unknown > 0) parts.push(`${counted(this.tree.unknown, "scope")} without exclusive time.`);
    if (this.scopes.folded > 0) parts.push(`${counted(this.scopes.folded, "path")} left out of this page.`);
    return parts;
  }

  // The tiles are a tree to assistive technology, with one stop for the Tab key.
  private makeUsable(plot: Drawn): void {
    const group = plot.querySelector<SVGGElement>("g.scope-tile");
    if (!group) return;
    group.setAttribute("role", "tree");
    group.setAttribute("aria-label", this.frame.title);
    plot.querySelector("g.scope-label")?.setAttribute("aria-hidden", "true");
    const stop = this.tiles.find((tile) => tile.node === this.active) ?? this.tiles[0];
    for (const rect of group.children) {
      const tile = this.tiles[datumOf(rect)]!;
      rect.setAttribute("role", "treeitem");
      rect.setAttribute("aria-level", String(tile.node.depth));
      rect.setAttribute("aria-label", this.shortly(tile.node));
      rect.setAttribute("tabindex", tile === stop ? "0" : "-1");
      if (this.matches(tile.node)) rect.classList.add("is-found");
    }
    const nodeAt = (event: Event) => {
      const rect = event.target as Element;
      return group.contains(rect) && rect !== group ? this.tiles[datumOf(rect)]!.node : null;
    };
    group.addEventListener("click", (event) => {
      const node = nodeAt(event);
      if (node) this.choose(node === this.chosen && node.parent ? node.parent : node);
    });
    group.addEventListener("pointerover", (event) => this.describe(nodeAt(event)));
    group.addEventListener("pointerleave", () => this.describe(null));
    group.addEventListener("focusin", (event) => {
      this.active = nodeAt(event);
      this.describe(this.active);
    });
    group.addEventListener("keydown", (event) => {
      const node = nodeAt(event);
      if (node && this.moveByKey(node, event.key)) event.preventDefault();
    });
  }

  private moveByKey(node: ScopeNode, key: string): boolean {
    if (key === "Enter" || key === " ") this.choose(node === this.chosen && node.parent ? node.parent : node);
    else if (key === "Escape") this.choose(this.tree.root);
    else if (key === "ArrowDown") this.focus(node.children?.find((child) => this.isDrawn(child)) ?? null);
    else if (key === "ArrowUp") this.focus(node.parent);
    else if (key === "ArrowRight") this.focus(this.neighbour(node, 1));
    else if (key === "ArrowLeft") this.focus(this.neighbour(node, -1));
    else return false;
    return true;
  }

  private isDrawn(node: ScopeNode): boolean {
    return this.tiles.some((tile) => tile.node === node);
  }

  private neighbour(node: ScopeNode, step: 1 | -1): ScopeNode | null {
    const row = this.tiles.filter((tile) => tile.node.depth === node.depth).sort((a, b) => a.x1 - b.x1);
    return row[row.findIndex((tile) => tile.node === node) + step]?.node ?? null;
  }

  private focus(node: ScopeNode | null): void {
    const group = this.plot?.querySelector("g.scope-tile");
    if (!group) return;
    const at = node ? this.tiles.findIndex((tile) => tile.node === node) : 0;
    const rect = [...group.children].find((child) => datumOf(child) === at);
    if (!(rect instanceof SVGElement)) return;
    group.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    rect.setAttribute("tabindex", "0");
    rect.focus();
  }

  private shortly(node: ScopeNode): string {
    return `${this.nameOf(node)}, exclusive ${formatTime(this.exclusive(node))}`;
  }

  private exclusive(node: ScopeNode): number | null {
    return node.data.folded ? ownTime(this.scopes, node.data) : this.scopes.host_exclusive_ns[node.data.position]!;
  }

  private describe(node: ScopeNode | null): void {
    if (!node || node === this.tree.root) {
      this.frame.tell(null);
      return;
    }
    if (node.data.folded) {
      this.frame.tell(`Paths that were left out of this page: exclusive ${formatTime(this.exclusive(node))} together`);
      return;
    }
    const at = node.data.position;
    const { host_exclusive_ns, host_inclusive_ns, instances } = this.scopes;
    const share = formatPercent(ownTime(this.scopes, node.data) / this.tree.total_ns);
    this.frame.tell(
      `${pathOf(this.scopes, at)}: exclusive ${formatTime(host_exclusive_ns[at])} (${share} of all), ` +
        `inclusive ${formatTime(host_inclusive_ns[at])}, instances ${formatCount(instances[at])}`,
    );
  }
}
