/**
 * The keys that sign heads, and the set in which a publisher serves them.
 *
 * @module
 */
import { encodeBase64Url } from "../../../lib/base/encoding.ts";
import { canonicalBytes } from "./hash.ts";
import * as z from "./zod.ts";

// 32 bytes in base64url are 43 characters; the two unused bits of the last one must be 0.
export const base64Url32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);

/** An Ed25519 public key as a JWK (RFC 8037, section 2). Other members are removed. */
export const publicJwkSchema = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: base64Url32,
});
export type PublicJwk = z.infer<typeof publicJwkSchema>;

/** An Ed25519 private key as a JWK (RFC 8037, section 2). */
export const privateJwkSchema = publicJwkSchema.extend({ d: base64Url32 });
export type PrivateJwk = z.infer<typeof privateJwkSchema>;

/** A key that signs heads. `kid` is the public key's RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly privateKey: CryptoKey;
}

/** A publisher's public keys as a JWK Set (RFC 7517, section 5). */
export const keySetSchema = z.object({
  keys: z.array(publicJwkSchema.extend({ kid: z.string(), use: z.literal("sig") })),
});
export type KeySet = z.infer<typeof keySetSchema>;

/** A private key that cannot sign: its JWK is malformed, or its two parts do not belong together. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
  readonly code = "bad_signing_key";
}

const ED25519 = { name: "Ed25519" };

/** Returns the RFC 7638 thumbprint of a public key: SHA-256 in base64url. */
export async function thumbprint({ kty, crv, x }: PublicJwk): Promise<string> {
  // RFC 7638 hashes the required members, sorted and without whitespace, which is JCS.
  const bytes = canonicalBytes({ kty, crv, x });
  return encodeBase64Url(await crypto.subtle.digest("SHA-256", bytes));
}

/** Generates an Ed25519 key pair as a private JWK. */
export async function generatePrivateJwk(): Promise<PrivateJwk> {
  const pair = await crypto.subtle.generateKey(ED25519, true, ["sign", "verify"]);
  return privateJwkSchema.parse(
    await crypto.subtle.exportKey("jwk", (pair as CryptoKeyPair).privateKey),
  );
}

export const importPublicKey = (jwk: PublicJwk): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", jwk, ED25519, false, ["verify"]);

/**
 * Imports a private JWK as a signing key.
 *
 * @throws {SigningKeyError} (rejects) if it is not an Ed25519 private JWK, or if `x` is not the
 * public key of `d`, because its signatures would not verify
 */
export async function importSigningKey(jwk: unknown): Promise<SigningKey> {
  const parsed = privateJwkSchema.safeParse(jwk);
  if (!parsed.success) throw new SigningKeyError("The key is not an Ed25519 private JWK.");
  const { d, ...publicJwk } = parsed.data;
  try {
    const [privateKey, publicKey, kid] = await Promise.all([
      crypto.subtle.importKey("jwk", { ...publicJwk, d }, ED25519, false, ["sign"]),
      importPublicKey(publicJwk),
      thumbprint(publicJwk),
    ]);
    const message = new Uint8Array(1);
    const signature = await crypto.subtle.sign(ED25519, privateKey, message);
    if (await crypto.subtle.verify(ED25519, publicKey, signature, message)) {
      return { kid, publicJwk, privateKey };
    }
  } catch { /* throws the same error as for a pair that does not match */ }
  throw new SigningKeyError("The key's x does not match its d.");
}

/** Returns keys as the publisher serves them, with public members only. */
export const keySet = (keys: readonly Pick<SigningKey, "kid" | "publicJwk">[]): KeySet => ({
  keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: "sig" })),
});

/** The public key of RFC 8037, appendix A.2. */
const KNOWN_KEY = {
  kty: "OKP",
  crv: "Ed25519",
  x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
} as const;

/**
 * Checks whether this browser can verify a chain: `insecure` means that the page is not a secure
 * context, so WebCrypto is missing; `no_ed25519` means that WebCrypto lacks Ed25519. Without this
 * check a valid signature would be reported as invalid.
 */
export async function verifierSupport(
  subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle,
): Promise<"ok" | "insecure" | "no_ed25519"> {
  if (subtle === undefined) return "insecure";
  try {
    await subtle.importKey("jwk", KNOWN_KEY, ED25519, false, ["verify"]);
    return "ok";
  } catch {
    return "no_ed25519";
  }
}
