import { transact } from "../../platform/kv/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { forgetNetworks } from "./key_networks.ts";
import { type ApiKeyRow, apiKeys, deleteKey, ENDED_MS, endOf } from "./key_rows.ts";

/** Creates the job that removes keys that ended long ago, once a night. */
export const createKeyJob = ({ kv, clock }: { kv: Deno.Kv; clock: () => number }): Job => ({
  name: "api_keys",
  title: "Removing API keys that have ended",
  everyMs: DAY_MS,
  dailyAtMs: 3 * HOUR_MS,
  maxMs: MINUTE_MS,
  async run({ signal }) {
    let removed = 0;
    for await (const { value: { hash, issuer, id } } of apiKeys.list(kv, [])) {
      if (signal.aborted) break;
      const isRemoved = await transact(async () => {
        const entry = await apiKeys.get(kv, hash);
        if (entry.versionstamp === null || !isOld(entry.value, clock())) return { result: false };
        const commit = kv.atomic().check(entry);
        deleteKey(commit, entry.value);
        return { result: true, commit };
      });
      if (!isRemoved) continue;
      await forgetNetworks(kv, issuer, id);
      removed++;
    }
    return `${removed} removed`;
  },
});

function isOld(key: ApiKeyRow, now: number): boolean {
  const end = endOf(key);
  return end !== null && now - Date.parse(end) > ENDED_MS;
}
