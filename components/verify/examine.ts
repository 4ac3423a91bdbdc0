import { type ChainFault, type ChainVerification, verifyChain } from "../../lib/chain/mod.ts";
import {
  ChainReadError,
  fetchChain,
  fetchKeys,
  parseSavedChain,
  type SavedChain,
} from "../../lib/chain/mod.ts";

/** What the page knows of the chain, from its own address and the server that it came from. */
export interface Known {
  /** The record's hash; null where the address names none. */
  hash: string | null;
  publisher: string;
  keysUrl: string;
}

/** What was verified, what came of it, and whose word it rests on. */
export interface Examination {
  of: "publisher" | "file";
  /** Null where a file holds none. */
  chain: SavedChain | null;
  result: ChainVerification | { ok: false; seq?: number; code: ChainFault; message: string };
  hashFrom: "address" | "file";
  keysFrom: "publisher" | "file";
}

/** Told how far the reading is. */
export type OnProgress = (have: number, of: number) => void;

const absolute = (address: string) => new URL(address, location.href).href;

const FILE_LIMIT = 64 * 1024 * 1024;

/**
 * Reads the publisher's chain back to event 0 and verifies it.
 *
 * @throws {ChainReadError} (rejects) where it could not be read
 */
export async function examineChain(
  { hash, publisher, keysUrl, chainUrl }: Known & { hash: string; chainUrl: string },
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Examination> {
  const [{ head, events }, keys] = await Promise.all([
    fetchChain(absolute(chainUrl), { onProgress, signal }),
    fetchKeys(absolute(keysUrl), { signal }),
  ]);
  const result = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  const chain = { hash, publisher, head, keys, events };
  return { of: "publisher", chain, result, hashFrom: "address", keysFrom: "publisher" };
}

/**
 * Verifies a saved chain. This publisher's keys are asked for, since those in a file are only as
 * good as the file; another publisher's cannot be asked for from this page.
 *
 * @throws {ChainReadError} (rejects) where the keys could not be read, or the file is too large
 */
export async function examineFile(
  file: Blob,
  { hash, publisher, keysUrl }: Known,
  signal: AbortSignal,
): Promise<Examination> {
  if (file.size > FILE_LIMIT) {
    throw new ChainReadError("too_large", "The file is too large to be a saved chain.");
  }
  const parsed = parseSavedChain(await file.text());
  if (!parsed.ok) {
    return { of: "file", chain: null, result: parsed, hashFrom: "file", keysFrom: "file" };
  }
  const { chain } = parsed;
  const ours = chain.publisher === publisher;
  const keys = ours ? await fetchKeys(absolute(keysUrl), { signal }) : chain.keys;
  return {
    of: "file",
    chain,
    result: await verifyChain({ ...chain, keys, recordHash: hash ?? chain.hash }),
    hashFrom: hash === null ? "file" : "address",
    keysFrom: ours ? "publisher" : "file",
  };
}
