/**
 * The migration that signs the fingerprints of recipients with the current secret.
 *
 * @module
 */
import type { Secrets } from "../../base/secrets.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { changeRecipient, fingerprintsOf, recipients } from "./recipients.ts";

const BATCH = 100;

/**
 * Signs the fingerprints of addresses with the current secret. An address that was refused is erased, so its
 * fingerprint keeps the older signature and no longer blocks once the older secret is removed.
 */
export const rekeyRecipients = (
  { kv, secrets }: { kv: Deno.Kv; secrets: Secrets },
): Migration => ({
  name: "recipients",
  label: "recipients of issued documents",
  rotates: true,
  beside: "recipients are found with both secrets",
  step: {
    async batch(cursor) {
      // This is the smallest key after the cursor, because `start` includes its key.
      const selector = { prefix: [recipients.prefix], start: recipients.key(`${cursor}\0`) };
      const rows = await Array.fromAsync(kv.list(selector, { limit: BATCH }));
      for (const { key } of rows) await rekey({ kv, secrets }, String(key[1]));
      return {
        indexed: rows.length,
        next: rows.length < BATCH ? null : String(rows.at(-1)!.key[1]),
      };
    },
  },
});

const rekey = ({ kv, secrets }: { kv: Deno.Kv; secrets: Secrets }, id: string): Promise<void> =>
  transact(async () => {
    const entry = await recipients.get(kv, id);
    const { value } = entry;
    if (value === null || value.mac === null || value.email === null) return { result: undefined };
    const { issuer, test, email } = value;
    const fingerprints = await fingerprintsOf({ secrets }, { issuer, test, email });
    if (fingerprints.mac === value.mac) return { result: undefined };
    const commit = kv.atomic();
    changeRecipient(commit, entry, fingerprints);
    return { result: undefined, commit };
  });
