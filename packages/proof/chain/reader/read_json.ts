/**
 * Reads JSON and text from servers and files that are not trusted, within a limit.
 *
 * @module
 */
import { parseStrictJson } from "./strict_json.ts";

/**
 * Why a chain or its keys could not be read; it says nothing about their validity. `not_found`: the
 * server does not have them; `unreachable`: no response; `bad_response`: an unexpected response;
 * `too_large`: more than the limit.
 */
type ReadFault = "not_found" | "unreachable" | "bad_response" | "too_large";

/** A response or file that cannot be read, with a stable code. */
export class ChainReadError extends Error {
  override readonly name = "ChainReadError";

  constructor(readonly code: ReadFault, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

export interface ReadOptions {
  fetch?: typeof fetch;
  signal?: AbortSignal;
}

/** The largest response in bytes. A page of 100 events has about 30,000. */
const MAX_RESPONSE_BYTES = 256 * 1024;

/**
 * Reads JSON from a server that is not trusted, up to a size limit.
 *
 * @throws {ChainReadError} (rejects) if the response is not JSON
 * @throws the signal's reason (rejects) once it is aborted
 */
export async function readJson(
  url: string,
  { fetch: get = fetch, signal }: ReadOptions = {},
): Promise<unknown> {
  let text: string;
  try {
    const headers = { accept: "application/json" };
    // A cached key set may contain a key that has since been withdrawn, or lack the current one.
    const response = await get(url, { headers, cache: "no-cache", signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw response.status === 404
        ? new ChainReadError("not_found", `${url} was not found.`)
        : new ChainReadError("bad_response", `${url} returned status ${response.status}.`);
    }
    text = await readText(response.body, url, MAX_RESPONSE_BYTES);
  } catch (cause) {
    if (cause instanceof ChainReadError) throw cause;
    signal?.throwIfAborted();
    throw new ChainReadError("unreachable", `${url} could not be reached.`, { cause });
  }
  try {
    return parseStrictJson(text);
  } catch (cause) {
    throw new ChainReadError("bad_response", `${url} did not return valid JSON.`, { cause });
  }
}

/**
 * Reads UTF-8 text of at most `limit` bytes, without its byte order mark.
 *
 * @throws {ChainReadError} (rejects) if it is longer
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  source: string,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  // Some browsers cannot iterate over a stream with `for await`.
  const reader = body?.getReader();
  for (let part; (part = await reader?.read()) && !part.done;) {
    size += part.value.length;
    if (size > limit) {
      await reader!.cancel();
      throw new ChainReadError("too_large", `${source} has more than ${limit} bytes.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
