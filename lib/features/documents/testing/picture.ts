import { type PDFiumDocument, PDFiumLibrary } from "@hyzyla/pdfium";

/** The side of the squares whose mean colours are compared, so that smooth edges do not count. */
const SQUARE = 6;

/** How much the mean of a square may differ, of 255. */
const TOLERANCE = 90;

let library: Promise<PDFiumLibrary> | undefined;

/** The mean colours of the squares of a page, row by row. */
export interface Picture {
  columns: number;
  rows: number;
  colors: Float64Array;
}

interface Bitmap {
  width: number;
  height: number;
  data: Uint8Array;
}

/** Draws pages of a PDF with PDFium, which shares no code with what makes and checks copies. */
export class Drawn {
  readonly #document: PDFiumDocument;

  private constructor(document: PDFiumDocument) {
    this.#document = document;
  }

  /** Returns null if PDFium cannot open the PDF. */
  static async open(bytes: Uint8Array): Promise<Drawn | null> {
    library ??= PDFiumLibrary.init();
    try {
      return new Drawn(await (await library).loadDocument(bytes));
    } catch {
      return null;
    }
  }

  /** Draws the first page, without `margin` pixels at its left and right. */
  async picture(scale: number, margin = 0, bottom = 0): Promise<Picture> {
    const page = this.#document.getPage(0);
    const { width, height, data } = await page.render({
      scale,
      renderFormFields: true,
      render: (bitmap: Bitmap) => Promise.resolve(bitmap.data),
    });
    const columns = Math.floor((width - 2 * margin) / SQUARE);
    const rows = Math.floor((height - bottom) / SQUARE);
    const colors = new Float64Array(columns * rows * 3);
    for (let y = 0; y < rows * SQUARE; y++) {
      for (let x = 0; x < columns * SQUARE; x++) {
        const square = Math.floor(y / SQUARE) * columns + Math.floor(x / SQUARE);
        const pixel = 4 * (y * width + margin + x);
        for (let i = 0; i < 3; i++) colors[square * 3 + i] += data[pixel + i] / SQUARE ** 2;
      }
    }
    return { columns, rows, colors };
  }

  [Symbol.dispose](): void {
    this.#document.destroy();
  }
}

/** Returns how many squares of two pictures differ. */
export function differingSquares(a: Picture, b: Picture): number {
  const columns = Math.min(a.columns, b.columns);
  let count = 0;
  for (let row = 0; row < Math.min(a.rows, b.rows); row++) {
    for (let column = 0; column < columns; column++) {
      const [p, q] = [a, b].map((picture) => 3 * (row * picture.columns + column));
      const isSame = [0, 1, 2].every((i) =>
        Math.abs(a.colors[p + i] - b.colors[q + i]) <= TOLERANCE
      );
      if (!isSame) count++;
    }
  }
  return count;
}
