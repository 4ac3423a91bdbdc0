/** The PDF viewer of documents, with zoom, page numbers and printing. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type OpenPdf, openPdf } from "./pdf.ts";
import { PdfPage } from "./PdfPage.tsx";
import { printPdf } from "./print_pdf.ts";
import { readFile } from "./read_file.ts";

export interface PdfPagesProps {
  /** The bytes of the PDF. */
  fileUrl: string;
  /** The path of pdf.js. */
  pdfJs: string;
  /** The path that counts a print; null if the pages cannot be printed. */
  printedUrl: string | null;
  /** The page to show first. */
  page: number;
  /** The hash that the PDF must have, in hexadecimal digits. No page of another file is shown. */
  sha256?: string;
  /** Called with whether the PDF has this hash; null if it could not be read. */
  onCompared?: (same: boolean | null) => void;
  /** Shows only the first page until the reader asks for the others. */
  firstOnly?: boolean;
}

type Loading =
  | { phase: "loading" }
  | { phase: "differs" }
  | { phase: "failed"; message: string }
  | {
    phase: "open";
    pdf: OpenPdf;
  };

const ZOOMS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

/** Draws the pages of a PDF below each other. Nothing in the PDF is run, and its links do nothing. */
export function PdfPages(
  { fileUrl, pdfJs, printedUrl, page: first, sha256, onCompared, firstOnly = false }: PdfPagesProps,
) {
  const [loading, setLoading] = useState<Loading>({ phase: "loading" });
  useEffect(() => {
    let pdf: OpenPdf | null = null;
    let closed = false;
    const open = async () => {
      const file = await readFile(fileUrl).catch((error) => {
        if (!closed) onCompared?.(null);
        throw error;
      });
      const same = sha256 === undefined || file.sha256 === sha256;
      if (closed) return;
      onCompared?.(same);
      if (!same) return setLoading({ phase: "differs" });
      const opened = await openPdf(file.bytes, pdfJs);
      if (closed) return opened.close();
      pdf = opened;
      setLoading({ phase: "open", pdf });
    };
    open().catch((error) => {
      if (!closed) setLoading({ phase: "failed", message: reasonOf(error) });
    });
    return () => {
      closed = true;
      pdf?.close();
    };
  }, []);
  if (loading.phase === "open") {
    return <Pages pdf={loading.pdf} {...{ first, printedUrl, firstOnly }} />;
  }
  if (loading.phase === "differs") return null;
  if (loading.phase === "loading") {
    return <p class="document-loading screen-only" role="status">Loading the pages…</p>;
  }
  return (
    <div class="state error" role="alert">
      <strong>The pages cannot be shown here</strong>
      <p>{loading.message}</p>
    </div>
  );
}

/** Says why a PDF was not opened. pdf.js names its errors. */
function reasonOf({ name }: { name?: string }): string {
  if (name === "PasswordException") {
    return "The PDF is protected by a password. Download it to open it.";
  }
  if (name === "InvalidPDFException") {
    return "The PDF is damaged. Download it and try another program.";
  }
  return "Check your connection and reload the page, or download the file.";
}

function Pages(
  { pdf, first, printedUrl, firstOnly }:
    & { pdf: OpenPdf; first: number }
    & Required<Pick<PdfPagesProps, "printedUrl" | "firstOnly">>,
) {
  const count = pdf.document.numPages;
  const [all, setAll] = useState(!firstOnly || first > 1);
  const shown = all ? count : 1;
  const frame = useRef<HTMLDivElement>(null);
  /** The width that pages may have; undefined until it is known. */
  const [width, setWidth] = useState<number>();
  /** The chosen scale; null fits the width. */
  const [zoom, setZoom] = useState<number | null>(null);
  const [current, setCurrent] = useState(1);
  const [printing, setPrinting] = useState<string | null>(null);
  const scale = zoom ?? (width === undefined ? 1 : Math.min(1.5, width / pdf.size.width));

  // Before the first paint, so that the pages do not change their size.
  useLayoutEffect(() => {
    const measure = () => setWidth(frame.current!.clientWidth || undefined);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const show = (number: number, behavior?: ScrollBehavior) => {
    const target = Math.min(shown, Math.max(1, number));
    frame.current!.querySelector(`[data-page="${target}"]`)?.scrollIntoView({
      block: "start",
      behavior,
    });
    setCurrent(target);
  };
  useEffect(() => {
    if (first > 1 && width !== undefined) show(first, "instant");
  }, [width === undefined]);

  const step = (by: 1 | -1) => {
    const next = by === 1
      ? ZOOMS.find((each) => each > scale + 0.01)
      : ZOOMS.findLast((each) => each < scale - 0.01);
    if (next !== undefined) setZoom(next);
  };
  const startPrinting = async (printedUrl: string) => {
    const progress = (done: number) => setPrinting(`Preparing page ${done} of ${count}…`);
    progress(1);
    try {
      await printPdf(pdf, printedUrl, progress);
      setPrinting(null);
    } catch {
      setPrinting("The pages could not be prepared. Download the file to print it.");
    }
  };
  return (
    <section class="pdf" aria-label="Pages">
      <div
        class="wrap middle gap-2-5 pdf-tools framed round raised screen-only"
        role="toolbar"
        aria-label="Pages and size"
      >
        {all && (
          <div class="cluster gap-2">
            <button
              type="button"
              class="button small"
              onClick={() => show(current - 1)}
              aria-label="Previous page"
              disabled={current <= 1}
            >
              ↑
            </button>
            <label class="pdf-number cluster gap-2 nowrap">
              <span class="visually-hidden">Page</span>
              <input
                type="number"
                min={1}
                max={count}
                value={current}
                onChange={({ currentTarget }) => show(Number(currentTarget.value) || current)}
              />
              <span>of {count}</span>
            </label>
            <button
              type="button"
              class="button small"
              onClick={() => show(current + 1)}
              aria-label="Next page"
              disabled={current >= count}
            >
              ↓
            </button>
          </div>
        )}
        <div class="cluster gap-2">
          <button type="button" class="button small" onClick={() => step(-1)} aria-label="Smaller">
            −
          </button>
          <button
            type="button"
            class="button small digits"
            onClick={() => setZoom(null)}
          >
            {Math.round(scale * 100)} %<span class="visually-hidden">, fit the width</span>
          </button>
          <button type="button" class="button small" onClick={() => step(1)} aria-label="Larger">
            +
          </button>
          {printedUrl !== null && (
            <button
              type="button"
              class="button small pdf-print"
              onClick={() => startPrinting(printedUrl)}
            >
              Print
            </button>
          )}
        </div>
      </div>
      <p class="pdf-printing flush screen-only" role="status">{printing}</p>
      <div
        class="pdf-frame flex column gap-4 screen-only"
        ref={frame}
        tabindex={0}
        role="group"
        aria-label="Pages of the document"
      >
        {Array.from(
          { length: shown },
          (_, i) => (
            <PdfPage
              key={i}
              number={i + 1}
              fitTo={zoom === null ? width : undefined}
              {...{ pdf, scale, count }}
              onVisible={setCurrent}
            />
          ),
        )}
      </div>
      {shown < count && (
        <p class="actions pdf-more screen-only">
          <button type="button" class="button" onClick={() => setAll(true)}>
            Show all {count} pages
          </button>
        </p>
      )}
      <p class="pdf-print-note">
        {printedUrl === null
          ? "Download the file to print it."
          : "The pages are printed only with the Print button of this page."}
      </p>
    </section>
  );
}
