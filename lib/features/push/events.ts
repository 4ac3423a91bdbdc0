import { PUSHES, type PushKind } from "../../../packages/proof/mod.ts";
import type { Level } from "../records/mod.ts";

/** The kinds of events about which devices are notified. */
export const PUSH_KINDS = Object.keys(PUSHES) as PushKind[];

export const TEST_TEXT = "This is a test notification";

export const isPushKind = (kind: string): kind is PushKind => Object.hasOwn(PUSHES, kind);

export const isPushedAt = (kind: PushKind, level: Level): boolean =>
  level >= (PUSHES[kind].level ?? 1);
