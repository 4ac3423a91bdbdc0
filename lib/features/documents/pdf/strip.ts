/** Draws the footer of each page of an issued copy: QR code, address, issuer and hash. */
import { type CopyDrawing, type CopyStyle, printableIn } from "./fonts.ts";
import { drawQr, FOOTER_MM, MM, PdfError, QR_MM, wrap } from "../../../../packages/pdf/mod.ts";
import type { IssueDetails } from "../new_version.ts";
import { addressStart, inFours, printedAddress } from "./text.ts";

/** Printers leave up to 5 mm at the edges of the sheet blank. */
const SIDE = 12 * MM;
const BOTTOM = 4.6 * MM;

/** Between the text and the code; the quiet zone takes 2.8 mm of it. */
const GAP = 6 * MM;

const GRAY = 0.32;

interface Run {
  text: string;
  style: CopyStyle;
}

interface Line {
  runs: Run[];
  /** Points above the line, in addition to its own height. */
  above: number;
  right?: Run;
}

export interface StripDetails
  extends Pick<IssueDetails, "sha256" | "issuer" | "registrar" | "test"> {
  url: string;
  page: number;
  pages: number;
}

/** Draws the footer at the bottom of a page of this width. */
export function drawStrip(drawing: CopyDrawing, details: StripDetails, width: number): void {
  const height = FOOTER_MM * MM;
  const code = QR_MM * MM;
  drawing.rule(SIDE, height, width - 2 * SIDE);
  drawQr(drawing, details.url, width - SIDE - code, BOTTOM, code);

  const column = width - 2 * SIDE - code - GAP;
  // A narrow page, or a long host, needs smaller text.
  for (const scale of [1, 0.94, 0.88, 0.82, 0.76, 0.7, 0.64]) {
    const lines = stripLines(drawing, details, column, scale);
    const gaps = lines.reduce((sum, { above }) => sum + above, 0);
    const spare = code - gaps - lines.reduce((sum, line) => sum + sizeOf(line), 0);
    if (spare < 0) continue;
    let y = BOTTOM + code + 0.2 * sizeOf(lines[0]);
    for (const line of lines) {
      y -= sizeOf(line) + line.above * (1 + spare / gaps);
      let x = SIDE;
      for (const { text, style } of line.runs) {
        drawing.text(text, x, y, style);
        x += drawing.widthOf(text, style);
      }
      if (line.right === undefined) continue;
      const { text, style } = line.right;
      drawing.text(text, SIDE + column - drawing.widthOf(text, style), y, style);
    }
    return;
  }
  throw new PdfError("page_too_small");
}

const sizeOf = ({ runs }: Line): number => Math.max(...runs.map(({ style }) => style.size));

function stripLines(
  drawing: CopyDrawing,
  { url, page, pages, issuer, registrar, sha256, test }: StripDetails,
  column: number,
  scale: number,
): Line[] {
  const strong: CopyStyle = { font: "bold", size: 8.2 * scale };
  const small: CopyStyle = { font: "regular", size: 7.2 * scale, gray: GRAY };
  const mono: CopyStyle = { font: "mono", size: 8.4 * scale };
  const fits = ({ text, style }: Run, room = column) => drawing.widthOf(text, style) <= room;
  const lines = (text: string, style: CopyStyle, above: number): Line[] =>
    wrap(text, (line) => fits({ text: line, style }))
      .map((line, i) => ({ runs: [{ text: line, style }], above: i === 0 ? above : 1 }));
  /** A label, and after it or below it a value. */
  const labelled = (label: string, value: string[], above: number): Line[] => {
    const before = { text: `${label}  `, style: small };
    const room = column - drawing.widthOf(before.text, small);
    const [only, ...more] = value;
    if (more.length === 0 && fits({ text: only, style: mono }, room)) {
      return [{ runs: [before, { text: only, style: mono }], above }];
    }
    return [
      ...lines(label, small, above),
      ...value.map((text) => ({ runs: [{ text, style: mono }], above: 1 })),
    ];
  };

  const right = { text: `${test ? "TEST · " : ""}Page ${page} of ${pages}`, style: strong };
  const nameRoom = column - drawing.widthOf(right.text, strong) - 8;
  const name = printableIn(drawing, issuer.name) ?? "Issued copy";
  const [text] = wrap(name, (line) => fits({ text: line, style: strong }, nameRoom), 1);
  const registered = test
    ? "A test, which is not registered and proves nothing"
    : registrar && `Registered with ${printableIn(drawing, registrar.name) ?? "its registrar"}`;
  const address = addressLines(
    printedAddress(url),
    (line) => fits({ text: line, style: mono }),
  );
  return [
    { runs: [{ text, style: strong }], above: 0, right },
    ...registered === undefined ? [] : lines(registered, small, 1),
    ...labelled("Check this page at", address, 4 * scale),
    ...lines(`Check that the address begins with ${addressStart(url)}`, small, 2 * scale),
    ...labelled(
      "SHA-256 of the original, first 16 of 64:",
      [inFours(sha256.slice(0, 16))],
      4 * scale,
    ),
  ];
}

/** Breaks an address that is too long for a line before the document's id. */
export function addressLines(address: string, fits: (line: string) => boolean): string[] {
  if (fits(address)) return [address];
  const id = address.lastIndexOf("/", address.lastIndexOf("/") - 1) + 1;
  return [address.slice(0, id), address.slice(id)].flatMap((part) => wrap(part, fits));
}
