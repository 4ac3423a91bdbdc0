/** Confirming the address of a record with its mailed link. */
import type { Chains } from "../chain/mod.ts";
import type { LinkedEvent } from "../../../packages/proof/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { ContactIndex } from "./contact_index.ts";
import { CONFIRMATION_LIFETIME_MS, confirmations } from "./confirmations.ts";
import { contacts, type StoredContact } from "./store.ts";

/** A record whose email address can be confirmed with a link. */
export interface Confirmable {
  hash: string;
  contact: StoredContact;
}

/** The result of a confirmation link. `not_found` also covers a record that has been deleted. */
export type Confirmation =
  | { ok: true; state: "open" | "already_confirmed" } & Confirmable
  | Confirmed
  | Failure<"not_found" | "expired">;

/** An address that this request has confirmed. */
export type Confirmed = { ok: true; state: "confirmed" } & Confirmable;

export interface ConfirmOptions {
  kv: Deno.Kv;
  clock: () => number;
  chains: Chains;
  index: ContactIndex;
}

/**
 * Adds writes to the commit that confirms an address, among them the change of the record, which moves it
 * to the lists of confirmed ones.
 *
 * @param confirmed the contact's entry before the commit, which the commit checks, the age of the
 * link in milliseconds, and the event `email_confirmed`
 */
export type AddToConfirmation = (
  commit: Deno.AtomicOperation,
  confirmed: {
    hash: string;
    entry: Deno.KvEntry<StoredContact>;
    linkAgeMs: number;
    event: LinkedEvent;
  },
  now: number,
) => Promise<void>;

/** A confirmation link, as it is stored. */
export type FoundConfirmation = Awaited<ReturnType<typeof confirmations.find>>;

/** Finds a confirmation link without changing anything, because mail scanners open links too. */
export const findConfirmation = (
  { kv, clock }: Pick<ConfirmOptions, "kv" | "clock">,
  token: string,
): Promise<FoundConfirmation> => confirmations.find(kv, token, clock());

/** Says what a link does, by the contact of its record; null if the record has been deleted. */
export function describeConfirmation(
  found: FoundConfirmation,
  contact: StoredContact | null,
): Confirmation {
  if (found.state === "unknown" || contact === null) return fail("not_found");
  if (found.state === "expired") return fail("expired");
  const { hash } = found.entry.value;
  const state = contact.confirmed_at === null ? "open" : "already_confirmed";
  return { ok: true, state, hash, contact };
}

/**
 * Adds a new confirmation link for a record to a commit. The previous link no longer works.
 *
 * @returns the token of the link
 */
export function renewConfirmation(
  commit: Deno.AtomicOperation,
  hash: string,
  entry: Deno.KvEntry<StoredContact>,
  now: number,
): string {
  const { token, row } = confirmations.create(commit, { hash }, now);
  contacts.replace(commit, entry, { ...entry.value, confirmation: row.token });
  commit.delete(confirmations.key(entry.value.confirmation));
  return token;
}

/**
 * Confirms the email address of a record: marks the link as used, updates the contact, indexes the
 * address and appends the event `email_confirmed` to the chain in one commit, so that concurrent
 * requests append only one event.
 *
 * @returns null if the link cannot be used, or the address is confirmed already
 */
export async function confirm(
  { kv, clock, chains, index }: ConfirmOptions,
  token: string,
  addToCommit: AddToConfirmation,
): Promise<Confirmed | null> {
  const found = await confirmations.find(kv, token, clock());
  if (found.state !== "open") return null;
  const { hash } = found.entry.value;
  let contact: StoredContact | undefined;
  const appended = await chains.append(hash, "email_confirmed", async (commit, event) => {
    const now = clock();
    const [link, entry] = await Promise.all([
      confirmations.find(kv, token, now),
      contacts.get(kv, hash),
    ]);
    if (link.state !== "open" || entry.versionstamp === null || entry.value.confirmed_at !== null) {
      return false;
    }
    confirmations.use(commit, link.entry, now);
    contact = { ...entry.value, confirmed_at: new Date(now).toISOString() };
    contacts.replace(commit, entry, contact);
    await index.add(commit, "email", contact.record.email, hash);
    await index.remove(commit, "unconfirmed_email", contact.record.email, hash);
    const linkAgeMs = now - (Date.parse(link.entry.value.expires_at) - CONFIRMATION_LIFETIME_MS);
    await addToCommit(commit, { hash, entry, linkAgeMs, event }, now);
  });
  return appended && { ok: true, state: "confirmed", hash, contact: contact! };
}
