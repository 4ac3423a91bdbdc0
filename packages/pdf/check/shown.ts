/**
 * Reads what a page shows with pdf.js: its texts, drawings and fields.
 *
 * @module
 */
import type { PDFDocumentProxy, PDFWorker as PDFWorkerType } from "pdfjs-dist";
import { type Field, fieldsOf } from "./fields.ts";
import { Port } from "./port.ts";

/** Loads the library, which otherwise warns that it could not draw on a canvas here. */
async function loaded() {
  const { warn } = console;
  console.warn = () => {};
  try {
    const [library, pdfjsWorker] = await Promise.all([
      import("pdfjs-dist/build/pdf.mjs"),
      import("pdfjs-dist/build/pdf.worker.min.mjs"),
    ]);
    return { ...library, WorkerMessageHandler: pdfjsWorker.WorkerMessageHandler };
  } finally {
    console.warn = warn;
  }
}

const { getDocument, OPS, PDFWorker, WorkerMessageHandler } = await loaded();
export { OPS };

/** The operators that the library draws for a page or for one of its annotations. */
export interface Part {
  /** `page`: the content of a page of the original. */
  kind: "page" | "note" | "form";
  /** From the coordinates of the part to those of the page as it is shown, from its upper left. */
  matrix: Matrix;
  operators: Operator[];
  /** The field that a note is, if it has a text. */
  field?: Field;
  /** True if the library draws a note in its own way, although others draw its appearance. */
  isOwn?: boolean;
}

/** An operator with its operands. Those of layers are `OC` and whether the layer is visible. */
export interface Operator {
  code: number;
  operands: readonly unknown[];
}

type OptionalContentConfig = Awaited<ReturnType<PDFDocumentProxy["getOptionalContentConfig"]>>;

type Matrix = readonly [number, number, number, number, number, number];

/** The operators that the library draws for a page. */
export interface ShownPage {
  width: number;
  height: number;
  /** For the original: the page's content, then its annotations. For a copy: each of its forms. */
  parts: Part[];
}

interface ShownOptions {
  /** True if the form of the PDF asks viewers to draw its fields. */
  isRedrawn: boolean;
  /** The numbers of the annotations that the library draws in its own way. */
  ownNotes: ReadonlySet<number>;
}

/**
 * A PDF as a viewer's library reads it. Layers are in their default states, and annotations are those that
 * are shown on a screen. Images are not decoded.
 */
export class ShownPdf implements AsyncDisposable {
  readonly #pdf: PDFDocumentProxy;
  readonly #worker: PDFWorkerType;
  readonly #layers: OptionalContentConfig;
  readonly #options: ShownOptions;

  private constructor(
    pdf: PDFDocumentProxy,
    worker: PDFWorkerType,
    layers: OptionalContentConfig,
    options: ShownOptions,
  ) {
    this.#pdf = pdf;
    this.#worker = worker;
    this.#layers = layers;
    this.#options = options;
  }

  static async open(bytes: Uint8Array, options: ShownOptions): Promise<ShownPdf> {
    const port = new Port();
    WorkerMessageHandler.initializeFromPort(port);
    const worker = new PDFWorker({ port: port as unknown as Worker, verbosity: 0 });
    const task = getDocument({
      worker,
      data: bytes,
      verbosity: 0,
      disableFontFace: false, // It would make the outline of each letter, to draw it.
      useSystemFonts: false,
      isOffscreenCanvasSupported: false,
      maxImageSize: 1,
    });
    try {
      const pdf = await task.promise;
      return new ShownPdf(pdf, worker, await pdf.getOptionalContentConfig(), options);
    } catch (error) {
      await task.destroy();
      worker.destroy();
      throw error;
    }
  }

  get pages(): number {
    return this.#pdf.numPages;
  }

  /** @param forms true if the page's forms are its parts, as in a copy */
  async page(number: number, { forms }: { forms: boolean }): Promise<ShownPage> {
    const page = await this.#pdf.getPage(number);
    const { transform, width, height } = page.getViewport({ scale: 1 });
    const { fnArray, argsArray } = await page.getOperatorList();
    const annotations = forms || !fnArray.includes(OPS.beginAnnotation)
      ? []
      : await page.getAnnotations();
    const { isRedrawn, ownNotes } = this.#options;
    const reading = new Reading(transform as unknown as Matrix, forms, this.#layers, {
      fields: fieldsOf(annotations, isRedrawn),
      ownNotes,
    });
    for (const [i, code] of fnArray.entries()) reading.add(code, argsArray[i] ?? []);
    page.cleanup();
    return { width, height, parts: reading.parts() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pdf.loadingTask.destroy();
    this.#worker.destroy();
  }
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

interface Notes extends Pick<ShownOptions, "ownNotes"> {
  /** The fields with texts, by the library's ids. */
  fields: ReadonlyMap<string, Field>;
}

/** Divides the operators of a page into parts. */
class Reading {
  readonly #forms: boolean;
  readonly #layers: OptionalContentConfig;
  readonly #parts: (Part & { visible: boolean })[] = [];
  #matrix: Matrix;
  readonly #base: Matrix;
  readonly #saved: Matrix[] = [];
  /** The visibility of each marked content, from the outermost. */
  readonly #marked: boolean[] = [];
  #current: Part | undefined;
  /** The forms within the current part. */
  #depth = 0;

  readonly #notes: Notes;

  constructor(
    base: Matrix,
    forms: boolean,
    layers: OptionalContentConfig,
    notes: Notes,
  ) {
    this.#notes = notes;
    this.#base = this.#matrix = base;
    this.#forms = forms;
    this.#layers = layers;
    if (!forms) this.#begin("page");
  }

  /** Returns the visible parts that draw something, or should because they are fields with a value. */
  parts(): Part[] {
    return this.#parts.filter(({ visible, operators, field }) =>
      visible && (operators.some(isPainting) || field?.values.some((value) => value !== ""))
    );
  }

  add(code: number, operands: readonly unknown[]): void {
    if (code === OPS.dependency) return;
    if (code === OPS.beginMarkedContentProps && operands[0] === "OC") {
      operands = ["OC", this.#isVisible(operands[1])];
    }
    if (this.#forms) this.#addOfCopy(code, operands);
    else if (code === OPS.beginAnnotation) {
      this.#separateLayer();
      const [id, , transform, matrix] = operands as [string, unknown, Matrix, Matrix];
      this.#matrix = multiply(multiply(this.#base, transform), matrix);
      this.#begin("note");
      this.#current!.field = this.#notes.fields.get(id);
      this.#current!.isOwn = this.#notes.ownNotes.has(parseInt(id));
    } else if (code === OPS.endAnnotation) this.#current = undefined;
    else if (this.#current !== undefined) this.#current.operators.push({ code, operands });
    else this.#mark(code, operands);
  }

  #addOfCopy(code: number, operands: readonly unknown[]): void {
    if (this.#current !== undefined) {
      if (code === OPS.paintFormXObjectBegin) this.#depth++;
      if (code === OPS.paintFormXObjectEnd && this.#depth-- === 0) {
        this.#current = undefined;
        this.#matrix = this.#saved.pop() ?? this.#base;
      } else this.#current.operators.push({ code, operands });
      return;
    }
    this.#mark(code, operands);
    if (code === OPS.save) this.#saved.push(this.#matrix);
    else if (code === OPS.restore) this.#matrix = this.#saved.pop() ?? this.#base;
    else if (code === OPS.transform) {
      this.#matrix = multiply(this.#matrix, operands as unknown as Matrix);
    } else if (code === OPS.paintFormXObjectBegin) {
      this.#saved.push(this.#matrix);
      this.#matrix = multiply(this.#matrix, (operands[0] as Matrix | null) ?? IDENTITY);
      this.#depth = 0;
      this.#begin("form");
    }
  }

  #begin(kind: Part["kind"]): void {
    this.#current = { kind, matrix: this.#matrix, operators: [] };
    const visible = this.#marked.every(Boolean);
    this.#parts.push(Object.assign(this.#current, { visible }));
  }

  /** The layer of the first annotation is noted before the annotation, as if the content had it. */
  #separateLayer(): void {
    const last = this.#current?.operators.at(-1);
    if (last === undefined || last.code !== OPS.beginMarkedContentProps) return;
    if (last.operands[0] !== "OC") return;
    this.#current!.operators.pop();
    this.#mark(last.code, last.operands);
  }

  /** Notes where marked content begins and ends outside of the parts. */
  #mark(code: number, operands: readonly unknown[]): void {
    if (code === OPS.endMarkedContent) this.#marked.pop();
    else if (code === OPS.beginMarkedContent) this.#marked.push(true);
    else if (code === OPS.beginMarkedContentProps) {
      this.#marked.push(operands[0] !== "OC" || operands[1] === true);
    }
  }

  #isVisible(layer: unknown): boolean {
    return layer === undefined || layer === null || this.#layers.isVisible(layer);
  }
}

const PAINTING = new Set(
  Object.entries(OPS).filter(([name]) => /^(paint(?!Form)|show|shadingFill)|Image/i.test(name))
    .map(([, code]) => code as number),
);

/** Returns whether an operator draws something. */
const isPainting = ({ code, operands }: Operator): boolean =>
  PAINTING.has(code) || code === OPS.constructPath && operands[0] !== OPS.endPath;

/** Returns the matrix that applies `b`, then `a`. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  return [
    a[0] * b[0] + a[2] * b[1],
    a[1] * b[0] + a[3] * b[1],
    a[0] * b[2] + a[2] * b[3],
    a[1] * b[2] + a[3] * b[3],
    a[0] * b[4] + a[2] * b[5] + a[4],
    a[1] * b[4] + a[3] * b[5] + a[5],
  ];
}
