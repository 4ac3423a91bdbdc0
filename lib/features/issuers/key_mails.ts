import { DAY_MS, formatDateTime } from "../../base/time.ts";
import {
  createMail,
  type Mailer,
  type MailOrganisation,
  type QueuedMail,
  senderOf,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { ApiKeyRow } from "./key_rows.ts";
import type { IssuerRow } from "./rows.ts";

/** How long an undelivered notice is retried. */
const NOTICE_LIFETIME_MS = 3 * DAY_MS;

export interface KeyNotice {
  issuer: IssuerRow;
  key: ApiKeyRow;
  what: "created" | "replaced" | "revoked";
  /** When a replaced key stops working. */
  until?: string;
}

/** Adds a mail about a change of a key to its commit, if the issuer has a contact. It names no operator. */
export async function addKeyNotice(
  { mailer, organisations }: {
    mailer: Mailer;
    organisations: Record<OrganisationKey, MailOrganisation>;
  },
  commit: Deno.AtomicOperation,
  { issuer, key, what, until }: KeyNotice,
  now: number,
): Promise<QueuedMail[]> {
  if (issuer.contact === null) return [];
  const sender = senderOf(organisations, issuer.organisation);
  const title = `An API key of ${issuer.name} was ${what}`;
  const mail = createMail({
    ...{ sender, title, subject: title, to: issuer.contact },
    parts: [
      {
        facts: [
          ["Key", `${key.name} (gh_${key.mode}_…${key.last4})`],
          ["Scopes", key.scopes.join(", ")],
          ["Time", formatDateTime(new Date(now).toISOString())],
          ...until === undefined ? [] : [["Works until", formatDateTime(until)] as const],
        ],
      },
      `If you did not expect this, tell us at ${sender.organisation.contactEmail}: we can revoke keys ` +
      "at once.",
    ],
    because: `${issuer.name} issues documents with ${sender.name}, and this is its contact`,
  });
  const options = { expiresAt: now + NOTICE_LIFETIME_MS, about: "", kind: "issuer" as const };
  return [await mailer.add(commit, mail, options)];
}
