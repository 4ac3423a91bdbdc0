/** Reads webhooks that other systems send: the body of a request, which only its signature authenticates. */
import type { Bytes } from "../../base/encoding.ts";
import { fail, type Failure } from "../../base/result.ts";
import { readBytes } from "./body.ts";
import { verifySignature } from "./webhook_signature.ts";

/** A webhook whose signature is valid. Standard Webhooks sign the event's id, which is not in the body. */
export interface Webhook {
  ok: true;
  body: Bytes;
  eventId: string | null;
}

export type WebhookFailure = Failure<"unavailable" | "too_large" | "invalid_request">;

interface WebhookOptions {
  /** The variable that has the secrets. */
  variable: string;
  /** Returns the secrets, the current one first, because they can be replaced while the body arrives. */
  secrets: () => readonly string[];
  /** The message while there are no secrets. */
  off: string;
  /** The largest body in bytes. */
  limit: number;
  /** How long the sender may take to send the body. */
  timeoutMs?: number;
}

/** The services that check a signature. */
export interface WebhookServices {
  clock: () => number;
  secretStates: { noteUse(variable: string, secret: string): Promise<void> };
}

/**
 * Reads the body of a webhook and verifies its signature before anything parses it. Notes if an older
 * secret signed it.
 *
 * @throws {RequestError} 400 or 408 if the body does not arrive
 */
export async function readWebhook(
  { clock, secretStates }: WebhookServices,
  req: Request,
  { variable, secrets, off, limit, timeoutMs }: WebhookOptions,
): Promise<Webhook | WebhookFailure> {
  if (secrets().length === 0) return fail("unavailable", { message: off });
  const body = await readBytes(req, limit, timeoutMs);
  if (body === undefined) return fail("too_large", { message: `Send at most ${limit} bytes.` });
  const signed = verifySignature(req, body, secrets(), clock());
  if (!signed.ok) return signed;
  if (signed.secret !== secrets()[0]) await secretStates.noteUse(variable, signed.secret);
  return { ok: true, body, eventId: signed.eventId };
}
