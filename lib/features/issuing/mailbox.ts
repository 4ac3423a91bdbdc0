/**
 * The knowledge of an issuer about a mailbox, over all of its addresses.
 *
 * @module
 */
import {
  type Address,
  BY_MAILBOX,
  mailboxText,
  type RecipientState,
  REFUSAL_MS,
  type Store,
} from "./recipients.ts";

type Mailbox = {
  /** True if its owner has said lately that they are not the recipient, at any of its addresses. */
  refused: boolean;
  /** The id of the recipient who was the first to accept at any of its addresses; null if none has. */
  accepted: string | null;
};

/** Signs a mailbox, and returns the function that lists its keys in the order of when they got into a state. */
async function keysAt({ kv, secrets }: Store, address: Address) {
  const macs = await secrets.signatures("recipient", mailboxText(address));
  return async (state: RecipientState, options?: Deno.KvListOptions): Promise<Deno.KvKey[]> => {
    const lists = macs.map((mac) =>
      Array.fromAsync(kv.list({ prefix: [BY_MAILBOX, mac, state] }, options))
    );
    return (await Promise.all(lists)).flat().map(({ key }) => key);
  };
}

/** Reads what the same issuer knows about a mailbox. */
export async function readMailbox(store: Store, address: Address, now: number): Promise<Mailbox> {
  const keysOf = await keysAt(store, address);
  const [refusals, [first]] = await Promise.all([
    keysOf("refused", { reverse: true, limit: 1 }),
    keysOf("accepted", { limit: 1 }),
  ]);
  return {
    refused: refusals.some((key) => now < Date.parse(String(key[3])) + REFUSAL_MS),
    accepted: first === undefined ? null : String(first[4]),
  };
}

/** Returns the ids of the recipients at a mailbox whose later documents follow, into whichever records. */
export async function acceptedAt(store: Store, address: Address): Promise<string[]> {
  const keysOf = await keysAt(store, address);
  return (await keysOf("accepted")).map((key) => String(key[4]));
}
