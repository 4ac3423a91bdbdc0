/** Draws the page of a certificate: issuer, title, name, and the lines for date, grade and signature. */
import { formatDay } from "../../../base/time.ts";
import { MM } from "../../../../packages/pdf/mod.ts";
import type { CertificateTexts, Paper } from "./fields.ts";
import { drawFlourish, drawFrame } from "./frame.ts";
import {
  type CertificateDrawing,
  drawParts,
  firstFit,
  type Fitting,
  heightOf,
  type Part,
  type Style,
  textPart,
} from "./parts.ts";

/** The sizes of paper, across. */
export const SIZES: Record<Paper, { width: number; height: number }> = {
  A4: { width: 297 * MM, height: 210 * MM },
  Letter: { width: 792, height: 612 },
};

/** From each edge of the paper to the texts at the sides. */
const SIDE = 38 * MM;
const NARROW_SIDE = 60 * MM;

/** From the upper edge of the paper. */
const TEST_TOP = 15 * MM;
const TOP = 22 * MM;

/** The largest pictures. */
const LOGO = { width: 80 * MM, height: 21 * MM };
const SIGNATURE = { width: 56 * MM, height: 17 * MM };

/** On the page; the issued copy says TEST across it. */
const TEST = "TEST · This certificate proves nothing";

const ISSUER: Style = { font: "display", size: 19 };
const DOMAIN: Style = { font: "text", size: 10.5, gray: 0.35 };
const TITLE: Style = { font: "display", size: 28 };
const SUBTITLE: Style = { font: "text", size: 14, gray: 0.2 };
const AWARDED: Style = { font: "text", size: 12.5, gray: 0.35 };
const NAME: Style = { font: "display", size: 50 };
const LATIN: Style = { font: "text", size: 17, gray: 0.2 };
const BODY: Style = { font: "text", size: 12.5, gray: 0.12 };
const VALUE: Style = { font: "text", size: 12.5 };
const NOTE: Style = { font: "text", size: 10, gray: 0.35 };

/** The title is smaller than the name, whose letters are smaller if it is long. */
const TITLE_OF_NAME = 0.72;

/** Where the lines for date, grade and signature are, their width, and the space for what is above and below. */
const SIGNING = { y: 37 * MM, width: 64 * MM, gap: 13 * MM, above: 17 * MM, below: 19 * MM };

/** The scales of the middle of the page, largest first. With the last one, the longest texts fit. */
const SCALES = [1.3, 1.22, 1.14, 1.07, 1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64, 0.58, 0.53];
const SMALLER = SCALES.filter((scale) => scale <= 1);

/** The least space above and below the middle of the page. */
const APART = 5 * MM;

/** How much of the space that is left is between the parts, and the most of it in relation to what is there. */
const BETWEEN = { part: 0.5, most: 0.9 };

/** The size of a picture in any unit. Its name in the resources of the page is its kind. */
interface PictureSize {
  width: number;
  height: number;
}

interface CertificatePage {
  texts: CertificateTexts;
  paper: { width: number; height: number };
  /** The logo of the issuer, and the signature of the signatory. */
  pictures: { logo?: PictureSize; signature?: PictureSize };
  /** True if the page says that it is a test. */
  test: boolean;
}

/** Draws a certificate. */
export function drawCertificate(drawing: CertificateDrawing, page: CertificatePage): void {
  const { texts, paper: { width, height }, test } = page;
  const centre = width / 2;
  drawFrame(drawing, page.paper);
  if (test) {
    const notice = textPart(drawing, TEST, NOTE, { min: 9, room: width - 2 * SIDE });
    notice.draw(centre, height - TEST_TOP);
  }
  const top = drawParts(headOf(drawing, page), centre, height - TOP) - APART;
  const room = top - (SIGNING.y + SIGNING.above + APART);
  const parts = firstFit(room, SCALES, (scale) => middleOf(drawing, texts, width, scale));
  const spaces = parts.slice(1).reduce((sum, { above }) => sum + above, 0);
  const left = Math.max(0, room - heightOf(parts));
  const between = Math.min(left * BETWEEN.part, spaces * BETWEEN.most);
  const spread = parts.map((part) => ({ ...part, above: part.above * (1 + between / spaces) }));
  drawParts(spread, centre, top - (left - between) / 2);
  drawSigning(drawing, page);
}

/** Returns the logo, the name and the domain of the issuer. */
function headOf(drawing: CertificateDrawing, { texts, paper, pictures }: CertificatePage): Part[] {
  const { logo } = pictures;
  const { issuer, domain } = texts;
  const room = paper.width - 2 * SIDE;
  const name = { min: 11, room, above: 3.2 * MM };
  return [
    ...logo === undefined ? [] : [picturePart(drawing, "logo", logo, LOGO, `Logo of ${issuer}`)],
    textPart(drawing, issuer, ISSUER, name),
    ...domain === undefined ? [] : [textPart(drawing, domain, DOMAIN, { min: 7, room, above: 2 })],
  ];
}

function picturePart(
  drawing: CertificateDrawing,
  name: string,
  picture: PictureSize,
  room: { width: number; height: number },
  alt: string,
): Part {
  const scale = Math.min(room.width / picture.width, room.height / picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  return {
    above: 0,
    height,
    draw: (centre, y) =>
      drawing.tagged(
        { type: "Figure", alt },
        () =>
          drawing.within(
            [width, 0, 0, height, centre - width / 2, y - height],
            () => drawing.add(`/${name} Do`),
          ),
      ),
  };
}

/** Returns the title, the name and what belongs to them. */
function middleOf(
  drawing: CertificateDrawing,
  { title, subtitle, name, language, name_latin: latin, body }: CertificateTexts,
  width: number,
  scale: number,
): Part[] {
  const wide = width - 2 * SIDE;
  const part = (text: string, style: Style, { min, above = 0, ...fitting }: Fitting) =>
    textPart(drawing, text, { ...style, size: style.size * scale }, {
      ...fitting,
      min: min * scale,
      above: above * scale,
    });
  const maybe = (text: string | undefined, style: Style, fitting: Fitting) =>
    text === undefined ? [] : [part(text, style, fitting)];
  const named = part(name, { ...NAME, language }, {
    min: 34,
    room: wide,
    above: 2 * MM,
    type: "H2",
  });
  const largest = Math.min(TITLE.size, named.size / scale * TITLE_OF_NAME);
  const titled = { ...TITLE, size: largest };
  return [
    part(title, titled, { min: Math.min(21, largest), room: wide, type: "H1" }),
    ...maybe(subtitle, SUBTITLE, { min: 11, room: wide, above: 1.6 * MM }),
    part("Awarded to", AWARDED, { min: 9, room: wide, above: 7 * MM }),
    named,
    ...maybe(latin, LATIN, { min: 12, room: wide, above: 2.4 * MM }),
    {
      above: 4.5 * MM * scale,
      height: 2 * MM,
      draw: (centre, y) => drawFlourish(drawing, centre, y - MM),
    },
    ...maybe(body, BODY, {
      min: 12.5,
      room: width - 2 * NARROW_SIDE,
      above: 4.5 * MM,
      leading: 1.45,
    }),
  ];
}

/** The parts above and below a line. */
interface Column {
  above: (scale: number) => Part[];
  below: [text: string | undefined, style: Style, min: number][];
}

/** Draws date, grade and signature, each at a line. */
function drawSigning(
  drawing: CertificateDrawing,
  { texts, paper, pictures: { signature } }: CertificatePage,
): void {
  const { date, grade, signatory, signatory_title: office } = texts;
  const { y, width, gap, above, below } = SIGNING;
  const text = (text: string, style: Style, min: number, scale: number) =>
    textPart(drawing, text, { ...style, size: style.size * scale }, {
      min: min * scale,
      room: width,
    });
  const valued = (value: string, note: string): Column => ({
    above: (scale) => [text(value, VALUE, 10, scale)],
    below: [[note, NOTE, 8]],
  });
  const columns = [valued(`${Number(date.slice(8))} ${formatDay(date, "month")}`, "Date")];
  if (grade !== undefined) columns.push(valued(grade, "Grade"));
  if (signatory !== undefined || office !== undefined) {
    columns.push({
      above: () =>
        signature === undefined ? [] : [
          picturePart(
            drawing,
            "signature",
            signature,
            SIGNATURE,
            `Signature of ${signatory ?? office}`,
          ),
        ],
      below: [[signatory, VALUE, 9], [office, NOTE, 8]],
    });
  }
  const total = columns.length * width + (columns.length - 1) * gap;
  for (const [i, column] of columns.entries()) {
    const x = (paper.width - total) / 2 + i * (width + gap);
    const centre = x + width / 2;
    const upper = firstFit(above - MM, SMALLER, column.above);
    drawParts(upper, centre, y + MM + heightOf(upper));
    drawing.artifact(() => drawing.rule(x, y, width, 0.4));
    const lower = firstFit(
      below,
      SMALLER,
      (scale) =>
        column.below.flatMap(([value, style, min]) =>
          value === undefined ? [] : [text(value, style, min, scale)]
        ),
    );
    drawParts(lower, centre, y - 1.6 * MM);
  }
}
