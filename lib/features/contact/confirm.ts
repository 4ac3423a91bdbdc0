import type { LinkedEvent } from "../../../packages/proof/mod.ts";
import type { Chains } from "../chain/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { readAhead } from "../../platform/kv/mod.ts";
import type { ContactIndex } from "./contact_index.ts";
import { CONFIRMATION_LIFETIME_MS, confirmations } from "./confirmations.ts";
import { contacts, readContact, type StoredContact } from "./store.ts";

/** A record whose email address can be confirmed with a link. */
export interface Confirmable {
  hash: string;
  contact: StoredContact;
}

/**
 * The result of a confirmation link. `not_found` also covers a record that has been deleted;
 * `confirmed` means confirmed by this request.
 */
export type Confirmation =
  | { ok: true; state: "open" | "confirmed" | "already_confirmed" } & Confirmable
  | Failure<"not_found" | "expired">;

export interface ConfirmOptions {
  kv: Deno.Kv;
  clock: () => number;
  chains: Chains;
  index: ContactIndex;
}

/**
 * Called with the record of a link, to read what depends on it at the same time as the contact. Returns a
 * function that adds writes to the commit that confirms an address.
 */
export type PrepareConfirmation = (hash: string) => AddToConfirmation;

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

type FoundLink = Awaited<ReturnType<typeof confirmations.find>>;

/**
 * Reads a link without changing anything, because mail scanners open links too.
 *
 * @param onFound called with the record, to read what depends on it at the same time as the contact
 * @param named the record that the link's URL names, which is read at the same time as the link
 */
export async function readConfirmation(
  { kv, clock }: Pick<ConfirmOptions, "kv" | "clock">,
  token: string,
  onFound?: (hash: string) => void,
  named?: string,
): Promise<Confirmation> {
  const early = named === undefined ? undefined : readAhead(() => readContact(kv, named));
  const found = await confirmations.find(kv, token, clock());
  const read = (hash: string) => hash === named ? early!() : readContact(kv, hash);
  return await describeLink(kv, found, onFound, read);
}

async function describeLink(
  kv: Deno.Kv,
  found: FoundLink,
  onFound?: (hash: string) => void,
  read = (hash: string) => readContact(kv, hash),
): Promise<Confirmation> {
  if (found.state === "unknown") return fail("not_found");
  const { hash } = found.entry.value;
  onFound?.(hash);
  const contact = await read(hash);
  if (contact === null) return fail("not_found");
  if (found.state === "expired") return fail("expired");
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
 */
export async function confirm(
  options: ConfirmOptions,
  token: string,
  prepare: PrepareConfirmation,
): Promise<Confirmation> {
  const { kv, clock, chains, index } = options;
  const found = await confirmations.find(kv, token, clock());
  if (found.state !== "open") return await describeLink(kv, found);
  const { hash } = found.entry.value;
  const read = readAhead((attempt) =>
    Promise.all([
      attempt === 1 ? found : confirmations.find(kv, token, clock()),
      contacts.get(kv, hash),
    ])
  );
  const addToCommit = prepare(hash);
  let contact: StoredContact | undefined;
  const appended = await chains.append(hash, "email_confirmed", async (commit, event) => {
    const now = clock();
    const [link, entry] = await read();
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
  return appended === null
    ? await readConfirmation(options, token)
    : { ok: true, state: "confirmed", hash, contact: contact! };
}
