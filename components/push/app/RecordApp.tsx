/** The part of a page that registers the app's worker and offers to install it. */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { LinkedEvent } from "../../../packages/proof/mod.ts";
import { FEED_EVENT } from "../../../lib/features/push/app/mod.ts";
import type { KeptRecord } from "./keep_chain.tsx";
import { registerWorker } from "./register.ts";

/**
 * Verifies the chain of the open record and says what the public log has of it. If the app can be installed, it
 * also registers the app's service worker, and saves the public chain with the result for the offline page.
 */
export function RecordApp({ record, installable }: {
  /** The open record; null if nobody is signed in. */
  record: KeptRecord | null;
  /** True if the app can be installed. */
  installable: boolean;
}) {
  const [result, setResult] = useState<VNode | null>(null);
  useEffect(() => {
    const isApp = installable && "serviceWorker" in navigator && "caches" in globalThis;
    // Without the worker, which some browsers refuse, the page works as before.
    if (isApp) registerWorker().catch(() => {});
    let keeping = new AbortController();
    const keep = async (record: KeptRecord | null) => {
      keeping.abort();
      const { signal } = keeping = new AbortController();
      await idle();
      if (signal.aborted) return;
      const { keepChain } = await import("./keep_chain.tsx");
      const log = await keepChain(isApp, record, signal)
        .catch(() => keepChain(false, record, signal)); // a private window may have no storage
      if (!signal.aborted) setResult(log);
    };
    const onFeed = ({ detail }: CustomEventInit<LinkedEvent>) => {
      if (record === null || !detail) return;
      keep({ ...record, tip: detail.hash, size: detail.seq + 1 }).catch(() => {});
    };
    addEventListener(FEED_EVENT, onFeed);
    keep(record).catch(() => {});
    return () => {
      removeEventListener(FEED_EVENT, onFeed);
      keeping.abort();
    };
  }, []);
  return result;
}

/** Resolves when the page has nothing else to do. Safari has no `requestIdleCallback`. */
const idle = () =>
  new Promise<unknown>((resolve) =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(resolve, { timeout: 2_000 })
      : setTimeout(resolve, 500)
  );
