// Saves the pictures of a chart as one SVG file that needs no style sheet, or as a PNG of it.

const kSvg = "http://www.w3.org/2000/svg";
const kTitleHeight = 28;
const kMargin = 12;
const kPixelRatio = 2;

// What style sheets decide; the file carries it in attributes.
const kStyled = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-opacity",
  "stroke-width",
  "stroke-dasharray",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "paint-order",
  "white-space",
];

// Means nothing in a file, or only to the page.
const kDropped = ["class", "tabindex", "role", "style", "aria-level", "aria-selected", "aria-setsize"];

function pictures(plot: HTMLElement): SVGSVGElement[] {
  return [...plot.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().width > 0);
}

function element<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>) {
  const made = document.createElementNS(kSvg, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

function copyWithStyle(source: SVGElement): SVGElement {
  const copy = source.cloneNode(true) as SVGElement;
  const from = [source, ...source.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((original, i) => {
    const target = to[i]!;
    const style = getComputedStyle(original);
    const parent = i > 0 && original.parentElement ? getComputedStyle(original.parentElement) : null;
    for (const property of kStyled) {
      const value = style.getPropertyValue(property);
      target.removeAttribute(property);
      // Inherited properties need no repetition; opacity is not inherited and has 1 as its default.
      const usual = property === "opacity" ? "1" : parent?.getPropertyValue(property);
      if (value && value !== usual) target.setAttribute(property, value);
    }
    for (const name of kDropped) target.removeAttribute(name);
  });
  copy.querySelectorAll("[aria-hidden]").forEach((node) => node.removeAttribute("aria-hidden"));
  return copy;
}

/** All pictures of the chart as they are placed on the page, with the title over them. */
export function composeSvg(plot: HTMLElement, title: string): SVGSVGElement {
  const box = plot.getBoundingClientRect();
  const page = getComputedStyle(document.body);
  const width = Math.ceil(plot.scrollWidth) + 2 * kMargin;
  const height = Math.ceil(plot.scrollHeight) + kTitleHeight + 2 * kMargin;
  const whole = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  whole.append(element("title", {}));
  whole.firstElementChild!.textContent = title;
  whole.append(element("rect", { width, height, fill: page.backgroundColor }));
  const heading = element("text", {
    x: kMargin,
    y: kMargin + 14,
    fill: page.color,
    "font-family": "system-ui, sans-serif",
    "font-size": 14,
    "font-weight": 600,
  });
  heading.textContent = title;
  whole.append(heading);
  for (const picture of pictures(plot)) {
    const place = picture.getBoundingClientRect();
    const copy = copyWithStyle(picture);
    copy.querySelectorAll(".brush, .cursor").forEach((node) => node.remove());
    copy.setAttribute("x", String(Math.round(place.left - box.left + plot.scrollLeft) + kMargin));
    copy.setAttribute("y", String(Math.round(place.top - box.top) + kTitleHeight + kMargin));
    copy.setAttribute("width", String(place.width));
    copy.setAttribute("height", String(place.height));
    whole.append(copy);
  }
  return whole;
}

function svgFile(plot: HTMLElement, title: string): Blob {
  const text = new XMLSerializer().serializeToString(composeSvg(plot, title));
  return new Blob([`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`], { type: "image/svg+xml" });
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function saveSvg(plot: HTMLElement, title: string, name: string): void {
  download(svgFile(plot, title), name);
}

export async function savePng(plot: HTMLElement, title: string, name: string): Promise<void> {
  const url = URL.createObjectURL(svgFile(plot, title));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * kPixelRatio;
  canvas.height = image.naturalHeight * kPixelRatio;
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  canvas.toBlob((file) => file && download(file, name), "image/png");
}
