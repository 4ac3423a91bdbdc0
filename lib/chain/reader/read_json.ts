/**
 * Why something could not be read, which says nothing about the chain. `not_found`: there is no such
 * chain; `unreachable`: no answer came; `bad_answer`: what came is not what was asked for;
 * `too_large`: it is more than is read.
 */
export type ReadFault = "not_found" | "unreachable" | "bad_answer" | "too_large";

/** Something could not be read. */
export class ChainReadError extends Error {
  override readonly name = "ChainReadError";

  constructor(readonly code: ReadFault, message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** How somebody else's server is asked. */
export interface ReadOptions {
  /** Default: the platform's own. */
  fetch?: typeof fetch;
  /** Ends the reading. */
  signal?: AbortSignal;
}

/** The most bytes of one answer. A page of 100 events has some 30,000. */
const LIMIT = 256 * 1024;

/**
 * Gets JSON from a server that is not trusted. What it says is read up to a limit, and any value.
 *
 * @throws {ChainReadError} (rejects) where no JSON came
 * @throws the signal's reason (rejects) once it is aborted
 */
export async function readJson(
  url: string,
  { fetch: get = fetch, signal }: ReadOptions = {},
): Promise<unknown> {
  let text: string;
  try {
    const headers = { accept: "application/json" };
    // A cache may hold keys from before one was withdrawn, or without the one that signs now.
    const response = await get(url, { headers, cache: "no-cache", signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw response.status === 404
        ? new ChainReadError("not_found", `There is nothing at ${url}.`)
        : new ChainReadError("bad_answer", `${url} answered ${response.status}.`);
    }
    text = await readText(response.body, url, LIMIT);
  } catch (cause) {
    if (cause instanceof ChainReadError) throw cause;
    signal?.throwIfAborted();
    throw new ChainReadError("unreachable", `No answer came from ${url}.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ChainReadError("bad_answer", `${url} did not answer with JSON.`, { cause });
  }
}

/**
 * Reads UTF-8 text, at most `limit` bytes of it; a byte order mark goes.
 *
 * @param from where it comes from, to be named
 * @throws {ChainReadError} (rejects) where it is longer
 */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  from: string,
  limit: number,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  const reader = body?.getReader();
  for (let part; (part = await reader?.read()) && !part.done;) {
    size += part.value.length;
    if (size > limit) {
      await reader!.cancel();
      throw new ChainReadError("too_large", `${from} has more than ${limit} bytes.`);
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}
