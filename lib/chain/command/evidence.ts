import * as z from "zod";
import { headSchema } from "../head.ts";
import {
  ChainReadError,
  fetchChain,
  fetchKeys,
  keysOf,
  keysUrl,
  parseSavedChain,
  readJson,
} from "../reader/mod.ts";
import type { VerifyOptions } from "./options.ts";

/** Where something that the verification rests on comes from. */
export type Source = "you" | "the address" | "the chain itself" | "the file";

/** All that is verified, and where it comes from. */
export interface Evidence {
  hash: string;
  hashFrom: Source;
  publisher: string;
  publisherFrom: Source;
  head: unknown;
  events: unknown[];
  /** Undefined where the publisher did not give them. */
  keys: unknown[] | undefined;
  /** Where the keys come from; or why there are none. */
  keysFrom: string;
}

/** What the command needs from outside. */
export interface Outside {
  fetch: typeof fetch;
  /** @throws {ChainReadError} (rejects) where there is no such file, or it is too large */
  readFile: (path: string) => Promise<string>;
}

/** A chain that is broken already as a file. */
export class BrokenFileError extends Error {
  constructor(readonly code: string, readonly seq: number | undefined, message: string) {
    super(message);
  }
}

const CHAIN_PATH = /\/api\/chain\/([^/]+)$/;
const webAddress = z.url({ protocol: /^https?$/ });
const pageSchema = z.object({ chain_url: webAddress });

/**
 * Reads all that there is to verify.
 *
 * @throws {ChainReadError} (rejects) where it could not be read
 * @throws {BrokenFileError} (rejects) where the file is not JSON, or not a chain
 */
export async function gather(options: VerifyOptions, outside: Outside): Promise<Evidence> {
  const { target, hash, publisher } = options;
  const found = webAddress.safeParse(target).success
    ? await fromAddress(new URL(target), outside)
    : await fromFile(target, outside);
  const own = keysUrl(publisher ?? found.publisher);
  return {
    ...found,
    ...hash !== undefined && { hash, hashFrom: "you" },
    ...publisher !== undefined && { publisher, publisherFrom: "you" },
    ...await keysFor(options, found.keys, own, outside),
  };
}

type Found = Omit<Evidence, "keysFrom">;

async function fromAddress(address: URL, { fetch }: Outside): Promise<Found> {
  const ofChain = CHAIN_PATH.exec(address.pathname)?.[1];
  if (ofChain !== undefined) {
    const chain = await fetchChain(address.origin + address.pathname, { fetch });
    const origin = headSchema.safeParse(chain.head).data?.origin ?? "/";
    return {
      ...chain,
      hash: ofChain,
      hashFrom: "the address",
      publisher: origin.slice(0, origin.indexOf("/")),
      publisherFrom: "the chain itself",
      keys: undefined,
    };
  }
  const ofPage = address.searchParams.get("hash");
  if (ofPage === null) {
    throw new ChainReadError("bad_answer", "The address names no chain.");
  }
  const page = pageSchema.safeParse(await readJson(address.href, { fetch }));
  if (!page.success) {
    throw new ChainReadError("bad_answer", `${address.href} does not say where the chain is.`);
  }
  return {
    ...await fetchChain(page.data.chain_url, { fetch }),
    hash: ofPage.trim().toLowerCase(), // as the page takes it
    hashFrom: "the address",
    publisher: address.host,
    publisherFrom: "the address",
    keys: undefined,
  };
}

async function fromFile(path: string, { readFile }: Outside): Promise<Found> {
  const parsed = parseSavedChain(await readFile(path));
  if (!parsed.ok) throw new BrokenFileError(parsed.code, parsed.seq, parsed.message);
  return { ...parsed.chain, hashFrom: "the file", publisherFrom: "the file" };
}

async function keysFor(
  options: VerifyOptions,
  inFile: unknown[] | undefined,
  url: string | null,
  { fetch, readFile }: Outside,
): Promise<Pick<Evidence, "keys" | "keysFrom">> {
  if (options.keys !== undefined) {
    return { keys: keysOf(parsed(await readFile(options.keys))), keysFrom: options.keys };
  }
  if (options.offline) {
    return inFile === undefined
      ? { keys: undefined, keysFrom: "An address has no keys of its own: --offline is for files." }
      : { keys: inFile, keysFrom: "the file" };
  }
  // Without a publisher the head has no form, which the verifier finds before it looks for a key.
  if (url === null) return { keys: [], keysFrom: "nobody" };
  try {
    return { keys: await fetchKeys(url, { fetch }), keysFrom: url };
  } catch (error) {
    if (!(error instanceof ChainReadError)) throw error;
    return { keys: undefined, keysFrom: error.message };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
