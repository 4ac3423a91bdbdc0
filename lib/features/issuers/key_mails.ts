/** The mails to an issuer about its API keys, with links that revoke a key or stop everything. */
import { DAY_MS, formatDateTime } from "../../base/time.ts";
import { createMail, type MailPart, type QueuedMail, senderOf } from "../../platform/mail/mod.ts";
import type { KeysOptions } from "./key_options.ts";
import { type ApiKeyRow, shortKey } from "./key_rows.ts";
import type { KeyWebhook } from "./key_webhooks.ts";
import { revocationPath, stopPath } from "./revocation_link.ts";
import type { IssuerRow } from "./rows.ts";

/** How long an undelivered notice is retried. */
const NOTICE_LIFETIME_MS = 3 * DAY_MS;

/** The person who revokes a key: an administrator, or somebody who has the key itself or a mailed link. */
export type Revoker = { by: string } | "key" | "link";

/** A change of a key. */
export type KeyNotice =
  & { issuer: IssuerRow; key: ApiKeyRow }
  & (
    | { what: "created" }
    | {
      what: "replaced";
      /** When the key stops working. */
      until: string;
      /** The key that replaces it. */
      next: ApiKeyRow;
    }
    | {
      what: "revoked";
      how: Revoker;
      /** Its webhooks, and whether they are removed too. */
      webhooks: readonly KeyWebhook[];
      removed: boolean;
    }
  );

/** Adds a mail about a change of a key to its commit, if the issuer has a contact. It names no operator. */
export const addKeyNotice = async (
  options: KeysOptions,
  commit: Deno.AtomicOperation,
  notice: KeyNotice,
  now: number,
): Promise<QueuedMail[]> => {
  const { issuer, key, what } = notice;
  const facts: [string, string][] = [
    ["Scopes", key.scopes.join(", ")],
    ["Time", formatDateTime(new Date(now).toISOString())],
  ];
  if (what === "replaced") facts.push(["Works until", formatDateTime(notice.until)]);
  return await addKeyMail(options, commit, {
    ...{ issuer, key, now, facts },
    title: `An API key of ${issuer.name} was ${what}`,
    parts: what === "revoked"
      ? await revokedParts(options, notice)
      : await stopParts(options, issuer, what === "replaced" ? [notice.next, key] : [key]),
  });
};

/** Adds a mail about a key to a commit, if the issuer has a contact. */
export const addKeyMail = (
  options: KeysOptions,
  commit: Deno.AtomicOperation,
  { key, facts, ...mail }: ContactMail & { key: ApiKeyRow },
): Promise<QueuedMail[]> =>
  addContactMail(options, commit, {
    ...mail,
    facts: [["Key", `${key.name} (${shortKey(key)})`], ...facts],
  });

/** A mail to the contact of an issuer. */
interface ContactMail {
  issuer: IssuerRow;
  title: string;
  facts: readonly (readonly [string, string])[];
  parts: readonly MailPart[];
  now: number;
}

/** Adds a mail to the contact of an issuer to a commit, if it has one. */
export async function addContactMail(
  { mailer, organisations }: KeysOptions,
  commit: Deno.AtomicOperation,
  { issuer, title, facts, parts, now }: ContactMail,
): Promise<QueuedMail[]> {
  if (issuer.contact === null) return [];
  const sender = senderOf(organisations, issuer.organisation);
  const mail = createMail({
    ...{ sender, title, subject: title, to: issuer.contact },
    parts: [
      { facts },
      ...parts,
      `Questions? Write to ${sender.organisation.contactEmail}.`,
    ],
    because: `${issuer.name} issues documents with ${sender.name}, and this is its contact`,
  });
  const about = `issuer/${issuer.id}`;
  const options = { expiresAt: now + NOTICE_LIFETIME_MS, about, kind: "issuer" as const };
  return [await mailer.add(commit, mail, options)];
}

/**
 * Returns the parts of a mail with the links that revoke keys, the first one as the main link, and with the one that
 * stops everything. Without a surface for the pages, the contact can only write to us.
 */
export async function stopParts(
  options: Pick<KeysOptions, "secrets" | "surfaces">,
  issuer: IssuerRow,
  [key, ...others]: readonly ApiKeyRow[],
): Promise<MailPart[]> {
  const { secrets, surfaces } = options;
  const urlOf = async (key: ApiKeyRow) =>
    surfaces.url("trust", await revocationPath(secrets, key)) ?? undefined;
  const link = await urlOf(key);
  if (link === undefined) return [];
  const notes = others.map(async (other) => ({
    note: `To revoke the key ${shortKey(other)} before it stops working:`,
    href: await urlOf(other),
  }));
  return [
    "If you did not expect this, or if somebody else may have seen the key, revoke it. You need no " +
    "sign-in, and it takes effect at once.",
    { link, text: `Revoke ${shortKey(key)}` },
    ...await Promise.all(notes),
    ...await stopAllParts(options, issuer),
    { note: "Keep this email: the links work for as long as the keys do." },
  ];
}

/** Returns the part of a mail with the link that stops everything of an issuer. Ours are stopped by administrators. */
async function stopAllParts(
  { secrets, surfaces }: Pick<KeysOptions, "secrets" | "surfaces">,
  issuer: IssuerRow,
): Promise<MailPart[]> {
  if (issuer.id === issuer.organisation || issuer.contact === null) return [];
  const href = surfaces.url("trust", await stopPath(secrets, issuer)) ?? undefined;
  const note =
    `If you do not know which key it is, stop everything for ${issuer.name}: all keys, ` +
    "batches and webhooks, until you have talked to us.";
  return href === undefined ? [] : [{ note, href }];
}

const HOW = {
  key: "Somebody has sent us the key itself, which is enough to revoke it. Others may have it, " +
    "too: check the documents that were issued, replaced and withdrawn with it.",
  link: "The link in one of our emails to you was used.",
};

async function revokedParts(
  options: KeysOptions,
  { issuer, key, how, webhooks, removed }: KeyNotice & { what: "revoked" },
): Promise<MailPart[]> {
  const { secrets, surfaces } = options;
  const parts: MailPart[] = typeof how === "object" ? [] : [HOW[how]];
  if (how === "key") parts.push(...await stopAllParts(options, issuer));
  if (webhooks.length === 0) return parts;
  const places = webhooks.map(({ place }) => ["Webhook", hostOf(place)] as const);
  if (removed) return [...parts, "Its webhooks are removed too:", { facts: places }];
  parts.push(
    "The key has added or changed these webhooks, which still receive the events of your documents:",
    { facts: places },
  );
  const link = surfaces.url("trust", await revocationPath(secrets, key));
  return link === null ? parts : [...parts, { link, text: "Keep or remove them" }];
}

/** The path of a URL may be a secret of the issuer. */
const hostOf = (place: string): string => place.split("/", 1)[0];
