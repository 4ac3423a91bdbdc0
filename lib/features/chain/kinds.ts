/** One kind of event: its meaning in the standard, and what it causes on this site (spec section 6). */
interface Kind {
  meaning: string;
  /** Its name in the holder's access log, if an entry says who caused it. */
  logged?: string;
  pushed?: Push;
}

/** A notification of the holder's devices. */
export interface Push {
  text: string;
  /** When it is sent, for the page on which the holder chooses. */
  when: string;
  /** The lowest trust level at which it is sent. Default: 1 */
  level?: number;
}

/** The current version of the standard, which has only these kinds. */
export const STANDARD_VERSION = "1.1";

/** The event kinds of a chain. */
const KINDS = {
  hash_generated: {
    meaning: "The record's hash was computed and its chain began.",
  },
  email_confirmed: {
    meaning: "The email address in the record was confirmed by its holder.",
    logged: "Email address confirmed",
    pushed: { text: "Email verified ✓", when: "when your email address is confirmed" },
  },
  sms_confirmed: {
    meaning: "The mobile number in the record was confirmed by a code sent to it.",
  },
  k2_delivered: {
    meaning: "The record's key was delivered to the holder.",
    pushed: { text: "Your key has been delivered", when: "when you are shown a new key" },
  },
  record_verified: {
    meaning: "The record was verified against its hash and chain.",
    logged: "Record verified by a reader",
    pushed: {
      text: "Your record was just verified",
      when: "when somebody verifies your record with your key",
    },
  },
  document_viewed: {
    meaning: "A document that belongs to the record was viewed.",
    logged: "Document viewed",
    pushed: {
      text: "Your compliance record was accessed",
      when: "when somebody opens one of your documents (from level 3)",
      level: 3,
    },
  },
  document_downloaded: {
    meaning: "A document that belongs to the record was downloaded.",
    logged: "Document downloaded",
  },
  document_printed: {
    meaning: "A document that belongs to the record was printed.",
    logged: "Document printed",
  },
  document_verified: {
    meaning: "A document was verified against its registered SHA-256 hash.",
    logged: "A reader's file matched a document",
  },
  access_requested: {
    meaning: "Access to the record or to one of its documents was requested.",
    logged: "Access requested",
  },
} as const satisfies Record<string, Kind>;

type Kinds = typeof KINDS;

export type EventKind = keyof Kinds;

/** The kinds that have an effect, such as `pushed`. */
type KindsWith<Effect extends keyof Kind> = {
  [Name in EventKind]: Kinds[Name] extends Record<Effect, unknown> ? Name : never;
}[EventKind];

export type PushKind = KindsWith<"pushed">;

/** The event kinds with their meanings, in the order of the standard. */
export const EVENT_KINDS = Object.entries(KINDS)
  .map(([kind, { meaning }]) => ({ kind: kind as EventKind, meaning }));

const effects = <Effect extends "logged" | "pushed">(effect: Effect) =>
  Object.fromEntries(
    Object.entries<Kind>(KINDS).flatMap(([kind, row]) =>
      row[effect] === undefined ? [] : [[kind, row[effect]]]
    ),
  ) as Readonly<Record<KindsWith<Effect>, NonNullable<Kind[Effect]>>>;

/** The names of events in the access log. */
export const LOGGED_EVENTS = effects("logged");

/** The notifications of events. */
export const PUSHES = effects("pushed");
