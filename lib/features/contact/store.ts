/**
 * The contacts: what people entered in the form. Anything that could identify a person is hashed when
 * it is part of a key.
 *
 * @module
 */
import { z } from "zod";
import { forgetDeliveries } from "../../platform/jobs/mod.ts";
import { defineTable, transact, unchecked, WITH_RECORD } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import { confirmations } from "./confirmations.ts";
import type { ContactIndex } from "./contact_index.ts";
import {
  changeRegistrations,
  countLevel,
  countRegistration,
  type RegistrationGroup,
} from "./counts.ts";
import { CONTACT_FIELDS, type Enquiry, privacyLabelOf } from "./fields.ts";
import { changeLists, contactLists, contactTimeKey, contactTimes, type Listed } from "./lists.ts";
import { ownerOf } from "./owner.ts";

/** The fields that were given, by their names. */
const enquiry = z.strictObject(
  Object.fromEntries(CONTACT_FIELDS.map((field) => [
    field.name,
    "missing" in field ? z.string() : z.string().optional(),
  ])),
) as z.ZodType<unknown> as z.ZodType<Enquiry>;

/** An intent declaration: the holder's own words about what the record is for. */
const declaration = z.strictObject({ at: z.iso.datetime(), text: z.string() });
export type Declaration = z.infer<typeof declaration>;

/**
 * The person behind a record. Personal data is stored here and nowhere else.
 * Times are ISO 8601 in UTC.
 */
const contact = z.strictObject({
  record: enquiry,
  /** The organisation, which is not part of the record. Absent in old rows, see {@link ownerOf}. */
  organisation: z.enum(ORGANISATIONS).optional(),
  /** The site that the form was sent from, see `siteOf`. Absent in rows from before it was stored. */
  site: z.string().optional(),
  /** The salt of the record's hash, 64 hexadecimal digits. As private as the record. */
  salt: z.string(),
  registered_at: z.iso.datetime(),
  confirmed_at: z.iso.datetime().nullable(),
  /** SHA-256 of the token that confirms the email address. */
  confirmation: z.string(),
  /** Every version of the holder's intent declaration, newest last. Absent if there is none. */
  declarations: z.array(declaration).optional(),
});
export type StoredContact = z.infer<typeof contact>;

/** The contacts: the fields of the form, by the hash of the record. */
export const contacts = defineTable({
  prefix: "contacts",
  value: contact,
  key: ["hash"],
  otherIndexes: [contactTimes.prefix, contactLists.prefix],
  owner: "record",
  lifetime: WITH_RECORD,
  per: "registration",
  privacy: [
    {
      section: "enquiry",
      label: "Your record",
      text:
        `What you entered (${
          CONTACT_FIELDS.map(privacyLabelOf).join(", ")
        }), the organisation that you wrote to, the site that you wrote from, the random value in its hash, and ` +
        "when you sent the enquiry and confirmed the address. We keep it until you ask us to " +
        "delete it.",
    },
    {
      section: "record",
      label: "Declaration",
      text: "Every version of your declaration, with its time. We keep them with the record.",
    },
  ],
});

/** Reads a contact by the hash of its record; null if there is none. */
export const readContact = async (kv: Deno.Kv, hash: string): Promise<StoredContact | null> =>
  (await contacts.get(kv, hash)).value;

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
  contacts.put(commit, [hash], contact);
  contactTimes.put(commit, contactTimeKey(hash, contact), { counted });
  changeLists(commit, hash, contact, { before: null, after: listedAs(contact, 1) });
  changeRegistrations(commit, organisation);
  if (counted) {
    countRegistration(commit, organisation, registrationOf(contact), 1);
    countLevel(commit, organisation, null, 1);
  }
  return token;
}

/** Returns what the filters of the list of records test. */
export const listedAs = (
  { record, confirmed_at }: Pick<StoredContact, "record" | "confirmed_at">,
  level: number,
): Listed => ({ level, type: record.enquiry_type ?? "", confirmed: confirmed_at !== null });

/** Returns the properties by which a contact's registration is counted. */
const registrationOf = (
  { record, site, registered_at }: StoredContact,
): RegistrationGroup => ({
  day: registered_at.slice(0, 10),
  type: record.enquiry_type ?? "",
  site: site ?? null,
});

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
    const entry = await contacts.get(kv, hash);
    if (entry.value === null) return { result: false };
    const contact = entry.value;
    const { record, confirmation } = contact;
    const listed = await contactTimes.get(kv, ...contactTimeKey(hash, contact));
    unchecked("An index changes only with its contact.", listed);
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
    await index.words.remove(commit, hash, contact);
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
  for await (const { key, value } of contacts.list(kv, [])) {
    if (value.record.email === email) hashes.push(String(key[1]));
  }
  return hashes;
}
