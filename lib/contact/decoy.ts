import { encodeBase64Url, encodeHex } from "../encoding.ts";
import { type Head, headOrigin, type LinkedEvent, linkEvent } from "../chain/mod.ts";

/**
 * A chain that does not exist, as robots get it: a fresh one to look at, its record's hash and its
 * signature random. Nothing is signed for it, for a signature would be a true one.
 *
 * @param publisher whose chains are imitated
 * @param kid the thumbprint of the key that does not sign it
 * @param now milliseconds since 1970
 */
export async function decoyChain(
  publisher: string,
  kid: string,
  now: number,
): Promise<{ hash: string; head: Head; events: LinkedEvent[] }> {
  const hash = encodeHex(random(32));
  const at = new Date(now).toISOString();
  const event = await linkEvent(hash, { seq: 0, kind: "hash_generated", at, status: "ok" });
  const signature = random(64);
  signature[63] &= 0x0f; // the second half is a number below 2^252 + …, as in any Ed25519 signature
  const origin = headOrigin(publisher, hash);
  return {
    hash,
    head: { origin, size: 1, tip: event.hash, at, kid, signature: encodeBase64Url(signature) },
    events: [event],
  };
}

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));
