/**
 * Verifies a record: its chain, its head and the log.
 *
 * @module
 */
import {
  ChainReadError,
  type ChainVerification,
  fetchChain,
  fetchKeys,
  keysUrl,
  type LinkedEvent,
  parseSavedChain,
  type SavedChain,
  verifyChain,
} from "../chain/mod.ts";
import type { LogFinding } from "./check_log.ts";
import { type OpeningFault, openingFault } from "./opening.ts";
import { checkPublisherLog, isContradicted, type LogAccess } from "./publisher_log.ts";
import { type LogSentence, logSentence } from "./sentence.ts";
import { chainStatements } from "./statements.ts";

/** The chain to verify: at an address, or in a saved file. */
export type RecordQuestion =
  & LogAccess
  & {
    /** The record's hash, from another source than the chain: a QR code, a printout, or the record itself. */
    hash: string;
    /** The publisher's keys. Default: requested from the publisher, or those in the file if `offline`. */
    keys?: readonly unknown[];
    /** Called after each page of a chain with the number of events read and the expected total. */
    onProgress?: (read: number, total: number) => void;
  }
  & (
    | {
      /** The address of the chain: `…/api/chain/<hash>`. */
      url: string;
    }
    | {
      /** The text of a saved file. */
      file: string;
    }
  );

/** The result for a record. */
export interface RecordResult {
  /**
   * True if the chain is verified and the log does not contradict it. It does not say that the record is in
   * the log: `sentence` does.
   */
  ok: boolean;
  /** The chain and its signed head, or the first fault. */
  chain:
    | ChainVerification
    | OpeningFault
    | { ok: false; code: "bad_input" | "bad_event"; seq?: number; message: string };
  /** The verified events; empty if the chain is not verified. */
  events: LinkedEvent[];
  /** Where the keys come from. Those of a file are worth no more than the file: its author may have made them. */
  keysFrom: "caller" | "publisher" | "file";
  /** Null if the chain is not verified, because then nothing is compared with the log. */
  log: LogFinding | null;
  /** The log's finding in words. */
  sentence: LogSentence | null;
}

/**
 * Verifies a record: the hashes of its events, the publisher's signature, and whether the public log has it. If
 * a file also has the record itself, its content must have the hash.
 *
 * @throws {ChainReadError} (rejects) if the chain or the publisher's keys cannot be read
 * @example
 * const result = await verifyRecord({
 *   url: `https://api.example/api/chain/${hash}`,
 *   hash, // from the record's QR code
 *   publisher: "trust.example",
 *   trust: { policy: parsePolicy(text), memory: createMemory() },
 * });
 * if (result.ok) console.log(result.events.length, result.sentence.text);
 */
export async function verifyRecord(question: RecordQuestion): Promise<RecordResult> {
  const { hash, publisher } = question;
  const isSaved = "file" in question;
  const read = isSaved ? parseSavedChain(question.file) : await readChain(question);
  const keysFrom = question.keys ? "caller" : question.offline ? "file" : "publisher";
  const refuse = (chain: RecordResult["chain"]): RecordResult => (
    { ok: false, chain, events: [], keysFrom, log: null, sentence: null }
  );
  if (!read.ok) return refuse(read);
  const { head, log_proof: proof, record, salt } = read.chain;
  const events = read.chain.events as LinkedEvent[];
  const keys = question.keys ?? await readKeys(question, read.chain);
  const chain = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  if (!chain.ok) return refuse(chain);
  if (record !== undefined || salt !== undefined) {
    const fault = await openingFault({ hash, record, salt });
    if (fault !== null) return refuse(fault);
  }
  const log = await checkPublisherLog(question, {
    statements: chainStatements(hash, events),
    proof,
    // A file is as old as its head, however long ago it was saved.
    ...isSaved && { asOf: Date.parse(chain.head.at) },
  });
  const ok = !isContradicted(log);
  return { ok, chain, events, keysFrom, log, sentence: logSentence(log) };
}

type ReadChain = Pick<SavedChain, "head" | "events" | "log_proof" | "record" | "salt"> & {
  keys?: unknown[];
};

const readChain = async (
  { url, fetch, signal, onProgress, offline }: RecordQuestion & { url: string },
): Promise<{ ok: true; chain: ReadChain }> => {
  if (offline) throw new ChainReadError("unreachable", `${url} was not requested: offline.`);
  return { ok: true, chain: await fetchChain(url, { fetch, signal, onProgress }) };
};

async function readKeys(
  { publisher, offline, fetch, signal }: RecordQuestion,
  { keys = [] }: ReadChain,
): Promise<readonly unknown[]> {
  if (offline) return keys;
  const url = keysUrl(publisher);
  if (url === null) throw new ChainReadError("bad_response", `${publisher} is not a host.`);
  return await fetchKeys(url, { fetch, signal });
}
