import type { Mail, Mailer } from "../mod.ts";

/** Commits mails that expire in an hour, and sends them in the background. */
export async function postMail(
  mailer: Mailer,
  { kv, clock = Date.now }: { kv: Deno.Kv; clock?: () => number },
  ...mails: Mail[]
): Promise<void> {
  for (const mail of mails) {
    const commit = kv.atomic();
    const options = { expiresAt: clock() + 3_600_000, about: "test", kind: "sign_in" as const };
    const queued = await mailer.add(commit, mail, options);
    await commit.commit();
    mailer.send([queued]);
  }
}
