import { type Attempt, transact } from "../kv/transact.ts";
import type { Mailer, QueuedMail } from "./mailer.ts";

/**
 * Runs a transaction whose commit contains mails, and sends those of the attempt that succeeded.
 *
 * @example
 * ```ts
 * return await transactAndMail(mailer, async () => {
 *   const commit = kv.atomic().set(["notes", id], note);
 *   const mails = [await mailer.add(commit, mail, options)];
 *   return { result: { ok: true }, commit, mails };
 * });
 * ```
 */
export async function transactAndMail<Result>(
  mailer: Mailer,
  attempt: () => Promise<Attempt<Result> & { mails?: readonly QueuedMail[] }>,
): Promise<Result> {
  const { result, mails } = await transact(async () => {
    const { result, commit, mails = [] } = await attempt();
    return { result: { result, mails }, commit };
  });
  mailer.send(mails);
  return result;
}
