/** Posting an event to a webhook, and what can go wrong. */
import { SECOND_MS } from "../../base/time.ts";
import {
  isPinnable,
  type Network,
  pinnedFetch,
  PinnedFetchError,
} from "../../platform/http/pinned_fetch.ts";
import { isOwnMachine } from "./own_machine.ts";

/** How long a server has to respond, everything included. */
const DEADLINE_MS = 15 * SECOND_MS;

/** The outcome of an attempt. Nothing that the server sends is kept, apart from the status. */
export interface PostResult {
  /** Null if there was no response. */
  status: number | null;
  /** A stable code; null after a success. */
  error: PostError | null;
}

/** The reasons for a failure, in words. */
export const POST_ERRORS = {
  unreachable_address: "The host name leads to no address on the public internet.",
  timeout: "The server did not respond within 15 seconds.",
  connection_failed: "The server could not be reached over TLS.",
  too_long: "The headers of the response were too long.",
  redirected: "The server redirected the request. Redirects are not followed.",
  gone: "The server says that the address is gone (410).",
  refused: "The server refused the request.",
  server_error: "The server had an error.",
  secret_unreadable: "The signing secret can no longer be read. Create a new one.",
} as const;

export type PostError = keyof typeof POST_ERRORS;

/**
 * Returns the code that issuers see. It is the same for names without an address and for those of a private
 * network, so that nobody learns the names that only our resolver knows.
 */
export const postErrorOf = (error: unknown): PostError => {
  const code = error instanceof PinnedFetchError ? error.code : "connection_failed";
  return code === "no_address" || code === "private_address" ? "unreachable_address" : code;
};

/** Where an endpoint is, and how it is reached. */
interface Target {
  url: string;
  network: Network;
  /** True if the site runs on the developer's machine, whose programs it can reach. */
  inDevelopment: boolean;
}

/** Posts a body to an endpoint. Only a status from 200 to 299 is a success. */
export async function postTo(
  { url, network, inDevelopment }: Target,
  { headers, body, signal, onFailure }: {
    headers: Readonly<Record<string, string>>;
    body: string;
    signal?: AbortSignal;
    /** Called with the exact reason if there was no response, which only our log may have. */
    onFailure?: (reason: string) => void;
  },
): Promise<PostResult> {
  try {
    const target = new URL(url);
    if (inDevelopment && isOwnMachine(target)) return await postHere(target, { headers, body });
    if (!isPinnable(target)) return { status: null, error: "unreachable_address" };
    const options = { headers, body, signal, deadlineMs: DEADLINE_MS, ignoreBody: true } as const;
    const { status } = await pinnedFetch(target, network, { ...options, method: "POST" });
    return { status, error: errorOf(status) };
  } catch (error) {
    onFailure?.(error instanceof PinnedFetchError ? error.code : "connection_failed");
    return { status: null, error: postErrorOf(error) };
  }
}

/** Posts a body to a program on the same machine. */
async function postHere(
  url: URL,
  init: { headers: Readonly<Record<string, string>>; body: string },
): Promise<PostResult> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const response = await fetch(url, { ...init, method: "POST", redirect: "manual", signal });
  await response.body?.cancel();
  return { status: response.status, error: errorOf(response.status) };
}

function errorOf(status: number): PostError | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return "gone";
  if (status >= 300 && status < 400) return "redirected";
  return status >= 500 ? "server_error" : "refused";
}
