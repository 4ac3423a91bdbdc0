/** Shows the content of a document by its type of file, or offers it as a download. */
import type { Display } from "../../lib/features/documents/access/display.ts";
import { PdfPages, type PdfPagesProps } from "./PdfPages.tsx";

interface ContentProps extends Pick<PdfPagesProps, "sha256" | "onCompared" | "firstOnly"> {
  shown: Display;
  title: string;
  /** The address of what the page shows, and of the download. */
  shownUrl: string;
  fileUrl: string;
  /** The path that counts a print; null if the pages cannot be printed. */
  printedUrl: string | null;
  /** The page of a PDF to show first. */
  page: number;
}

/** A document as its page shows it: the pages of a PDF, an image or a text. Everything else is downloaded. */
export function Content(
  { shown, title, shownUrl, fileUrl, printedUrl, page, ...comparison }: ContentProps,
) {
  switch (shown.as) {
    case "pdf":
      return (
        <>
          <noscript>
            <p class="actions">
              <a class="button primary" href={fileUrl}>Open the document</a>
            </p>
            <p class="note">Without JavaScript, its pages cannot be shown here.</p>
          </noscript>
          <PdfPages
            fileUrl={shownUrl}
            pdfJs={shown.pdfJs}
            {...{ printedUrl, page, ...comparison }}
          />
        </>
      );
    case "image":
      return (
        <figure class="document-image">
          <img class="framed" src={shownUrl} alt={title} />
        </figure>
      );
    case "text":
      return (
        <>
          <pre
            class="document-text pad-5 framed round raised anywhere"
            tabindex={0}
            role="region"
            aria-label="The text of the document"
          >
            {shown.text}
          </pre>
          {shown.cut && (
            <p class="note">Only the beginning is shown. Download the file to read the rest.</p>
          )}
        </>
      );
    case "file":
      return (
        <div class="state empty">
          <strong>This kind of file cannot be shown here</strong>
          <p>Download it to open it on your device.</p>
        </div>
      );
  }
}
