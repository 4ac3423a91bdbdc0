import type { ChainFault } from "../../lib/chain/mod.ts";

/** What each code of the standard means, for a reader (standard, "Faults"). */
export const MEANINGS: Record<ChainFault, string> = {
  bad_input: "What was given is not a chain that could be checked.",
  bad_event: "A member of this event is missing, unknown or malformed.",
  bad_seq: "An event is left out, repeated or out of order at this place.",
  bad_prev: "This event is not linked to the one before it: one of the two was altered or put in.",
  bad_hash: "This is not the event that was hashed: something in it was altered.",
  bad_head: "The signed head is missing or malformed.",
  unknown_key: "None of the publisher's keys has signed the head.",
  bad_signature: "The head is not what the publisher's key signed: it was altered.",
  bad_origin: "The head belongs to another publisher, or to another record.",
  truncated: "Events are missing at the end: the publisher has signed that there are more.",
  bad_tip: "The publisher has signed other events than these.",
};
