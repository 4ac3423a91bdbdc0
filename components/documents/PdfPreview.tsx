/** The island of the consoles that shows a PDF without the tools of the viewer. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type OpenPdf, openPdf } from "./pdf.ts";
import { PdfPage } from "./PdfPage.tsx";
import { readFile } from "./read_file.ts";

/** Draws the pages of a PDF as wide as their place, without tools. Nothing in the PDF is run. */
export function PdfPreview({ fileUrl, pdfJs, label }: {
  /** The bytes of the PDF. */
  fileUrl: string;
  /** The path of pdf.js. */
  pdfJs: string;
  label: string;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [pdf, setPdf] = useState<OpenPdf | "loading" | "failed" | null>(null);
  /** The width that pages may have; undefined until it is known. */
  const [width, setWidth] = useState<number>();

  useEffect(() => {
    let opened: OpenPdf | null = null;
    let closed = false;
    setPdf("loading");
    readFile(fileUrl).then(({ bytes }) => openPdf(bytes, pdfJs)).then((pdf) => {
      if (closed) return pdf.close();
      opened = pdf;
      setPdf(pdf);
    }).catch(() => closed || setPdf("failed"));
    return () => {
      closed = true;
      opened?.close();
    };
  }, []);
  useLayoutEffect(() => {
    const measure = () => setWidth(frame.current!.clientWidth || undefined);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      class="pdf-preview stack gap-3 full-width below-2"
      ref={frame}
      role="group"
      aria-label={label}
    >
      {pdf === null && (
        <noscript>
          <p class="muted text-small">Without JavaScript, download it to look at it.</p>
        </noscript>
      )}
      {pdf === "loading" && <p class="muted text-small" role="status">Drawing…</p>}
      {pdf === "failed" && (
        <p class="problem" role="alert">It could not be drawn here. Download it to look at it.</p>
      )}
      {pdf !== null && typeof pdf !== "string" && width !== undefined && Array.from(
        { length: pdf.document.numPages },
        (_, i) => (
          <PdfPage
            key={i}
            number={i + 1}
            count={pdf.document.numPages}
            scale={width / pdf.size.width}
            fitTo={width}
            pdf={pdf}
            onVisible={() => {}}
          />
        ),
      )}
    </div>
  );
}
