/**
 * The recipients of documents as they are stored, found by a keyed fingerprint of their address.
 *
 * @module
 */
import { z } from "zod";
import { mailboxOf, normaliseEmail } from "../../base/email.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, inDays } from "../../base/time.ts";
import { defineTable, isoAfter, unchecked, untilUsed } from "../../platform/kv/mod.ts";

/** How long a document waits for its recipient, who is then forgotten. */
export const WAITING_MS = 90 * DAY_MS;

/** How long an issuer cannot send to an address whose owner has said that it is not them. */
export const REFUSAL_MS = 90 * DAY_MS;

/** How long tests are kept. */
export const TEST_MS = 30 * DAY_MS;

const time = z.iso.datetime();

/**
 * A person to whom an issuer has issued documents, as the issuer named them. Every issuer has its own row for
 * the same person, and one for tests.
 */
const recipient = z.strictObject({
  id: z.string(),
  /** The id of the issuer. */
  issuer: z.string(),
  test: z.boolean(),
  /** As the issuer gave them. Null once they are erased. */
  name: z.string().nullable(),
  email: z.string().nullable(),
  /**
   * A keyed fingerprint of issuer and address, by which the row is found. Null once the address begins with a new
   * offer, also because the holder has said so.
   */
  mac: z.string().nullable(),
  /**
   * A keyed fingerprint of issuer and mailbox, by which an acceptance or refusal is found. Erased with the other
   * one.
   */
  mailbox: z.string().nullable(),
  /**
   * `refused`: the owner of the address has said that it is not them; `lapsed`: nobody accepted the documents
   * in time.
   */
  state: z.enum(["waiting", "accepted", "refused", "lapsed"]),
  state_at: time,
  /** The record that the recipient has accepted the documents into, or that is being registered for them. */
  record: z.string().nullable(),
  created_at: time,
  /** When it is forgotten, if nobody accepts; for a refusal, when the issuer may use the address again. */
  due_at: time.nullable(),
  /** When mails were sent lately. */
  mailed_at: z.array(time),
});

export type Recipient = z.infer<typeof recipient>;
export type RecipientState = Recipient["state"];

/** The members of a recipient that are erased, as their values afterwards. */
export const ERASED = { name: null, email: null, mac: null, mailbox: null } as const;

/**
 * Returns a recipient as they are at a time. The wait ends by the clock, although the job erases the name and
 * the address up to an hour later. Somebody who has begun to accept can complete it.
 */
export function recipientAt(recipient: Recipient, now: number): Recipient {
  const { state, record, due_at } = recipient;
  const hasLapsed = state === "waiting" && record === null && due_at !== null &&
    now >= Date.parse(due_at);
  return hasLapsed ? { ...recipient, ...ERASED, state: "lapsed", state_at: due_at } : recipient;
}

/** The label of the mails to a recipient who has no record yet. */
export const aboutRecipient = (id: string): string => `recipient/${id}`;

export const BY_RECORD = "recipients_by_record";
const BY_ADDRESS = "recipients_by_address";
const BY_DUE = "recipients_by_due";
export const BY_MAILBOX = "recipients_by_mailbox";

export const recipients = defineTable({
  prefix: "recipients",
  value: recipient,
  key: ["id"],
  indexes: {
    [BY_RECORD]: ["record"],
    [BY_ADDRESS]: {
      keysOf: ({ mac }: Recipient) => mac === null ? [] : [[mac]],
      value: ({ id }: Recipient) => id,
    },
    [BY_DUE]: ["due_at"],
    [BY_MAILBOX]: {
      keysOf: ({ state, mailbox, state_at }: Recipient, key: Deno.KvKey) =>
        mailbox && (state === "accepted" || state === "refused")
          ? [[mailbox, state, state_at, ...key]]
          : [],
      value: () => null,
    },
  },
  owner: { record: "record" },
  moves: true,
  lifetime: untilUsed(
    `name and address: until the record is deleted, or ${inDays(WAITING_MS)} if nobody accepts`,
    "recipients",
  ),
  per: "issuer and address",
  privacy: {
    section: "record",
    label: "Issued documents",
    text:
      "If an organisation issues a document to you: your name and address as it gave them, a keyed " +
      `fingerprint of the address and one of its mailbox, and when we emailed you. If you do not accept within ${
        inDays(WAITING_MS)
      }, or say that it is not you, we erase the name, the address and the file. A fingerprint then keeps ` +
      "the organisation from emailing you again for as long. Once you accept, we keep them with your record: " +
      "the fingerprints, by which the organisation's later documents get there, until you end that.",
  },
});

/** Identifies a recipient of an issuer by address. */
export interface Address {
  issuer: string;
  test: boolean;
  email: string;
}

const signedText = ({ issuer, test, email }: Address): string =>
  `${issuer}\n${test ? "test" : "live"}\n${normaliseEmail(email) ?? email}`;

export const mailboxText = ({ email, ...address }: Address): string =>
  `mailbox\n${signedText({ ...address, email: mailboxOf(normaliseEmail(email) ?? email) })}`;

/** Where recipients are stored, and the secrets that sign their fingerprints. */
export type Store = { kv: Deno.Kv; secrets: Secrets };

/** Returns the fingerprints of an address and its mailbox, under which a new row is found. */
export async function fingerprintsOf(
  { secrets }: Pick<Store, "secrets">,
  address: Address,
): Promise<{ mac: string; mailbox: string }> {
  const [mac, mailbox] = await Promise.all(
    [signedText, mailboxText].map((textOf) => secrets.sign("recipient", textOf(address))),
  );
  return { mac, mailbox };
}

/**
 * Reads the recipient with an address, as an entry that a commit can check.
 *
 * @returns `key` is the entry of the index; a commit that adds a recipient checks that it is absent
 */
export async function findRecipient(
  { kv, secrets }: Store,
  address: Address,
): Promise<{ key: Deno.KvEntryMaybe<string>; entry: Deno.KvEntryMaybe<Recipient> | null }> {
  const macs = await secrets.signatures("recipient", signedText(address));
  const keys = await kv.getMany<string[]>(macs.map((mac) => [BY_ADDRESS, mac]));
  const found = keys.find(({ value }) => value !== null);
  if (found !== undefined) {
    unchecked("A recipient whose address changes is changed itself.", ...keys);
  }
  const entry = found === undefined ? null : await recipients.get(kv, found.value as string);
  return { key: keys[0], entry: entry?.value === null ? null : entry };
}

/** Returns the row of a new recipient. */
export const newRecipient = (
  { name, ...address }: Address & { mac: string; mailbox: string; name: string },
  now: number,
): Recipient => {
  const at = new Date(now).toISOString();
  return {
    ...address,
    id: crypto.randomUUID(),
    name,
    state: "waiting",
    state_at: at,
    record: null,
    created_at: at,
    due_at: isoAfter(now, address.test ? TEST_MS : WAITING_MS),
    mailed_at: [],
  };
};

/** Adds the change of a recipient to a commit, which fails if it has changed since it was read. */
export function changeRecipient(
  commit: Deno.AtomicOperation,
  { key, value, versionstamp }: Deno.KvEntryMaybe<Recipient>,
  changes: Partial<Recipient>,
): Recipient {
  if (value === null) throw new TypeError("There is no such recipient.");
  const changed = { ...value, ...changes };
  recipients.delete(commit.check({ key, versionstamp }), value);
  recipients.set(commit, changed);
  return changed;
}

/** Lists the ids of the recipients who are due. */
export async function* dueRecipients(kv: Deno.Kv, now: number): AsyncGenerator<string> {
  const end = [BY_DUE, isoAfter(now, 1)];
  for await (const { key } of kv.list({ prefix: [BY_DUE], end })) yield String(key[2]);
}

/**
 * How many mails one recipient gets in a day. Their links lead to all waiting documents. A mailbox has limits of
 * its own, see `mailLimits`.
 */
const MAX_MAILS = 10;

/** Returns the times of the latest mails with one more; null if there were too many in the last day. */
export function withMail(
  { mailed_at }: Pick<Recipient, "mailed_at">,
  now: number,
  most = MAX_MAILS,
): string[] | null {
  const today = mailed_at.filter((at) => now - Date.parse(at) < DAY_MS);
  return today.length >= most ? null : [...today, new Date(now).toISOString()];
}
