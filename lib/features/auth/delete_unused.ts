import { z } from "zod";
import type { Job } from "../../platform/jobs/mod.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { magicTokens } from "./magic_tokens.ts";
import { uncountUser } from "./stats.ts";
import { attemptOnce } from "../../platform/kv/mod.ts";
import { emailKey, UNUSED_ACCOUNT_MS, type User, users } from "./users.ts";

/** How many accounts are read before the progress is saved. */
const PAGE = 200;

/** The id of the account after which an unfinished run continues. */
const cursorSchema = z.int();

/**
 * Creates the job that deletes accounts in which nobody has ever signed in, once a night. Anybody can
 * have an account created for any address by asking for a link.
 */
export const createUnusedAccountsJob = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
): Job => ({
  name: "accounts",
  title: "Deleting accounts that nobody used",
  everyMs: DAY_MS,
  dailyAtMs: 4 * HOUR_MS,
  maxMs: MINUTE_MS,
  resumeMs: MINUTE_MS,
  async run({ cursor, signal, save }) {
    let deleted = 0;
    let last = cursorSchema.safeParse(cursor).data ?? 0;
    while (!signal.aborted) {
      const selector = { prefix: ["users"], start: users.key(last + 0.5) };
      const page = await Array.fromAsync(kv.list<User>(selector, { limit: PAGE }));
      for (const entry of page) {
        if (signal.aborted) break;
        if (isUnused(entry.value, clock()) && await deleteUnused(kv, entry)) deleted++;
        last = entry.value.id;
      }
      if (signal.aborted || page.length < PAGE) break;
      await save(last);
    }
    return `${deleted} deleted`;
  },
});

const isUnused = ({ last_login, created_at }: User, now: number): boolean =>
  last_login === null && now >= Date.parse(created_at) + UNUSED_ACCOUNT_MS;

/** Deletes an account, unless there is a link to it or one is created at the same time. */
async function deleteUnused(kv: Deno.Kv, entry: Deno.KvEntry<User>): Promise<boolean> {
  const { id, email } = entry.value;
  const deleted = await attemptOnce(async () => {
    // Every new link writes this key, so it is read before the links.
    const known = await kv.get(emailKey(email));
    if ((await magicTokens.find(kv, "magic_tokens_by_user", [id])).length > 0) {
      return { result: false };
    }
    const commit = kv.atomic().check(entry, known).delete(entry.key).delete(known.key);
    uncountUser(commit);
    return { result: true, commit };
  });
  return deleted ?? false;
}
