import type { EventKind } from "../chain/mod.ts";
import type { Level } from "../records/mod.ts";

interface Pushed {
  text: string;
  /** When it is sent, for the page on which the holder chooses. */
  when: string;
  /** The lowest level at which it is sent. Default: 1 */
  level?: Level;
}

/** The kinds of events that are pushed (spec section 6). */
const PUSHED = {
  email_confirmed: {
    text: "Email verified ✓",
    when: "when your email address is confirmed",
  },
  k2_delivered: {
    text: "Your key has been delivered",
    when: "when you are shown a new key",
  },
  record_verified: {
    text: "Your record was just verified",
    when: "when somebody verifies your record with your key",
  },
  document_viewed: {
    text: "Your compliance record was accessed",
    when: "when somebody opens one of your documents (from level 3)",
    level: 3,
  },
} as const satisfies Partial<Record<EventKind, Pushed>>;

export type PushKind = keyof typeof PUSHED;

export const PUSHES: Readonly<Record<PushKind, Pushed>> = PUSHED;

export const PUSH_KINDS = Object.keys(PUSHES) as PushKind[];

export const TEST_TEXT = "This is a test notification";

export const isPushKind = (kind: string): kind is PushKind => Object.hasOwn(PUSHES, kind);

export const isPushedAt = (kind: PushKind, level: Level): boolean =>
  level >= (PUSHES[kind].level ?? 1);
