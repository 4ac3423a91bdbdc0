/** Draws the legal notice of an issued document: a copy's last page, or another file's cover sheet. */
import { type CopyDrawing, type CopyStyle, printableIn } from "./fonts.ts";
import { formatDateTime, plural } from "../../../base/time.ts";
import { domainText, issuedBy } from "../issued_by.ts";
import type { IssueDetails, Issuer } from "../new_version.ts";
import { drawQr, MM, type Paper, wrap } from "../../../../packages/pdf/mod.ts";
import { drawTestMark } from "./test_mark.ts";
import { addressLines } from "./strip.ts";
import { addressStart, inFours, pageAddress, printedAddress } from "./text.ts";

/** The file that a legal page belongs to, and that its hash covers. */
export type LegalSubject =
  | { kind: "copy"; pages: number; size: number }
  | { kind: "file"; name?: string; size: number; signed?: boolean };

const MARGIN = 24 * MM;
const LABELS = 40 * MM;
const QR = 30 * MM;

/** The titles of the final page of a copy, and of the sheet for another file. */
export const TITLES = { copy: "About this document", file: "Cover sheet" };

const TITLE: CopyStyle = { font: "display", size: 22 };
const SUBJECT: CopyStyle = { font: "bold", size: 12 };
const NAME: CopyStyle = { font: "bold", size: 9.5 };
const LABEL: CopyStyle = { font: "bold", size: 8.5, gray: 0.32 };
const BODY: CopyStyle = { font: "regular", size: 9.5 };
const SMALL: CopyStyle = { font: "regular", size: 8.5, gray: 0.32 };
const MONO: CopyStyle = { font: "mono", size: 9.5 };
const ADDRESS: CopyStyle = { font: "mono", size: 8.8 };
const LEADING = 1.42;

/** Draws the page with the complete hash and what it means. */
export function drawLegalPage(
  drawing: CopyDrawing,
  details: IssueDetails,
  subject: LegalSubject,
  { width, height }: Paper,
): void {
  const { issuer, registrar, sha256, issuedAt, checkUrl, test } = details;
  const url = pageAddress(details, 1);
  const start = addressStart(url);
  const right = width - MARGIN;
  const column = right - MARGIN - LABELS;
  let y = height - 22 * MM;

  const lines = (text: string, style: CopyStyle, room: number, maxLines?: number) =>
    wrap(text, (line) => drawing.widthOf(line, style) <= room, maxLines);
  const rule = (gray: number) =>
    drawing.artifact(() => drawing.rule(MARGIN, y, right - MARGIN, gray));
  const paragraph = (all: string[], style: CopyStyle, x: number, type = "P") =>
    drawing.tagged({ type }, () => {
      for (const line of all) {
        y -= style.size * LEADING;
        drawing.text(line, x, y, style);
      }
    });
  const section = (label: string, draw: () => void) => {
    y -= 11;
    rule(0.8);
    y -= 4;
    drawing.tagged(
      { type: "H2" },
      () => drawing.text(label, MARGIN, y - BODY.size * LEADING, LABEL),
    );
    draw();
  };
  const body = (text: string, room = column) =>
    paragraph(lines(text, BODY, room), BODY, MARGIN + LABELS);

  // Head
  if (test) drawTestMark(drawing, { left: 0, bottom: 0, width, height });
  const kind = test ? "TEST · Legal notice" : "Legal notice";
  const nameOf = (party: Issuer) =>
    printableIn(drawing, party.name) ?? "Name in a script that this page cannot print";
  const name = nameOf(issuer);
  const head = registrar === undefined || test
    ? name
    : issuedBy({ issuer: name, domain: issuer.domain, registrar: nameOf(registrar) });
  const top = y;
  y += NAME.size * LEADING;
  paragraph(lines(head, NAME, right - MARGIN - 100, 2), NAME, MARGIN);
  drawing.tagged(
    { type: "P" },
    () => drawing.text(kind, right - drawing.widthOf(kind, SMALL), top, SMALL),
  );
  y -= 7;
  rule(0);
  y -= 16;
  const title = printableIn(drawing, details.title) ||
    "Title in a script that this page cannot print";
  paragraph([TITLES[subject.kind]], TITLE, MARGIN, "H1");
  y -= 6;
  paragraph(lines(title, SUBJECT, right - MARGIN, 3), SUBJECT, MARGIN);
  y -= 2;
  paragraph(lines(belongsTo(drawing, subject), SMALL, right - MARGIN, 3), SMALL, MARGIN);
  y -= 2;

  if (test) section("Test", () => body(TEST));
  const party = (party: Issuer) => {
    body(nameOf(party));
    if (party.domain !== undefined) body(domainText(party.domain));
    const registration = printableIn(drawing, party.registration ?? "") ??
      "Registration details in a script that this page cannot print";
    if (registration) body(registration);
  };
  section("Issued by", () => party(issuer));
  if (registrar !== undefined) {
    section(test ? "Not registered with" : "Registered with", () => party(registrar));
  }
  section("Issued on", () => body(formatDateTime(issuedAt)));
  section(subject.kind === "copy" ? "SHA-256 of the original" : "SHA-256 of the file", () => {
    const groups = inFours(sha256).split(" ");
    const halves = [groups.slice(0, 8), groups.slice(8)].map((half) => half.join(" "));
    paragraph(halves, MONO, MARGIN + LABELS);
    y -= 2;
    paragraph(["Complete: 64 hexadecimal digits"], SMALL, MARGIN + LABELS);
  });
  section("What the hash covers", () => body(covers(subject, test)));
  section("Where to check", () => {
    const top = y;
    const room = column - QR - 8 * MM;
    const address = addressLines(
      printedAddress(url),
      (line) => drawing.widthOf(line, ADDRESS) <= room,
    );
    paragraph(address, ADDRESS, MARGIN + LABELS);
    y -= 3;
    body(`Check that the address begins with ${start}`, room);
    y -= 3;
    body(
      test
        ? "The page there shows that this is a test."
        : "The page there shows the issuer, date and version, and whether the document is current, " +
          "replaced or withdrawn.",
      room,
    );
    y -= 3;
    body(
      `To compare a file, open ${checkUrl} and choose it there. It is not uploaded.`,
      room,
    );
    drawing.tagged(
      { type: "Figure", alt: `QR code with the address ${url}` },
      () => drawQr(drawing, url, right - QR, top - 5 - QR, QR),
    );
    y = Math.min(y, top - 5 - QR - 3.5 * MM);
  });

  // Disclaimer
  y -= 16;
  const room = right - MARGIN - 8 * MM;
  const heading: CopyStyle = { font: "bold", size: 9.5 };
  const disclaimer = lines(DISCLAIMER, BODY, room);
  const boxHeight = (disclaimer.length + 1) * BODY.size * LEADING + 7.5 * MM;
  drawing.artifact(() => drawing.box(MARGIN, y - boxHeight, right - MARGIN, boxHeight));
  y -= 2.6 * MM;
  paragraph(["A print proves nothing by itself."], heading, MARGIN + 4 * MM, "H2");
  y -= 2;
  paragraph(disclaimer, BODY, MARGIN + 4 * MM);
}

const TEST =
  "This is not a real document. Its issuer made it to try the service. It is not registered and " +
  "proves nothing.";

const DISCLAIMER =
  "Anyone can copy a QR code and a hash onto another sheet. Compare this print with the page at the " +
  "address above. Only files can be compared by their hash: a scan or photo of this print, or a file " +
  "that was saved again, has a different hash. The hash shows whether two files are equal. It says " +
  "nothing about whether their content is true.";

function belongsTo(drawing: CopyDrawing, subject: LegalSubject): string {
  if (subject.kind === "copy") {
    return `This page belongs to the issued copy. It follows page ${subject.pages} of ${subject.pages}.`;
  }
  const name = printableIn(drawing, subject.name ?? "");
  return `This sheet belongs to the file${name ? ` “${name}”` : ""}, which is issued unchanged.`;
}

function covers(subject: LegalSubject, test = false): string {
  const bytes = plural(subject.size, "byte");
  return subject.kind === "copy"
    ? `All ${bytes} of the original PDF. This copy was made from it: each page was scaled down for the ` +
      `footer, and this page was added. So this copy has a different hash.${
        test ? "" : " Both hashes are registered."
      }`
    : `All ${bytes} of the file, but not this sheet.${
      subject.signed ? " Its digital signature covers the file as it is." : ""
    }`;
}
