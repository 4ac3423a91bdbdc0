import { expiring, isLive } from "../../platform/kv/mod.ts";
import type { Migration } from "../../platform/store/mod.ts";
import { type Session, sessions } from "./sessions.ts";

const BATCH = 200;

/** Adds the sessions of earlier builds to the index by user. The cursor is the key of the last one. */
export const indexSessionsMigration = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): Migration => ({
  name: "sessions",
  format: 6,
  before: "without the index, a session that should end could be missed",
  step: {
    async batch(cursor) {
      // This is the smallest key after the cursor, because `start` includes its key.
      const selector = { prefix: ["sessions"], start: sessions.key(`${cursor}\0`) };
      const rows = await Array.fromAsync(kv.list<Session>(selector, { limit: BATCH }));
      const now = clock();
      return {
        next: rows.length < BATCH ? null : String(rows.at(-1)!.key[1]),
        addToCommit(commit) {
          for (const { key, value } of rows.filter(({ value }) => isLive(value, now))) {
            // The row itself may have been deleted in the meantime and must not come back.
            const index = ["sessions_by_user", value.user_id, key[1]];
            commit.set(index, null, expiring(value, now));
          }
        },
      };
    },
  },
});
