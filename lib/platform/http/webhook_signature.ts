/** Verifies the signatures of incoming webhooks. */
import { createHmac } from "node:crypto";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { Webhook } from "standardwebhooks";
import { utf8 } from "../../base/encoding.ts";
import { readHeader } from "./header.ts";
import { fail, type Failure } from "../../base/result.ts";
import { MINUTE_MS } from "../../base/time.ts";

/** How far a signature's time may be from ours, in either direction. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** A verified request. Standard Webhooks sign the event's id, which is not in the body. */
interface Signed {
  ok: true;
  eventId: string | null;
  /** The secret that signed it: the first of those that were given, unless the sender still has an older one. */
  secret: string;
}

/** The signatures of a request, as their schemes write them. */
interface Signatures {
  /** Seconds since 1970. */
  time: number;
  candidates: string[];
  eventId: string | null;
  /** Returns the signature that a secret makes; null if the secret is not one of the scheme. */
  sign(secret: string, body: Uint8Array): string | null;
}

/** The most signatures that are compared. Providers send one for each secret. */
const MAX_CANDIDATES = 20;

/**
 * Verifies the signature of a webhook's body, in Stripe's scheme or that of Standard Webhooks. The
 * failure does not say what is wrong.
 *
 * @param body the bytes as they were received
 * @param secrets the configured secrets; any of them may have signed
 * @param now milliseconds since 1970
 */
export function verifySignature(
  req: { headers: Headers },
  body: Uint8Array,
  secrets: readonly string[],
  now: number,
): Signed | Failure<"invalid_request"> {
  const signatures = stripeSignatures(req) ?? standardSignatures(req);
  if (signatures === null) return refused();
  const { time, candidates, eventId, sign } = signatures;
  if (Math.abs(now - time * 1000) > TOLERANCE_MS) return refused();
  let signer: string | null = null;
  for (const secret of secrets) {
    const expected = sign(secret, body);
    if (expected === null) continue;
    for (const candidate of candidates) {
      // Every candidate is compared, so that the time does not depend on which one matches.
      if (timingSafeEqual(utf8(candidate), utf8(expected))) signer ??= secret;
    }
  }
  return signer === null ? refused() : { ok: true, eventId, secret: signer };
}

const refused = () => fail("invalid_request", { message: "This request cannot be processed." });

/** Reads `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]`. Other schemes, such as v0, are ignored. */
function stripeSignatures(req: { headers: Headers }): Signatures | null {
  const header = readHeader(req, "stripe-signature");
  if (header === null) return null;
  const pairs = header.split(",").map((part) => part.trim().split("=", 2));
  const values = (name: string) => pairs.filter(([key]) => key === name).map(([, value]) => value);
  const [time, ...others] = values("t");
  if (others.length > 0 || !isTime(time)) return null;
  return {
    time: Number(time),
    candidates: values("v1").filter((value) => /^[0-9a-f]{64}$/.test(value ?? ""))
      .slice(0, MAX_CANDIDATES),
    eventId: null,
    sign: (secret, body) =>
      createHmac("sha256", secret).update(`${time}.`).update(body).digest("hex"),
  };
}

/**
 * Reads `webhook-id`, `webhook-timestamp` and `webhook-signature: v1,<base64>[ v1,<base64>]`, which some providers
 * still name `svix-…`.
 */
function standardSignatures(req: { headers: Headers }): Signatures | null {
  const [id, time, header] = ["id", "timestamp", "signature"]
    .map((name) => readHeader(req, `webhook-${name}`) ?? readHeader(req, `svix-${name}`));
  if (id === null || !/^[\x21-\x2d\x2f-\x7e]{1,255}$/.test(id)) return null;
  if (header === null || !isTime(time)) return null;
  return {
    time: Number(time),
    candidates: header.split(" ").filter((value) => /^v1,[A-Za-z0-9+/]{43}=$/.test(value))
      .slice(0, MAX_CANDIDATES),
    eventId: id,
    sign(secret, body) {
      try {
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
        return new Webhook(secret).sign(id, new Date(Number(time) * 1000), text);
      } catch {
        return null; // the secret is not base64, such as one of Stripe's, or the body is not UTF-8
      }
    },
  };
}

const isTime = (text: string | null | undefined): text is string => /^\d{1,12}$/.test(text ?? "");
