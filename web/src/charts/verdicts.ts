// How a verdict looks: a shape and a word each, beside the colour.
import type { Plot } from "./plot.ts";

export interface VerdictLook {
  word: string;
  symbol: Plot.SymbolType;
  hollow: boolean;
  mark: string; // class
}

const kLooks: Record<string, VerdictLook> = {
  regressed: { word: "regressed", symbol: "triangle", hollow: false, mark: "verdict-regressed" },
  improved: { word: "improved", symbol: "triangle2", hollow: false, mark: "verdict-improved" },
  "no-change": { word: "no change", symbol: "circle", hollow: false, mark: "verdict-no-change" },
  inconclusive: { word: "inconclusive", symbol: "circle", hollow: true, mark: "verdict-inconclusive" },
  added: { word: "added", symbol: "plus", hollow: true, mark: "verdict-added" },
  removed: { word: "removed", symbol: "square", hollow: true, mark: "verdict-removed" },
  "not-comparable": { word: "not comparable", symbol: "times", hollow: true, mark: "verdict-not-comparable" },
};

export const kVerdicts = Object.keys(kLooks);

export function lookOf(verdict: string): VerdictLook {
  return kLooks[verdict] ?? { word: verdict, symbol: "circle", hollow: true, mark: "verdict-other" };
}
