// The page's data as the program wrote it (docs/report-page.md). Lists are columns; null is missing.

export type Maybe = number | null;

export interface Spread {
  median_ns: number;
  mad_ns: Maybe;
  outliers: number[]; // positions in the columns
}

export interface Iterations {
  index: number[];
  host_inclusive_ns: Maybe[];
  projected_ns: Maybe[];
  host: Spread | null;
  projection: Spread | null;
  left_out: number; // iterations that were left out
}

export interface Scopes {
  name: string[];
  parent: number[]; // position of the parent, which comes earlier; -1 for none
  host_inclusive_ns: Maybe[];
  host_exclusive_ns: Maybe[];
  instances: Maybe[];
  projected_ns: Maybe[];
  gpu_busy_ns: Maybe[];
  busy_share_ratio: Maybe[];
  folded_exclusive_ns: number[]; // exclusive time of paths below that were left out
  folded: number; // paths that were left out
  folded_above_exclusive_ns: number; // exclusive time of those that lie below no path here
}

export interface HostLane {
  label: string;
  levels: number;
  start_ns: number[];
  length_ns: number[];
  level: number[];
  name: number[];
  cut: number[]; // positions of ranges that go on outside of the window
}

export interface GpuLane {
  label: string;
  start_ns: number[];
  length_ns: number[];
  kind: number[]; // position in kKinds of charts/timeline.ts
  name: number[];
  cut: number[];
}

export interface TimelineWindow {
  label: string;
  iteration: number;
  length_ns: number;
  names: string[];
  host: HostLane[];
  gpu: GpuLane[];
  left_out: number;
}

export interface Timeline {
  reason: string | null; // why there is no window
  gpu_reason: string | null; // why there are no lanes of the GPU
  windows: TimelineWindow[];
}

export interface ComparedRow {
  label: string;
  verdict: string;
  reason: string | null;
  primary: boolean;
  baseline: Maybe[];
  candidate: Maybe[];
  ratio: Maybe;
  low: Maybe;
  high: Maybe;
  q: Maybe;
}

export interface ComparedMetric {
  id: string;
  title: string;
  clock: "host" | "projected" | "gpu";
  rows: ComparedRow[];
  left_out: number; // rows that were left out
}

export interface RunPage {
  page_version: number;
  kind: "run";
  iterations?: Iterations | null;
  scopes?: Scopes | null;
  grouped_scopes?: Scopes | null; // the same after the manifest's name rules
  timeline?: Timeline | null;
}

export interface ComparisonPage {
  page_version: number;
  kind: "comparison";
  metrics: ComparedMetric[];
  floor_ratio: Maybe;
  runs: { baseline: string[]; candidate: string[] };
}

export type PageData = RunPage | ComparisonPage;

/** What stands in the page's data element; null where there is none, as in a page that only holds tables. */
export function readPageData(): PageData | null {
  const text = document.getElementById("rangewise-data")?.textContent?.trim();
  return text ? (JSON.parse(text) as PageData) : null;
}
