/** Points per millimetre. */
export const MM = 72 / 25.4;

/** A transformation of a PDF: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** A rectangle, in points from the lower left of the page. */
export interface Box {
  left: number;
  bottom: number;
  width: number;
  height: number;
}

/** How far a viewer turns a page clockwise. */
export type Rotation = 0 | 90 | 180 | 270;

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

/** Returns the matrix from a page's coordinates to upright ones, whose origin is the lower left. */
export function toUpright({ left, bottom, width, height }: Box, rotation: Rotation): Matrix {
  switch (rotation) {
    case 0:
      return [1, 0, 0, 1, -left, -bottom];
    case 90:
      return [0, -1, 1, 0, -bottom, width + left];
    case 180:
      return [-1, 0, 0, -1, width + left, height + bottom];
    case 270:
      return [0, 1, -1, 0, height + bottom, -left];
  }
}

/** Returns the matrix from upright coordinates to those of a page whose origin is 0, 0. */
export function fromUpright({ width, height }: Box, rotation: Rotation): Matrix {
  switch (rotation) {
    case 0:
      return [1, 0, 0, 1, 0, 0];
    case 90:
      return [0, 1, -1, 0, width, 0];
    case 180:
      return [-1, 0, 0, -1, width, height];
    case 270:
      return [0, -1, 1, 0, 0, height];
  }
}

/** Returns the size in points of a page as a viewer shows it. */
export function uprightSize(
  { box, rotation, userUnit }: { box: Box; rotation: Rotation; userUnit: number },
): { width: number; height: number } {
  const [width, height] = [box.width * userUnit, box.height * userUnit];
  return rotation % 180 === 0 ? { width, height } : { width: height, height: width };
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
