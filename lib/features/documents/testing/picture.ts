/** Draws PDF pages with PDFium and compares them by colour, for tests of issued copies. */
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
      let pixel = 4 * (y * width + margin);
      let square = Math.floor(y / SQUARE) * columns * 3;
      for (let column = 0; column < columns; column++, square += 3) {
        let [red, green, blue] = [0, 0, 0];
        for (const end = pixel + 4 * SQUARE; pixel < end; pixel += 4) {
          red += data[pixel];
          green += data[pixel + 1];
          blue += data[pixel + 2];
        }
        colors[square] += red / SQUARE ** 2;
        colors[square + 1] += green / SQUARE ** 2;
        colors[square + 2] += blue / SQUARE ** 2;
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
