/**
 * Everything that the contact form stores in Deno KV. Anything that could identify a person is
 * hashed when it is part of a key.
 *
 * @module
 */
import { addressKey } from "../../platform/http/client_address.ts";
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  createSingleUseTokens,
  type Expiring,
  expiring,
  isLive,
  isoAfter,
  readSlot,
  transact,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import { CHALLENGE_LIFETIME_MS } from "./challenge.ts";
import type { ContactIndex } from "./contact_index.ts";
import {
  changeRegistrations,
  countLevel,
  countRegistration,
  type RegistrationGroup,
} from "./counts.ts";
import type { Enquiry } from "./fields.ts";

/**
 * The person behind a record. Personal data is stored here and nowhere else.
 * Times are ISO 8601 in UTC.
 */
export interface StoredContact {
  record: Enquiry;
  /** Not part of the record. Absent in rows from before it was stored, see {@link ownerOf}. */
  organisation?: OrganisationKey;
  /** The site that the form was sent from, see `siteOf`. Absent in rows from before it was stored. */
  site?: string;
  /** The salt of the record's hash, 64 hexadecimal digits. As private as the record. */
  salt: string;
  registered_at: string;
  confirmed_at: string | null;
  /** SHA-256 of the token that confirms the email address. */
  confirmation: string;
  /** Every version of the holder's intent declaration, newest last. Absent if there is none. */
  declarations?: Declaration[];
}

/** An intent declaration: the holder's own words about what the record is for. */
export interface Declaration {
  at: string;
  text: string;
}

export const contactKey = (hash: string): Deno.KvKey => ["contacts", hash];

/** Reads the contact of a record as an entry that a commit can check. */
export const contactEntry = (
  kv: Deno.Kv,
  hash: string,
): Promise<Deno.KvEntryMaybe<StoredContact>> => kv.get<StoredContact>(contactKey(hash));

/** Reads the contacts of records, in the given order. Those that do not exist are left out. */
export async function contactEntries(
  kv: Deno.Kv,
  hashes: readonly string[],
): Promise<Deno.KvEntry<StoredContact>[]> {
  const entries = await kv.getMany<StoredContact[]>(hashes.map(contactKey));
  return entries.filter((entry) => entry.versionstamp !== null);
}

export const readContact = async (kv: Deno.Kv, hash: string): Promise<StoredContact | null> =>
  (await contactEntry(kv, hash)).value;

/**
 * Adds a new contact to a commit. Unless it corrects another record, it is counted as a registration
 * and as a record at level 1.
 *
 * @returns the token that confirms its email address
 */
export function addContact(
  commit: Deno.AtomicOperation,
  hash: string,
  { record, organisation, site, salt, now, carried }: {
    record: Enquiry;
    organisation: OrganisationKey;
    site?: string;
    salt: string;
    now: number;
    /** The data that a correction takes over from the record that it corrects. */
    carried?: Partial<Pick<StoredContact, "confirmed_at" | "declarations" | "site">>;
  },
): string {
  const { token, row } = confirmations.create(commit, { hash }, now);
  const contact: StoredContact = {
    record,
    organisation,
    ...site === undefined ? {} : { site },
    salt,
    registered_at: new Date(now).toISOString(),
    confirmed_at: null,
    confirmation: row.token,
    ...carried,
  };
  const counted = carried === undefined;
  commit.set(contactKey(hash), contact)
    .set(contactTimeKey(hash, contact), { counted } satisfies TimeEntry);
  changeRegistrations(commit, organisation);
  if (counted) {
    countRegistration(commit, organisation, registrationOf(contact), 1);
    countLevel(commit, organisation, null, 1);
  }
  return token;
}

/** The key of the index that lists an organisation's contacts by time. */
export const contactTimeKey = (
  hash: string,
  contact: Pick<StoredContact, "organisation" | "registered_at">,
): Deno.KvKey => ["contacts_by_time", ownerOf(contact), contact.registered_at, hash];

/** The value of {@link contactTimeKey}: whether the registration is in the counters. */
export interface TimeEntry {
  counted: boolean;
}

/** Returns the properties by which a contact's registration is counted. */
export const registrationOf = (
  { record, site, registered_at }: Pick<StoredContact, "record" | "site" | "registered_at">,
): RegistrationGroup => ({
  day: registered_at.slice(0, 10),
  type: record.enquiry_type ?? "",
  site: site ?? null,
});

/** Returns the organisation that a contact wrote to: the commercial one in older rows. */
export const ownerOf = (
  { organisation }: Pick<StoredContact, "organisation">,
): OrganisationKey => organisation ?? "commercial";

export function confirmContact(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<StoredContact>,
  now: number,
): StoredContact {
  const contact = { ...entry.value, confirmed_at: new Date(now).toISOString() };
  commit.check(entry).set(entry.key, contact);
  return contact;
}

/**
 * Deletes a contact: everything that was entered, the salt, the confirmation link, the entries of
 * the indexes and unsent mails. The chain remains, but without the salt nobody can test a guess
 * against its hash (standard, "Opening the commitment").
 *
 * @param addToCommit adds writes to the commit that deletes the contact. It may run again.
 * @returns false if no contact is stored for the record
 */
export async function deleteContact(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  hash: string,
  addToCommit?: (commit: Deno.AtomicOperation, contact: StoredContact) => Promise<void>,
): Promise<boolean> {
  const deleted = await transact(async () => {
    const entry = await contactEntry(kv, hash);
    if (entry.value === null) return { result: false };
    const contact = entry.value;
    const { record, confirmation } = contact;
    const listed = await kv.get<TimeEntry>(contactTimeKey(hash, contact));
    const commit = kv.atomic().check(entry)
      .delete(entry.key)
      .delete(listed.key)
      .delete(confirmations.key(confirmation));
    changeRegistrations(commit, ownerOf(contact));
    if (listed.value?.counted) {
      countRegistration(commit, ownerOf(contact), registrationOf(contact), -1);
    }
    await index.remove(commit, "email", record.email, hash);
    await index.remove(commit, "unconfirmed_email", record.email, hash);
    if (record.mobile !== undefined) await index.remove(commit, "mobile", record.mobile, hash);
    await addToCommit?.(commit, contact);
    return { result: true, commit };
  });
  await forgetDeliveries(kv, aboutContact(hash));
  return deleted;
}

/** Returns the outbox label of a record's mails and pushes. */
export const aboutContact = (hash: string): string => `contact/${hash}`;

/** Returns the record that an outbox label of {@link aboutContact} names. */
export const hashOfAbout = (about: string): string => about.slice("contact/".length);

/** Returns the hashes of the records that were registered with a normalised email address. */
export async function recordsOf(kv: Deno.Kv, email: string): Promise<string[]> {
  const hashes: string[] = [];
  for await (const { key, value } of kv.list<StoredContact>({ prefix: ["contacts"] })) {
    if (value.record.email === email) hashes.push(String(key[1]));
  }
  return hashes;
}

/** A week, because some people read their mail late, and a late confirmation does no harm. */
export const CONFIRMATION_LIFETIME_MS = 7 * DAY_MS;

/** How long an expired link is kept, to report "expired" instead of "unknown". */
export const CONFIRMATION_REMEMBERED_MS = 30 * DAY_MS;

/** The links that confirm an email address, each for one record. */
export const confirmations = createSingleUseTokens<{ hash: string }>({
  prefix: "contact_confirmations",
  lifetimeMs: CONFIRMATION_LIFETIME_MS,
  rememberedMs: CONFIRMATION_REMEMBERED_MS,
});

/** How long an `Idempotency-Key` identifies a registration. */
export const IDEMPOTENCY_LIFETIME_MS = DAY_MS;

/** Longer than challenge responses are valid, so that none is accepted twice. */
export const CHALLENGE_REMEMBERED_MS = 2 * CHALLENGE_LIFETIME_MS;

/** The limits that a registration counts against. */
export interface LimitedUse {
  idempotencyKey: string | undefined;
  challenge: string | undefined;
  clientAddress: string;
  clientLimit: number;
}

/** The limits of a registration at one moment. */
export interface Limits {
  /** The record that was registered with the idempotency key, if any. */
  registered: string | null;
  /** Milliseconds until the client may register again; 0 if it may now. */
  waitMs: number;
  challengeUsed: boolean;
  /**
   * Reserves all of them for a record. The commit fails if another registration reserved one first.
   */
  reserve(commit: Deno.AtomicOperation, hash: string): void;
}

export async function readLimits(
  kv: Deno.Kv,
  { idempotencyKey, challenge, clientAddress, clientLimit }: LimitedUse,
  now: number,
): Promise<Limits> {
  const reservation = (prefix: string, secret: string | undefined, lifetimeMs: number) =>
    secret === undefined ? null : readReservation(kv, [prefix, sha256(secret)], lifetimeMs, now);
  const [request, response, slot] = await Promise.all([
    reservation("contact_requests", idempotencyKey, IDEMPOTENCY_LIFETIME_MS),
    reservation("contact_challenges", challenge, CHALLENGE_REMEMBERED_MS),
    clientLimit === 0 ? null : readSlot(kv, {
      key: ["contact_limits", sha256(addressKey(clientAddress))],
      limit: clientLimit,
      windowMs: HOUR_MS,
    }, now),
  ]);
  return {
    registered: request?.holder ?? null,
    waitMs: slot?.waitMs ?? 0,
    challengeUsed: response !== null && response.holder !== null,
    reserve(commit, hash) {
      request?.take(commit, hash);
      response?.take(commit, hash);
      slot?.take(commit);
    },
  };
}

interface Reservation {
  holder: string | null;
  take(commit: Deno.AtomicOperation, holder: string): void;
}

async function readReservation(
  kv: Deno.Kv,
  key: Deno.KvKey,
  lifetimeMs: number,
  now: number,
): Promise<Reservation> {
  const entry = await kv.get<Expiring & { holder: string }>(key);
  return {
    holder: entry.value !== null && isLive(entry.value, now) ? entry.value.holder : null,
    take(commit, holder) {
      const taken = { holder, expires_at: isoAfter(now, lifetimeMs) };
      commit.check(entry).set(key, taken, expiring(taken, now));
    },
  };
}
