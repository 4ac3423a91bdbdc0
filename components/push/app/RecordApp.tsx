/** The part of a page that registers the app's worker and offers to install it. */
import { useEffect, useState } from "preact/hooks";
import type { LinkedEvent, LogFinding } from "../../../packages/proof/mod.ts";
import { FEED_EVENT } from "../../../lib/features/push/app/mod.ts";
import {
  type AppStorage,
  appStorage,
  SAVED_EVENTS,
  type SavedView,
} from "../../../lib/features/push/app/saved.ts";
import type { PageLog } from "../../chain/browser_trust.ts";
import { LogResult } from "../../chain/LogResult.tsx";
import { loadExaminer } from "../../chain/load_examiner.ts";
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
    /** The publisher's log. */
    log: PageLog | null;
  } | null;
  /** True if the app can be installed. */
  installable: boolean;
}

/** Longer chains take too long to read at each visit. They are not verified here. */
const MAX_EVENTS = 5_000;

/**
 * Verifies the chain of the open record and says what the public log has of it. If the app can be installed, it
 * also registers the app's service worker, and saves the public chain with the result for the offline page.
 */
export function RecordApp({ record, installable }: RecordAppProps) {
  const [finding, setFinding] = useState<LogFinding | null>(null);
  useEffect(() => {
    const isApp = installable && "serviceWorker" in navigator && "caches" in globalThis;
    const storage = isApp ? appStorage(caches) : null;
    // Without the worker, which some browsers refuse, the page works as before.
    if (isApp) registerWorker().catch(() => {});
    let keeping = new AbortController();
    const keep = async (record: RecordAppProps["record"]) => {
      keeping.abort();
      const { signal } = keeping = new AbortController();
      const log = await keepChain(storage, record, signal)
        .catch(() => keepChain(null, record, signal)); // a private window may have no storage
      if (!signal.aborted) setFinding(log);
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
  return finding === null
    ? null
    : <LogResult finding={finding} logUrl={record?.log?.url ?? "/log"} brief />;
}

/** Verifies a chain, and saves it if there is a storage. Returns what the log has of it, if that is known. */
async function keepChain(
  storage: AppStorage | null,
  record: RecordAppProps["record"],
  signal: AbortSignal,
): Promise<LogFinding | null> {
  const saved = await storage?.read("chain") ?? null;
  if (saved !== null && saved.hash !== record?.hash) await storage!.remove("chain");
  if (record === null || record.size > MAX_EVENTS) return null;
  const { hash, tip } = record;
  const at = new Date().toISOString();
  if (saved?.hash === hash && saved.events.at(-1)?.hash === tip && isFinal(saved.verified)) {
    await storage!.write("chain", { ...saved, at });
    return saved.verified.log;
  }
  await idle();
  if (signal.aborted) return null;
  const { examineChain, prepareVerifier } = await loadExaminer();
  await prepareVerifier();
  const { chain, result, log, eventAt } = await examineChain(record, () => {}, { signal });
  if (chain === null || signal.aborted) return null;
  const first = Math.max(0, chain.events.length - SAVED_EVENTS);
  const events = chain.events.slice(first).map((_, i) => eventAt(first + i))
    .filter((event) => event !== null)
    .map(({ seq, kind, at, hash }) => ({ seq, kind, at, hash }));
  const verified = result.ok
    ? { ok: true as const, size: result.size, signedSize: result.signedSize, log }
    : { ok: false as const, message: result.message };
  await storage?.write("chain", { hash, events, at, verified });
  return log;
}

/** Returns whether a chain was verified and all of it is in the log, so that this need not be repeated. */
const isFinal = (
  verified: SavedView["verified"],
): verified is (SavedView["verified"] & { ok: true }) & { log: LogFinding } =>
  verified?.ok === true && verified.log?.fault === null &&
  verified.log.logged === verified.log.size;

/** Resolves when the page has nothing else to do. Safari has no `requestIdleCallback`. */
const idle = () =>
  new Promise<unknown>((resolve) =>
    "requestIdleCallback" in globalThis
      ? requestIdleCallback(resolve, { timeout: 2_000 })
      : setTimeout(resolve, 500)
  );
