import { useEffect, useState } from "preact/hooks";

/** Reports a print before the browser's dialog opens. A failure does not keep anyone from printing. */
export async function reportPrint(printedUrl: string): Promise<void> {
  await fetch(printedUrl, { method: "POST" }).catch(() => {});
}

/** Prints the page, and reports it. Rendered only after hydration. */
export function PrintAction({ printedUrl }: { printedUrl: string }) {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return <span class="print-slot" />;
  const start = async () => {
    await reportPrint(printedUrl);
    print();
  };
  return <button type="button" class="button" onClick={start}>Print</button>;
}
