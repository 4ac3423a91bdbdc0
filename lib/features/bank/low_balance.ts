/**
 * The alerts about balances below the limits that administrators set.
 *
 * @module
 */
import { z } from "zod";
import {
  addObservation,
  atLeast,
  type Condition,
  conditions,
  type Observation,
} from "../alerts/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { ALWAYS, defineTable, transact } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { formatAmount, toAmount, toCents } from "./money.ts";
import type { Account } from "./provider.ts";
import type { Treasury } from "./treasury.ts";

const limit = z.strictObject({
  /** Cents. */
  below: z.bigint(),
});

/** The balances below which administrators are alerted, by account. */
export const balanceLimits = defineTable({
  prefix: "balance_limits",
  value: limit,
  key: ["organisation", "account"],
  owner: "organisation",
  lifetime: ALWAYS,
  per: "account with a limit",
});

export const BALANCE_LOW = "balance_low";

const balanceLow: Condition = { kind: BALANCE_LOW };

/**
 * An alert ends only once the balance is this much above the limit, so that a balance that moves
 * around the limit does not raise one alert after the other: 1%.
 */
const margin = (below: bigint): bigint => (below < 0n ? -below : below) / 100n;

/** Longer ids would not fit into a key. */
const MAX_ID_LENGTH = 100;

/** An active account with its limit in dollars; null if it has none. */
export interface AccountLimit {
  account: Account;
  below: number | null;
  low: boolean;
}

export type LowBalance = ReturnType<typeof createLowBalance>;

/** Alerts administrators when the balance of an account falls below the limit that they set. */
export function createLowBalance({ kv, clock, treasuries }: {
  kv: Deno.Kv;
  clock: () => number;
  treasuries: Record<OrganisationKey, Pick<Treasury, "accounts">>;
}) {
  const problemOf = (organisation: OrganisationKey, account: string) => ({
    condition: balanceLow,
    organisation,
    problem: account,
  });

  return {
    /** Returns the accounts that can have a limit; the last known ones if the bank fails. */
    async limits(organisation: OrganisationKey, accounts: readonly Account[]) {
      const able = accounts.filter(canHaveLimit);
      const [low, limits] = await Promise.all([
        Array.fromAsync(conditions.list(kv, [organisation, BALANCE_LOW]), ({ key }) => key.at(-1)),
        Promise.all(able.map(({ id }) => balanceLimits.get(kv, organisation, id))),
      ]);
      return able.map((account, i): AccountLimit => {
        const { value } = limits[i];
        const below = value === null ? null : toAmount(value.below);
        return { account, below, low: low.includes(account.id) };
      });
    },

    /**
     * Sets or removes the limit of an account, and checks its balance at once if it is current.
     *
     * @param below dollars; null removes the limit
     * @param by the administrator's email address
     */
    async set(
      organisation: OrganisationKey,
      { account: id, below, by }: { account: string; below: number | null; by: string },
    ): Promise<{ ok: true } | Failure<"not_found" | "not_connected">> {
      const listed = await treasuries[organisation].accounts();
      if (listed.connection_status !== "live") {
        return fail("not_connected", { message: "The bank’s accounts could not be read." });
      }
      const account = listed.accounts.find((one) => one.id === id && canHaveLimit(one));
      if (account === undefined) {
        return fail("not_found", { message: "The bank does not list this account as active." });
      }
      await transact(async () => {
        const entry = await balanceLimits.get(kv, organisation, id);
        const commit = kv.atomic().check(entry);
        const now = clock();
        if (below === null) {
          if (entry.value === null) return { result: undefined };
          balanceLimits.deleteAt(commit, [organisation, id], entry.value);
        } else balanceLimits.put(commit, [organisation, id], { below: toCents(below) });
        const observed: Observation = below === null
          ? { state: "gone" }
          : observationOf(account, toCents(below), 0n);
        await addObservation(kv, commit, problemOf(organisation, id), observed, now);
        const action = "balance_limit_set";
        const detail = below === null ? "no limit" : `below ${formatAmount(below)}`;
        addAudit(commit, { organisation, by, action, object: { account: id }, detail }, now);
        return { result: undefined, commit };
      });
      return { ok: true };
    },

    /**
     * Checks accounts that the bank has just sent against their limits.
     *
     * @returns the number of accounts below their limit
     */
    async check(organisation: OrganisationKey, accounts: readonly Account[]): Promise<number> {
      let count = 0;
      for (const account of accounts.filter(canHaveLimit)) {
        const low = await transact(async () => {
          const entry = await balanceLimits.get(kv, organisation, account.id);
          if (entry.value === null) return { result: false };
          const commit = kv.atomic().check(entry);
          const { below } = entry.value;
          const observed = observationOf(account, below, margin(below));
          const problem = problemOf(organisation, account.id);
          const { changed, after } = await addObservation(kv, commit, problem, observed, clock());
          const result = after !== null;
          return changed ? { result, commit } : { result };
        });
        if (low) count++;
      }
      return count;
    },
  };
}

const canHaveLimit = ({ id, status }: Account): boolean =>
  status === "active" && id !== "" && id.length <= MAX_ID_LENGTH;

/** Compares the balance of an account with its limit in cents. The alert ends that far above the limit. */
function observationOf(
  { nickname, last4, balance, status }: Account,
  below: bigint,
  clearance: bigint,
): Observation {
  if (balance === null || status !== "active") return { state: "near" };
  const state = atLeast(toCents(balance), { bad: below, ok: below + clearance });
  if (state !== "bad") return { state };
  return { state, details: { name: nickname, last4, balance, below: toAmount(below) } };
}
