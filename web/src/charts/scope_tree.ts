// The scope paths as a tree whose widths are exclusive host times: a node is as wide as its own and its
// children's together, so nothing counts twice.
import { partition, stratify, type HierarchyRectangularNode } from "d3-hierarchy";

import type { Scopes } from "../data.ts";

/** A place in the columns of Scopes; the root above all paths has kRoot. */
export interface Place {
  position: number;
}

export type ScopeNode = HierarchyRectangularNode<Place>;

export const kRoot = -1;

export interface ScopeTree {
  root: ScopeNode;
  total_ns: number; // exclusive time of all paths
  negative: number; // paths whose exclusive time is below 0: they have no width of their own
  unknown: number; // paths without exclusive time
}

export function ownTime(scopes: Scopes, position: number): number {
  return position === kRoot ? 0 : Math.max(0, scopes.host_exclusive_ns[position] ?? 0);
}

export function growTree(scopes: Scopes): ScopeTree {
  const places: Place[] = [{ position: kRoot }];
  for (let position = 0; position < scopes.name.length; ++position) places.push({ position });
  const grow = stratify<Place>()
    .id((place) => String(place.position))
    .parentId((place) => (place.position === kRoot ? null : String(scopes.parent[place.position])));
  const tree = grow(places)
    .sum((place) => ownTime(scopes, place.position))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0) || a.data.position - b.data.position);
  const total_ns = tree.value ?? 0;
  return {
    root: partition<Place>().size([total_ns, tree.height + 1])(tree),
    total_ns,
    negative: scopes.host_exclusive_ns.filter((value) => value !== null && value < 0).length,
    unknown: scopes.host_exclusive_ns.filter((value) => value === null).length,
  };
}

const kMostNames = 12; // of a path in words; deeper ones leave out the middle

/** The names from the outermost scope on, as one text. */
export function pathOf(scopes: Scopes, position: number): string {
  const names: string[] = [];
  for (let at = position; at >= 0; at = scopes.parent[at] ?? -1) names.push(scopes.name[at]!);
  names.reverse();
  if (names.length > kMostNames) {
    names.splice(kMostNames / 2, names.length - kMostNames, `… ${names.length - kMostNames} more …`);
  }
  return names.join(" › ");
}
