/** Makes sure that each kind of counted work is really counted. */
import { encode } from "uqr";
import { secretsOf } from "../../lib/base/secrets.ts";
import { sha256Bytes } from "../../packages/proof/mod.ts";
import { renderMarkdown } from "../../lib/features/standard/mod.ts";
import { compress, compressOnce } from "../../lib/platform/http/compression.ts";
import { brotliTemplate, templateOf } from "../../lib/platform/http/nonce_template.ts";
import { sha256 } from "../../lib/platform/kv/hash.ts";
import { Meter } from "./meter.ts";

/**
 * Does each kind of work one to three times and checks that it is counted, because a function that is no longer
 * called under this name would cost nothing from then on.
 *
 * @throws {Error} (rejects) if it is not
 */
export async function calibrate(): Promise<void> {
  const meter = new Meter();
  await meter.run(async () => {
    sha256("text");
    sha256Bytes(new Uint8Array(1));
    await crypto.subtle.digest("SHA-256", new Uint8Array(1));
    await secretsOf(() => Promise.resolve([new Uint8Array(32)])).sign("code", "text");
    const { privateKey, publicKey } = await crypto.subtle.generateKey("Ed25519", true, [
      "sign",
      "verify",
    ]) as CryptoKeyPair;
    const signature = await crypto.subtle.sign("Ed25519", privateKey, new Uint8Array(1));
    await crypto.subtle.verify("Ed25519", publicKey, signature, new Uint8Array(1));
    renderMarkdown("# Title");
    encode("text");
    compress(new Uint8Array(9), "gzip", "fast");
    compressOnce(new Uint8Array(9), "zstd");
    await brotliTemplate(templateOf(["a page", "with a nonce"]));
  });
  const expected = {
    hashes: 3,
    MACs: 1,
    derivations: 1,
    signatures: 1,
    verifications: 1,
    renderings: 1,
    "QR codes": 1,
    compressions: 3,
  };
  for (const [what, count] of Object.entries(expected)) {
    if (meter.work[what] !== count) {
      throw new Error(`Not all ${what} are counted: ${meter.work[what] ?? 0} instead of ${count}.`);
    }
  }
}
