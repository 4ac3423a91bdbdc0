import * as z from "./zod.ts";
import { type Bytes, fromBase64Url, toBase64Url } from "./bytes.ts";
import { hashSchema, instantSchema } from "./event.ts";
import { canonicalBytes, separated } from "./hash.ts";
import {
  importPublicKey,
  type PublicJwk,
  publicJwkSchema,
  type SigningKey,
  thumbprint,
} from "./keys.ts";

const ORIGIN = /^([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)\/([0-9a-f]{64})$/;

const unsignedHeadSchema = z.strictObject({
  origin: z.string().regex(ORIGIN, "expected <host>/<record hash>"),
  size: z.int().min(1),
  tip: hashSchema,
  at: instantSchema,
  kid: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
});

/** A head: the publisher's signed statement of how far a chain reaches. */
export const headSchema = unsignedHeadSchema.extend({
  // 64 bytes in base64url: 86 characters, and the last one's four spare bits are 0.
  signature: z.string().regex(/^[A-Za-z0-9_-]{85}[AQgw]$/),
});

/**
 * `origin`: `<host>/<record hash>`; `size`: the number of events; `tip`: the
 * last one's hash; `at`: when it was signed; `kid`: the signing key's
 * thumbprint; `signature`: Ed25519, base64url.
 */
export type Head = z.infer<typeof headSchema>;

/** A head before it is signed: `kid` and `signature` come from the key. */
export type HeadStatement = Pick<Head, "origin" | "size" | "tip" | "at">;

/** What {@link verifyHead} found. */
export type HeadVerification =
  | { ok: true; head: Head }
  | {
    ok: false;
    code: "bad_head" | "unknown_key" | "bad_signature";
    message: string;
  };

/** The origin of a record's chain at a publisher, whose host may have a port. */
export const headOrigin = (publisher: string, recordHash: string): string =>
  `${publisher}/${recordHash}`;

/** The bytes that a head's signature covers: domain, then JCS without it. */
export const headBytes = (
  { origin, size, tip, at, kid }: Omit<Head, "signature">,
): Bytes => separated("head", canonicalBytes({ origin, size, tip, at, kid }));

/**
 * Signs a head with Ed25519 (RFC 8032).
 *
 * @throws {z.ZodError} when the statement itself is not valid
 * @example
 * const head = await signHead({
 *   origin: headOrigin("trust.example", recordHash),
 *   size: events.length,
 *   tip: events.at(-1)!.hash,
 *   at: new Date(clock()).toISOString(),
 * }, key);
 */
export async function signHead(
  statement: HeadStatement,
  key: SigningKey,
): Promise<Head> {
  const head = unsignedHeadSchema.parse({ ...statement, kid: key.kid });
  const signature = await crypto.subtle.sign(
    { name: "Ed25519" },
    key.privateKey,
    headBytes(head),
  );
  return { ...head, signature: toBase64Url(new Uint8Array(signature)) };
}

/**
 * Verifies a head's signature. Bad input of any form is an answer, never a
 * throw.
 *
 * @param head the head as it came, parsed from JSON
 * @param keys the publisher's JWKs; those that are not Ed25519 are passed over,
 * and a `kid` that a JWK claims is not believed but computed
 */
export async function verifyHead(
  head: unknown,
  keys: readonly unknown[],
): Promise<HeadVerification> {
  const parsed = headSchema.safeParse(head);
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0];
    return fail("bad_head", `head ${path.join(".")}: ${message}`);
  }
  const jwk = await findKey(parsed.data.kid, keys);
  if (!jwk) {
    return fail("unknown_key", "no key of the publisher has the head's kid");
  }
  return await signatureHolds(parsed.data, jwk)
    ? { ok: true, head: parsed.data }
    : fail("bad_signature", "the signature is not this key's for this head");
}

async function findKey(
  kid: string,
  keys: readonly unknown[],
): Promise<PublicJwk | undefined> {
  for (const candidate of Array.isArray(keys) ? keys : []) {
    const jwk = publicJwkSchema.safeParse(candidate);
    if (jwk.success && await thumbprint(jwk.data) === kid) return jwk.data;
  }
}

async function signatureHolds(head: Head, jwk: PublicJwk): Promise<boolean> {
  try {
    return await crypto.subtle.verify(
      { name: "Ed25519" },
      await importPublicKey(jwk),
      fromBase64Url(head.signature),
      headBytes(head),
    );
  } catch {
    return false; // x is no point of the curve: nothing verifies with it
  }
}

const fail = (
  code: (HeadVerification & { ok: false })["code"],
  message: string,
): HeadVerification => ({ ok: false, code, message });
