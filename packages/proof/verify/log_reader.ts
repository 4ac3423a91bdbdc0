/**
 * Reads the files of a log from its address.
 *
 * @module
 */
import { ChainReadError, keysUrl, readText } from "../chain/mod.ts";
import { MAX_NOTE_BYTES, type ReadTiles, tileBytes, tilePath } from "../log/mod.ts";

/** The files of a log that a verifier needs. */
export interface LogReader {
  /** @throws {ChainReadError} (rejects) if the newest checkpoint cannot be read */
  checkpoint(): Promise<string>;
  /**
   * Returns other checkpoints, the newest first, in case the newest one does not satisfy a policy. Absent if the log
   * has none to offer.
   *
   * @throws {ChainReadError} (rejects) if they cannot be read
   */
  checkpoints?(): Promise<readonly string[]>;
  /**
   * Returns the policy that the publisher suggests.
   *
   * @throws {ChainReadError} (rejects) if it cannot be read
   */
  policy(): Promise<string>;
  /** @throws {ChainReadError} (rejects) if one cannot be read */
  tiles: ReadTiles;
}

const MAX_POLICY_BYTES = 64 * 1024;
/** Enough for the 8 checkpoints that are read at most. */
const MAX_CHECKPOINTS_BYTES = 8 * MAX_NOTE_BYTES;

/**
 * Returns the address of a publisher's log: HTTPS, or plain HTTP for a loopback host.
 *
 * @param publisher a host, with its port if it has one
 * @returns null if `publisher` is not a host
 */
export function logUrl(publisher: string): string | null {
  const url = keysUrl(publisher);
  return url === null ? null : new URL("/log", url).href;
}

/**
 * Returns a reader of the files of a log. Its methods reject with {@link ChainReadError} if a file cannot be read.
 *
 * @param url the address of a log, without a trailing slash, such as `https://trust.example/log`
 */
export function readLogAt(
  url: string,
  { fetch: get = fetch, signal }: { fetch?: typeof fetch; signal?: AbortSignal } = {},
): LogReader {
  async function open(path: string, cache: RequestCache): Promise<Response> {
    const address = `${url}/${path}`;
    let response: Response;
    try {
      response = await get(address, { cache, signal, redirect: "error", credentials: "omit" });
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ChainReadError("unreachable", `${address} could not be reached.`, { cause });
    }
    if (response.status === 200) return response;
    await response.body?.cancel();
    throw response.status === 404
      ? new ChainReadError("not_found", `${address} was not found.`)
      : new ChainReadError("bad_response", `${address} returned status ${response.status}.`);
  }
  const readFile = async (path: string, limit: number) =>
    await readText((await open(path, "no-cache")).body, `${url}/${path}`, limit);

  return {
    checkpoint: () => readFile("checkpoint", MAX_NOTE_BYTES),
    checkpoints: async () => parseTexts(await readFile("checkpoints", MAX_CHECKPOINTS_BYTES)) ?? [],
    policy: () => readFile("policy", MAX_POLICY_BYTES),
    tiles: (tiles) =>
      Promise.all(tiles.map(async (tile) => {
        const path = tilePath(tile);
        const bytes = await readBytes((await open(path, "default")).body, tileBytes(tile));
        if (bytes !== null) return bytes;
        throw new ChainReadError("bad_response", `${url}/${path} has another length.`);
      })),
  };
}

/** Returns the texts of a list in JSON; null for anything else. */
function parseTexts(json: string): string[] | null {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : null;
  } catch {
    return null;
  }
}

/** Returns a body of exactly this length; null for another one. */
async function readBytes(
  body: ReadableStream<Uint8Array> | null,
  length: number,
): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(length);
  let at = 0;
  const reader = body?.getReader();
  for (let part; (part = await reader?.read()) && !part.done;) {
    if (at + part.value.length > length) {
      await reader!.cancel();
      return null;
    }
    bytes.set(part.value, at);
    at += part.value.length;
  }
  return at === length ? bytes : null;
}
