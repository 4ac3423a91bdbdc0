import { useEffect, useState } from "preact/hooks";

/** Reports a print before the browser's dialog opens. A failure does not keep anyone from printing. */
export async function reportPrint(printedUrl: string): Promise<void> {
  await fetch(printedUrl, { method: "POST" }).catch(() => {});
}

/** Prints the page, and reports it, unless its image is missing. Rendered only after hydration. */
export function PrintAction({ printedUrl }: { printedUrl: string }) {
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return <span class="print-slot" />;
  const start = async () => {
    const images = document.querySelectorAll<HTMLImageElement>(".document-image img");
    try {
      await Promise.all(Array.from(images, (image) => image.decode()));
    } catch {
      setFailed(true);
      return;
    }
    await reportPrint(printedUrl);
    print();
  };
  return (
    <>
      <button type="button" class="button" onClick={start}>Print</button>
      {failed && <span role="alert">The image was not loaded. Reload the page to print it.</span>}
    </>
  );
}
