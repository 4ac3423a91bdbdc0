/**
 * The states of an enquiry, and what leads from one to another. No change of a state sends a mail.
 *
 * - A new enquiry is open once somebody takes it or writes a note.
 * - A reply answers it, in any state. If the reply is taken back before it is sent, the enquiry has its earlier
 *   state and owner again. If the reply cannot be delivered, it is open again.
 * - Closing and reopening are possible at any time.
 */
export const STATES = {
  new: "New",
  open: "Open",
  answered: "Answered",
  closed: "Closed",
} as const;

export type EnquiryState = keyof typeof STATES;

/** An event of an enquiry. `released`: it no longer has an owner. `unsent`: a reply was taken back. */
export const CHANGES = [
  "taken",
  "released",
  "noted",
  "replied",
  "unsent",
  "not_delivered",
  "closed",
  "reopened",
] as const;

export type EnquiryChange = typeof CHANGES[number];

export function stateAfter(change: EnquiryChange, before: EnquiryState): EnquiryState {
  switch (change) {
    case "taken":
    case "noted":
      return before === "new" ? "open" : before;
    case "released":
    case "unsent":
      return before;
    case "replied":
      return "answered";
    case "closed":
      return "closed";
    case "not_delivered":
    case "reopened":
      return "open";
  }
}

/** Returns whether an enquiry waits for somebody of the organisation. */
export const isWaiting = (state: EnquiryState): boolean => state === "new" || state === "open";
