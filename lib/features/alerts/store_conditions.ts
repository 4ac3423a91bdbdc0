/** Alerts about the store itself: a full disk, a replaced store and no response. */
import { actNow } from "../../platform/alert_kind.ts";
import type { StoreGuard, StoreState } from "../../platform/store/mod.ts";
import { type Condition, type ConditionRow, follow } from "./condition.ts";
import type { NewAlert } from "./store.ts";

const DISK_FULL = "disk_full";
const STORE_CHANGED = "store_changed";
const STORE_SILENT = "store_silent";

/** The alerts about the store, which each process notices by itself and mails without the store. */
export const STORE_ALERTS = {
  [DISK_FULL]: actNow("Disk full", "site"),
  [STORE_CHANGED]: actNow("Store has changed", "site"),
  [STORE_SILENT]: actNow("Store does not respond", "site", { quoted: ["reason"] }),
};

/** A KV server may restart, so the store has to fail three checks in succession. */
const SILENT: Condition = { kind: STORE_SILENT, raiseAfter: { times: 3 } };

export type StoreCondition = Pick<NewAlert, "kind" | "problem" | "details">;

/** The words of mails about a store that cannot be used: each reason has its own remedy. */
const REASONS: Readonly<Partial<Record<StoreState, string>>> = {
  no_response: "no response",
  error: "it reports errors",
  store_refused: "its server refuses the access token",
  store_read_only: "its server accepts no writes",
};

/**
 * Creates the function that returns what is wrong with the store after a check of it. It follows the silence of the
 * store in memory, because nothing can be stored.
 */
export function createStoreConditions(
  { store, clock }: { store: Pick<StoreGuard, "disk">; clock: () => number },
): (state: StoreState) => StoreCondition[] {
  let silence: ConditionRow | null = null;
  const condition = (
    kind: keyof typeof STORE_ALERTS,
    isTrue: boolean,
    details?: StoreCondition["details"],
  ): StoreCondition[] =>
    isTrue ? [{ kind, problem: "store", ...details === undefined ? {} : { details } }] : [];
  return (state) => {
    const responds = state === "ok" || state === "changed";
    silence = follow(SILENT, silence, { state: responds ? "ok" : "bad" }, clock()).after;
    return [
      ...condition(STORE_CHANGED, state === "changed"),
      ...condition(STORE_SILENT, silence?.raised ?? false, { reason: REASONS[state] ?? state }),
      ...condition(DISK_FULL, store.disk !== null),
    ];
  };
}
