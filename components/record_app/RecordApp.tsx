import { useEffect } from "preact/hooks";
import { type LinkedEvent, linkedEventSchema } from "../../lib/features/chain/mod.ts";
import { FEED_EVENT } from "../../lib/features/record_app/mod.ts";
import { type AppStorage, appStorage, SAVED_EVENTS } from "../../lib/features/record_app/saved.ts";
import { examineChain } from "../chain/examine.ts";
import { registerWorker } from "./register.ts";

interface RecordAppProps {
  /** The open record; null if nobody is signed in. */
  record: {
    hash: string;
    /** The hash of the chain's latest event. */
    tip: string;
    /** The number of events. */
    size: number;
    /** The URL of `GET /api/chain/:hash`. */
    chainUrl: string;
    publisher: string;
    keysUrl: string;
  } | null;
}

/** Longer chains take too long to read at each visit. Their latest events are not saved. */
const MAX_EVENTS = 5_000;

/**
 * Registers the app's service worker, and saves the public chain of the open record with the result of
 * its verification, for the offline page. It renders nothing.
 */
export function RecordApp({ record }: RecordAppProps) {
  useEffect(() => {
    if (!("serviceWorker" in navigator) || !("caches" in globalThis)) return;
    let keeping = new AbortController();
    const keep = (record: RecordAppProps["record"]) => {
      keeping.abort();
      keeping = new AbortController();
      return keepChain(appStorage(caches), record, keeping.signal);
    };
    const onFeed = ({ detail }: CustomEventInit<LinkedEvent>) => {
      if (record === null || !detail) return;
      keep({ ...record, tip: detail.hash, size: detail.seq + 1 }).catch(() => {});
    };
    addEventListener(FEED_EVENT, onFeed);
    // Without the worker or the chain, the page works as before.
    registerWorker().then(() => keep(record)).catch(() => {});
    return () => {
      removeEventListener(FEED_EVENT, onFeed);
      keeping.abort();
    };
  }, []);
  return null;
}

async function keepChain(
  storage: AppStorage,
  record: RecordAppProps["record"],
  signal: AbortSignal,
): Promise<void> {
  const saved = await storage.read("chain");
  if (saved !== null && saved.hash !== record?.hash) await storage.remove("chain");
  if (record === null || record.size > MAX_EVENTS) return;
  const { hash, tip, chainUrl, publisher, keysUrl } = record;
  const at = new Date().toISOString();
  if (saved?.hash === hash && saved.events.at(-1)?.hash === tip && saved.verified?.ok) {
    return await storage.write("chain", { ...saved, at });
  }
  await idle();
  if (signal.aborted) return;
  const known = { hash, publisher, keysUrl, chainUrl };
  const { chain, result } = await examineChain(known, () => {}, signal);
  if (chain === null || signal.aborted) return;
  const events = chain.events.slice(-SAVED_EVENTS)
    .map((event) => linkedEventSchema.safeParse(event).data)
    .filter((event) => event !== undefined)
    .map(({ seq, kind, at, hash }) => ({ seq, kind, at, hash }));
  const verified = result.ok
    ? { ok: true as const, size: result.size, signedSize: result.signedSize }
    : { ok: false as const, message: result.message };
  await storage.write("chain", { hash, events, at, verified });
}

/** Resolves when the page has nothing else to do. Safari has no `requestIdleCallback`. */
const idle = () =>
  new Promise<unknown>((resolve) =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(resolve, { timeout: 2_000 })
      : setTimeout(resolve, 500)
  );
