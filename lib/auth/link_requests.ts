import { z } from "zod";
import { addressKey } from "../http/client_address.ts";
import { settledWithin } from "../http/settled.ts";
import { sha256 } from "../kv/hash.ts";
import { createQueue, KvBusyError, type SlidingWindow, takeSlot } from "../kv/mod.ts";
import { mailboxOf } from "../mail/email.ts";
import { emailSchema, type Mailer, type QueuedMail } from "../mail/mod.ts";
import { fail, type Failure } from "../result.ts";
import type { Surface, SurfaceKind } from "../surfaces/mod.ts";
import { formatWait, HOUR_MS, SECOND_MS } from "../time.ts";
import type { Devices } from "./device_cookie.ts";
import { type AddLinkMail, issueLink, linkOn } from "./links.ts";
import { signInMail } from "./sign_in_mail.tsx";
import { aboutUser } from "./users.ts";

export interface LinkRequest {
  /** Normalised. */
  email: string;
  clientAddress: string;
  /** The request's device cookies, see `deviceCookies`. */
  devices: string[];
  surface: Surface;
  /** Where the person was going. Dropped unless it is a same-site path. */
  next?: unknown;
  /** Settles when the response has been sent. Nothing is looked up before that. */
  responded: Promise<unknown>;
}

export interface LinkRequestsOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Requests per hour from one client address, at most 5,000; 0 for no limit. */
  clientLimit: number;
  devices: Devices;
  mailer: Mailer;
  permits: (email: string, surface: Surface) => boolean;
  log: (entry: Record<string, unknown>) => void;
  /** How long to wait for a client that does not read its response. Default: 1 second. */
  responseTimeoutMs?: number;
}

/** The body of `POST /api/auth/request`. */
export const linkRequestSchema = z.object({
  email: emailSchema(),
  next: z.string().nullish().catch(null),
});

/** Spec section 8. */
export const LINKS_PER_HOUR = 3;

/** How many mails may be in preparation at the same time; bounds the memory used. */
const MAX_PENDING = 1_000;

/**
 * Limits links for one mailbox on one kind of surface. Each kind has its own count, so that
 * requests on the public site do not use up an administrator's links on the console.
 *
 * @param email normalised
 */
export const mailboxWindow = (email: string, kind: SurfaceKind): SlidingWindow => ({
  key: ["sign_in_limits", "address", kind, sha256(mailboxOf(email))],
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
});

/** Limits links for a browser that has signed in before, instead of the mailbox's limit. */
export const deviceWindow = (deviceId: string): SlidingWindow => ({
  key: ["sign_in_limits", "device", sha256(deviceId)],
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
});

/** Limits requests from one client. IPv6 addresses are grouped by their first 64 bits. */
export const clientWindow = (clientAddress: string, limit: number): SlidingWindow => ({
  key: ["sign_in_limits", "client", sha256(addressKey(clientAddress))],
  limit,
  windowMs: HOUR_MS,
});

/**
 * Creates the function behind `POST /api/auth/request`. Its result depends only on the client,
 * never on the email address: whether the address is known, may sign in here or has links left is
 * checked after the response, and a refused link is not mailed.
 */
export function createLinkRequests(
  { kv, clock, clientLimit, devices, mailer, permits, log, responseTimeoutMs = SECOND_MS }:
    LinkRequestsOptions,
): (request: LinkRequest) => Promise<{ ok: true } | Failure> {
  const enqueue = createQueue(); // serialised, because every token increments the same id
  let pending = 0;

  async function countClient(clientAddress: string): Promise<Failure | null> {
    if (clientLimit === 0) return null;
    const window = clientWindow(clientAddress, clientLimit);
    const counted = await takeSlot(kv, window, clock);
    if (counted.ok) return null;
    const wait = formatWait(counted.retryAfterSeconds);
    return { ...counted, message: `Too many links were requested. Try again ${wait}.` };
  }

  /** Issues a link with its mail. Returns no mail if the link was refused. */
  async function prepareMail(request: LinkRequest): Promise<QueuedMail[]> {
    const { email, surface, next } = request;
    await settledWithin(request.responded, responseTimeoutMs);
    if (!permits(email, surface)) return [];
    const device = await devices.find(request.devices, { email, surface: surface.name });
    const window = device === null ? mailboxWindow(email, surface.kind) : deviceWindow(device);
    const target = { email, surface: surface.name, next };
    const { product, sender } = surface.signIn ?? { product: surface.title, sender: "product" };
    let queued: QueuedMail[] = [];
    const addMail: AddLinkMail = async (commit, { token, user, expiresAt }) => {
      const mail = signInMail({ sender, product, link: linkOn(surface, token), to: email });
      queued = [await mailer.add(commit, mail, { expiresAt, about: aboutUser(user.user_id) })];
    };
    const issued = await enqueue(() => issueLink(kv, clock, target, window, addMail));
    return issued.ok ? queued : [];
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
    mailer.send(prepareMail(request).catch(logFailure).finally(() => pending--));
    return { ok: true };
  };
}
