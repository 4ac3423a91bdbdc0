import { addressKey } from "../../platform/http/client_address.ts";
import { settledWithin } from "../../platform/http/settled.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { KvBusyError, type SlidingWindow, takeSlot } from "../../platform/kv/mod.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { formatWait, SECOND_MS } from "../../base/time.ts";
import { LINK_WINDOW_MS } from "./link_terms.ts";

/** The content of every request for a mailed link. */
export interface MailedLinkRequest {
  clientAddress: string;
  /** Settles when the response has been sent. Nothing is looked up before that. */
  responded: Promise<unknown>;
}

export interface MailedLinksOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Requests per hour from one client address, at most 5,000; 0 for no limit. */
  clientLimit: number;
  mailer: Mailer;
  log: (entry: Record<string, unknown>) => void;
  /** How long to wait for a client that does not read its response. Default: 1 second. */
  responseTimeoutMs?: number;
}

/** How many mails may be in preparation at the same time; bounds the memory used. */
const MAX_PENDING = 1_000;

/**
 * Limits requests from one client, for links of all kinds. IPv6 addresses are grouped by their
 * first 64 bits.
 */
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow => ({
  key: ["sign_in_limits", "client", sha256(addressKey(clientAddress))],
  limit,
  windowMs: LINK_WINDOW_MS,
});

/**
 * Creates a function that mails a link on request. Its result depends only on the client, never on
 * the email address: `prepare` looks up the address after the response has been sent.
 *
 * @param prepare stores the link and its mail. Returns no mail if the address gets no link.
 */
export function createMailedLinks<Request extends MailedLinkRequest>(
  { kv, clock, clientLimit, mailer, log, responseTimeoutMs = SECOND_MS }: MailedLinksOptions,
  prepare: (request: Request) => Promise<QueuedMail[]>,
): (request: Request) => Promise<{ ok: true } | Failure> {
  let pending = 0;

  async function countClient(clientAddress: string): Promise<Failure | null> {
    if (clientLimit === 0) return null;
    const window = clientWindow(clientAddress, clientLimit);
    const counted = await takeSlot(kv, window, clock);
    if (counted.ok) return null;
    const wait = formatWait(counted.retryAfterSeconds);
    return { ...counted, message: `Too many links were requested. Try again ${wait}.` };
  }

  async function prepareAfterResponse(request: Request): Promise<QueuedMail[]> {
    await settledWithin(request.responded, responseTimeoutMs);
    return await prepare(request);
  }

  function logFailure(error: unknown): QueuedMail[] {
    const busy = error instanceof KvBusyError;
    const reason = busy ? error.code : "unexpected";
    const stack = !busy && error instanceof Error ? error.stack : undefined;
    log({ level: "error", event: "sign_in_link_failed", reason, stack });
    return [];
  }

  return async (request) => {
    if (pending >= MAX_PENDING) return fail("unavailable", { retryAfterSeconds: 5 });
    const refused = await countClient(request.clientAddress);
    if (refused !== null) return refused;
    pending++;
    mailer.send(prepareAfterResponse(request).catch(logFailure).finally(() => pending--));
    return { ok: true };
  };
}
