// The surroundings of every chart: its tools, what is said about the thing pointed at, drawing anew when the
// width changes, and saving.
import { debounce, make, makeButton } from "../dom.ts";
import { savePng, saveSvg } from "./save.ts";

const kSettleMs = 120;
const kPaper = 700; // px between the margins of a sheet

/** Where an arrow key, Home or End leads from `at`; null for other keys. */
export function stepByKey(key: string, at: number, last: number): number | null {
  if (key === "ArrowRight") return Math.min(last, at + 1);
  if (key === "ArrowLeft") return Math.max(0, at - 1);
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

export class ChartFrame {
  readonly plot: HTMLElement;
  readonly tools: HTMLElement;
  readings: string[] = []; // what keys read out, in order; each drawing makes them anew
  private readonly detail: HTMLElement;
  private readonly note: HTMLElement;
  private readonly hint: string;
  private width = 0;

  /** `hint` stands where details of the thing pointed at will stand; it says how to use the chart. */
  constructor(
    readonly figure: HTMLElement,
    hint: string,
  ) {
    this.hint = hint;
    const plot = figure.querySelector<HTMLElement>(".plot") ?? figure.appendChild(make("div", { class: "plot" }));
    this.plot = plot;
    this.tools = make("div", { class: "tools", role: "group", "aria-label": `Tools: ${this.title}` });
    this.detail = make("p", { class: "detail", "aria-live": "polite" }, hint);
    this.note = make("p", { class: "chart-note" });
    plot.before(this.tools);
    plot.after(this.detail, this.note);
  }

  get title(): string {
    return this.figure.querySelector("figcaption")?.textContent?.trim() ?? this.figure.dataset.chart ?? "chart";
  }

  /** Gives the plot the focus and keys that go through `readings`, which are of `things` ("rows"). */
  addReading(things: string): void {
    let at = -1;
    this.takeFocus(`Arrow keys read the ${things} one by one.`);
    this.plot.addEventListener("keydown", (event) => {
      const last = this.readings.length - 1;
      const next = stepByKey(event.key, Math.min(at, last), last);
      if (next === null || last < 0) return;
      event.preventDefault();
      at = next;
      this.tell(this.readings[at]!);
    });
  }

  /** Makes the plot a stop of the Tab key; `keys` says what keys do there. */
  takeFocus(keys: string): void {
    this.plot.tabIndex = 0;
    this.plot.setAttribute("role", "group");
    this.plot.setAttribute("aria-label", `${this.title}. ${keys}`);
  }

  /** Draws now, and again whenever the width is another one, and for paper. */
  keepDrawn(draw: (width: number) => void): void {
    const drawFor = (width: number) => {
      if (width === this.width || width === 0) return;
      this.width = width;
      draw(width);
    };
    const redraw = () => drawFor(Math.floor(this.plot.clientWidth));
    redraw();
    window.addEventListener("beforeprint", () => drawFor(kPaper));
    window.addEventListener("afterprint", redraw);
    new ResizeObserver(debounce(kSettleMs, redraw)).observe(this.plot);
  }

  /** The last tools: saving what is drawn. */
  addSaving(): void {
    const name = `rangewise-${this.figure.dataset.chart ?? "chart"}`;
    this.tools.append(
      makeButton("Save SVG", () => saveSvg(this.plot, this.title, `${name}.svg`), { class: "save" }),
      makeButton("Save PNG", () => void savePng(this.plot, this.title, `${name}.png`), { class: "save" }),
    );
  }

  tell(text: string | null): void {
    const said = text ?? this.hint;
    if (this.detail.textContent !== said) this.detail.textContent = said;
  }

  /** What the picture leaves out, or why there is none. */
  remark(text: string): void {
    this.note.textContent = text;
  }

  /** No picture: says why, and leaves nothing that could be used on it. */
  giveUp(why: string): void {
    this.tools.remove();
    this.detail.remove();
    this.remark(why);
    this.figure.classList.add("empty");
  }
}
