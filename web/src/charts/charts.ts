// Which chart goes into which place of the page.
import type { PageData } from "../data.ts";
import { drawDistribution } from "./distribution.ts";
import { drawForest } from "./forest.ts";
import { drawGpuScopes } from "./gpu_scopes.ts";
import { drawIcicle } from "./icicle.ts";
import { drawIterations } from "./iterations.ts";
import { drawStrips } from "./strips.ts";
import { drawTimeline } from "./timeline.ts";

type Drawing = (figure: HTMLElement) => void;

function drawings(data: PageData): Record<string, Drawing | undefined> {
  if (data.kind === "comparison") {
    return {
      strips: (figure) => drawStrips(figure, data),
      forest: (figure) => drawForest(figure, data),
    };
  }
  const { iterations, scopes, timeline } = data;
  const grouped = data.grouped_scopes ?? null;
  return {
    iterations: iterations ? (figure) => drawIterations(figure, iterations) : undefined,
    distribution: iterations ? (figure) => drawDistribution(figure, iterations) : undefined,
    scopes: scopes ? (figure) => drawIcicle(figure, scopes, grouped) : undefined,
    "gpu-scopes": scopes ? (figure) => drawGpuScopes(figure, scopes, grouped) : undefined,
    timeline: timeline ? (figure) => drawTimeline(figure, timeline) : undefined,
  };
}

function nextTask(): Promise<void> {
  return new Promise((resolve) => window.setTimeout(resolve, 0));
}

/** One after the other in the order of the page, with a pause for the browser to show and to answer. */
export async function drawCharts(data: PageData): Promise<void> {
  const known = drawings(data);
  for (const figure of document.querySelectorAll<HTMLElement>("figure.chart[data-chart]")) {
    const draw = known[figure.dataset.chart ?? ""];
    if (!draw) {
      figure.classList.add("empty");
      continue;
    }
    draw(figure);
    await nextTask();
  }
}
