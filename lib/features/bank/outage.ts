/**
 * The job that checks the banks, and alerts when one does not respond.
 *
 * @module
 */
import { type Condition, type Observation, observe } from "../alerts/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { ifWritable } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS, plural } from "../../base/time.ts";
import type { LowBalance } from "./low_balance.ts";
import type { Treasury } from "./treasury.ts";

export const BANK_UNREACHABLE = "bank_unreachable";
export const BANK_REJECTED = "bank_rejected";

/** The bank has not responded for an hour. */
const unreachable: Condition = { kind: BANK_UNREACHABLE, raiseAfter: { ms: HOUR_MS } };
/** The bank has rejected the token in a check after one that failed too. */
const rejected: Condition = { kind: BANK_REJECTED, reopens: true };

/**
 * Creates the job that reads each organisation's accounts, alerts its administrators if the bank has
 * not responded for an hour or has rejected the token twice, and marks the alert as done once it responds
 * again. It also checks the balances against the limits that they have set.
 */
export function createOutageJob({ lowBalance, treasuries, ...deps }: {
  kv: Deno.Kv;
  clock: () => number;
  lowBalance: Pick<LowBalance, "check">;
  treasuries: Record<OrganisationKey, Pick<Treasury, "probe" | "lastResponse">>;
}): Job {
  /** Returns the state of an organisation's bank for the console. */
  async function check(organisation: OrganisationKey): Promise<string> {
    const treasury = treasuries[organisation];
    const read = await treasury.probe();
    const error = read !== null && "error" in read ? read.error : null;
    const problem = { organisation, problem: "bank" };
    const outage: Observation = error === null ? { state: "ok" } : {
      state: "bad",
      // No wait repairs a token, which has an alert of its own.
      raises: error !== "auth_failed",
      // Another read may have succeeded since the last run of the job.
      goodAt: await treasury.lastResponse(),
      details: (since) => ({ error, since }),
    };
    const { before } = await observe(deps, { condition: unreachable, ...problem }, outage);
    // Once may be a mistake of the bank.
    const rejection: Observation = error === "auth_failed" && before !== null
      ? { state: "bad", details: { error, since: before.since } }
      : { state: "ok" };
    await ifWritable(() => observe(deps, { condition: rejected, ...problem }, rejection));
    if (read === null) return "not connected";
    if (!("accounts" in read)) return read.error;
    const low = await lowBalance.check(organisation, read.accounts);
    return low === 0 ? "responds" : `responds, ${plural(low, "balance")} below the limit`;
  }

  return {
    name: "bank",
    title: "Checking the bank",
    everyMs: 5 * MINUTE_MS,
    maxMs: MINUTE_MS,
    async run() {
      const states = await Promise.all(
        (["foundation", "commercial"] as const).map(async (organisation) =>
          `${organisation}: ${await check(organisation)}`
        ),
      );
      return states.join(", ");
    },
  };
}
