import * as z from "./zod.ts";

/**
 * The ten event kinds of a chain, each with its meaning in one line (spec
 * section 6). The vocabulary of version 1.0 is closed: no other kind exists.
 */
export const EVENT_KINDS = [
  {
    kind: "hash_generated",
    meaning: "The record's hash was computed and its chain began.",
  },
  {
    kind: "email_confirmed",
    meaning: "The email address in the record was confirmed by its holder.",
  },
  {
    kind: "sms_confirmed",
    meaning: "The mobile number in the record was confirmed by a code sent to it.",
  },
  {
    kind: "k2_delivered",
    meaning: "The record's key was delivered to the holder.",
  },
  {
    kind: "record_verified",
    meaning: "The record was verified against its hash and chain.",
  },
  {
    kind: "document_viewed",
    meaning: "A document that belongs to the record was viewed.",
  },
  {
    kind: "document_downloaded",
    meaning: "A document that belongs to the record was downloaded.",
  },
  {
    kind: "document_printed",
    meaning: "A document that belongs to the record was printed.",
  },
  {
    kind: "document_verified",
    meaning: "A document was verified against its registered SHA-256 hash.",
  },
  {
    kind: "access_requested",
    meaning: "Access to the record or to one of its documents was requested.",
  },
] as const;

/** The name of an event kind. */
export type EventKind = (typeof EVENT_KINDS)[number]["kind"];

/**
 * Accepts exactly the names in {@link EVENT_KINDS}. A later minor version of the standard may have
 * more, and whoever meets one is to be told so (standard, "Version numbers").
 */
export const eventKindSchema = z.enum(
  EVENT_KINDS.map((entry): EventKind => entry.kind),
  "is none of the ten of version 1.0; a newer verifier may know it",
);
