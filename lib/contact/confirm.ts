import type { Chains } from "../chain/store/mod.ts";
import { isLive } from "../kv/mod.ts";
import { findConfirmation } from "./confirmations.ts";
import { contactKey, readContact, type StoredContact } from "./contacts.ts";

/** A record whose email address a link confirms. */
export interface Confirmable {
  /** The record's hash. */
  hash: string;
  contact: StoredContact;
}

/** What a link of the confirmation mail comes to. */
export type ConfirmationState =
  /** There is no such link, or what it was for has been deleted. */
  | { state: "unknown" }
  | { state: "expired" }
  /** Nobody has confirmed it yet. */
  | { state: "open" } & Confirmable
  /** It was confirmed before. */
  | { state: "already" } & Confirmable
  /** It has been confirmed just now. */
  | { state: "confirmed" } & Confirmable;

export interface ConfirmOptions {
  kv: Deno.Kv;
  clock: () => number;
  chains: Chains;
}

/** Looks at a link, and changes nothing: what scanners of mails may do as often as they like. */
export async function lookUp(
  { kv, clock }: ConfirmOptions,
  token: string,
): Promise<ConfirmationState> {
  const confirmation = await findConfirmation(kv, token);
  const contact = confirmation && await readContact(kv, confirmation.hash);
  if (contact === null) return { state: "unknown" };
  if (!isLive(confirmation!, clock())) return { state: "expired" };
  const state = contact.confirmed_at === null ? "open" : "already";
  return { state, hash: confirmation!.hash, contact };
}

/**
 * Confirms the email address of a record: the mark on the contact and the chain's event
 * `email_confirmed` in one commit. So there is one event, however often it is asked for at once.
 */
export async function confirm(
  options: ConfirmOptions,
  token: string,
): Promise<ConfirmationState> {
  const found = await lookUp(options, token);
  if (found.state !== "open") return found;
  const { kv, clock, chains } = options;
  const { hash } = found;
  let contact = found.contact;
  const appended = await chains.append(hash, "email_confirmed", async (commit) => {
    const entry = await kv.get<StoredContact>(contactKey(hash));
    if (entry.value === null || entry.value.confirmed_at !== null) return false;
    contact = { ...entry.value, confirmed_at: new Date(clock()).toISOString() };
    commit.check(entry).set(entry.key, contact);
  });
  return appended === null ? await lookUp(options, token) : { state: "confirmed", hash, contact };
}
