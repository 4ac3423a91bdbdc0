/** Mails a link on request without revealing whether the address is known; shared by all kinds of links. */
import { addressKey } from "../../platform/http/client_address.ts";
import { settledWithin } from "../../platform/http/settled.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  asSite,
  isUnusable,
  KvBusyError,
  readSlot,
  type SlidingWindow,
  transact,
} from "../../platform/kv/mod.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import { formatWait, SECOND_MS } from "../../base/time.ts";
import { clientLinks } from "./link_limits.ts";
import type { AskedRequest, StoredRequest, StoredRequests } from "./stored_requests.ts";

/** A request for a link by mail. */
export interface MailedLinkRequest {
  clientAddress: string;
  /** Settles when the response has been sent. Nothing is looked up before that. */
  responded: Promise<unknown>;
  /** Called with the id of the stored request, which the browser keeps to learn what became of it. */
  onStored?: (id: string) => void;
}

/** The rest of a request that was restored. Its client has been counted and has its response. */
export const RESTORED: MailedLinkRequest = { clientAddress: "", responded: Promise.resolve() };

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
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow =>
  clientLinks.of([sha256(addressKey(clientAddress))], limit);

/** How requests are stored, so that those that got a response survive the process. */
interface RequestStore<Request, Saved> {
  requests: StoredRequests<Saved>;
  /** Returns what is needed to prepare the mail later. */
  save(request: Request): Saved & { email: string };
  /** Returns null for a request that cannot be prepared any more. */
  restore(saved: Saved): Request | null;
}

export interface MailedLinks<Request> {
  /**
   * Stores a request, and mails the link after the response. The result depends only on the client,
   * never on the email address.
   */
  request(request: Request): Promise<{ ok: true } | Failure>;
  /** Mails the links of requests that a process has left behind. */
  resume(signal: AbortSignal): Promise<void>;
  /** Returns what became of a stored request; null if its mail was prepared, or it is not known. */
  asked(id: string): Promise<AskedRequest | null>;
}

/**
 * Creates a service that mails links on request. The work before the response is the same for every
 * address: `prepare` looks it up afterwards.
 *
 * @param prepare stores the link and its mail, and takes the request in the same commit. Returns no
 * mail if the address gets no link, or if the request has been taken already.
 * @param store without it, requests are lost if the process dies before they are prepared
 */
export function createMailedLinks<Request extends MailedLinkRequest, Saved = never>(
  { kv, clock, clientLimit, mailer, log, responseTimeoutMs = SECOND_MS }: MailedLinksOptions,
  prepare: (request: Request, stored: StoredRequest) => Promise<QueuedMail[]>,
  store?: RequestStore<Request, Saved>,
): MailedLinks<Request> {
  let pending = 0;

  /** Counts the client and stores the request, in one commit. */
  async function admit(request: Request): Promise<{ ok: true; stored: StoredRequest } | Failure> {
    if (clientLimit === 0 && store === undefined) return { ok: true, stored: NOT_STORED };
    const window = clientWindow(request.clientAddress, clientLimit);
    return await transact<{ ok: true; stored: StoredRequest } | Failure>(async () => {
      const commit = kv.atomic();
      if (clientLimit > 0) {
        const slot = await readSlot(kv, window, clock());
        if (slot.waitMs > 0) return { result: tooMany(slot.waitMs) };
        slot.take(commit);
      }
      const stored = await store?.requests.add(commit, store.save(request)) ?? NOT_STORED;
      return { result: { ok: true, stored }, commit };
    });
  }

  async function mail(request: Request, stored: StoredRequest): Promise<QueuedMail[]> {
    await settledWithin(request.responded, responseTimeoutMs);
    const queued = await stored.isSuperseded() ? [] : await prepare(request, stored);
    if (queued.length === 0) await stored.remove();
    return queued;
  }

  function logFailure(error: unknown): QueuedMail[] {
    const busy = error instanceof KvBusyError || isUnusable(error);
    const reason = busy ? error.code : "unexpected";
    const stack = !busy && error instanceof Error ? error.stack : undefined;
    log({ level: "error", event: "sign_in_link_failed", reason, stack });
    return [];
  }

  return {
    async request(request) {
      if (pending >= MAX_PENDING) return fail("unavailable", { retryAfterSeconds: 5 });
      request.responded.catch(() => {}); // it may fail before `mail` waits for it
      const admitted = await admit(request);
      if (!admitted.ok) return admitted;
      if (admitted.stored.id !== null) request.onStored?.(admitted.stored.id);
      pending++;
      const mailed = asSite(() => mail(request, admitted.stored));
      mailer.send(mailed.catch(logFailure).finally(() => pending--));
      return { ok: true };
    },
    asked: async (id) => await store?.requests.read(id) ?? null,
    async resume(signal) {
      await store?.requests.resume(async (saved, stored) => {
        const request = store.restore(saved);
        if (request === null) return await stored.remove();
        const mailed = mail(request, stored).catch(logFailure);
        mailer.send(mailed);
        await mailed;
      }, signal);
    },
  };
}

const NOT_STORED: StoredRequest = {
  id: null,
  isSuperseded: () => Promise.resolve(false),
  take: () => Promise.resolve(true),
  remove: () => Promise.resolve(),
};

function tooMany(waitMs: number): Failure {
  const failure = rateLimited(waitMs);
  const wait = formatWait(failure.retryAfterSeconds);
  return { ...failure, message: `Too many links were requested. Try again ${wait}.` };
}
