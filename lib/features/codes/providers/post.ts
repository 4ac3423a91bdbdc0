/** Posts to a provider's API and repeats the request only if nothing can have been sent. */
import { sleep } from "../../../base/sleep.ts";
import { BODY_LIMIT, readChunks } from "../../../platform/http/body.ts";
import { SECOND_MS } from "../../../base/time.ts";

export interface PostDeps {
  fetch: typeof fetch;
  /** Returns a signal that aborts after a time. Default: `AbortSignal.timeout`. */
  timeoutSignal?: (ms: number) => AbortSignal;
  /** Waits before the second attempt. */
  pause?: (ms: number) => Promise<void>;
}

/** A provider's response. */
export interface Reply {
  status: number;
  /** The JSON body; undefined if it is not JSON, too long or incomplete. */
  body: unknown;
}

const TIMEOUT_MS = 10 * SECOND_MS;
const PAUSE_MS = 500;

/**
 * Posts to a provider's API, at most ten seconds in total.
 *
 * A message that is sent twice costs twice and confuses the person, and not every provider ignores a
 * repeated idempotency key. So the request is repeated, once, only if no connection was established:
 * the name was not resolved, the connection was refused, or TLS failed. After that, the provider may
 * have accepted a request even if the connection breaks, the response is late or its status is 5xx.
 * 429 is certainly a rejection, but a retry within the time that a person waits would be rejected too,
 * so the person chooses what to do.
 *
 * @returns undefined if there was no response
 */
export async function post(
  url: string,
  init: { headers: Record<string, string>; body: string | URLSearchParams },
  { fetch, timeoutSignal = AbortSignal.timeout, pause = sleep }: PostDeps,
): Promise<Reply | undefined> {
  const signal = timeoutSignal(TIMEOUT_MS);
  // A redirect is a failure, because the credentials must not be sent to another URL.
  const attempt = () => fetch(url, { ...init, method: "POST", redirect: "manual", signal });
  try {
    return await replyOf(await attempt());
  } catch (error) {
    if (signal.aborted || !isNotConnected(error)) return undefined;
  }
  await pause(PAUSE_MS);
  return await attempt().then(replyOf, () => undefined);
}

/** Deno's message is the only sign that a request failed before a connection was established. */
const isNotConnected = (error: unknown): boolean =>
  error instanceof TypeError && error.cause instanceof Error &&
  error.cause.message.includes("client error (Connect)");

/** Once there is a status, a body that cannot be read does not change the outcome. */
async function replyOf(response: Response): Promise<Reply> {
  try {
    const text = await readChunks(response.body, BODY_LIMIT);
    return { status: response.status, body: JSON.parse(text ?? "") };
  } catch {
    return { status: response.status, body: undefined };
  }
}
