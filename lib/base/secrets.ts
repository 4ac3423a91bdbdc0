/** The purposes for which the site derives keys, and the cryptography with those keys. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { timingSafeEqual } from "@std/crypto/timing-safe-equal";
import { type Bytes, concatBytes, decodeBase64Url, encodeBase64Url, utf8 } from "./encoding.ts";

/** The purposes of signing keys: one label each, so that no derived key serves two purposes. */
export type SecretPurpose =
  | "contact-index"
  | "contact-mailbox"
  | "code"
  | "reader"
  | "browser"
  | "access-request"
  | "audit-person"
  | "action-result"
  | "document-view"
  | "document-share"
  | "document-share-code"
  | "oauth-refresh"
  | "push-collapse"
  | "link-code"
  | "link-request-user"
  | "sign-in-limit"
  | "invitation-limit"
  | "operator-passkey-code"
  | "recipient"
  | "acceptance"
  | "key-revocation"
  | "mail-address"
  | "mail-return"
  | "secret-state"
  | "list-cursor"
  | "row-key";

/** The purposes of encryption keys. */
export type SealPurpose =
  | "outbox"
  | "call"
  | "code"
  | "recovery"
  | "push"
  | "sign-in-request"
  | "link-request"
  | "staged-file"
  | "webhook"
  | "idempotency";

/** Signatures and encryption with keys derived from `APP_SECRET` by HKDF. */
export interface Secrets {
  /** Signs text with the current secret: HMAC-SHA-256 in base64url. */
  sign(purpose: SecretPurpose, text: string): Promise<string>;
  /** Returns the signature with every configured secret, the current one first, for look-ups. */
  signatures(purpose: SecretPurpose, text: string): Promise<string[]>;
  /**
   * Checks a signature in constant time against every configured secret. Only the spelling that
   * `sign` returns is accepted.
   */
  verify(purpose: SecretPurpose, text: string, signature: string): Promise<boolean>;
  /**
   * Encrypts bytes with the current secret: AES-256-GCM, with a random nonce of 96 bits in front.
   *
   * @param context binds the result to a place, such as its key in the store: it opens only there
   */
  seal(purpose: SealPurpose, bytes: Bytes, context: string): Promise<Bytes>;
  /**
   * Decrypts what `seal` returned, with every configured secret in turn.
   *
   * @returns null if no secret can decrypt it, because it was changed or its secret was removed
   */
  open(purpose: SealPurpose, sealed: Bytes, context: string): Promise<Bytes | null>;
  /**
   * Encrypts with the current secret what `seal` returned with an older one.
   *
   * @returns null if the current secret can decrypt it already, or none can
   */
  reseal(purpose: SealPurpose, sealed: Bytes, context: string): Promise<Bytes | null>;
}

/** Bytes of the nonce before the ciphertext (NIST SP 800-38D, 8.2.2), and of the tag after it. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The number of bytes that `seal` adds. */
export const SEAL_BYTES = NONCE_BYTES + TAG_BYTES;

/**
 * Returns signatures and encryption with secrets of 32 bytes.
 *
 * @param read returns the secrets, the current one first
 */
export function secretsOf(read: () => Promise<readonly Bytes[]>): Secrets {
  /** The derived keys, because deriving one takes longer than using it. */
  const derived = new WeakMap<Bytes, Map<string, Bytes>>();

  function keyOf(secret: Bytes, purpose: string): Bytes {
    const keys = derived.get(secret) ?? new Map<string, Bytes>();
    derived.set(secret, keys);
    const key = keys.get(purpose) ??
      new Uint8Array(hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 32));
    keys.set(purpose, key);
    return key;
  }

  async function keysOf(purpose: SecretPurpose | SealPurpose): Promise<Bytes[]> {
    return (await read()).map((secret) => keyOf(secret, purpose));
  }

  async function macs(purpose: SecretPurpose, text: string) {
    const keys = await keysOf(purpose);
    return keys.map((key) => createHmac("sha256", key).update(text).digest());
  }

  const secrets: Secrets = {
    async sign(purpose, text) {
      const [current] = await macs(purpose, text);
      return current.toString("base64url");
    },
    signatures: async (purpose, text) =>
      (await macs(purpose, text)).map((mac) => mac.toString("base64url")),
    async verify(purpose, text, signature) {
      if (!/^[\w-]{43}$/.test(signature)) return false;
      const bytes = decodeBase64Url(signature);
      // 43 characters have two bits more than 32 bytes, so four spellings decode to the same bytes.
      if (encodeBase64Url(bytes) !== signature) return false;
      return (await macs(purpose, text)).some((mac) => timingSafeEqual(mac, bytes));
    },
    async seal(purpose, bytes, context) {
      const [current] = await keysOf(purpose);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, current, nonce).setAAD(utf8(context));
      const parts = [nonce, cipher.update(bytes), cipher.final()];
      return concatBytes([...parts, cipher.getAuthTag()]);
    },
    async open(purpose, sealed, context) {
      if (sealed.length < SEAL_BYTES) return null;
      for (const key of await keysOf(purpose)) {
        const opened = decrypt(key, sealed, context);
        if (opened !== null) return opened;
      }
      return null;
    },
    async reseal(purpose, sealed, context) {
      const [current, ...older] = await keysOf(purpose);
      if (older.length === 0 || sealed.length < SEAL_BYTES) return null;
      if (decrypt(current, sealed, context) !== null) return null;
      const opened = await secrets.open(purpose, sealed, context);
      return opened && await secrets.seal(purpose, opened, context);
    },
  };
  return secrets;
}

const CIPHER = "aes-256-gcm";

function decrypt(key: Bytes, sealed: Bytes, context: string): Bytes | null {
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), options)
    .setAAD(utf8(context))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const decrypted = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
  try {
    return concatBytes([decrypted, decipher.final()]); // throws unless the tag is right
  } catch {
    return null;
  }
}
