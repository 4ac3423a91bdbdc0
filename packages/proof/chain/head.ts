/**
 * The signed head of a chain.
 *
 * @module
 */
import { type Bytes, decodeBase64Url, encodeBase64Url } from "../../../lib/base/encoding.ts";
import { isAllowedPoint } from "./ed25519.ts";
import { hashSchema, instantSchema } from "./event.ts";
import { canonicalBytes, withDomain } from "./hash.ts";
import {
  base64Url32,
  importPublicKey,
  type PublicJwk,
  publicJwkSchema,
  type SigningKey,
  thumbprint,
} from "./keys.ts";
import { isOrigin, ORIGIN } from "./publisher.ts";
import * as z from "./zod.ts";

const ORIGIN_EXPECTED = "expected <host>/<record hash>";

const unsignedHeadSchema = z.strictObject({
  origin: z.string().regex(ORIGIN, ORIGIN_EXPECTED).refine(isOrigin, ORIGIN_EXPECTED),
  size: z.int().min(1),
  tip: hashSchema,
  at: instantSchema,
  kid: base64Url32,
});

/** The publisher's signed statement of a chain's size and tip. */
export const headSchema = unsignedHeadSchema.extend({
  // 64 bytes in base64url are 86 characters; the four unused bits of the last one must be 0.
  signature: z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/),
}).meta({
  id: "Head",
  description: "The publisher's signed statement of the chain's length (`size`) and last hash " +
    "(`tip`). `origin` is `<publisher>/<record hash>`, and `signature` is Ed25519 in base64url.",
});

/**
 * `origin`: `<host>/<record hash>`; `size`: the number of events; `tip`: the hash of the last event;
 * `at`: when the head was signed; `kid`: the signing key's thumbprint; `signature`: Ed25519,
 * base64url.
 */
export type Head = z.infer<typeof headSchema>;

type HeadStatement = Pick<Head, "origin" | "size" | "tip" | "at">;

export type HeadVerification =
  | { ok: true; head: Head }
  | {
    ok: false;
    code: "bad_head" | "unknown_key" | "bad_signature";
    message: string;
  };

/** Returns the origin of a record's chain. The publisher is a host, with its port if it has one. */
export const headOrigin = (publisher: string, recordHash: string): string =>
  `${publisher}/${recordHash}`;

const headBytes = ({ origin, size, tip, at, kid }: Omit<Head, "signature">): Bytes =>
  withDomain("head", canonicalBytes({ origin, size, tip, at, kid }));

/**
 * Signs a head with Ed25519 (RFC 8032).
 *
 * @throws {z.ZodError} (rejects) for an invalid statement
 * @example
 * const head = await signHead({
 *   origin: headOrigin("trust.example", recordHash),
 *   size: events.length,
 *   tip: events.at(-1)!.hash,
 *   at: new Date(clock()).toISOString(),
 * }, key);
 */
export async function signHead(statement: HeadStatement, key: SigningKey): Promise<Head> {
  const head = unsignedHeadSchema.parse({ ...statement, kid: key.kid });
  const signature = await crypto.subtle.sign("Ed25519", key.privateKey, headBytes(head));
  return { ...head, signature: encodeBase64Url(signature) };
}

/**
 * Verifies a head's signature. Malformed input yields a fault, never an exception.
 *
 * @param keys the publisher's JWKs. Keys that are not Ed25519 are ignored. Each key's `kid` is
 * computed, because a JWK may claim any `kid`
 */
export async function verifyHead(
  head: unknown,
  keys: readonly unknown[],
): Promise<HeadVerification> {
  const parsed = headSchema.safeParse(head);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0];
    return fault("bad_head", `head ${path.join(".")}: ${message}`);
  }
  const jwk = await findKey(parsed.data.kid, keys);
  if (!jwk) return fault("unknown_key", "none of the publisher's keys has the head's kid");
  return await isSignatureValid(parsed.data, jwk)
    ? { ok: true, head: parsed.data }
    : fault("bad_signature", "the signature does not match the head and its key");
}

async function findKey(kid: string, keys: readonly unknown[]): Promise<PublicJwk | undefined> {
  for (const candidate of Array.isArray(keys) ? keys : []) {
    const jwk = publicJwkSchema.safeParse(candidate);
    if (jwk.success && await thumbprint(jwk.data) === kid) return jwk.data;
  }
}

async function isSignatureValid(head: Head, jwk: PublicJwk): Promise<boolean> {
  const signature = decodeBase64Url(head.signature);
  if (!isAllowedPoint(decodeBase64Url(jwk.x)) || !isAllowedPoint(signature)) return false;
  try {
    const key = await importPublicKey(jwk);
    return await crypto.subtle.verify("Ed25519", key, signature, headBytes(head));
  } catch {
    return false; // x is not a point on the curve
  }
}

const fault = (
  code: (HeadVerification & { ok: false })["code"],
  message: string,
): HeadVerification => ({ ok: false, code, message });
