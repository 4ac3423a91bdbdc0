/** What a tooltip says. */
export interface TooltipContent {
  title: string;
  rows: { label: string; color: string; value: string }[];
}

/** Where it points, and the box that it stays in; CSS pixels of the stage. */
export interface TooltipPlace {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The one tooltip of a chart. It moves at every move of the pointer, so it is plain DOM. */
export interface Tooltip {
  readonly element: HTMLElement;
  show(content: TooltipContent, place: TooltipPlace): void;
  hide(): void;
  remove(): void;
}

const DISTANCE = 14;

/** Puts a hidden tooltip into the chart's stage. */
export function createTooltip(stage: HTMLElement): Tooltip {
  const element = node("div", "chart-tooltip");
  element.hidden = true;
  element.ariaHidden = "true"; // the live region speaks for it
  const title = element.appendChild(node("div", "chart-tooltip-title"));
  const list = element.appendChild(node("div", "chart-tooltip-rows"));
  const rows: ReturnType<typeof createRow>[] = [];
  stage.append(element);
  return {
    element,
    show(content, place) {
      setText(title, content.title);
      content.rows.forEach((row, i) => {
        rows[i] ??= createRow(list);
        rows[i].show(row);
      });
      for (const row of rows.splice(content.rows.length)) row.remove();
      element.style.transform = position(place);
      element.hidden = false;
    },
    hide() {
      element.hidden = true;
    },
    remove: () => element.remove(),
  };
}

/**
 * Beside the datum, on the side with more room. The box's own size comes in as percentages, so that
 * nothing has to be measured while the pointer moves.
 */
function position({ x, y, width, height }: TooltipPlace): string {
  const beside = x > width / 2 ? `${x - DISTANCE}px - 100%` : `${x + DISTANCE}px`;
  return `translate(clamp(0px, ${beside}, ${width}px - 100%), ` +
    `clamp(0px, ${y}px - 50%, ${height}px - 100%))`;
}

function createRow(list: HTMLElement) {
  const row = list.appendChild(node("div", "chart-tooltip-row"));
  const dot = row.appendChild(node("span", "chart-tooltip-dot"));
  const label = row.appendChild(node("span", "chart-tooltip-label"));
  const value = row.appendChild(node("span", "chart-tooltip-value"));
  let color = "";
  return {
    show(content: TooltipContent["rows"][number]) {
      if (content.color !== color) dot.style.backgroundColor = color = content.color;
      setText(label, content.label);
      setText(value, content.value);
    },
    remove: () => row.remove(),
  };
}

function node(name: string, className: string): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  return element;
}

/** Keeps the text node, which costs less than a new one at every move. */
function setText(element: HTMLElement, text: string): void {
  if (element.firstChild === null) element.textContent = text;
  else if (element.firstChild.nodeValue !== text) element.firstChild.nodeValue = text;
}
