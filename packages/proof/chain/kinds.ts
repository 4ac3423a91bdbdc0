/** One kind of event: its meaning in the standard, and what it causes on this site (spec 6). */
interface Kind {
  /** Its plain name, which people read first wherever events are listed. */
  name: string;
  meaning: string;
  /** True if an entry of the holder's access log says who caused it. */
  logged?: true;
  pushed?: Push;
}

/** A notification of the holder's devices. */
interface Push {
  text: string;
  /** When it is sent, for the page on which the holder chooses. */
  when: string;
  /** The lowest trust level at which it is sent. Default: 1 */
  level?: number;
}

/** The current version of the standard, which has only these kinds. */
export const STANDARD_VERSION = "1.2";

/** The event kinds of a chain. */
const KINDS = {
  hash_generated: {
    name: "Record registered",
    meaning: "The record's hash was computed and its chain began.",
  },
  email_confirmed: {
    name: "Email address confirmed",
    meaning: "The email address in the record was confirmed by its holder.",
    logged: true,
    pushed: { text: "Email verified ✓", when: "when your email address is confirmed" },
  },
  sms_confirmed: {
    name: "Mobile number confirmed",
    meaning: "The mobile number in the record was confirmed by a code sent to it.",
  },
  k2_delivered: {
    name: "Key delivered",
    meaning: "The record's key was delivered to the holder.",
    pushed: { text: "Your key has been delivered", when: "when you are shown a new key" },
  },
  record_verified: {
    name: "Record verified",
    meaning: "The record was verified against its hash and chain.",
    logged: true,
    pushed: {
      text: "Your record was just verified",
      when: "when somebody verifies your record with your key",
    },
  },
  document_viewed: {
    name: "Document viewed",
    meaning: "A document that belongs to the record was viewed.",
    logged: true,
    pushed: {
      text: "Your compliance record was accessed",
      when: "when somebody opens one of your documents (from level 3)",
      level: 3,
    },
  },
  document_downloaded: {
    name: "Document downloaded",
    meaning: "A document that belongs to the record was downloaded.",
    logged: true,
  },
  document_printed: {
    name: "Document printed",
    meaning: "A document that belongs to the record was printed.",
    logged: true,
  },
  document_verified: {
    name: "Document checked",
    meaning: "A document was verified against its registered SHA-256 hash.",
    logged: true,
  },
  access_requested: {
    name: "Access requested",
    meaning: "Access to the record or to one of its documents was requested.",
    logged: true,
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

/** The plain names of the event kinds. */
export const EVENT_NAMES = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { name }]) => [kind, name]),
) as Readonly<Record<EventKind, string>>;

/** The events that the access log shows, with their names. */
export const LOGGED_EVENTS = Object.fromEntries(
  Object.entries<Kind>(KINDS).flatMap(([kind, { name, logged }]) => logged ? [[kind, name]] : []),
) as Readonly<Record<KindsWith<"logged">, string>>;

/** The notifications of events. */
export const PUSHES = Object.fromEntries(
  Object.entries<Kind>(KINDS).flatMap(([kind, { pushed }]) => pushed ? [[kind, pushed]] : []),
) as Readonly<Record<PushKind, Push>>;
