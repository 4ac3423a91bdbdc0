/** Draws the decorative frame and the ornament of a certificate. */
import { type Box, MM, num } from "../../../../packages/pdf/mod.ts";
import type { CertificateDrawing } from "./parts.ts";

/** From the edges of the paper to the frame. The issued copy has wider margins at the sides. */
const INSET = { side: 7 * MM, top: 9 * MM };

/** Between the lines of the frame. */
const GAP = 1.9 * MM;

/** The radius of the corners, which are cut out. */
const CORNER = 6.5 * MM;

/** How far the handles of a curve are along a quarter of a circle. */
const ROUND = 0.5523;

/** Draws the frame of a certificate: lines of three widths, and a lozenge in each corner. */
export function drawFrame(drawing: CertificateDrawing, paper: { width: number; height: number }) {
  const box = (gap: number): Box => ({
    left: INSET.side + gap,
    bottom: INSET.top + gap,
    width: paper.width - 2 * (INSET.side + gap),
    height: paper.height - 2 * (INSET.top + gap),
  });
  drawing.artifact(() => {
    const outer = box(0);
    const { left, bottom, width, height } = outer;
    drawing.add(`q 0.2 G 0.5 w ${[left, bottom, width, height].map(num).join(" ")} re S`);
    drawing.add(`1.7 w ${scooped(box(GAP), CORNER - GAP)} S`);
    drawing.add(`0.5 w ${scooped(box(2 * GAP), CORNER - GAP)} S`);
    drawing.add("0.2 g");
    const inset = 2.3 * MM;
    for (const x of [left + inset, left + width - inset]) {
      for (const y of [bottom + inset, bottom + height - inset]) {
        drawing.add(`${lozenge(x, y, 1.15 * MM, 1.15 * MM)} f`);
      }
    }
    drawing.add("Q");
  });
}

/** Draws a lozenge between two lines, around a middle. */
export function drawFlourish(drawing: CertificateDrawing, x: number, y: number): void {
  const [near, far] = [3 * MM, 24 * MM];
  const lines = [-1, 1].map((side) =>
    `${num(x + side * near)} ${num(y)} m ${num(x + side * far)} ${num(y)} l S`
  );
  drawing.artifact(() =>
    drawing.add(`q 0.35 G 0.35 g 0.5 w ${lines.join(" ")} ${lozenge(x, y, 1.5 * MM, MM)} f Q`)
  );
}

/** Returns the path of a box whose corners are cut out by circles around them. */
function scooped({ left, bottom, width, height }: Box, radius: number): string {
  const [right, top] = [left + width, bottom + height];
  const handle = ROUND * radius;
  const point = (x: number, y: number) => `${num(x)} ${num(y)}`;
  /** From beside a corner to above or below it, or back. */
  const corner = (x: number, y: number, [fromX, fromY]: number[], [toX, toY]: number[]) =>
    `${point(x + radius * fromX, y + radius * fromY)} l ` +
    `${point(x + radius * fromX + handle * toX, y + radius * fromY + handle * toY)} ` +
    `${point(x + radius * toX + handle * fromX, y + radius * toY + handle * fromY)} ` +
    `${point(x + radius * toX, y + radius * toY)} c`;
  return [
    `${point(left + radius, bottom)} m`,
    corner(right, bottom, [-1, 0], [0, 1]),
    corner(right, top, [0, -1], [-1, 0]),
    corner(left, top, [1, 0], [0, -1]),
    corner(left, bottom, [0, 1], [1, 0]),
    "h",
  ].join(" ");
}

function lozenge(x: number, y: number, across: number, up: number): string {
  const points = [[x - across, y], [x, y + up], [x + across, y], [x, y - up]];
  return `${points.map(([x, y], i) => `${num(x)} ${num(y)} ${i === 0 ? "m" : "l"}`).join(" ")} h`;
}
