// Making elements. Text goes in as text only: nothing here, or anywhere in the page, reads markup from a string.

type Attributes = Record<string, string | number | boolean | undefined>;

function applyAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  applyAttributes(element, attributes);
  element.append(...children);
  return element;
}

export function makeButton(text: string, onClick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const button = make("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", onClick);
  return button;
}

let ids = 0;

/** An id that no other element of the page has. */
export function freshId(stem: string): string {
  ids += 1;
  return `rw-${stem}-${ids}`;
}

/** A choice of one of few, as a labelled select. */
export function makeSelect(
  label: string,
  choices: [value: string, text: string][],
  onChange: (value: string) => void,
  chosen?: string,
): HTMLLabelElement {
  const select = make("select", {}, ...choices.map(([value, text]) => make("option", { value }, text)));
  if (chosen !== undefined) select.value = chosen;
  select.addEventListener("change", () => onChange(select.value));
  return make("label", { class: "field" }, make("span", {}, label), select);
}

export function makeSearch(label: string, onInput: (text: string) => void): HTMLLabelElement {
  const input = make("input", { type: "search", autocomplete: "off", spellcheck: "false" });
  input.addEventListener("input", () => onInput(input.value));
  return make("label", { class: "field" }, make("span", {}, label), input);
}

/** Calls back once calls stop coming for `milliseconds`. */
export function debounce(milliseconds: number, call: () => void): () => void {
  let timer: number | undefined;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(call, milliseconds);
  };
}
