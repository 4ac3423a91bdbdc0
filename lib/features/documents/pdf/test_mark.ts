import type { CopyDrawing, CopyStyle } from "./fonts.ts";
import type { Box } from "../../../../packages/pdf/mod.ts";

const WORD = "TEST";

/** The part of the diagonal that the word takes. */
const PART = 0.7;

/** Draws the word TEST across a part of a page, from the lower left to the upper right. */
export function drawTestMark(drawing: CopyDrawing, { left, bottom, width, height }: Box): void {
  const diagonal = Math.hypot(width, height);
  const [cos, sin] = [width / diagonal, height / diagonal];
  // Translucent grey is visible on white paper and on dark pictures.
  const unit: CopyStyle = { font: "bold", size: 1, gray: 0.5 };
  const across = PART * diagonal;
  // Its letters are 0.7 of their size high, and may not touch the edges of a page that is almost a square.
  const size = Math.min(across / drawing.widthOf(WORD, unit), 0.5 * Math.min(width, height));
  const style = { ...unit, size };
  const [x, y] = [-drawing.widthOf(WORD, style) / 2, -0.35 * size];
  drawing.artifact(
    () =>
      drawing.within(
        [cos, sin, -sin, cos, left + width / 2, bottom + height / 2],
        () => drawing.faint(() => drawing.text(WORD, x, y, style)),
      ),
    "/Type /Pagination /Subtype /Watermark",
  );
}
