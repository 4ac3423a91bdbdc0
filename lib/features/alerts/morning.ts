/** The daily job that mails a summary of open alerts to the administrators. */
import { z } from "zod";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import type { AlertKinds } from "../../platform/alert_kind.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { ALWAYS, apart, defineTable, isLive, listEach } from "../../platform/kv/mod.ts";
import { type Mailer, type MailOrganisation, transactAndMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import type { Operators } from "../operators/mod.ts";
import { morningMail, MOST_COUNTED_A_KIND, type OpenKind } from "./morning_mail.ts";
import { readersOf } from "./recipients.ts";
import type { Pointer } from "./store.ts";

/** When the mail is sent, in milliseconds after midnight UTC. */
const MORNING_MS = 6 * HOUR_MS;
/** When an organisation's last mail with the morning's alerts was made. */
export const mornings = defineTable({
  prefix: "alert_mornings",
  value: z.strictObject({ at: z.iso.datetime() }),
  key: ["organisation"],
  owner: "organisation",
  lifetime: ALWAYS,
  per: "console",
});

interface MorningOptions {
  kv: Deno.Kv;
  clock: () => number;
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, MailOrganisation>;
  operators: Pick<Operators, "list">;
  kinds: () => AlertKinds;
}

/** Returns the job that mails each morning which alerts are new, and which urgent ones are still open. */
export const morningJob = (options: MorningOptions): Job => ({
  name: "alerts",
  title: "Emailing the morning’s alerts",
  everyMs: DAY_MS,
  dailyAtMs: MORNING_MS,
  maxMs: MINUTE_MS,
  async run() {
    let sent = 0;
    for (const organisation of ORGANISATIONS) sent += await mailMorning(options, organisation);
    return `${sent} sent`;
  },
});

/** Mails the alerts of an organisation, if there is something to say. Returns the number of mails. */
const mailMorning = (options: MorningOptions, organisation: OrganisationKey): Promise<number> =>
  transactAndMail(options.mailer, async () => {
    const { kv, clock, mailer, operators, kinds } = options;
    const now = clock();
    const last = await mornings.get(kv, organisation);
    const { open, readers } = await apart(
      "An alert that changes now is in the next email.",
      async () => ({
        open: await readOpenKinds(options, organisation, last.value?.at ?? ""),
        readers: readersOf(await operators.list(organisation), "morning"),
      }),
    );
    const isUrgent = ({ kind }: OpenKind) => kinds()[kind].severity === "now";
    if (!open.some((each) => each.fresh > 0 || isUrgent(each))) return { result: 0 };
    const commit = kv.atomic();
    mornings.replace(commit, last, { at: new Date(now).toISOString() });
    const mails = await Promise.all(
      readers.map((to) =>
        mailer.add(commit, morningMail({ ...options, organisation, to, open, kinds: kinds() }), {
          expiresAt: now + DAY_MS,
          about: `alerts/${organisation}`,
          kind: "alert_digest",
        })
      ),
    );
    return { result: mails.length, commit, mails };
  });

/** Counts the open alerts of each kind that has some. */
async function readOpenKinds(
  { kv, clock, kinds }: MorningOptions,
  organisation: OrganisationKey,
  after: string,
): Promise<OpenKind[]> {
  const counted = await Promise.all(
    Object.keys(kinds()).map(async (kind) => {
      const key = ["alerts_open", organisation, kind];
      const pointers = (await Array.fromAsync(
        listEach<Pointer>(kv, key, { limit: MOST_COUNTED_A_KIND }),
        ({ value }) => value,
      )).filter((pointer) => isLive(pointer, clock()));
      return { kind, open: pointers.length, fresh: pointers.filter(({ at }) => at > after).length };
    }),
  );
  return counted.filter(({ open }) => open > 0);
}
