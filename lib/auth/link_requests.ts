import { createQueue, KvBusyError } from "../kv/mod.ts";
import { type Mailer, signInMail } from "../mail/mod.ts";
import { fail, type Failure } from "../result.ts";
import type { Surface } from "../surfaces/mod.ts";
import { formatWait } from "../time.ts";
import type { Devices } from "./device_cookie.ts";
import { countCall, issueLink } from "./issue_link.ts";
import { clientWindow, deviceWindow, mailboxWindow } from "./rate_limit.ts";

/** A request for a sign-in link. */
export interface LinkRequest {
  /** Normalised. */
  email: string;
  /** The IP address that the request came from. */
  clientAddress: string;
  /** The request's device cookies, see `deviceCookies`. */
  devices: string[];
  /** Where the link will lead. */
  surface: Surface;
  /** Where the person was going. Dropped unless it is a same-site path. */
  next?: unknown;
  /** Settles when the response has been sent. Nothing is looked up before. */
  responded: Promise<unknown>;
}

export interface LinkRequestsOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Requests per hour from one client address; 0 for no limit. */
  clientLimit: number;
  devices: Devices;
  mailer: Mailer;
  /** Whether an address may sign in on a surface. */
  permits: (email: string, surface: Surface) => boolean;
  log: (entry: Record<string, unknown>) => void;
}

/** Requests that may wait for their mail to be prepared: the bound on memory. */
const MAX_WAITING = 1_000;

/** How long to wait for a client that does not read its response. */
const LONGEST_RESPONSE_MS = 1_000;

/**
 * Creates the function behind `POST /api/auth/request`. Its result depends on the client alone,
 * never on the address: whether the address is known, may sign in here or has used up its links is
 * looked up after the response, and a link that is refused is not mailed.
 */
export function createLinkRequests(
  { kv, clock, clientLimit, devices, mailer, permits, log }: LinkRequestsOptions,
): (request: LinkRequest) => Promise<{ ok: true } | Failure> {
  const enqueue = createQueue(); // every token increments the same id
  let waiting = 0;

  async function prepare({ email, surface, next, ...request }: LinkRequest) {
    await settledWithin(request.responded, LONGEST_RESPONSE_MS);
    if (!permits(email, surface)) return null;
    const device = await devices.find(request.devices, { email, surface: surface.name });
    const window = device === null ? mailboxWindow(email, surface.kind) : deviceWindow(device);
    const target = { email, surface: surface.name, next };
    const issued = await enqueue(() => issueLink(kv, clock, target, window));
    if (!issued.ok) return null;
    return signInMail({
      product: surface.signIn?.product ?? surface.title,
      link: linkOn(surface, issued.token),
      to: email,
    });
  }

  function logFailure(error: unknown): null {
    const busy = error instanceof KvBusyError;
    const reason = busy ? error.code : "unexpected";
    const stack = !busy && error instanceof Error ? error.stack : undefined;
    log({ level: "error", event: "sign_in_link_failed", reason, stack });
    return null;
  }

  return async (request) => {
    if (waiting >= MAX_WAITING) return fail("unavailable", { retryAfterSeconds: 5 });
    if (clientLimit > 0) {
      const window = clientWindow(request.clientAddress, clientLimit);
      const counted = await countCall(kv, clock, window);
      if (!counted.ok) {
        const wait = formatWait(counted.retryAfterSeconds!);
        return { ...counted, message: `Too many links were requested. Try again ${wait}.` };
      }
    }
    waiting++;
    mailer.postPrepared(prepare(request).catch(logFailure).finally(() => waiting--));
    return { ok: true };
  };
}

/** Returns the address of a link. Its base is configured, whatever the request's `Host` was. */
export const linkOn = ({ baseUrl }: Pick<Surface, "baseUrl">, token: string): string =>
  `${baseUrl}/auth/verify?token=${token}`;

/** Waits until a promise settles, at most `limitMs` milliseconds. */
async function settledWithin(promise: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise((resolve) => timer = setTimeout(resolve, limitMs));
  await Promise.race([promise.catch(() => {}), limit]);
  clearTimeout(timer);
}
