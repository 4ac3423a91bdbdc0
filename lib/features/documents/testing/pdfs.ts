/** Creates PDFs for tests, and reads the texts, links, bookmarks and tags of the issued copies. */
import {
  degrees,
  type PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  PDFString,
  StandardFonts,
} from "@cantoo/pdf-lib";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { IssueDetails } from "../new_version.ts";

export const DETAILS: IssueDetails = {
  address: "https://trust.example/d/7K3M9Q2XB4TW01RA",
  sha256: "3f5a9c0177de0b12".repeat(4),
  issuer: {
    name: "Open Records Foundation",
    registration: "No. 12345, Keizersgracht 1, Amsterdam",
  },
  organisation: "foundation",
  issuedAt: "2026-11-22T14:05:00.000Z",
  title: "Certificate of conformity",
  checkUrl: "https://trust.example/check",
};

export const A4: [width: number, height: number] = [595.28, 841.89];
export const LETTER: [width: number, height: number] = [612, 792];

export interface PageSpec {
  size?: [width: number, height: number];
  rotation?: number;
  /** The lower left of the page's coordinates. */
  origin?: [x: number, y: number];
  /** Cut from each side by the CropBox. */
  cropped?: number;
  userUnit?: number;
}

/** Creates a PDF whose pages say `Page <n>` at 50, 100 from the lower left of the visible part. */
export async function createPdf(pages: PageSpec[] = [{}]): Promise<PDFDocument> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  for (const [i, { size: [width, height] = A4, ...spec }] of pages.entries()) {
    const { rotation = 0, origin: [x, y] = [0, 0], cropped = 0, userUnit = 1 } = spec;
    const page = pdf.addPage([width, height]);
    page.setMediaBox(x, y, width, height);
    if (cropped !== 0) {
      page.setCropBox(x + cropped, y + cropped, width - 2 * cropped, height - 2 * cropped);
    }
    page.setRotation(degrees(rotation));
    if (userUnit !== 1) page.node.set(PDFName.of("UserUnit"), pdf.context.obj(userUnit));
    page.drawText(`Page ${i + 1}`, { x: x + cropped + 50, y: y + cropped + 100, size: 20, font });
  }
  return pdf;
}

/** Returns a PDF with a signature field, which by default is signed. */
export async function signedPdf(
  pages: number,
  { signed = true } = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await createPdf(Array(pages).fill({}));
  const signature = pdf.context.register(pdf.context.obj({
    Type: "Sig",
    ByteRange: [0, 100, 200, 100],
    Contents: PDFHexString.of("00".repeat(50)),
  }));
  const field = pdf.context.obj({
    FT: "Sig",
    T: PDFString.of("Signature"),
    ...signed && { V: signature },
  });
  pdf.catalog.set(
    PDFName.of("AcroForm"),
    pdf.context.obj({ Fields: [pdf.context.obj({ Kids: [field] })] }),
  );
  return new Uint8Array(await pdf.save());
}

/**
 * Creates a PDF with tags, in Dutch: a page with a heading, a paragraph, a link to the second page and a
 * filled-in field, and a page with a paragraph.
 */
export async function taggedPdf(): Promise<PDFDocument> {
  const pdf = await createPdf([{}, {}]);
  const { context, catalog } = pdf;
  const [first, second] = pdf.getPages();
  const [font] = (first.node.Resources()!.lookup(PDFName.of("Font")) as PDFDict).keys();
  const text = (id: number, y: number, words: string) =>
    `/P <</MCID ${id}>> BDC BT ${font} 12 Tf 50 ${y} Td (${words}) Tj ET EMC\n`;
  const contents = (...parts: string[]) => context.register(context.flateStream(parts.join("")));
  first.node.set(
    PDFName.of("Contents"),
    contents(text(0, 700, "Kop"), text(1, 600, "Alinea"), text(2, 500, "Zie verder")),
  );
  second.node.set(PDFName.of("Contents"), contents(text(0, 700, "Slot")));
  const link = context.register(context.obj({
    Type: "Annot",
    Subtype: "Link",
    Rect: [50, 497, 110, 512],
    Dest: [second.ref, "XYZ", 50, 712, 0],
    StructParent: 2,
  }));
  first.node.addAnnot(link);
  const field = pdf.getForm().createTextField("name");
  field.setText("Ada Lovelace");
  field.addToPage(first, { x: 50, y: 300, width: 200, height: 30 });
  const widget = first.node.Annots()!.get(1);

  const root = context.nextRef();
  const document = context.nextRef();
  const element = (type: string, page: PDFPage, kids: unknown[], entries = {}) =>
    context.register(
      context.obj({ S: type, P: document, Pg: page.ref, K: kids, ...entries } as never),
    );
  const kids = [
    element("Kop", first, [0]),
    element("P", first, [{ Type: "MCR", MCID: 1 }], { Lang: PDFString.of("nl-BE") }),
    element("Link", first, [2, { Type: "OBJR", Obj: link }]),
    element("Form", first, [{ Type: "OBJR", Obj: widget }], { Alt: PDFString.of("Naam") }),
    element("P", second, [0]),
  ];
  context.assign(
    document,
    context.obj({ Type: "StructElem", S: "Document", P: root, K: kids }),
  );
  context.assign(
    root,
    context.obj({
      Type: "StructTreeRoot",
      K: document,
      RoleMap: { Kop: "H1" },
      ParentTree: { Nums: [0, kids.slice(0, 3), 1, [kids[4]], 2, kids[2]] },
    }),
  );
  first.node.set(PDFName.of("StructParents"), context.obj(0));
  second.node.set(PDFName.of("StructParents"), context.obj(1));
  catalog.set(PDFName.of("StructTreeRoot"), root);
  catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
  catalog.set(PDFName.of("Lang"), PDFString.of("nl"));
  return pdf;
}

export interface ReadPage {
  /** The size in points, as a viewer shows it. */
  width: number;
  height: number;
  rotation: number;
  /** The texts with the positions where they begin, in points from the lower left. */
  texts: { text: string; x: number; y: number }[];
  /** The address or the number of the page that each link leads to, and its lower left corner. */
  links: { to: string | number | undefined; x: number; y: number }[];
}

/** Reads a PDF, by default all its pages, with the viewer's library. */
export async function readPdf(bytes: Uint8Array, pages = Infinity): Promise<ReadPage[]> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = await task.promise;
    const pageOf = async (dest: string | unknown[]): Promise<number | undefined> => {
      const place = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
      return place?.[0] && await pdf.getPageIndex(place[0]) + 1;
    };
    return await Promise.all(
      Array.from({ length: Math.min(pages, pdf.numPages) }, async (_, i) => {
        const page = await pdf.getPage(i + 1);
        const viewport = page.getViewport({ scale: 1 });
        const { items } = await page.getTextContent();
        const texts = items.flatMap((item) => {
          if (!("str" in item) || item.str.trim() === "") return [];
          const [x, fromTop] = viewport.convertToViewportPoint(
            item.transform[4],
            item.transform[5],
          );
          return [{ text: item.str, x, y: viewport.height - fromTop }];
        });
        const { width, height } = viewport;
        const links = (await page.getAnnotations()).filter(({ subtype }) => subtype === "Link");
        const read = await Promise.all(links.map(async (link) => {
          const [x1, y1, x2, y2] = viewport.convertToViewportRectangle(link.rect);
          return {
            to: link.url ?? await pageOf(link.dest),
            x: Math.min(x1, x2),
            y: height - Math.max(y1, y2),
          };
        }));
        return { width, height, rotation: page.rotate, texts, links: read };
      }),
    );
  } finally {
    await task.destroy();
  }
}

/** Returns the texts of a page in one line. */
export const textOf = ({ texts }: ReadPage): string => texts.map(({ text }) => text).join(" ");

/** Returns the bookmarks, such as `Title → 2`, indented by level. */
export async function readOutline(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = await task.promise;
    const lines: string[] = [];
    const add = async (items: OutlineItem[], indent: string) => {
      for (const { title, url, dest, items: below } of items) {
        lines.push(`${indent}${title} → ${url ?? await pdf.getPageIndex(dest[0]) + 1}`);
        await add(below, `${indent}  `);
      }
    };
    await add(await pdf.getOutline() ?? [], "");
    return lines;
  } finally {
    await task.destroy();
  }
}

interface OutlineItem {
  title: string;
  url: string | null;
  // deno-lint-ignore no-explicit-any -- as in the library
  dest: any;
  items: OutlineItem[];
}

/** Returns what a screen reader finds on each page, such as `Document(H1("Title") Figure[A code])`. */
export async function readTags(bytes: Uint8Array, pages = Infinity): Promise<string[]> {
  const task = getDocument({ data: bytes.slice(), verbosity: 0 });
  try {
    const pdf = await task.promise;
    return await Promise.all(
      Array.from({ length: Math.min(pages, pdf.numPages) }, async (_, i) => {
        const page = await pdf.getPage(i + 1);
        const { items } = await page.getTextContent({ includeMarkedContent: true });
        const texts = new Map<string | undefined, string>();
        const open: string[] = [];
        for (const item of items) {
          if ("str" in item) texts.set(open.at(-1), (texts.get(open.at(-1)) ?? "") + item.str);
          else if (item.type === "endMarkedContent") open.pop();
          else open.push(item.id ?? open.at(-1) ?? "");
        }
        const show = (node: TagNode): string =>
          node.type === "content" ? JSON.stringify(texts.get(node.id)?.trim()) : node.type ??
            `${node.role}${node.lang ? `@${node.lang}` : ""}${node.alt ? `[${node.alt}]` : ""}(${
              node.children!.map(show).join(" ")
            })`;
        const tree: TagNode | null = await page.getStructTree();
        return (tree?.children ?? []).map(show).join(" ");
      }),
    );
  } finally {
    await task.destroy();
  }
}

/** A node of the structure tree as the viewer's library returns it. */
interface TagNode {
  role?: string;
  lang?: string;
  alt?: string;
  children?: TagNode[];
  type?: string;
  id?: string;
}
