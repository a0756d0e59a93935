// Numbers as text: times in a unit, counts, ratios. One locale, so that a page reads the same everywhere.

export type TimeUnit = "ns" | "us" | "ms" | "s";

export const kNsPer: Record<TimeUnit, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

const kLocale = "en-US";
const kUnitDigits: Record<TimeUnit, number> = { ns: 0, us: 3, ms: 6, s: 9 };

/** The unit in which `ns` has one to three digits before the point. */
export function unitFor(ns: number): TimeUnit {
  const size = Math.abs(ns);
  if (size >= 1e9) return "s";
  if (size >= 1e6) return "ms";
  return size >= 1e3 ? "us" : "ns";
}

/** "us" is what the program writes in data and options; people read µs. */
export function unitLabel(unit: TimeUnit): string {
  return unit === "us" ? "µs" : unit;
}

/** To the nanosecond (and its fraction where `ns` has one): nothing is rounded away by a larger unit. */
export function formatTimeIn(ns: number, unit: TimeUnit): string {
  const digits = kUnitDigits[unit] + (Number.isInteger(ns) ? 0 : 1);
  const number = (ns / kNsPer[unit]).toLocaleString(kLocale, {
    minimumFractionDigits: kUnitDigits[unit],
    maximumFractionDigits: digits,
  });
  return `${number} ${unitLabel(unit)}`;
}

/** Four digits or more, in the unit that suits. */
export function formatTime(ns: number | null | undefined): string {
  if (ns === null || ns === undefined) return "–";
  const unit = unitFor(ns);
  const value = ns / kNsPer[unit];
  const size = Math.abs(value);
  const digits = unit === "ns" ? 0 : size >= 100 ? 2 : 3;
  const number = value.toLocaleString(kLocale, {
    minimumFractionDigits: Number.isInteger(ns) ? digits : Math.max(digits, 1),
    maximumFractionDigits: Math.max(digits, 1),
  });
  return `${number} ${unitLabel(unit)}`;
}

const kLongTick = 1e5; // what is larger, as years in seconds, would not fit beside an axis

/** The label of a tick: "0.25", "1,500", "300M". */
export function formatTick(value: number): string {
  const isLong = Math.abs(value) >= kLongTick;
  return value.toLocaleString(kLocale, isLong ? { notation: "compact", maximumSignificantDigits: 5 } : { maximumSignificantDigits: 7 });
}

export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? "–" : count.toLocaleString(kLocale);
}

export function formatPercent(share: number | null | undefined): string {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)} %`;
}

/** A ratio of two runs' values: "1.034". */
export function formatRatio(ratio: number | null | undefined): string {
  return ratio === null || ratio === undefined ? "–" : ratio.toPrecision(4);
}

/** "1 path", "2 paths" */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
