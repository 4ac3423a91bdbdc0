import { z } from "zod";
import { MailError, type MailFailure, type MailTransport } from "./mail.ts";

export interface HttpMailOptions {
  url: string;
  /** Goes into the `Authorization` header and nowhere else. */
  key: string;
  fetch: typeof fetch;
  /** Until the headers of an answer, for each of the two tries. */
  timeoutMs?: number;
  /** Waits so many milliseconds before the second try. */
  pause?: (ms: number) => Promise<void>;
}

/** `MAIL_API_URL`: https, so that the key is not sent in the open; http on this machine only. */
export const mailApiUrl = z.string().refine((value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || protocol === "http:" && LOOPBACK.test(hostname);
}, "an https address");

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Sends through a mail provider's HTTP interface: POST of JSON
 * `{from, to, subject, html, text, reply_to?}` with a bearer token (design, section 5).
 *
 * Tried once more after a failure of the network, a timeout, 429 or 5xx, later if `Retry-After`
 * asks for it. Both tries carry the same `Idempotency-Key`: a provider that knows it sends one
 * mail. Redirects are failures, for the key is meant for one address.
 *
 * @example
 * ```ts
 * const transport = createHttpTransport({ url: "https://api.mail.example/send", key, fetch });
 * ```
 */
export function createHttpTransport(options: HttpMailOptions): MailTransport & { name: "http" } {
  const { url, key, fetch, timeoutMs = 10_000, pause = sleep } = options;

  async function attempt(body: string, id: string): Promise<Outcome> {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "authorization": `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": id,
        },
        body,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      // That it arrived is said by the status; what else is said is of no use.
      await response.body?.cancel().catch(() => {});
      return outcomeOf(response);
    } catch (error) {
      const timedOut = error instanceof DOMException && error.name === "TimeoutError";
      return { failure: timedOut ? "timeout" : "connection_failed", pauseMs: FIRST_PAUSE_MS };
    }
  }

  return {
    name: "http",
    async send({ from, to, subject, html, text, replyTo }) {
      const body = JSON.stringify({ from, to, subject, html, text, reply_to: replyTo });
      const id = crypto.randomUUID();
      let outcome = await attempt(body, id);
      if (outcome.pauseMs !== undefined) {
        await pause(outcome.pauseMs);
        outcome = await attempt(body, id);
      }
      if (outcome.failure !== undefined) throw new MailError(outcome.failure);
    },
  };
}

interface Outcome {
  /** Missing: the mail was taken over. */
  failure?: MailFailure;
  /** Missing: another try would come to the same. */
  pauseMs?: number;
}

function outcomeOf({ status, ok, headers }: Response): Outcome {
  if (ok) return {};
  if (status === 429 || status >= 500) {
    const asked = Number(headers.get("retry-after") ?? 0) * 1000 || 0;
    return {
      failure: status === 429 ? "rate_limited" : "server_error",
      pauseMs: Math.min(Math.max(asked, FIRST_PAUSE_MS), LONGEST_PAUSE_MS),
    };
  }
  if (status === 401 || status === 403) return { failure: "auth_failed" };
  // Manual redirects come as they are in Deno, but as an opaque answer of status 0 in the standard.
  return { failure: status < 400 ? "redirected" : "message_refused" };
}

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
