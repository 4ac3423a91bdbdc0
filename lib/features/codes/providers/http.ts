/** The provider of codes that posts messages as JSON to any HTTP API. */
import { z } from "zod";
import type { CodeProvider, SendResult } from "../provider.ts";
import { post, type PostDeps, type Reply } from "./post.ts";

export interface HttpProviderOptions extends PostDeps {
  url: string;
  /** Sent only as the bearer token. */
  key: string;
  /** Logs one structured line, without the number, the text or the provider's body. */
  log: (entry: Record<string, unknown>) => void;
}

const acceptedSchema = z.object({
  id: z.string().min(1).max(200),
  status: z.string().max(50).default("accepted"),
});

const rejectedSchema = z.object({
  error: z.enum(["invalid_number", "unreachable", "blocked", "rate_limited", "unavailable"]),
});

/**
 * Creates a provider that POSTs `{to, channel, text, idempotency_key}` as JSON with a bearer token. Any
 * 2xx status means that the message was accepted; the body may be `{id, status}`. For a rejected
 * message the body may be `{error}` with a code of {@link SendResult}.
 */
export function createHttpProvider(options: HttpProviderOptions): CodeProvider {
  const { url, key, log } = options;
  return {
    name: "http",
    async send({ to, channel, text, idempotencyKey }) {
      const reply = await post(url, {
        headers: { "authorization": `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ to, channel, text, idempotency_key: idempotencyKey }),
      }, options);
      const result = resultOf(reply, idempotencyKey);
      if (!result.ok) {
        const { error: reason } = result;
        const { status } = reply ?? {};
        log({ level: "warn", event: "code_not_sent", provider: "http", channel, reason, status });
      }
      return result;
    },
  };
}

function resultOf(reply: Reply | undefined, idempotencyKey: string): SendResult {
  if (reply === undefined) return { ok: false, error: "unavailable" };
  const { status, body } = reply;
  if (status >= 200 && status < 300) {
    const accepted = acceptedSchema.safeParse(body);
    return { ok: true, ...accepted.data ?? { id: idempotencyKey, status: "accepted" } };
  }
  if (status === 429) return { ok: false, error: "rate_limited" };
  const rejected = rejectedSchema.safeParse(body);
  // A rejected key or a failure on the provider's side says nothing about the number.
  const concernsMessage = status >= 400 && status < 500 && status !== 401 && status !== 403;
  return { ok: false, error: concernsMessage && rejected.data?.error || "unavailable" };
}
