/** One slice of a doughnut. */
export interface Arc {
  /** Of the value it stands for. */
  index: number;
  /** Its part of the whole, 0 to 1. */
  share: number;
  /** An SVG path around the origin. */
  path: string;
  /** Its middle, for the tooltip. */
  x: number;
  y: number;
}

/**
 * Slices of a ring, clockwise from the top. What is null, zero or below has no slice.
 *
 * @param outer radius, `inner` the hole's
 */
export function arcsOf(values: (number | null)[], outer: number, inner: number): Arc[] {
  const sum = totalOf(values);
  const arcs: Arc[] = [];
  let begin = 0;
  values.forEach((value, index) => {
    if (value === null || value <= 0) return;
    const share = value / sum;
    const end = begin + share;
    const [x, y] = at((begin + end) / 2, (outer + inner) / 2);
    arcs.push({ index, share, path: ring(begin, end, outer, inner), x, y });
    begin = end;
  });
  return arcs;
}

/** The whole that slices are parts of: what is null or below zero adds nothing. */
export function totalOf(values: (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0);
}

/** An arc command cannot go all the way round, so each edge is drawn in two halves. */
function ring(begin: number, end: number, outer: number, inner: number): string {
  const middle = (begin + end) / 2;
  const point = (turn: number, radius: number) =>
    at(turn, radius).map((value) => +value.toFixed(3)).join(" ");
  const arc = (turn: number, radius: number, sweep: 0 | 1) =>
    `A${radius} ${radius} 0 0 ${sweep} ${point(turn, radius)}`;
  return `M${point(begin, outer)}${arc(middle, outer, 1)}${arc(end, outer, 1)}` +
    `L${point(end, inner)}${arc(middle, inner, 0)}${arc(begin, inner, 0)}Z`;
}

function at(turn: number, radius: number): [number, number] {
  const angle = turn * 2 * Math.PI;
  return [Math.sin(angle) * radius, -Math.cos(angle) * radius];
}
