import { formatDay } from "../../../base/time.ts";
import type { Drawing, TextStyle } from "../../../platform/pdf/drawing.ts";
import { MM } from "../../../platform/pdf/geometry.ts";
import { isRightToLeft, wrap } from "../../../platform/pdf/text.ts";
import type { WideFile } from "../../../platform/pdf/wide/faces.ts";
import type { CertificateTexts } from "./fields.ts";

/** The fonts of a certificate, by their place. The last ones have the most letters. */
export const CERTIFICATE_FONTS = {
  display: ["Serif-Display", "Letters-Regular"],
  text: ["Serif-Regular", "Letters-Regular"],
} as const satisfies Record<string, readonly WideFile[]>;

export type CertificateFont = keyof typeof CERTIFICATE_FONTS;

type Style = TextStyle<CertificateFont>;

/** A4, landscape. */
export const PAPER = { width: 297 * MM, height: 210 * MM };

const CENTRE = PAPER.width / 2;
/** The width of the texts. */
const COLUMN = 215 * MM;
const NARROW = 170 * MM;

const TOP = PAPER.height - 21 * MM;
/** Above the logo. The issued copy says TEST across the page. */
const TEST = "TEST · This certificate proves nothing";
const TEST_TOP = PAPER.height - 11 * MM;
const LOGO = { width: 70 * MM, height: 19 * MM };

const ISSUER: Style = { font: "text", size: 13 };
const DOMAIN: Style = { font: "text", size: 9.5, gray: 0.38 };
const TITLE: Style = { font: "display", size: 29 };
const SUBTITLE: Style = { font: "text", size: 13.5, gray: 0.25 };
const AWARDED: Style = { font: "text", size: 11.5, gray: 0.38 };
const NAME: Style = { font: "display", size: 50 };
const BODY: Style = { font: "text", size: 12, gray: 0.15 };
const VALUE: Style = { font: "text", size: 11.5 };
const NOTE: Style = { font: "text", size: 9.5, gray: 0.38 };

/** Where the lines for date, grade and signature are, how wide, and where the texts below them end. */
const SIGNING = { y: 38 * MM, bottom: 12 * MM, width: 62 * MM, gap: 14 * MM };

/** The scales of texts that are too long, largest first. With the last one, the longest texts fit. */
const SCALES = [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58];

/** The least space between the parts of the page. */
const APART = 9 * MM;

const LEADING = 1.2;

/** The size of the picture `Logo` in any unit. */
interface LogoSize {
  width: number;
  height: number;
}

/** A part of the page: lines, centred, and the space above them. */
interface Part {
  lines: string[];
  style: Style;
  above: number;
  leading: number;
  type: string;
}

/** Draws a certificate. */
export function drawCertificate(
  drawing: Drawing<CertificateFont>,
  texts: CertificateTexts,
  { logo, test }: { logo?: LogoSize; test: boolean },
): void {
  if (test) drawPart(drawing, fitted(drawing, TEST, NOTE, { min: 9, room: COLUMN }), TEST_TOP);
  const bottom = SIGNING.y + APART;
  let y = drawIssuer(drawing, texts, logo);
  const room = y - APART - bottom;
  const parts = firstFit(room, (scale) => partsOf(drawing, texts, scale));
  // A little above the middle looks centred.
  y -= APART + (room - heightOf(parts)) * 0.46;
  for (const part of parts) y = drawPart(drawing, part, y);
  drawSigning(drawing, texts);
}

/** Returns the parts in the largest letters in which they are not higher than `room`. */
function firstFit(room: number, partsAt: (scale: number) => Part[]): Part[] {
  for (const scale of SCALES) {
    const parts = partsAt(scale);
    if (heightOf(parts) <= room || scale === SCALES.at(-1)) return parts;
  }
  return [];
}

const heightOf = (parts: readonly Part[]): number =>
  parts.reduce(
    (sum, { lines, style, above, leading }) => sum + above + lines.length * style.size * leading,
    0,
  );

/** Draws a part around the middle `centre`, from `y` down, and returns where it ends. */
function drawPart(
  drawing: Drawing<CertificateFont>,
  part: Part,
  y: number,
  centre = CENTRE,
): number {
  const { lines, style, above, leading, type } = part;
  y -= above;
  drawing.tagged({ type, language: style.language }, () => {
    for (const line of lines) {
      y -= style.size * leading;
      // The baseline is above the lower edge of the line.
      const base = y + style.size * (leading - 0.78) / 2;
      drawing.text(line, centre - drawing.widthOf(line, style) / 2, base, style);
    }
  });
  return y;
}

/** Draws logo and name of the issuer, and returns where they end. */
function drawIssuer(
  drawing: Drawing<CertificateFont>,
  { issuer, domain }: CertificateTexts,
  logo: LogoSize | undefined,
): number {
  let y = TOP;
  if (logo !== undefined) {
    const scale = Math.min(LOGO.width / logo.width, LOGO.height / logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    y -= height;
    drawing.tagged(
      { type: "Figure", alt: `Logo of ${issuer}` },
      () =>
        drawing.within(
          [width, 0, 0, height, CENTRE - width / 2, y],
          () => drawing.add("/Logo Do"),
        ),
    );
    y -= 3.2 * MM;
  }
  y = drawPart(drawing, fitted(drawing, issuer, ISSUER, { min: 9, room: COLUMN }), y);
  if (domain !== undefined) {
    y = drawPart(drawing, fitted(drawing, domain, DOMAIN, { min: 7, room: COLUMN }), y);
  }
  return y;
}

function partsOf(
  drawing: Drawing<CertificateFont>,
  { title, subtitle, name, language, body }: CertificateTexts,
  scale: number,
): Part[] {
  const part = (
    text: string | undefined,
    style: Style,
    options: { min: number; room: number; above?: number; leading?: number; type?: string },
  ): Part[] => {
    if (text === undefined) return [];
    const { min, above = 0 } = options;
    const scaled = { ...style, size: style.size * scale };
    return [fitted(drawing, text, scaled, { ...options, min: min * scale, above: above * scale })];
  };
  return [
    ...part(title, TITLE, { min: 21, room: COLUMN, type: "H1" }),
    ...part(subtitle, SUBTITLE, { min: 11, room: COLUMN, above: 2 * MM }),
    ...part("Awarded to", AWARDED, { min: 9, room: COLUMN, above: 10 * MM }),
    ...part(name, { ...NAME, language }, { min: 30, room: COLUMN, above: 2.5 * MM, type: "H2" }),
    ...part(body, BODY, { min: 12, room: NARROW, above: 6 * MM, leading: 1.5 }),
  ];
}

/** Returns a text in one line if it fits in letters of at least `min`, otherwise in several of about equal width. */
function fitted(
  drawing: Drawing<CertificateFont>,
  text: string,
  style: Style,
  { min, room, above = 0, leading = LEADING, type = "P" }: {
    min: number;
    room: number;
    above?: number;
    leading?: number;
    type?: string;
  },
): Part {
  const { language = drawing.fonts.languageOf(text) } = style;
  const chosen = { ...style, language, rtl: isRightToLeft(text) };
  const size = Math.min(style.size, style.size * room / drawing.widthOf(text, chosen));
  const fitting = { ...chosen, size: Math.max(min, size) };
  const lines = size >= min ? [text] : balanced(drawing, text, fitting, room);
  return { lines, style: fitting, above, leading, type };
}

/** Breaks a text into as few lines as possible, of about equal width. */
function balanced(
  drawing: Drawing<CertificateFont>,
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

/** Draws date, grade and signatory, each below a line. */
function drawSigning(drawing: Drawing<CertificateFont>, texts: CertificateTexts): void {
  const { date, grade, signatory, signatory_title: office } = texts;
  const columns: [value: string | undefined, note: string | undefined][] = [
    [`${Number(date.slice(8))} ${formatDay(date, "month")}`, "Date"],
  ];
  if (grade !== undefined) columns.push([grade, "Grade"]);
  if (signatory !== undefined || office !== undefined) columns.push([signatory, office]);
  const { width, gap } = SIGNING;
  const total = columns.length * width + (columns.length - 1) * gap;
  for (const [i, texts] of columns.entries()) {
    const x = CENTRE - total / 2 + i * (width + gap);
    drawing.artifact(() => drawing.rule(x, SIGNING.y, width, 0.6));
    const parts = firstFit(
      SIGNING.y - SIGNING.bottom,
      (scale) =>
        ([[VALUE, 9], [NOTE, 8]] as const).flatMap(([style, min], j) => {
          const text = texts[j];
          const scaled = { ...style, size: style.size * scale };
          const above = j === 0 ? 1.6 * MM : 0;
          if (text === undefined) return [];
          return [fitted(drawing, text, scaled, { min: min * scale, room: width, above })];
        }),
    );
    let y = SIGNING.y;
    for (const part of parts) y = drawPart(drawing, part, y, x + width / 2);
  }
}
