import * as z from "./zod.ts";
import { toBase64Url } from "./bytes.ts";
import { canonicalBytes } from "./hash.ts";

// 32 bytes in base64url: 43 characters, and the last one's two spare bits are 0.
const octets32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/);

/** An Ed25519 public key as a JWK (RFC 8037 section 2); other members go. */
export const publicJwkSchema = z.object({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: octets32,
});
export type PublicJwk = z.infer<typeof publicJwkSchema>;

/** An Ed25519 private key as a JWK: the public key and `d`. */
export const privateJwkSchema = publicJwkSchema.extend({ d: octets32 });
export type PrivateJwk = z.infer<typeof privateJwkSchema>;

/** A key that signs heads. `kid` is the public key's RFC 7638 thumbprint. */
export interface SigningKey {
  readonly kid: string;
  readonly publicJwk: PublicJwk;
  readonly privateKey: CryptoKey;
}

/** What a publisher serves as its keys: a JWK Set (RFC 7517 section 5). */
export interface KeySet {
  keys: (PublicJwk & { kid: string; use: "sig" })[];
}

/** A signing key that cannot be used. */
export class SigningKeyError extends Error {
  override readonly name = "SigningKeyError";
  readonly code = "bad_signing_key";
}

/** The RFC 7638 thumbprint of a public key: SHA-256, base64url. */
export async function thumbprint({ kty, crv, x }: PublicJwk): Promise<string> {
  // RFC 7638 asks for the required members in order and no blanks, which is JCS.
  const bytes = canonicalBytes({ kty, crv, x });
  return toBase64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  );
}

/** A new random Ed25519 private key. */
export async function generatePrivateJwk(): Promise<PrivateJwk> {
  const pair = await crypto.subtle.generateKey(
    { name: "Ed25519" },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  return privateJwkSchema.parse(
    await crypto.subtle.exportKey("jwk", pair.privateKey),
  );
}

/** The public key, ready to verify with. */
export const importPublicKey = (jwk: PublicJwk): Promise<CryptoKey> =>
  crypto.subtle.importKey("jwk", jwk, { name: "Ed25519" }, false, ["verify"]);

/**
 * Makes a signing key of a private JWK.
 *
 * @throws {SigningKeyError} when it is no Ed25519 private JWK, or when its `x`
 * is not the public key of its `d`: heads signed with it could not be verified
 */
export async function importSigningKey(jwk: unknown): Promise<SigningKey> {
  const parsed = privateJwkSchema.safeParse(jwk);
  if (!parsed.success) {
    throw new SigningKeyError("The key is not an Ed25519 private JWK.");
  }
  const { d, ...publicJwk } = parsed.data;
  try {
    const algorithm = { name: "Ed25519" };
    const [privateKey, publicKey, kid] = await Promise.all([
      crypto.subtle.importKey("jwk", { ...publicJwk, d }, algorithm, false, [
        "sign",
      ]),
      importPublicKey(publicJwk),
      thumbprint(publicJwk),
    ]);
    const probe = new Uint8Array(1);
    const signature = await crypto.subtle.sign(algorithm, privateKey, probe);
    if (await crypto.subtle.verify(algorithm, publicKey, signature, probe)) {
      return { kid, publicJwk, privateKey };
    }
  } catch { /* the same answer as for a pair that does not match */ }
  throw new SigningKeyError("The key's x does not belong to its d.");
}

/** The keys as a publisher serves them: public members only. */
export const keySet = (keys: readonly Pick<SigningKey, "kid" | "publicJwk">[]): KeySet => ({
  keys: keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: "sig" })),
});
