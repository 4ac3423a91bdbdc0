/** The text of mails about urgent alerts. */
import type { AlertKinds } from "../../platform/alert_kind.ts";
import {
  createMail,
  type Mail,
  type MailOrganisation,
  type MailPart,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { formatDateTime, MINUTE_MS, plural } from "../../base/time.ts";
import type { Cause } from "./causes.ts";
import type { Recipient } from "./recipients.ts";
import { RUNBOOK } from "./runbook.ts";

/** Recipients that were read earlier are named in the mail, because they may have changed since. */
const OLD_MS = 10 * MINUTE_MS;

export interface UrgentMailOptions {
  organisations: Record<OrganisationKey, MailOrganisation>;
  surfaces: Surfaces;
  kinds: AlertKinds;
}

/** Returns the mail about causes to one administrator: what each means, the first step, and a link. */
export function urgentMail(
  { organisations, surfaces, kinds }: UrgentMailOptions,
  { email: to, organisation, readAt }: Recipient,
  causes: readonly Cause[],
  now: number,
): Mail {
  const sender = senderOf(organisations, organisation);
  const groups = Map.groupBy(causes, ({ kind }) => kinds[kind].name);
  const [[first], ...others] = groups;
  const title = others.length === 0
    ? `Act now: ${first}`
    : `Act now: ${first}, and ${plural(others.length, "other alert")}`;
  const runbook = surfaces.url(`${organisation}-console`, "/runbook");
  const console = surfaces.url(`${organisation}-console`, "/console/alerts");
  return createMail({
    ...{ sender, to, title, subject: title },
    parts: [
      ...[...groups].flatMap(([name, group]) =>
        partsOf(name, group, { runbook, isOnly: groups.size === 1 })
      ),
      ...console === null ? [] : [{ note: "The alerts in the console:", href: console }],
      { note: noteOf(readAt, now) },
    ],
    because: `you are a full administrator of the console of ${sender.name}`,
  });
}

/** Returns what a mail says about the causes of one kind. */
function partsOf(
  name: string,
  causes: readonly Cause[],
  { runbook, isOnly }: { runbook: string | null; isOnly: boolean },
): MailPart[] {
  // A test demands a section for every kind. Without one, the mail is sent with what is known.
  const section = RUNBOOK.get(name);
  const since = causes.map((cause) => cause.since).sort()[0];
  const quoted = [...new Set(causes.flatMap(quotesOf))].slice(0, MOST_QUOTES);
  return [
    ...isOnly ? [] : [{ heading: name }],
    ...section === undefined ? [] : [section.meaning],
    {
      facts: [
        ...section === undefined ? [] : [["Do this first", section.first] as const],
        ["Noticed", formatDateTime(since)],
        ...causes.length > 1 ? [["Alerts", String(causes.length)] as const] : [],
        ...quoted.length > 0 ? [["Found", quoted.join("; ")] as const] : [],
        ...section === undefined ? [] : [["Back to normal", section.well] as const],
      ],
    },
    ...runbook === null || section === undefined
      ? []
      : [{ link: `${runbook}#${section.anchor}`, text: "Read all steps" }],
  ];
}

const MOST_QUOTES = 5;

/** Returns the texts that a mail quotes of a cause, with dates for people. */
const quotesOf = ({ quoted }: Cause): string[] => {
  const { at, ...texts } = quoted;
  const day = at === undefined ? [] : [formatDateTime(String(at))];
  return [[...Object.values(texts), ...day].join(": ")].filter(Boolean);
};

function noteOf(readAt: number | null, now: number): string {
  const once =
    "This email comes once for each cause, and again only if it ends and comes back after " +
    "an hour. You can turn it off in the console, under Team.";
  if (readAt === null) {
    return `${once} The site has not read the administrators from its store, so this email went to ` +
      "those whom its configuration names.";
  }
  if (now - readAt < OLD_MS) return once;
  const time = formatDateTime(new Date(readAt).toISOString());
  return `${once} The store cannot be read, so this email went to those who were administrators at ` +
    `${time}.`;
}
