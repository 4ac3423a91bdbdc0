/** Remembers which addresses refused mail or complained, so that they get no more of it. */
import { z } from "zod";
import { normaliseEmail } from "../../base/email.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, inDays } from "../../base/time.ts";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../kv/mod.ts";
import type { MailKind } from "./kinds.ts";

/**
 * How long a person's own mail pauses after an address was refused for the first time. A faulty server may refuse
 * good addresses for some hours, and nobody should be locked out for longer because of it.
 */
const PAUSE_MS = DAY_MS;

/** How long an address that mail came back from is remembered after the last time. */
const KEPT_MS = 365 * DAY_MS;

const time = z.iso.datetime();

/** An address that refused mail, or whose owner has reported mail as spam. It is known only by its fingerprint. */
const mailAddressRow = z.strictObject({
  /** A keyed fingerprint of the address. */
  address: z.string(),
  /** How often it was refused for good, at most once a day. */
  refusals: z.int(),
  /** When that was the last time; null if it never was. */
  refused_at: time.nullable(),
  /** The code of the server's reply, such as `550 5.1.1`. */
  reply: z.string().nullable(),
  /** When its owner has reported a mail as spam; null if they have not. */
  complained_at: time.nullable(),
  ...EXPIRING,
});

export type MailAddress = z.infer<typeof mailAddressRow>;

const BY_REFUSAL = "mail_addresses_by_refusal";

/** The addresses that refused mail, by their fingerprints. */
export const mailAddresses = defineTable({
  prefix: "mail_addresses",
  value: mailAddressRow,
  key: ["address"],
  indexes: { [BY_REFUSAL]: ["refused_at"] },
  owner: "nobody",
  lifetime: expires(`${inDays(KEPT_MS)} after the last refusal or complaint`),
  per: "address that email came back from",
  privacy: {
    section: "sign_in",
    label: "Addresses that take no email",
    text:
      "If your mail server refuses email to your address for good, or you report an email as spam: a keyed " +
      "fingerprint of the address, when that was and the server's code, so that we do not email the address again. " +
      `We keep them for ${
        inDays(KEPT_MS)
      } after the last time, or until an administrator removes them because ` +
      "you say that the address works.",
  },
});

/** Returns the keyed fingerprints of an address, that of the current secret first. */
export const fingerprintsOf = (secrets: Secrets, email: string): Promise<string[]> =>
  secrets.signatures("mail-address", normaliseEmail(email) ?? email);

/** Kinds of mail that its recipient has not asked for. They stop at the first refusal, and after a complaint. */
const UNASKED: ReadonlySet<MailKind> = new Set(["document_issued"]);

/** Returns whether a mail is of a kind that its recipient has not asked for. */
export const isUnasked = (kind: MailKind | undefined): boolean =>
  kind !== undefined && UNASKED.has(kind);

/**
 * Returns whether no mail of a kind goes to an address. An organisation's mail stops at the first refusal, because
 * mail to bad addresses gets the sender blocked, and with it everybody's. A person's own mail, such as sign-in links
 * and security notices, pauses for a day first, and stops at the second refusal.
 */
export function isStopped(
  { refusals, refused_at, complained_at }: MailAddress,
  kind: MailKind | undefined,
  now: number,
): boolean {
  const unasked = isUnasked(kind);
  if (unasked && complained_at !== null) return true;
  if (refused_at === null) return false;
  return unasked || refusals > 1 || now < Date.parse(refused_at) + PAUSE_MS;
}

/**
 * Reads what is known about an address.
 *
 * @param fingerprints those of {@link fingerprintsOf}
 * @returns its rows: more than one after `APP_SECRET` was replaced
 */
export async function readAddress(
  kv: Deno.Kv,
  fingerprints: readonly string[],
  now: number,
): Promise<Deno.KvEntry<MailAddress>[]> {
  const found = await mailAddresses.getMany(kv, fingerprints.map((each) => [each] as const));
  return found.filter(({ value }) => isLive(value, now));
}

/** Adds to a commit that an address was refused for good, or that its owner has complained. */
export async function noteAddress(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { address, what, reply }: {
    address: string;
    what: "hard" | "complaint";
    reply: string | null;
  },
  now: number,
): Promise<void> {
  const entry = await mailAddresses.get(kv, address);
  commit.check(entry);
  const at = new Date(now).toISOString();
  const before = entry.value !== null && isLive(entry.value, now) ? entry.value : null;
  const row = before ??
    { address, refusals: 0, refused_at: null, reply: null, complained_at: null, expires_at: at };
  if (entry.value !== null) mailAddresses.delete(commit, entry.value);
  const expires_at = isoAfter(now, KEPT_MS);
  if (what === "complaint") {
    return mailAddresses.set(commit, { ...row, complained_at: at, expires_at }, now);
  }
  // Mails that were on their way at the same time are one refusal.
  const isNew = row.refused_at === null || now >= Date.parse(row.refused_at) + PAUSE_MS;
  const refused = isNew ? { refusals: row.refusals + 1, refused_at: at } : {};
  mailAddresses.set(commit, { ...row, ...refused, reply, expires_at }, now);
}

/** Lists the addresses that were refused since a time in milliseconds since 1970, the newest first. */
export const refusedSince = (kv: Deno.Kv, since: number, limit: number) =>
  mailAddresses.find(kv, BY_REFUSAL, [], {
    from: isoAfter(since, 0),
    limit,
    batchSize: Math.min(limit, 500),
  });
