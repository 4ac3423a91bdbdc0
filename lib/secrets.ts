import { type Bytes, decodeBase64Url, encodeBase64Url, utf8 } from "./encoding.ts";
import { transact } from "./kv/mod.ts";

/** What keys are derived for. One label per purpose, so that no key serves two. */
export type SecretPurpose = "device-cookie";

/** Signatures and checks with keys derived from `APP_SECRET`. */
export interface Secrets {
  /** Signs a text with the current secret: HMAC-SHA-256 in base64url. */
  sign(purpose: SecretPurpose, text: string): Promise<string>;
  /**
   * Checks a signature in constant time. It accepts every configured secret, so that a secret can
   * be replaced without invalidating what the previous one signed.
   */
  verify(purpose: SecretPurpose, text: string, signature: string): Promise<boolean>;
}

export interface SecretsOptions {
  kv: Deno.Kv;
  /** Secrets of 32 bytes, the current one first. Empty: one is generated once and stored. */
  given: readonly Bytes[];
}

/** Bytes of a secret. */
export const SECRET_BYTES = 32;

const STORED: Deno.KvKey = ["app_secret"];

/**
 * Creates the secrets of a configuration. Keys are derived with HKDF on first use.
 *
 * @example
 * ```ts
 * const secrets = createSecrets({ kv, given: config.appSecrets });
 * const signature = await secrets.sign("device-cookie", text);
 * ```
 */
export function createSecrets({ kv, given }: SecretsOptions): Secrets {
  const keys = new Map<SecretPurpose, Promise<CryptoKey[]>>();

  async function derive(purpose: SecretPurpose): Promise<CryptoKey[]> {
    const secrets = given.length > 0 ? given : [await storedSecret(kv)];
    return await Promise.all(secrets.map((secret) => deriveKey(secret, purpose)));
  }

  function keysOf(purpose: SecretPurpose): Promise<CryptoKey[]> {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const derived = derive(purpose);
    keys.set(purpose, derived);
    derived.catch(() => keys.delete(purpose)); // a busy store must not disable the key for good
    return derived;
  }

  return {
    async sign(purpose, text) {
      const [current] = await keysOf(purpose);
      const mac = await crypto.subtle.sign("HMAC", current, utf8(text));
      return encodeBase64Url(mac);
    },
    async verify(purpose, text, signature) {
      if (!/^[\w-]{43}$/.test(signature)) return false;
      const mac = decodeBase64Url(signature);
      const bytes = utf8(text);
      const matches = (await keysOf(purpose)).map((key) =>
        crypto.subtle.verify("HMAC", key, mac, bytes)
      );
      return (await Promise.all(matches)).includes(true);
    },
  };
}

async function deriveKey(
  secret: Bytes,
  purpose: SecretPurpose,
): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveKey"]);
  const info = utf8(`gatehouse ${purpose}`);
  const hmac = { name: "HMAC", hash: "SHA-256", length: 256 };
  return await crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info },
    material,
    hmac,
    false,
    ["sign", "verify"],
  );
}

/** Returns development's own secret. Processes that start together all get the first one's. */
function storedSecret(kv: Deno.Kv): Promise<Bytes> {
  return transact(async () => {
    const entry = await kv.get<Bytes>(STORED);
    if (entry.value !== null) return { result: entry.value };
    const result = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
    return { result, commit: kv.atomic().check(entry).set(STORED, result) };
  });
}
