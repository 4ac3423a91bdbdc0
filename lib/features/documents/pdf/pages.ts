import {
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  type PDFRef,
} from "@cantoo/pdf-lib";
import type { IssueDetails } from "../new_version.ts";
import type { Note, PageContents } from "./contents.ts";
import { cm, Drawing, type Fonts } from "./drawing.ts";
import { fromUpright, type Matrix, MM, multiply, toUpright, uprightSize } from "./geometry.ts";
import type { Paper } from "./legal.ts";
import { PdfError } from "./problem.ts";
import type { SourcePage } from "./source.ts";
import { drawStrip, MIN_HEIGHT_MM, MIN_WIDTH_MM, STRIP_MM } from "./strip.ts";

/** A page of the original and its copy. */
export interface CopiedPage {
  source: SourcePage;
  page: PDFPage;
  /** From the coordinates of the original's page to those of the copy. */
  matrix: Matrix;
  /** The form XObject with the content of the page; undefined if it has none. */
  content: PDFRef | undefined;
  /** Annotations and fields that became part of the page. Their places in the list are their ids. */
  notes: Note[];
}

interface StampOptions {
  pdf: PDFDocument;
  fonts: Fonts;
  contents: PageContents;
  source: SourcePage;
  number: number;
  pages: number;
  details: IssueDetails;
  isTagged: boolean;
}

/** Adds a copy of a page, scaled down above a strip with the page's code. */
export function addStampedPage(
  { pdf, fonts, contents, source, number, pages, details, isTagged }: StampOptions,
): CopiedPage {
  const { box, rotation, userUnit } = source;
  const { width, height } = uprightSize(source);
  if (width < MIN_WIDTH_MM * MM || height < MIN_HEIGHT_MM * MM) {
    throw new PdfError("page_too_small");
  }
  const strip = STRIP_MM * MM;
  const scale = (height - strip) / height;
  const toPoints: Matrix = [userUnit, 0, 0, userUnit, 0, 0];
  const place: Matrix = [scale, 0, 0, scale, width * (1 - scale) / 2, strip];
  const matrix = multiply(place, multiply(toPoints, toUpright(box, rotation)));

  const drawing = new Drawing(fonts, isTagged);
  const xObjects = PDFDict.withContext(pdf.context);
  const draw = (name: string, ref: PDFRef) => {
    xObjects.set(PDFName.of(name), ref);
    drawing.add(`/${name} Do`);
  };
  const { content, notes } = contents.of(source);
  drawing.within(matrix, () => {
    if (content !== undefined) draw("Page", content);
    for (const [i, { ref, matrix, tag }] of notes.entries()) {
      const note = () => drawing.within(matrix, () => draw(`Note${i}`, ref));
      if (isTagged) drawing.tagged(tag, note);
      else note();
    }
  });
  const url = details.address(number);
  drawing.artifact(
    () => drawStrip(drawing, { ...details, url, page: number, pages }, width),
    "/Type /Pagination /Subtype /Footer",
  );

  const fromPoints: Matrix = [1 / userUnit, 0, 0, 1 / userUnit, 0, 0];
  const turn = multiply(fromUpright(box, rotation), fromPoints);
  const page = addPage(pdf, fonts, box, `q ${cm(turn)}\n${drawing}\nQ`, xObjects);
  if (rotation !== 0) page.node.set(PDFName.of("Rotate"), PDFNumber.of(rotation));
  if (userUnit !== 1) page.node.set(PDFName.of("UserUnit"), PDFNumber.of(userUnit));
  return { source, page, matrix: multiply(turn, matrix), content, notes };
}

/** Adds a page with these operators. */
export function addPage(
  pdf: PDFDocument,
  fonts: Fonts,
  { width, height }: Paper,
  operators: string,
  xObjects?: PDFDict,
): PDFPage {
  const { context } = pdf;
  const page = pdf.addPage([width, height]);
  const resources = context.obj({
    Font: Object.fromEntries(Object.entries(fonts).map(([name, { ref }]) => [name, ref])),
  });
  if (xObjects !== undefined) resources.set(PDFName.of("XObject"), xObjects);
  page.node.set(PDFName.of("Resources"), resources);
  page.node.set(PDFName.of("Contents"), context.register(context.flateStream(operators)));
  return page;
}
