/**
 * The migration that signs the keys of requests with the current secret.
 *
 * @module
 */
import type { Secrets } from "../../../base/secrets.ts";
import { expiring, transact } from "../../../platform/kv/mod.ts";
import type { Migration } from "../../../platform/store/mod.ts";
import { personKey, personText, requests } from "./requests.ts";

const BATCH = 100;

/**
 * Signs the keys that find the latest request of a person with the current secret. The cursor is the id of
 * the last one.
 */
export const rekeyRequests = (
  options: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
): Migration => ({
  name: "access_requests",
  label: "requests for access",
  rotates: true,
  beside: "requests are found with both secrets",
  step: {
    async batch(cursor) {
      // This is the smallest key after the cursor, because `start` includes its key.
      const selector = { prefix: [requests.prefix], start: requests.key(`${cursor}\0`) };
      const rows = await Array.fromAsync(options.kv.list(selector, { limit: BATCH }));
      for (const { key } of rows) await rekeyRequest(options, String(key[1]));
      return {
        indexed: rows.length,
        next: rows.length < BATCH ? null : String(rows.at(-1)!.key[1]),
      };
    },
  },
});

const rekeyRequest = (
  { kv, secrets, clock }: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
  id: string,
): Promise<void> =>
  transact(async () => {
    const entry = await requests.get(kv, id);
    if (entry.versionstamp === null) return { result: undefined };
    const { document, person, mac: before } = entry.value;
    const mac = await secrets.sign("access-request", personText(person.email, document));
    if (mac === before) return { result: undefined };
    const [old, current] = await kv.getMany<[string, string]>([
      personKey(document, before),
      personKey(document, mac),
    ]);
    const now = clock();
    const row = { ...entry.value, mac };
    const commit = kv.atomic().check(entry, old, current).set(entry.key, row, expiring(row, now));
    // A newer request of the same person may have taken the place.
    if (old.value === id) commit.delete(old.key);
    if (old.value === id && current.value === null) {
      commit.set(current.key, id, expiring(row, now));
    }
    return { result: undefined, commit };
  });
