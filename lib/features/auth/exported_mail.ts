import type { Secrets } from "../../base/secrets.ts";
import { readDeliveries } from "../../platform/jobs/mod.ts";
import { fingerprintsOf, readAddress } from "../../platform/mail/mod.ts";
import { aboutUser, type User } from "./users.ts";

/** Returns what the site stores about the mail to a user, for the user's own copy. */
export async function exportedMail(
  { kv, clock, secrets }: { kv: Deno.Kv; clock: () => number; secrets: Secrets },
  { id, email }: User,
) {
  const now = clock();
  const [mails, addresses] = await Promise.all([
    readDeliveries(kv, aboutUser(id), now),
    fingerprintsOf(secrets, email).then((fingerprints) => readAddress(kv, fingerprints, now)),
  ]);
  return {
    mails: mails.map(({ labels: { kind }, created_at, state, at, reason }) => ({
      ...{ kind, created_at, state, at, reason },
    })),
    mail_refused: addresses.map(({ value: { refused_at, complained_at } }) => ({
      ...{ refused_at, complained_at },
    })),
  };
}
