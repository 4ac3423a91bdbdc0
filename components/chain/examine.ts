/** Verifies chains and documents for the pages, with the keys and the public log; loaded only when it is needed. */
import {
  type ChainFault,
  ChainReadError,
  chainStatements,
  type ChainVerification,
  changeSavedChain,
  checkLog,
  documentInLog,
  fetchChain,
  fetchKeys,
  formatSavedChain,
  KEYS_PATH,
  keysUrl as keysUrlOf,
  type LinkedEvent,
  linkedEventSchema,
  type LogFinding,
  logUrl,
  MAX_FILE_BYTES,
  parseSavedChain,
  readLogAt,
  type ReportedDocument,
  type SavedChain,
  verifyChain,
} from "../../packages/proof/mod.ts";
import { addressOfLog, browserTrust, type PageLog } from "./browser_trust.ts";

export { parsePolicy, PolicyError } from "../../packages/proof/mod.ts";
export { prepareVerifier } from "../prepare_verifier.ts";

/** Values from the page's own URL and server. */
export interface Known {
  /** The record's hash, or null if the page's URL has none. */
  hash: string | null;
  publisher: string;
  /** Default: the page's own site has them. */
  keysUrl?: string;
  /** The publisher's log; null if the site does not know one. */
  log: PageLog | null;
  /** True if the page may read the keys and logs of other publishers. */
  readsOthers?: boolean;
}

/** A verified chain, with the sources of the hash and the keys. */
export interface Examination {
  of: "publisher" | "file";
  /** Null if the file is not a saved chain. */
  chain: SavedChain | null;
  result: ChainVerification | { ok: false; seq?: number; code: ChainFault; message: string };
  /** Returns an event of the chain; null if it is malformed. */
  eventAt(position: number): LinkedEvent | null;
  hashFrom: "url" | "file";
  keysFrom: "publisher" | "file";
  /** The finding about the chain in the public log; null unless the chain is verified. */
  log: LogFinding | null;
  /** The address of that log's pages. */
  logUrl: string;
  /** The text to save: a chain of the publisher, or a file whose proof should be renewed; null if there is none. */
  savable: string | null;
}

export interface ExamineOptions {
  signal: AbortSignal;
  /** True to accept another key of the log than the one that this browser remembers. */
  acceptKey?: boolean;
}

export type OnProgress = (read: number, total: number) => void;

const absolute = (address: string) => new URL(address, location.href).href;

/**
 * Reads the publisher's chain back to event 0 and verifies it.
 *
 * @throws {ChainReadError} (rejects) if it could not be read
 */
export async function examineChain(
  { hash, publisher, keysUrl = KEYS_PATH, chainUrl, log }: Known & {
    hash: string;
    chainUrl: string;
  },
  onProgress: OnProgress,
  { signal, acceptKey }: ExamineOptions,
): Promise<Examination> {
  const [{ head, log_proof, events }, keys] = await Promise.all([
    fetchChain(absolute(chainUrl), { onProgress, signal }),
    fetchKeys(absolute(keysUrl), { signal }),
  ]);
  const result = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  const chain = { hash, publisher, head, keys, log_proof, events };
  const found = await findInLog(chain, result, log, Date.now(), { signal, acceptKey });
  return {
    of: "publisher",
    chain,
    result,
    hashFrom: "url",
    keysFrom: "publisher",
    eventAt: eventsOf(chain),
    log: found,
    logUrl: pagesOfLog(publisher),
    savable: formatSavedChain({ ...chain, log_proof: found?.renewed ?? log_proof }),
  };
}

/**
 * Verifies a saved chain. The publisher's keys are requested, because the keys in a file are only as trustworthy
 * as the file. Those of another publisher may be out of reach.
 *
 * @throws {ChainReadError} (rejects) if this publisher's keys could not be read, or the file is too large
 */
export async function examineFile(
  file: Blob,
  { hash, publisher, keysUrl = KEYS_PATH, log, readsOthers = false }: Known,
  options: ExamineOptions,
): Promise<Examination> {
  if (file.size > MAX_FILE_BYTES) {
    throw new ChainReadError("too_large", "The file is too large to be a saved chain.");
  }
  const text = await file.text();
  const parsed = parseSavedChain(text);
  if (!parsed.ok) {
    const unread = { chain: null, eventAt: () => null, log: null, logUrl: "", savable: null };
    return { of: "file", result: parsed, hashFrom: "file", keysFrom: "file", ...unread };
  }
  const { chain } = parsed;
  const isOwn = chain.publisher === publisher;
  const read = isOwn
    ? await fetchKeys(absolute(keysUrl), options)
    : readsOthers
    ? await keysOfOther(chain.publisher, options)
    : null;
  const verified = { ...chain, keys: read ?? chain.keys, recordHash: hash ?? chain.hash };
  const result = await verifyChain(verified);
  const savedAt = result.ok ? Date.parse(result.head.at) : 0;
  const mayRead = isOwn || readsOthers;
  const found = await findInLog(chain, result, log, savedAt, { ...options, mayRead });
  const renewed = found?.renewed ?? null;
  return {
    of: "file",
    chain,
    result,
    hashFrom: hash === null ? "file" : "url",
    keysFrom: read === null ? "file" : "publisher",
    eventAt: eventsOf(chain),
    log: found,
    logUrl: pagesOfLog(chain.publisher),
    savable: renewed && changeSavedChain(text, { log_proof: renewed }),
  };
}

const eventsOf = ({ events }: SavedChain) => (position: number): LinkedEvent | null =>
  linkedEventSchema.safeParse(events[position]).data ?? null;

/** Returns the address of a log's pages: those of this site, or of another publisher's. */
const pagesOfLog = (publisher: string): string =>
  publisher === location.host ? "/log" : logUrl(publisher) ?? "/log";

/** Returns what the log of this site's publisher has of a document. */
export function findDocument(
  document: ReportedDocument,
  sha256: string,
  log: PageLog,
  { acceptKey }: { acceptKey: boolean },
): Promise<LogFinding> {
  const { publisher, url } = log;
  const now = Date.now();
  return checkLog({
    ...documentInLog(document, sha256),
    origin: `${publisher}/log`,
    trust: browserTrust(publisher, log, { acceptKey }),
    log: readLogAt(absolute(url)),
    asOf: now,
    now,
  });
}

/** Returns the keys of another publisher; null if they cannot be read from this page. */
async function keysOfOther(publisher: string, { signal }: ExamineOptions) {
  const url = keysUrlOf(publisher);
  if (url === null) return null;
  try {
    return await fetchKeys(url, { signal });
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return null;
  }
}

/** @param asOf how old the events may be if the log lacks them, in milliseconds since 1970 */
async function findInLog(
  { publisher, log_proof: proof, events }: SavedChain,
  result: ChainVerification,
  page: PageLog | null,
  asOf: number,
  { signal, acceptKey, mayRead = true }: ExamineOptions & { mayRead?: boolean },
): Promise<LogFinding | null> {
  if (!result.ok) return null;
  const record = result.head.origin.slice(publisher.length + 1);
  const url = mayRead ? addressOfLog(publisher, page) : null;
  return await checkLog({
    origin: `${publisher}/log`,
    statements: chainStatements(record, events as LinkedEvent[]),
    proof,
    trust: browserTrust(publisher, page, { acceptKey }),
    ...url === null ? {} : { log: readLogAt(absolute(url), { signal }) },
    asOf,
    now: Date.now(),
  });
}
