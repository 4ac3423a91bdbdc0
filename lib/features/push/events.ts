import type { ChainEvent } from "../chain/mod.ts";
import type { Level } from "../records/mod.ts";

/** The texts of the kinds of events that are pushed (spec section 6). */
export const PUSH_TEXTS = {
  email_confirmed: "Email verified ✓",
  k2_delivered: "Your key has been delivered",
  record_verified: "Your record was just verified",
  document_viewed: "Your compliance record was accessed",
} as const satisfies Partial<Record<ChainEvent["kind"], string>>;

export type PushKind = keyof typeof PUSH_TEXTS;

export const PUSH_KINDS = Object.keys(PUSH_TEXTS) as PushKind[];

/** The text of a test notification. */
export const TEST_TEXT = "This is a test notification";

/** The lowest level at which a kind is pushed (spec section 6). */
const LOWEST_LEVEL: Partial<Record<PushKind, Level>> = { document_viewed: 3 };

export const isPushKind = (kind: string): kind is PushKind => Object.hasOwn(PUSH_TEXTS, kind);

/** Returns whether a kind is pushed at a level. */
export const isPushedAt = (kind: PushKind, level: Level): boolean =>
  level >= (LOWEST_LEVEL[kind] ?? 1);
