// The scope paths as a tree whose widths are exclusive host times: a node is as wide as its own and its
// children's together, so nothing counts twice.
import { partition, stratify, type HierarchyRectangularNode } from "d3-hierarchy";

import type { Scopes } from "../data.ts";

/** A place in the columns of Scopes; the root above all paths has kRoot. */
export interface Place {
  position: number;
  folded: boolean; // stands for the paths below `position` that were left out
}

export type ScopeNode = HierarchyRectangularNode<Place>;

export const kRoot = -1;

export interface ScopeTree {
  root: ScopeNode;
  total_ns: number; // exclusive time of all paths
  negative: number; // paths whose exclusive time is below 0: they have no width of their own
  unknown: number; // paths without exclusive time
}

/** Exclusive time as a width; of paths that were left out, all of theirs. */
export function ownTime(scopes: Scopes, place: Place): number {
  const { position, folded } = place;
  if (folded) {
    return Math.max(0, position === kRoot ? scopes.folded_above_exclusive_ns : scopes.folded_exclusive_ns[position]!);
  }
  return position === kRoot ? 0 : Math.max(0, scopes.host_exclusive_ns[position] ?? 0);
}

export function growTree(scopes: Scopes): ScopeTree {
  const places: Place[] = [];
  for (let position = kRoot; position < scopes.name.length; ++position) {
    places.push({ position, folded: false });
    const rest = { position, folded: true };
    if (ownTime(scopes, rest) > 0) places.push(rest);
  }
  const grow = stratify<Place>()
    .id((place) => `${place.position}${place.folded ? " rest" : ""}`)
    .parentId((place) => {
      if (place.folded) return String(place.position);
      return place.position === kRoot ? null : String(scopes.parent[place.position]);
    });
  const tree = grow(places)
    .sum((place) => ownTime(scopes, place))
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
