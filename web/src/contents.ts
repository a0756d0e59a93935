// Links to the sections, where there are enough of them to get lost.
import { make } from "./dom.ts";

const kFewSections = 4;

export function addContents(): void {
  const main = document.querySelector("main");
  if (!main || main.querySelector("nav")) return;
  const links: HTMLElement[] = [];
  for (const section of main.querySelectorAll<HTMLElement>(":scope > section[id]")) {
    const heading = section.querySelector("h2")?.textContent?.trim();
    if (heading) links.push(make("li", {}, make("a", { href: `#${section.id}` }, heading)));
  }
  if (links.length < kFewSections) return;
  const nav = make("nav", { "aria-label": "Sections", class: "contents" }, make("ul", {}, ...links));
  const first = main.querySelector(":scope > section[id]");
  if (first && first.id === "head") first.after(nav);
  else main.prepend(nav);
}
