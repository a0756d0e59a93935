// The surroundings of every chart: its tools, what is said about the thing pointed at, drawing anew when the
// width changes, and saving.
import { debounce, make, makeButton } from "../dom.ts";
import { savePng, saveSvg } from "./save.ts";

const kSettleMs = 120;

export class ChartFrame {
  readonly plot: HTMLElement;
  readonly tools: HTMLElement;
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

  /** Draws now, and again whenever the width is another one. */
  keepDrawn(draw: (width: number) => void): void {
    const redraw = () => {
      const width = Math.floor(this.plot.clientWidth);
      if (width === this.width || width === 0) return;
      this.width = width;
      draw(width);
    };
    redraw();
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
