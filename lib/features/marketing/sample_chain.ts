import { EVENT_NAMES, type EventKind, type SavedChain } from "../../../packages/proof/chain/mod.ts";
import { VECTORS } from "../standard/mod.ts";

/**
 * Returns the chain of the standard's test vectors that has a signed head. It belongs to nobody, and
 * its private key is published.
 */
export function sampleChain(): SavedChain {
  const { recordHash, events, head } = VECTORS.valid.find(({ head }) => head !== undefined)!;
  const { signed, kid, privateKey: { d: _, ...publicJwk } } = head!;
  return {
    hash: recordHash,
    publisher: signed.origin.split("/")[0],
    head: signed,
    keys: [{ ...publicJwk, kid, use: "sig" }],
    events: events.map(({ event, prev, hash }) => ({ ...event, prev, hash })),
  };
}

/** Returns the plain names of the sample's events, for a page's scripts, which need no others. */
export const eventNames = ({ events }: SavedChain): string[] =>
  events.map((event) => EVENT_NAMES[(event as { kind: EventKind }).kind]);
