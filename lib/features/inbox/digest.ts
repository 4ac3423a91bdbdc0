/** The job that mails operators how many new enquiries there are. */
import { z } from "zod";
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { ALWAYS, apart, defineTable, unchecked } from "../../platform/kv/mod.ts";
import {
  type Mailer,
  type MailOrganisation,
  senderOf,
  transactAndMail,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import type { Operators } from "../operators/mod.ts";
import type { InboxCounts } from "./list.ts";
import { digestMail } from "./mails.ts";

const DIGEST_EVERY_MS = 15 * MINUTE_MS;
/** The commit of a digest has one mail per recipient, and at most 800 KiB. */
const MOST_RECIPIENTS = 60;

/** When an organisation's last digest was sent, and since when there is something to report. */
export const digests = defineTable({
  prefix: "inbox_digests",
  value: z.strictObject({ at: z.iso.datetime() }),
  key: ["organisation", "what"],
  owner: "organisation",
  lifetime: ALWAYS,
  per: "console",
});

/** Adds to the commit of a new enquiry that the next digest is due. */
export const reportLater = (
  commit: Deno.AtomicOperation,
  { organisation, now }: { organisation: OrganisationKey; now: number },
): void => digests.put(commit, [organisation, "due"], { at: new Date(now).toISOString() });

export interface DigestOptions {
  kv: Deno.Kv;
  clock: () => number;
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, MailOrganisation>;
  operators: Pick<Operators, "list" | "emails">;
  /** Further recipients. */
  notify: readonly string[];
  counts: (organisation: OrganisationKey) => Promise<InboxCounts>;
}

/** Returns the job that reports new enquiries, each of them once. */
export const digestJob = (options: DigestOptions): Job => ({
  name: "inbox",
  title: "Emailing news of the inbox",
  everyMs: MINUTE_MS,
  maxMs: MINUTE_MS / 2,
  async run() {
    let sent = 0;
    for (const organisation of ORGANISATIONS) sent += await sendDigest(options, organisation);
    return `${sent} sent`;
  },
});

/** Sends the digest of an organisation if it is due. Returns the number of mails. */
async function sendDigest(options: DigestOptions, organisation: OrganisationKey): Promise<number> {
  const { kv, clock, mailer } = options;
  return await transactAndMail(mailer, async () => {
    const now = clock();
    const [due, last] = await Promise.all([
      digests.get(kv, organisation, "due"),
      digests.get(kv, organisation, "sent"),
    ]);
    if (due.value === null) return { result: 0 };
    const age = last.value === null ? Infinity : now - Date.parse(last.value.at);
    if (Math.abs(age) < DIGEST_EVERY_MS) return { result: 0 };
    const commit = kv.atomic().check(due).delete(due.key);
    const counts = await apart(
      "A new enquiry makes a digest due again.",
      () => options.counts(organisation),
    );
    if (counts.new === 0) {
      unchecked("No digest is sent.", last);
      return { result: 0, commit };
    }
    const digest = await apart(
      "Whoever may read the inbox from now on gets the next digest.",
      () => mailsOf(options, organisation, counts),
    );
    const mails = await Promise.all(
      digest.map((mail) =>
        mailer.add(commit, mail, {
          expiresAt: now + DAY_MS,
          about: `inbox/${organisation}`,
          kind: "inbox_digest",
        })
      ),
    );
    digests.replace(commit, last, { at: new Date(now).toISOString() });
    return { result: mails.length, commit, mails };
  });
}

async function mailsOf(
  { operators, notify, organisations, surfaces }: DigestOptions,
  organisation: OrganisationKey,
  counts: InboxCounts,
) {
  const sender = senderOf(organisations, organisation);
  const link = surfaces.url(`${organisation}-console`, "/console/inbox");
  const readers = (await operators.list(organisation))
    .filter(({ layer, mails }) => layer === "L1" && mails.digest).map(({ email }) => email);
  return [...new Set([...readers, ...notify])].slice(0, MOST_RECIPIENTS).map((to) =>
    digestMail({ sender, to, counts, link, isOperator: readers.includes(to) })
  );
}
