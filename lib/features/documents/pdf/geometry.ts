/** Points per millimetre. */
export const MM = 72 / 25.4;

/** A transformation of a PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export interface Box {
  left: number;
  bottom: number;
  width: number;
  height: number;
}

/** Returns the matrix that applies `first`, then `second`. */
export const multiply = (second: Matrix, first: Matrix): Matrix => {
  const [a, b, c, d, e, f] = second;
  const [p, q, r, s, t, u] = first;
  return [
    a * p + c * q,
    b * p + d * q,
    a * r + c * s,
    b * r + d * s,
    a * t + c * u + e,
    b * t + d * u + f,
  ];
};

/** Returns the matrix that turns a box clockwise by quarters, and moves its lower left to 0, 0. */
export function turn(box: Box, quarters: number): Matrix {
  const [cos, sin] = [[1, 0], [0, 1], [-1, 0], [0, -1]][quarters];
  const { left, bottom } = transformBox([cos, -sin, sin, cos, 0, 0], box);
  return [cos, -sin, sin, cos, -left, -bottom];
}

/** Returns where a matrix moves a point to. */
export const apply = (
  [a, b, c, d, e, f]: Matrix,
  [x, y]: readonly [x: number, y: number],
): [x: number, y: number] => [a * x + c * y + e, b * x + d * y + f];

/** Returns the box around a box's transformed corners. */
export function transformBox(matrix: Matrix, { left, bottom, width, height }: Box): Box {
  const corners = [0, 1, 2, 3].map((corner) =>
    apply(matrix, [left + (corner & 1) * width, bottom + (corner >> 1) * height])
  );
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [fromX, fromY] = [Math.min(...xs), Math.min(...ys)];
  return {
    left: fromX,
    bottom: fromY,
    width: Math.max(...xs) - fromX,
    height: Math.max(...ys) - fromY,
  };
}

/** Returns the part that two boxes share; undefined if there is none. */
export function intersection(a: Box, b: Box): Box | undefined {
  const left = Math.max(a.left, b.left);
  const bottom = Math.max(a.bottom, b.bottom);
  const width = Math.min(a.left + a.width, b.left + b.width) - left;
  const height = Math.min(a.bottom + a.height, b.bottom + b.height) - bottom;
  return width > 0 && height > 0 ? { left, bottom, width, height } : undefined;
}
