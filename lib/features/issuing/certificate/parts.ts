import type { Drawing, TextStyle } from "../../../platform/pdf/drawing.ts";
import { wrap } from "../../../platform/pdf/text.ts";

/** The fonts of a certificate, by their place. `other` is for texts with letters that the first two lack. */
export type CertificateFont = "display" | "text" | "other";

export type CertificateDrawing = Drawing<CertificateFont>;
export type Style = TextStyle<CertificateFont>;

/** A part of the page, centred, and the space above it. */
export interface Part {
  height: number;
  above: number;
  /** Draws it around a middle, from `y` down. */
  draw(centre: number, y: number): void;
}

/** How a text becomes a part. */
export interface Fitting {
  /** The smallest letters in which the text is in one line. */
  min: number;
  /** The width of its lines. */
  room: number;
  above?: number;
  leading?: number;
  type?: string;
}

const LEADING = 1.2;

/** How far the baseline is above the lower edge of a line, in sizes, without what the leading adds. */
const BASELINE = 0.78;

/** Returns a text in one line if it fits in letters of at least `min`, otherwise in several of about equal width. */
export function textPart(
  drawing: CertificateDrawing,
  text: string,
  style: Style,
  { min, room, above = 0, leading = LEADING, type = "P" }: Fitting,
): Part & { size: number } {
  const font = drawing.fonts.covers(style.font, text) ? style.font : "other";
  const chosen = { ...style, font };
  const fitting = Math.min(style.size, style.size * room / drawing.widthOf(text, chosen));
  const size = Math.max(min, fitting);
  const sized = { ...chosen, size };
  const lines = fitting >= min ? [text] : balanced(drawing, text, sized, room);
  const height = size * leading;
  return {
    size,
    height: lines.length * height,
    above,
    draw(centre, y) {
      drawing.tagged({ type }, () => {
        for (const [i, line] of lines.entries()) {
          const base = y - (i + 1) * height + size * (leading - BASELINE) / 2;
          drawing.text(line, centre - drawing.widthOf(line, sized) / 2, base, sized);
        }
      });
    },
  };
}

/** Breaks a text into as few lines as possible, of about equal width. */
function balanced(
  drawing: CertificateDrawing,
  text: string,
  style: Style,
  room: number,
): string[] {
  const within = (width: number) => wrap(text, (line) => drawing.widthOf(line, style) <= width);
  let best = within(room);
  let [narrow, wide] = [room / 2, room];
  while (wide - narrow > room / 50) {
    const middle = (narrow + wide) / 2;
    const lines = within(middle);
    if (lines.length > best.length) narrow = middle;
    else [best, wide] = [lines, middle];
  }
  return best;
}

/** The height of parts without the space above the first one. */
export const heightOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { above, height }, i) => sum + (i === 0 ? 0 : above) + height, 0);

/** Draws parts one below the other, from `y` down, and returns where they end. */
export function drawParts(parts: readonly Part[], centre: number, y: number): number {
  for (const [i, { above, height, draw }] of parts.entries()) {
    if (i > 0) y -= above;
    draw(centre, y);
    y -= height;
  }
  return y;
}

/** Returns the parts in the largest letters in which they are not higher than `room`. */
export function firstFit<Parts extends readonly Part[]>(
  room: number,
  scales: readonly number[],
  partsAt: (scale: number) => Parts,
): Parts {
  const [last, ...larger] = scales.toReversed();
  const fitting = larger.toReversed().map(partsAt).find((parts) => heightOf(parts) <= room);
  return fitting ?? partsAt(last);
}
