/** Prints a PDF from its viewer, without the browser's own PDF viewer. */
import type { OpenPdf } from "./pdf.ts";
import { reportPrint } from "./PrintAction.tsx";

/**
 * Draws every page for paper, reports the print, and opens the browser's print dialog. The sheets
 * have the size of the first page.
 */
export async function printPdf(
  pdf: OpenPdf,
  printedUrl: string,
  onProgress: (page: number) => void,
): Promise<void> {
  const sheets = document.createElement("div");
  sheets.className = "pdf-sheets";
  const urls: string[] = [];
  const style = new CSSStyleSheet();
  const cleanUp = () => {
    sheets.remove();
    urls.forEach((url) => URL.revokeObjectURL(url));
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== style);
  };
  try {
    for (let number = 1; number <= pdf.document.numPages; number++) {
      onProgress(number);
      const { url, width, height } = await pdf.drawForPaper(number);
      urls.push(url);
      if (number === 1) style.replaceSync(`@page { size: ${width}pt ${height}pt; margin: 0; }`);
      const image = new Image();
      image.src = url;
      image.alt = `Page ${number}`;
      await image.decode();
      sheets.append(image);
    }
    await reportPrint(printedUrl);
    document.body.append(sheets);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
    // On phones `print` returns at once, so the sheets stay until the dialog has closed.
    addEventListener("afterprint", cleanUp, { once: true });
    print();
  } catch (error) {
    cleanUp();
    throw error;
  }
}
