/** One page of a PDF on screen, as `PdfPages.tsx` and `PdfPreview.tsx` list it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { CSS_UNITS, type OpenPdf } from "./pdf.ts";

interface PdfPageProps {
  pdf: OpenPdf;
  number: number;
  count: number;
  scale: number;
  /** The width that a wider page is made smaller for, in CSS pixels; undefined for none. */
  fitTo?: number;
  /** Called when the page is the one that is read. */
  onVisible: (number: number) => void;
}

/** Returns the newest state. A busy browser reports several changes of an element at once. */
const isInside = (changes: IntersectionObserverEntry[]) => changes.at(-1)!.isIntersecting;

/** One page, drawn while it is near the window, so that long documents take little memory. */
export function PdfPage({ pdf, number, count, scale, fitTo, onVisible }: PdfPageProps) {
  const element = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [size, setSize] = useState(pdf.size);
  const [failed, setFailed] = useState(false);
  const scaleOf = (width: number) => Math.min(scale, (fitTo ?? Infinity) / width);

  useEffect(() => {
    const nearby = new IntersectionObserver((changes) => setNear(isInside(changes)), {
      rootMargin: "100% 0px",
    });
    // A line across the upper third of the window.
    const read = new IntersectionObserver(
      (changes) => isInside(changes) && onVisible(number),
      { rootMargin: "-33% 0px -66% 0px" },
    );
    nearby.observe(element.current!);
    read.observe(element.current!);
    return () => {
      nearby.disconnect();
      read.disconnect();
    };
  }, []);

  useEffect(() => {
    if (!near) return;
    const abort = new AbortController();
    const elements = { canvas: canvas.current!, text: text.current! };
    (async () => {
      const page = await pdf.document.getPage(number);
      const { width, height } = page.getViewport({ scale: CSS_UNITS });
      if (abort.signal.aborted) return;
      if (width !== size.width || height !== size.height) setSize({ width, height });
      await pdf.draw(number, scaleOf(width), elements, abort.signal);
      if (!abort.signal.aborted) element.current!.dataset.drawn = "";
    })().catch(() => abort.signal.aborted || setFailed(true));
    return () => {
      abort.abort();
      delete element.current?.dataset.drawn;
    };
  }, [near, scale, fitTo]);

  useEffect(() => {
    // The policy forbids style attributes in HTML, but not styles that scripts set.
    const { style } = element.current!;
    const own = scaleOf(size.width);
    style.width = `${Math.floor(size.width * own)}px`;
    style.height = `${Math.floor(size.height * own)}px`;
  }, [size, scale, fitTo]);

  return (
    <section
      class="pdf-page"
      ref={element}
      data-page={number}
      aria-label={`Page ${number} of ${count}`}
    >
      {near && <canvas ref={canvas} aria-hidden="true" />}
      {near && <div class="pdf-text" ref={text} />}
      {failed && <p class="pdf-failed" role="alert">This page could not be drawn.</p>}
    </section>
  );
}
