import { expiring, isLive } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { type AuditEntry, auditLog, BY_ACTION } from "./store.ts";

const BATCH = 500;

/** Adds the entries of earlier builds to the index by action. The cursor is the key of the last one as JSON. */
export const indexActionsMigration = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): Migration => ({
  name: "audit_actions",
  format: 7,
  step: {
    async batch(cursor) {
      const prefix = [auditLog.prefix];
      // This is the smallest key after that of the cursor, because `start` includes its key.
      const after = cursor === "" ? {} : { start: [...JSON.parse(cursor), new Uint8Array()] };
      const rows = await Array.fromAsync(
        kv.list<AuditEntry>({ prefix, ...after }, { limit: BATCH, batchSize: BATCH }),
      );
      const now = clock();
      return {
        next: rows.length < BATCH ? null : JSON.stringify(rows.at(-1)!.key),
        addToCommit(commit) {
          for (const { key: [, ...key], value } of rows.filter(({ value }) => isLive(value, now))) {
            commit.set([BY_ACTION, value.action, ...key], null, expiring(value, now));
          }
        },
      };
    },
  },
});
