/** The text of the daily mail about open alerts. */
import { formatCount } from "../../base/time.ts";
import { createMail, type Mail, type MailPart, senderOf } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { UrgentMailOptions } from "./urgent_mail.ts";

/** The most open alerts of one kind that are counted. */
export const MOST_COUNTED_A_KIND = 100;

/** The open alerts of one kind. */
export interface OpenKind {
  kind: string;
  open: number;
  /** Those that were reported since the last mail. */
  fresh: number;
}

/** Returns the mail with the numbers of open alerts by kind, urgent ones first, without their contents. */
export function morningMail(
  { organisations, surfaces, kinds, organisation, to, open }: UrgentMailOptions & {
    organisation: OrganisationKey;
    to: string;
    open: readonly OpenKind[];
  },
): Mail {
  const sender = senderOf(organisations, organisation);
  const [urgent, fresh, others] = [
    open.filter(({ kind }) => kinds[kind].severity === "now"),
    open.filter(({ kind, fresh }) => kinds[kind].severity === "morning" && fresh > 0),
    open.filter(({ kind, fresh }) => kinds[kind].severity === "morning" && fresh === 0),
  ];
  const link = surfaces.url(`${organisation}-console`, "/console/alerts");
  const news = fresh.reduce((sum, each) => sum + each.fresh, 0);
  const title = urgent.length > 0
    ? `Urgent alerts are still open at ${sender.name}`
    : `${formatCount(news)} new ${news === 1 ? "alert" : "alerts"} at ${sender.name}`;
  const list = (lead: string, kindsOf: readonly OpenKind[], count: (one: OpenKind) => number) =>
    kindsOf.length === 0 ? [] : [
      lead,
      {
        facts: kindsOf.map((one) =>
          [
            kinds[one.kind].name,
            count(one) >= MOST_COUNTED_A_KIND ? "100 or more" : String(count(one)),
          ] as const
        ),
      } satisfies MailPart,
    ];
  return createMail({
    ...{ sender, to, title, subject: title },
    parts: [
      ...list("Somebody has to act on these, and they are still open:", urgent, ({ open }) => open),
      ...list("New since the last of these emails:", fresh, ({ fresh }) => fresh),
      ...list("Still open from earlier:", others, ({ open }) => open),
      ...link === null ? [] : [{ link, text: "Open the alerts" }],
      {
        note:
          "This email comes once a day at most. You can turn it off in the console, under Team.",
      },
    ],
    because: `you are a full administrator of the console of ${sender.name}`,
  });
}
