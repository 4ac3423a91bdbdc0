/**
 * The mails to issuers about files that others have registered too, one for many files.
 *
 * @module
 */
import { z } from "zod";
import { DAY_MS, formatDateTime, HOUR_MS } from "../../base/time.ts";
import { type JobContext, sweepRows } from "../../platform/jobs/mod.ts";
import { apart, defineTable, expires, EXPIRING, isLive, isoAfter } from "../../platform/kv/mod.ts";
import {
  checkMail,
  createMail,
  type Mail,
  type Mailer,
  type MailSender,
  senderOf,
  transactAndMail,
} from "../../platform/mail/mod.ts";
import type { OrganisationConfig } from "../../platform/config/organisations.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { IssuerRow, Issuers } from "../issuers/mod.ts";
import { formatDocumentId } from "./ids.ts";
import { domainText, type PartyDomain } from "./issued_by.ts";
import type { DocumentRow } from "./store.ts";

/** How long the first mail waits for more files. */
const FIRST_MAIL_MS = HOUR_MS;
/** The shortest time between two mails to one organisation. */
const MAIL_EVERY_MS = DAY_MS;
/** How long an unsent mail is kept, if the job does not run. */
const UNSENT_MS = 7 * DAY_MS;

/** The most other organisations that one mail counts apart. */
const MAX_OTHERS = 50;
/** The most other organisations, and documents, that one mail names. */
const MAX_NAMED = 10;

const mailRow = z.strictObject({
  /** The id of the organisation that is notified. */
  issuer: z.string(),
  organisation: z.enum(["foundation", "commercial"]),
  /** When the first of the counted files was found. */
  since: z.iso.datetime(),
  /** How many files others have registered since the last mail. */
  count: z.number(),
  /** The other organisations by their ids. */
  others: z.record(z.string(), z.strictObject({ name: z.string(), count: z.number() })),
  /** Some of the documents, with the issuer's own names for them. */
  documents: z.array(z.string()),
  /** The next mail is not sent before this time. */
  mail_at: z.iso.datetime(),
  ...EXPIRING,
});

type MailRow = z.infer<typeof mailRow>;

/** The content of the next mail to an organisation, and the time from which it may be sent. */
export const alsoRegisteredMails = defineTable({
  prefix: "also_registered_mails",
  value: mailRow,
  key: ["issuer"],
  owner: "organisation",
  lifetime: expires("a day after the email, at most 8 days"),
  per: "issuer whose files others register",
  privacy: {
    section: "record",
    label: "Files that others register",
    text: "If another organisation registers a file of one of your documents, we notify its " +
      "issuer. For that, we keep the numbers of some of these documents, and the issuer’s own numbers " +
      "for them, for at most 8 days. The other organisation learns nothing about you.",
  },
});

/** An organisation with one of its documents, as pages name it. */
export interface Registering {
  document: DocumentRow;
  name: string;
  domain?: PartyDomain;
  /** When it registered the file with this document. */
  registeredAt: string;
}

/** The organisation that is notified, and the other one that has registered the same file. */
export interface Pair {
  notified: Registering;
  other: Registering;
}

/**
 * Counts a file in the next mail to the organisation that is notified.
 *
 * @returns whether it is the first file of the other organisation in this mail
 */
export async function addToMail(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { notified, other }: Pair,
  now: number,
): Promise<boolean> {
  const { organisation, issuer: { id: issuer } } = notified.document;
  const { id } = other.document.issuer;
  const entry = await alsoRegisteredMails.get(kv, issuer);
  const before = entry.value !== null && isLive(entry.value, now) ? entry.value : null;
  const { others = {}, documents = [], count = 0 } = before ?? {};
  const known = others[id];
  const isNew = known === undefined && Object.keys(others).length < MAX_OTHERS;
  const mail_at = before?.mail_at ?? isoAfter(now, FIRST_MAIL_MS);
  const row: MailRow = {
    issuer,
    organisation,
    since: count === 0 ? new Date(now).toISOString() : before!.since,
    count: count + 1,
    others: isNew || known
      ? { ...others, [id]: { name: nameOf(other), count: (known?.count ?? 0) + 1 } }
      : others,
    documents: [...new Set([...documents, ...ownNumbers(notified)])].slice(0, MAX_NAMED),
    mail_at,
    expires_at: isoAfter(Math.max(now, Date.parse(mail_at)), UNSENT_MS),
  };
  alsoRegisteredMails.replace(commit, entry, row, now);
  return isNew;
}

const nameOf = ({ name, domain }: Registering): string =>
  domain === undefined ? name : `${name} (${domainText(domain)})`;

/** Issuers learn nothing of the documents that administrators have added in their name. */
const ownNumbers = ({ document: { id, recipient, external_id } }: Registering): string[] =>
  recipient === undefined
    ? []
    : [`${formatDocumentId(id)}${external_id === undefined ? "" : ` (${external_id})`}`];

/** Sends the mails that are due, at most one a day to each organisation. Returns how many. */
export const sendMails = (
  { kv, clock, issuers, organisations, mailer, trustUrl }: {
    kv: Deno.Kv;
    clock: () => number;
    issuers: Pick<Issuers, "read">;
    organisations: Record<OrganisationKey, OrganisationConfig>;
    mailer: Mailer;
    trustUrl: (path: string) => string;
  },
  context: JobContext,
): Promise<number> =>
  sweepRows<MailRow>(
    kv,
    alsoRegisteredMails.prefix,
    context,
    (_, id) =>
      transactAndMail(mailer, async () => {
        const entry = await alsoRegisteredMails.get(kv, id);
        const row = entry.value;
        const now = clock();
        if (row === null || row.count === 0 || now < Date.parse(row.mail_at)) {
          return { result: false };
        }
        const issuer = await apart(
          "The email goes to the contact that the issuer had when it was written.",
          () => issuers.read(row.organisation, row.issuer),
        );
        const commit = kv.atomic();
        const end = isoAfter(now, MAIL_EVERY_MS);
        const empty = { count: 0, others: {}, documents: [], mail_at: end, expires_at: end };
        alsoRegisteredMails.replace(commit, entry, { ...row, ...empty }, now);
        if (issuer === null || issuer.contact === null || issuer.state === "ended") {
          return { result: false, commit };
        }
        const sender = senderOf(organisations, issuer.organisation);
        const mail = mailOf(row, { issuer, to: issuer.contact, sender, check: trustUrl("/check") });
        const options = {
          expiresAt: now + UNSENT_MS,
          about: `issuer/${id}`,
          kind: "issuer",
        } as const;
        return { result: true, commit, mails: [await mailer.add(commit, mail, options)] };
      }),
  );

function mailOf(
  { count, others, documents, since }: MailRow,
  { issuer, to, sender, check }: {
    issuer: IssuerRow;
    to: string;
    sender: MailSender;
    check: string;
  },
): Mail {
  const all = Object.values(others).toSorted((a, b) => b.count - a.count);
  const named = all.slice(0, MAX_NAMED);
  const more = all.length - named.length;
  const who = all.length === 1 ? "Another organisation has" : "Other organisations have";
  const title = `${who} registered ${count === 1 ? "a file" : "files"} of ${issuer.name}`;
  return checkMail(createMail({
    ...{ sender, to, title, subject: title },
    parts: [
      `Since ${
        formatDateTime(since)
      }, other organisations have registered these files of yours, too:`,
      {
        facts: [
          ...named.map(({ name, count }) => [name, files(count)] as const),
          ...more === 0 ? [] : [["Others", `${more} more organisations`] as const],
          ...documents.map((number) => ["Your document", number] as const),
        ],
      },
      "Anybody who has a file can register it. What a check says about your documents has not changed: " +
      "the entry of each organisation has its name, its domain and its own state.",
      { link: check, text: "Check a file" },
      `If you did not expect this, write to ${sender.organisation.contactEmail}.`,
      {
        note:
          "We send at most one such email a day. A webhook can notify your software of each file.",
      },
    ],
    because: `${sender.name} has this address as the contact of ${issuer.name}`,
  }));
}

const files = (count: number): string => count === 1 ? "1 file" : `${count} files`;
