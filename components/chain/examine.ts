import {
  type ChainFault,
  ChainReadError,
  type ChainVerification,
  fetchChain,
  fetchKeys,
  MAX_FILE_BYTES,
  parseSavedChain,
  type SavedChain,
  verifyChain,
} from "../../lib/features/chain/mod.ts";

/** Values from the page's own URL and server. */
export interface Known {
  /** The record's hash, or null if the page's URL has none. */
  hash: string | null;
  publisher: string;
  keysUrl: string;
}

/** A verified chain, with the sources of the hash and the keys. */
export interface Examination {
  of: "publisher" | "file";
  /** Null if the file is not a saved chain. */
  chain: SavedChain | null;
  result: ChainVerification | { ok: false; seq?: number; code: ChainFault; message: string };
  hashFrom: "url" | "file";
  keysFrom: "publisher" | "file";
}

export type OnProgress = (read: number, total: number) => void;

const absolute = (address: string) => new URL(address, location.href).href;

/**
 * Reads the publisher's chain back to event 0 and verifies it.
 *
 * @throws {ChainReadError} (rejects) if it could not be read
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
  return { of: "publisher", chain, result, hashFrom: "url", keysFrom: "publisher" };
}

/**
 * Verifies a saved chain. If this site is its publisher, the keys are requested, because the keys in
 * a file are only as trustworthy as the file. This page cannot request another publisher's keys.
 *
 * @throws {ChainReadError} (rejects) if the keys could not be read, or the file is too large
 */
export async function examineFile(
  file: Blob,
  { hash, publisher, keysUrl }: Known,
  signal: AbortSignal,
): Promise<Examination> {
  if (file.size > MAX_FILE_BYTES) {
    throw new ChainReadError("too_large", "The file is too large to be a saved chain.");
  }
  const parsed = parseSavedChain(await file.text());
  if (!parsed.ok) {
    return { of: "file", chain: null, result: parsed, hashFrom: "file", keysFrom: "file" };
  }
  const { chain } = parsed;
  const own = chain.publisher === publisher;
  const keys = own ? await fetchKeys(absolute(keysUrl), { signal }) : chain.keys;
  return {
    of: "file",
    chain,
    result: await verifyChain({ ...chain, keys, recordHash: hash ?? chain.hash }),
    hashFrom: hash === null ? "file" : "url",
    keysFrom: own ? "publisher" : "file",
  };
}
