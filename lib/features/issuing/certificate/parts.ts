/** Fits texts into the space of a certificate's page: sizes, line breaks and heights. */
import {
  type Drawing,
  isRightToLeft,
  type TextStyle,
  type WideFile,
  wrap,
} from "../../../../packages/pdf/mod.ts";

/** The fonts of a certificate, by their place. The last ones have the most letters. */
export const CERTIFICATE_FONTS = {
  display: ["Serif-Display", "Letters-Regular"],
  text: ["Serif-Regular", "Letters-Regular"],
} as const satisfies Record<string, readonly WideFile[]>;

export type CertificateFont = keyof typeof CERTIFICATE_FONTS;

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

/** Where the baseline of a line with no leading is: below its upper edge, in sizes. */
const BASELINE = 0.78;

/** How far letters of most scripts are below the baseline, in sizes. */
const DESCENT = 0.3;

/** Returns a text in one line if it fits in letters of at least `min`, otherwise in several of about equal width. */
export function textPart(
  drawing: CertificateDrawing,
  text: string,
  style: Style,
  { min, room, above = 0, leading = LEADING, type = "P" }: Fitting,
): Part & { size: number } {
  const { language = drawing.fonts.languageOf(text) } = style;
  const chosen = { ...style, language, rtl: isRightToLeft(text) };
  const fitting = Math.min(style.size, style.size * room / drawing.widthOf(text, chosen));
  const size = Math.max(min, fitting);
  const sized = { ...chosen, size };
  const lines = fitting >= min ? [text] : balanced(drawing, text, sized, room);
  /** Above and below each baseline: more for scripts with high or low letters. */
  const extra = size * (leading - BASELINE) / 2;
  const extents = lines.map((line) => {
    const { bottom, top } = drawing.fonts.extentOf(style.font, line, size, sized);
    const [up, down] = [size * leading - extra, extra];
    return { up: Math.max(up, top), down: Math.max(down, down - bottom - size * DESCENT) };
  });
  return {
    size,
    height: extents.reduce((sum, { up, down }) => sum + up + down, 0),
    above,
    draw(centre, y) {
      drawing.tagged({ type, language }, () => {
        for (const [i, line] of lines.entries()) {
          y -= extents[i].up;
          drawing.text(line, centre - drawing.widthOf(line, sized) / 2, y, sized);
          y -= extents[i].down;
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
