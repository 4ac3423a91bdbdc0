/** The shapes of a doughnut chart's slices, as SVG paths. */

export interface Slice {
  index: number;
  /** Share of the total, from 0 to 1. */
  share: number;
  /** SVG path around the origin. */
  path: string;
  /** The middle of the slice. */
  x: number;
  y: number;
}

/**
 * Returns the slices of a ring with an outer and an inner radius, clockwise from the top. Only
 * positive values get a slice.
 */
export function slicesOf(values: (number | null)[], outer: number, inner: number): Slice[] {
  const total = totalOf(values);
  const slices: Slice[] = [];
  let start = 0;
  values.forEach((value, index) => {
    if (value === null || value <= 0) return;
    const share = value / total;
    const end = start + share;
    const [x, y] = pointAt((start + end) / 2, (outer + inner) / 2);
    slices.push({ index, share, path: slicePath(start, end, outer, inner), x, y });
    start = end;
  });
  return slices;
}

/** Returns the sum of the positive values, of which slices are shares. */
export function totalOf(values: (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0);
}

/** Draws each edge in two halves, because one arc command can't draw a full circle. */
function slicePath(start: number, end: number, outer: number, inner: number): string {
  const middle = (start + end) / 2;
  const point = (turn: number, radius: number) =>
    pointAt(turn, radius).map((value) => +value.toFixed(3)).join(" ");
  const arc = (turn: number, radius: number, sweep: 0 | 1) =>
    `A${radius} ${radius} 0 0 ${sweep} ${point(turn, radius)}`;
  return `M${point(start, outer)}${arc(middle, outer, 1)}${arc(end, outer, 1)}` +
    `L${point(end, inner)}${arc(middle, inner, 0)}${arc(start, inner, 0)}Z`;
}

/** A full turn is 1, clockwise from the top. */
function pointAt(turn: number, radius: number): [number, number] {
  const angle = turn * 2 * Math.PI;
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
}
