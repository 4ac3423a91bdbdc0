import { z } from "zod";
import type { BankClient } from "./client.ts";
import { type BankError, isBankError } from "./errors.ts";

/** When money last moved: ISO 8601 in UTC, null where it never did. */
export interface Activity {
  at: string | null;
}

export const storedActivity: z.ZodType<Activity> = z.object({ at: z.string().nullable() });

/** Before any account; without a start the provider answers the last 30 days only. */
export const EARLIEST = "2000-01-01";
const AT_ONCE = 6;

/**
 * Asks each account for its newest transaction. An account that answers 404 is skipped; any other
 * error ends the asking.
 */
export async function loadActivity(
  client: BankClient,
  accountIds: string[],
): Promise<Activity | BankError> {
  let at: string | null = null;
  for (let i = 0; i < accountIds.length; i += AT_ONCE) {
    const answers = await Promise.all(
      accountIds.slice(i, i + AT_ONCE).map((id) =>
        client.getTransactions(id, { limit: 1, start: EARLIEST })
      ),
    );
    for (const answer of answers) {
      if (!isBankError(answer)) {
        for (const { created_at, posted_at } of answer.transactions) {
          const time: string = posted_at !== null && posted_at > created_at
            ? posted_at
            : created_at;
          if (at === null || time > at) at = time;
        }
      } else if (answer.error !== "not_found") return answer;
    }
  }
  return { at };
}
