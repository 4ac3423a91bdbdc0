/** The verification of the record's chain, which its page loads once it has nothing else to do. */
import type { VNode } from "preact";
import type { LogFinding } from "../../../packages/proof/mod.ts";
import { appStorage, SAVED_EVENTS, type SavedView } from "../../../lib/features/push/app/saved.ts";
import type { PageLog } from "../../chain/browser_trust.ts";
import { LogResult } from "../../chain/LogResult.tsx";
import { loadExaminer } from "../../chain/load_examiner.ts";

/** The open record, as the page knows it. */
export interface KeptRecord {
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
}

/** Longer chains take too long to read at each visit. They are not verified here. */
const MAX_EVENTS = 5_000;

/**
 * Verifies a chain, and saves it if the app can be installed. Without a record, it removes what was saved.
 *
 * @returns what the log has of the chain, if that is known
 */
export async function keepChain(
  isApp: boolean,
  record: KeptRecord | null,
  signal: AbortSignal,
): Promise<VNode | null> {
  const finding = await findingOf(isApp, record, signal);
  return finding === null
    ? null
    : <LogResult finding={finding} logUrl={record?.log?.url ?? "/log"} brief />;
}

async function findingOf(
  isApp: boolean,
  record: KeptRecord | null,
  signal: AbortSignal,
): Promise<LogFinding | null> {
  const storage = isApp ? appStorage(caches) : null;
  const saved = await storage?.read("chain") ?? null;
  if (saved !== null && saved.hash !== record?.hash) await storage!.remove("chain");
  if (record === null || record.size > MAX_EVENTS) return null;
  const { hash, tip } = record;
  const at = new Date().toISOString();
  if (saved?.hash === hash && saved.events.at(-1)?.hash === tip && isFinal(saved.verified)) {
    await storage!.write("chain", { ...saved, at });
    return saved.verified.log;
  }
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
