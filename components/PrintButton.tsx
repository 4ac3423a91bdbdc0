import { useEffect, useState } from "preact/hooks";

/** Prints the page. Rendered only after hydration, because it does nothing without JavaScript. */
export function PrintButton() {
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  if (!ready) return null;
  return <button type="button" class="button primary" onClick={() => print()}>Print</button>;
}
