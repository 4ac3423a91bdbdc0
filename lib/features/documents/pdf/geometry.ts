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

/** Returns the box around a box's transformed corners. */
export function transformBox([a, b, c, d, e, f]: Matrix, box: Box): Box {
  const corners = [0, 1, 2, 3].map((corner) => {
    const x = box.left + (corner & 1) * box.width;
    const y = box.bottom + (corner >> 1) * box.height;
    return [a * x + c * y + e, b * x + d * y + f];
  });
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)];
  return { left, bottom, width: Math.max(...xs) - left, height: Math.max(...ys) - bottom };
}
