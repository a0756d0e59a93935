// Puts interaction on a page that is complete without it: tables first, then each chart into its place.
import "./styles/page.css";
import "./styles/tables.css";
import "./styles/charts.css";

import { drawCharts } from "./charts/charts.ts";
import { readPageData } from "./data.ts";
import { enhanceTable } from "./tables/table.ts";

async function start(): Promise<void> {
  const root = document.documentElement;
  root.classList.add("scripted");
  const data = readPageData();
  if (data) await drawCharts(data);
  for (const table of document.querySelectorAll<HTMLTableElement>("table.data")) enhanceTable(table);
  performance.mark("rangewise-ready");
  root.dataset.ready = "true";
}

void start();
