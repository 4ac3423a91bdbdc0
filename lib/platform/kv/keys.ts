import { Buffer } from "node:buffer";
import type { Secrets } from "../../base/secrets.ts";

/** Returns whether two rows or checks have the same key. */
export const hasSameKey = (
  { key: one }: { key: Deno.KvKey },
  { key: other }: { key: Deno.KvKey },
): boolean => one.length === other.length && one.every((part, i) => part === other[i]);

const textOf = (key: Deno.KvKey): string =>
  JSON.stringify(key, (_, part) => typeof part === "bigint" ? `${part}n` : part);

const shortened = (signature: string): string =>
  Buffer.from(signature, "base64url").toString("hex").slice(0, 16);

/**
 * Returns 16 hexadecimal digits by which a row can be found again, for log lines: keys may contain what lines
 * must not, such as addresses. Signed, because addresses can be guessed.
 */
export const keyDigest = async (secrets: Pick<Secrets, "sign">, key: Deno.KvKey): Promise<string> =>
  shortened(await secrets.sign("row-key", textOf(key)));

/** Returns whether a key has a digest, which may have been made with an older secret. */
export const hasDigest = async (
  secrets: Pick<Secrets, "signatures">,
  key: Deno.KvKey,
  digest: string,
): Promise<boolean> =>
  (await secrets.signatures("row-key", textOf(key))).some((each) => shortened(each) === digest);
