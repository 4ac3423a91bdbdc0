import type { ChainFault } from "../../packages/proof/mod.ts";

/** The meaning of each fault code for readers (standard, "Faults"). */
export const FAULT_MEANINGS: Record<ChainFault, string> = {
  bad_input: "The input is not a chain that can be verified.",
  bad_event: "A member of this event is missing, unknown or malformed.",
  bad_seq: "An event is missing, repeated or out of order at this position.",
  bad_prev: "This event is not linked to the previous one: one of the two was altered or inserted.",
  bad_hash: "This is not the event that was hashed: part of it was altered.",
  bad_head: "The signed head is missing or malformed.",
  unknown_key: "The head was not signed with any of the publisher's keys.",
  bad_signature:
    "The head is not the one that the publisher's key signed: it was altered, or the key is one " +
    "with which anyone can sign.",
  bad_origin: "The head belongs to another publisher, or to another record.",
  truncated: "Events are missing at the end: the publisher has signed a longer chain.",
  bad_tip: "The publisher has signed different events.",
};
