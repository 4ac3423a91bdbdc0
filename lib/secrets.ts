import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Bytes, decodeBase64Url } from "./encoding.ts";
import { transact } from "./kv/mod.ts";

/** What keys are derived for: one label per purpose, so that no key serves two. */
export type SecretPurpose = "device-cookie";

/** Signatures with keys derived from `APP_SECRET` by HKDF. */
export interface Secrets {
  /** Signs a text with the current secret: HMAC-SHA-256 in base64url. */
  sign(purpose: SecretPurpose, text: string): Promise<string>;
  /** Checks a signature in constant time, under every configured secret. */
  verify(purpose: SecretPurpose, text: string, signature: string): Promise<boolean>;
}

export interface SecretsOptions {
  kv: Deno.Kv;
  /** Secrets of 32 bytes, the current one first. Empty: one is generated once and stored. */
  given: readonly Bytes[];
}

const STORED: Deno.KvKey = ["app_secret"];

/**
 * Creates the secrets of a configuration.
 *
 * @example
 * ```ts
 * const secrets = createSecrets({ kv, given: config.appSecrets });
 * const signature = await secrets.sign("device-cookie", text);
 * ```
 */
export function createSecrets({ kv, given }: SecretsOptions): Secrets {
  async function macs(purpose: SecretPurpose, text: string) {
    const secrets = given.length > 0 ? given : [await storedSecret(kv)];
    return secrets.map((secret) => {
      const key = hkdfSync("sha256", secret, "", `gatehouse ${purpose}`, 32);
      return createHmac("sha256", new Uint8Array(key)).update(text).digest();
    });
  }

  return {
    async sign(purpose, text) {
      const [current] = await macs(purpose, text);
      return current.toString("base64url");
    },
    async verify(purpose, text, signature) {
      if (!/^[\w-]{43}$/.test(signature)) return false;
      const bytes = decodeBase64Url(signature);
      return (await macs(purpose, text)).some((mac) => timingSafeEqual(mac, bytes));
    },
  };
}

/** Returns development's own secret. Processes that start together all get the first one's. */
function storedSecret(kv: Deno.Kv): Promise<Bytes> {
  return transact(async () => {
    const entry = await kv.get<Bytes>(STORED);
    if (entry.value !== null) return { result: entry.value };
    const result = crypto.getRandomValues(new Uint8Array(32));
    return { result, commit: kv.atomic().check(entry).set(STORED, result) };
  });
}
