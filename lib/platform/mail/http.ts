/** Sends mail through a provider's HTTP API, the transport `http`. */
import { sleep } from "../../base/sleep.ts";
import { z } from "zod";
import { isSecureUrl } from "../config/fields.ts";
import { SECOND_MS } from "../../base/time.ts";
import { MailError, type MailFailure, type MailTransport } from "./mail.ts";

export interface HttpMailOptions {
  url: string;
  /** Sent only as the bearer token. */
  key: string;
  fetch: typeof fetch;
  /** Timeout for the response headers of each attempt. */
  timeoutMs?: number;
  /** Waits before the second attempt. */
  pause?: (ms: number) => Promise<void>;
}

/** `MAIL_API_URL`: https, to protect the key, or http on this machine. */
export const mailApiUrl = z.string().refine(isSecureUrl, "an https address");

/** The name of the tag with a mail's id. */
export const MAIL_ID_TAG = "mail_id";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10 * SECOND_MS;

/**
 * Creates a transport that uses a mail provider's HTTP API: it POSTs the JSON `{from, to, subject,
 * html, text, reply_to?, tags?}` with a bearer token. The tag `mail_id` has the mail's id, with which the provider
 * reports what became of it.
 *
 * Retries once after a network error, a timeout, 429 or 5xx, and respects `Retry-After` up to ten
 * seconds. All attempts send the mail's id as `Idempotency-Key`, so that a provider that supports
 * it sends the mail only once. A redirect is a failure, because the key must not be sent to another
 * URL.
 */
export function createHttpTransport(options: HttpMailOptions): MailTransport & { name: "http" } {
  const { url, key, fetch, timeoutMs = 10 * SECOND_MS, pause = sleep } = options;

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
      await response.body?.cancel().catch(() => {});
      return outcomeOf(response);
    } catch (error) {
      const timedOut = error instanceof DOMException && error.name === "TimeoutError";
      return { failure: timedOut ? "timeout" : "connection_failed", pauseMs: FIRST_PAUSE_MS };
    }
  }

  return {
    name: "http",
    async send({ id, from, to, subject, html, text, replyTo }) {
      const tags = id === undefined ? undefined : [{ name: MAIL_ID_TAG, value: id }];
      const body = JSON.stringify({ from, to, subject, html, text, reply_to: replyTo, tags });
      const idempotencyKey = id ?? crypto.randomUUID();
      let outcome = await attempt(body, idempotencyKey);
      if (outcome.pauseMs !== undefined) {
        await pause(outcome.pauseMs);
        outcome = await attempt(body, idempotencyKey);
      }
      if (outcome.failure !== undefined) throw new MailError(outcome.failure);
    },
  };
}

/**
 * Checks whether the provider's API responds, without the key and without a mail. Any status below
 * 500 means that it does: providers answer HEAD at the address of their API in different ways.
 */
export async function checkMailApi(
  { url, fetch }: Pick<HttpMailOptions, "url" | "fetch">,
  signal: AbortSignal,
): Promise<MailFailure | null> {
  try {
    const response = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    await response.body?.cancel();
    return response.status < 500 ? null : "server_error";
  } catch {
    return signal.aborted ? "timeout" : "connection_failed";
  }
}

const MAIL_REFUSED = new Set([400, 413, 422]);

interface Outcome {
  /** Absent if the mail was accepted. */
  failure?: MailFailure;
  /** Absent if a retry would not help. */
  pauseMs?: number;
}

function outcomeOf({ status, ok, headers }: Response): Outcome {
  if (ok) return {};
  if (status === 429 || status >= 500) {
    const retryAfterMs = Number(headers.get("retry-after") ?? 0) * SECOND_MS || 0;
    return {
      failure: status === 429 ? "rate_limited" : "server_error",
      pauseMs: Math.min(Math.max(retryAfterMs, FIRST_PAUSE_MS), MAX_PAUSE_MS),
    };
  }
  if (status === 401 || status === 403) return { failure: "auth_failed" };
  // For a manual redirect, Deno returns the redirect itself, the Fetch standard status 0.
  if (status < 400) return { failure: "redirected" };
  // Others, such as 404, concern the address of the API rather than the mail.
  return { failure: MAIL_REFUSED.has(status) ? "message_refused" : "protocol_error" };
}
