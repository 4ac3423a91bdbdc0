/**
 * Checks that a copy shows what its original shows, page by page.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";
import { compareShown } from "./compare_shown.ts";
import { PdfFile } from "./file.ts";
import { type Page, pagesOf } from "./pages.ts";
import { Comparison, isEqual } from "./same.ts";
import { ShownPdf } from "./shown.ts";
import { Ref, Stream, SyntaxProblem } from "./syntax.ts";
import { appearancesOf, ContentUses } from "./uses.ts";

/**
 * The most pages whose texts and drawings are compared, and the most work: some for a file, and more for each
 * page. So a check of 20 pages takes 0.3 seconds, and one of 200 pages 2 seconds.
 */
const MAX_COMPARED = 200;
const WORK = 60_000;
const WORK_PER_PAGE = 15_000;

/** How many of the pages whose looks depend on the program are compared, whatever their work is. */
const MIN_FIRST = 8;

/** The most work of the pages that have to be compared. */
const MAX_WORK = 16_000_000;

/** The outcome of a check, or the first page that differs, from 1, and how. */
export type CheckResult =
  | { ok: true; /** The pages whose texts and drawings were compared. */ compared: number }
  | { ok: false; page: number; what: string; isNote: boolean; isTooComplex?: boolean };

/**
 * Checks that each page of an issued copy shows what the original shows, without the code that made the
 * copy. All streams and what they need are compared. The texts and drawings that a viewer's library finds,
 * with form values and comments, are compared on up to 200 pages: the first one, the last one, and others
 * evenly, beginning with those whose looks depend on the program.
 */
export async function checkCopy(original: Uint8Array, copy: Uint8Array): Promise<CheckResult> {
  const files = { original: new PdfFile(original), copy: new PdfFile(copy) };
  const pages = { original: pagesOf(files.original), copy: pagesOf(files.copy) };
  const count = pages.original.length;
  if (pages.copy.length !== count + 1) {
    return { ok: false, page: count, what: "the number of pages", isNote: false };
  }
  const comparison = new Comparison(files.original, files.copy);
  const uses = new ContentUses(files.original);
  for (const [i, page] of pages.original.entries()) {
    const difference = comparePage(files, comparison, uses, page, pages.copy[i]);
    if (difference !== undefined) return { ok: false, page: i + 1, ...difference };
  }
  const layers = compareLayers(files, comparison);
  if (layers !== undefined) return { ok: false, page: 1, what: layers, isNote: false };
  const all = pages.original.map((page, i) => ({ number: i + 1, page, ...uses.ofPage(page) }));
  const faulty = all.find(({ fault }) => fault !== undefined);
  if (faulty !== undefined) {
    return { ok: false, page: faulty.number, what: faulty.fault!, isNote: false };
  }
  const hasLayers = files.original.dict(files.original.catalog.get("OCProperties")) !== undefined;
  const sample = sampleOf(all.map(({ number, page, work, isUnclear }) => ({
    number,
    work,
    isNeeded: isUnclear,
    isFirst: hasLayers || hasNotes(files.original, page),
  })));
  if (workOf(sample) > MAX_WORK) {
    return { ok: false, page: 1, what: "too much work", isNote: false, isTooComplex: true };
  }
  return await compareSample(
    files,
    { original, copy },
    sample.map(({ number }) => number),
    pages.original,
  );
}

/** Compares the texts and drawings of some pages. */
async function compareSample(
  files: Files,
  bytes: { original: Uint8Array; copy: Uint8Array },
  sample: readonly number[],
  pages: readonly Page[],
): Promise<CheckResult> {
  const form = files.original.dict(files.original.catalog.get("AcroForm"));
  const isRedrawn = files.original.get(form?.get("NeedAppearances")) === true;
  const ownNotes = ownNotesOf(files.original, pages);
  await using before = await ShownPdf.open(bytes.original, { isRedrawn, ownNotes });
  await using after = await ShownPdf.open(bytes.copy, { isRedrawn: false, ownNotes: new Set() });
  if (before.pages !== pages.length) {
    return { ok: false, page: pages.length, what: "the number of pages", isNote: false };
  }
  for (const number of sample) {
    const difference = compareShown(
      await before.page(number, { forms: false }),
      await after.page(number, { forms: true }),
    );
    if (difference !== undefined) return { ok: false, page: number, ...difference };
  }
  return { ok: true, compared: sample.length };
}

/**
 * Returns the numbers of the highlights that the library draws itself although they have an appearance, which all
 * other programs draw.
 */
function ownNotesOf(file: PdfFile, pages: readonly Page[]): Set<number> {
  const notes = pages.flatMap(({ dict }) => file.list(dict.get("Annots")));
  return new Set(notes.flatMap((note) => {
    if (!(note instanceof Ref)) return [];
    if (file.name(file.dict(note)?.get("Subtype")) !== "Highlight") return [];
    return appearancesOf(file, note).every((appearance) => {
        const resources = file.dict(file.dict(appearance)?.get("Resources"));
        return !resources?.has("ExtGState");
      })
      ? [note.number]
      : [];
  }));
}

/** A page that can be part of a sample. */
interface Candidate {
  number: number;
  work: number;
  /** True if it has to be compared. */
  isNeeded: boolean;
  /** True if its looks depend on the program, so that it is compared before others. */
  isFirst: boolean;
}

/**
 * Returns all pages, or those that a limited work allows: the first, the last, and others evenly.
 *
 * @param pages all pages of a PDF in their order
 */
export function sampleOf(pages: readonly Candidate[]): Candidate[] {
  const count = Math.min(pages.length, MAX_COMPARED);
  const limit = WORK + WORK_PER_PAGE * count;
  const sample = new Set([pages[0], ...pages.filter(({ isNeeded }) => isNeeded), pages.at(-1)!]);
  for (const isFirst of [true, false]) {
    const others = pages.filter((page) => page.isFirst === isFirst && !sample.has(page));
    // No page can take the place of one whose looks depend on the program.
    const left = limit - (isFirst ? 0 : workOf([...sample]));
    const least = isFirst ? MIN_FIRST : 0;
    for (
      let take = Math.min(others.length, count - sample.size);
      take > 0;
      take = Math.floor(take * 0.8)
    ) {
      const step = others.length / take;
      const some = Array.from({ length: take }, (_, i) => others[Math.floor((i + 0.5) * step)]);
      if (take > least && workOf(some) > left) continue;
      for (const page of some) sample.add(page);
      break;
    }
  }
  return pages.filter((page) => sample.has(page));
}

const workOf = (pages: readonly Candidate[]): number =>
  pages.reduce((sum, { work }) => sum + work, 0);

/** Returns whether a page has comments or fields. */
const hasNotes = (file: PdfFile, { dict }: Page): boolean =>
  file.list(dict.get("Annots"))
    .some((annotation) => file.name(file.dict(annotation)?.get("Subtype")) !== "Link");

interface Files {
  original: PdfFile;
  copy: PdfFile;
}

type Difference = { what: string; isNote: boolean } | undefined;

/** Compares the streams of a page and what they need: fonts, images, forms, colours. */
function comparePage(
  files: Files,
  comparison: Comparison,
  uses: ContentUses,
  before: Page,
  after: Page,
): Difference {
  const borrowed = uses.borrowedBy(before);
  if (borrowed !== undefined) {
    return {
      what: `a form uses ${borrowed} of its page, which only some programs find`,
      isNote: false,
    };
  }
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
    const spaces = [[files.original, before.resources], [files.copy, after.resources]] as const;
    const [was, is] = spaces.map(([file, from]) => file.dict(file.dict(from)?.get("ColorSpace")));
    for (const name of ["DefaultRGB", "DefaultCMYK"]) {
      const path = comparison.difference(was?.get(name), is?.get(name), name, resources);
      if (path !== undefined) return { what: path, isNote: false };
    }
    for (const [stream, kind] of comparison.takeContents()) {
      const what = uses.faultOf(stream, kind);
      if (what !== undefined) return { what, isNote: false };
    }
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
    for (const [stream, kind] of comparison.takeContents()) {
      const what = uses.faultOf(stream, kind === "form" ? "comment" : kind);
      if (what !== undefined) return { what, isNote: true };
    }
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
