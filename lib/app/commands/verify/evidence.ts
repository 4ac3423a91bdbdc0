/**
 * The evidence that the command `verify` works with: the values, and which source each of them has.
 *
 * @module
 */
import { z } from "zod";
import {
  canonicalHash,
  ChainReadError,
  fetchChain,
  fetchKeys,
  headSchema,
  keysOf,
  keysUrl,
  parseSavedChain,
  parseStrictJson,
  readJson,
} from "../../../../packages/proof/mod.ts";
import type { LogOptions } from "./report_log.ts";

export interface VerifyOptions extends LogOptions {
  target: string;
  hash?: string;
  publisher?: string;
  keys?: string;
  save?: string;
  offline: boolean;
}

/** The source of a value that the verification depends on. */
type Source = "the command line" | "the URL" | "the chain itself" | "the file";

/** The input of a verification, with the source of each part. */
export interface Evidence {
  hash: string;
  hashFrom: Source;
  publisher: string;
  publisherFrom: Source;
  /** The text of the file that the chain was read from, so that it is as old as its head; null for a server's. */
  file: string | null;
  head: unknown;
  events: unknown[];
  /** The proof that a size of the chain is in the public log; undefined if there is none. */
  log_proof?: unknown;
  /** The record and its salt, if the file contains them. */
  record?: unknown;
  salt?: unknown;
  /** Undefined if the publisher did not return them. */
  keys: unknown[] | undefined;
  /** The source of the keys, or why there are none. */
  keysFrom: string;
}

export interface Readers {
  fetch: typeof fetch;
  /** @throws {ChainReadError} (rejects) if the file does not exist or is too large */
  readFile: (path: string) => Promise<string>;
}

/** Thrown for a file that is not a valid saved chain. */
export class BrokenFileError extends Error {
  constructor(readonly code: string, readonly seq: number | undefined, message: string) {
    super(message);
  }
}

const CHAIN_PATH = /\/api\/chain\/([^/]+)$/;
const httpUrl = z.url({ protocol: /^https?$/ });
const verifyResponseSchema = z.object({ chain_url: httpUrl });

/**
 * Reads the chain, the head and the keys that the options name.
 *
 * @throws {ChainReadError} (rejects) if the chain could not be read
 * @throws {BrokenFileError} (rejects) if the file is not a saved chain
 */
export async function gatherEvidence(options: VerifyOptions, readers: Readers): Promise<Evidence> {
  const { target, hash, publisher } = options;
  const found = httpUrl.safeParse(target).success
    ? await readAddress(new URL(target), readers)
    : await readSavedFile(target, readers);
  const url = keysUrl(publisher ?? found.publisher);
  return {
    ...found,
    ...hash !== undefined && { hash, hashFrom: "the command line" },
    ...publisher !== undefined && { publisher, publisherFrom: "the command line" },
    ...await readKeys(options, found.keys, url, readers),
  };
}

type Found = Omit<Evidence, "keysFrom">;

async function readAddress(address: URL, { fetch }: Readers): Promise<Found> {
  const chainHash = CHAIN_PATH.exec(address.pathname)?.[1];
  if (chainHash !== undefined) {
    const chain = await fetchChain(address.origin + address.pathname, { fetch });
    const origin = headSchema.safeParse(chain.head).data?.origin ?? "/";
    return {
      ...chain,
      hash: chainHash,
      hashFrom: "the URL",
      publisher: origin.slice(0, origin.indexOf("/")),
      publisherFrom: "the chain itself",
      file: null,
      keys: undefined,
    };
  }
  const pageHash = address.searchParams.get("hash");
  if (pageHash === null) {
    throw new ChainReadError("bad_response", "The URL is neither a chain's nor its page's.");
  }
  const page = verifyResponseSchema.safeParse(await readJson(address.href, { fetch }));
  if (!page.success) {
    throw new ChainReadError("bad_response", `${address.href} did not return the chain's URL.`);
  }
  return {
    ...await fetchChain(page.data.chain_url, { fetch }),
    hash: canonicalHash(pageHash), // as the page reads it
    hashFrom: "the URL",
    publisher: address.host,
    publisherFrom: "the URL",
    file: null,
    keys: undefined,
  };
}

async function readSavedFile(path: string, { readFile }: Readers): Promise<Found> {
  const file = await readFile(path);
  const parsed = parseSavedChain(file);
  if (!parsed.ok) throw new BrokenFileError(parsed.code, parsed.seq, parsed.message);
  return { ...parsed.chain, hashFrom: "the file", publisherFrom: "the file", file };
}

async function readKeys(
  options: VerifyOptions,
  savedKeys: unknown[] | undefined,
  url: string | null,
  { fetch, readFile }: Readers,
): Promise<Pick<Evidence, "keys" | "keysFrom">> {
  if (options.keys !== undefined) {
    return { keys: keysOf(parseJson(await readFile(options.keys))), keysFrom: options.keys };
  }
  if (options.offline) {
    return savedKeys === undefined
      ? { keys: undefined, keysFrom: "--offline works with files only." }
      : { keys: savedKeys, keysFrom: "the file" };
  }
  // No publisher means that the head is malformed, which is reported before any missing key.
  if (url === null) return { keys: [], keysFrom: "nowhere" };
  try {
    return { keys: await fetchKeys(url, { fetch }), keysFrom: url };
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return { keys: undefined, keysFrom: error.message };
  }
}

function parseJson(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch {
    return undefined;
  }
}
