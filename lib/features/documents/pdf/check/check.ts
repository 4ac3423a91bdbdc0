import { concat } from "@std/bytes/concat";
import { compareShown } from "./compare_shown.ts";
import { PdfFile } from "./file.ts";
import { type Page, pagesOf } from "./pages.ts";
import { Comparison, isEqual } from "./same.ts";
import { ShownPdf } from "./shown.ts";
import { Stream, SyntaxProblem, type Value } from "./syntax.ts";

/**
 * The most pages whose texts and drawings are compared, and the most encoded bytes of content: some for a
 * file, and more for each page. So a check of 20 pages takes 0.3 seconds, and one of 200 pages 2 seconds.
 */
const MAX_COMPARED = 200;
const BYTES = 200_000;
const BYTES_PER_PAGE = 8_000;

/** The outcome of a check, or the first page that differs, from 1, and how. */
export type CheckResult =
  | { ok: true; /** The pages whose texts and drawings were compared. */ compared: number }
  | { ok: false; page: number; what: string; isNote: boolean };

/**
 * Checks that each page of an issued copy shows what the original shows, without the code that made the
 * copy. All streams and what they need are compared. The texts and drawings that a viewer's library finds,
 * with form values and comments, are compared on up to 200 pages: the first one, the last one and others
 * evenly; and on all pages with comments, fields or layers.
 */
export async function checkCopy(original: Uint8Array, copy: Uint8Array): Promise<CheckResult> {
  const files = { original: new PdfFile(original), copy: new PdfFile(copy) };
  const pages = { original: pagesOf(files.original), copy: pagesOf(files.copy) };
  const count = pages.original.length;
  if (pages.copy.length !== count + 1) {
    return { ok: false, page: count, what: "the number of pages", isNote: false };
  }
  const comparison = new Comparison(files.original, files.copy);
  for (const [i, page] of pages.original.entries()) {
    const difference = comparePage(files, comparison, page, pages.copy[i]);
    if (difference !== undefined) return { ok: false, page: i + 1, ...difference };
  }
  const layers = compareLayers(files, comparison);
  if (layers !== undefined) return { ok: false, page: 1, what: layers, isNote: false };
  const form = files.original.dict(files.original.catalog.get("AcroForm"));
  const isRedrawn = files.original.get(form?.get("NeedAppearances")) === true;
  await using before = await ShownPdf.open(original, isRedrawn);
  await using after = await ShownPdf.open(copy, false);
  if (before.pages !== count) {
    return { ok: false, page: count, what: "the number of pages", isNote: false };
  }
  const sizes = pages.original.map((page) => sizeOf(files.original, page));
  const sample = new Set([...sampleOf(sizes), ...dependentOf(files.original, pages.original)]);
  for (const number of sample) {
    const difference = compareShown(
      await before.page(number, { forms: false }),
      await after.page(number, { forms: true }),
    );
    if (difference !== undefined) return { ok: false, page: number, ...difference };
  }
  return { ok: true, compared: sample.size };
}

/** Returns the numbers of all pages or, of many or large ones, the first, the last and others evenly. */
function sampleOf(sizes: readonly number[]): number[] {
  const pages = sizes.length;
  for (let count = Math.min(pages, MAX_COMPARED);; count = Math.floor(count * 0.8)) {
    const step = count < 2 ? 0 : (pages - 1) / (count - 1);
    const sample = Array.from({ length: count }, (_, i) => 1 + Math.round(i * step));
    const size = sample.reduce((sum, number) => sum + sizes[number - 1], 0);
    if (count <= 2 || size <= BYTES + BYTES_PER_PAGE * Math.min(pages, MAX_COMPARED)) return sample;
  }
}

/** Returns the numbers of the pages whose looks depend on the program: those with notes or layers. */
function dependentOf(file: PdfFile, pages: readonly Page[]): number[] {
  const hasLayers = file.dict(file.catalog.get("OCProperties")) !== undefined;
  const isNote = (annotation: Value) => file.name(file.dict(annotation)?.get("Subtype")) !== "Link";
  return pages.flatMap(({ dict }, i) =>
    hasLayers || file.list(dict.get("Annots")).some(isNote) ? [i + 1] : []
  );
}

/** Returns the encoded bytes of a page's content, with the forms that it can draw. */
function sizeOf(file: PdfFile, { resources, contents }: Page): number {
  const forms = [...file.dict(file.dict(resources)?.get("XObject"))?.values() ?? []]
    .map((value) => file.get(value))
    .filter((value) => value instanceof Stream && file.name(value.dict.get("Subtype")) === "Form");
  return [...contents, ...forms as Stream[]].reduce((sum, { bytes }) => sum + bytes.length, 0);
}

interface Files {
  original: PdfFile;
  copy: PdfFile;
}

type Difference = { what: string; isNote: boolean } | undefined;

/** Compares the streams of a page and what they need: fonts, images, forms, colours. */
function comparePage(
  files: Files,
  comparison: Comparison,
  before: Page,
  after: Page,
): Difference {
  const forms = files.copy.dict(files.copy.dict(after.resources)?.get("XObject"));
  const page = [...forms ?? []].find(([name]) => name.startsWith("Page"));
  const content = files.copy.get(page?.[1]);
  const form = content instanceof Stream ? content : undefined;
  if ((form === undefined) !== (before.contents.length === 0)) {
    return { what: "the content is missing", isNote: false };
  }
  if (form !== undefined) {
    if (!isSameContent(files, before.contents, form)) {
      return { what: "the bytes of the content", isNote: false };
    }
    const { dict } = before;
    const resources = before.resources ?? new Map(); // the copy has an empty one
    const path =
      comparison.difference(resources, form.dict.get("Resources"), "Resources", resources) ??
        comparison.difference(dict.get("Group"), after.dict.get("Group"), "Group", resources);
    if (path !== undefined) return { what: path, isNote: false };
  }
  // Those that are shown have the order in which they are drawn.
  const annotations = files.original.list(before.dict.get("Annots")).values();
  for (const [name, note] of forms ?? []) {
    if (!name.startsWith("Note")) continue;
    const isKept = annotations.some((annotation) =>
      appearancesOf(files.original, annotation).some((appearance) =>
        comparison.difference(appearance, note, name, before.resources) === undefined
      )
    );
    if (!isKept) return { what: "the appearance of a form value or comment", isNote: true };
  }
}

/** Compares the layers and their default states. Returns where they differ. */
function compareLayers({ original, copy }: Files, comparison: Comparison): string | undefined {
  const before = original.dict(original.catalog.get("OCProperties"));
  const after = copy.dict(copy.catalog.get("OCProperties"));
  if (original.dict(before?.get("D")) === undefined) return undefined;
  for (const key of ["OCGs", "D", "Configs"]) {
    const path = comparison.difference(before!.get(key), after?.get(key), `layers/${key}`, null);
    if (path !== undefined) return path;
  }
}

/** Returns all appearances that an annotation can have. */
function appearancesOf(file: PdfFile, annotation: Value): Value[] {
  const normal = file.dict(file.dict(annotation)?.get("AP"))?.get("N");
  const found = file.get(normal);
  return found instanceof Map ? [...found.values()] : normal === undefined ? [] : [normal];
}

/** Returns whether a form has the bytes of a page's streams. A single one is still encoded. */
function isSameContent({ original, copy }: Files, streams: Stream[], form: Stream): boolean {
  if (streams.length === 1) {
    const [{ bytes }] = streams;
    return isEqual(bytes, form.bytes);
  }
  try {
    const parts = streams.flatMap((stream) => [original.decode(stream), Uint8Array.of(0x0a)]);
    return isEqual(concat(parts), copy.decode(form));
  } catch (error) {
    if (error instanceof SyntaxProblem) return false;
    throw error;
  }
}
