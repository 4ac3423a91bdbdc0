import { z } from "zod";
import { addAlert, reportCondition, setAlertState } from "../alerts/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { defineTable, transact, untilUsed } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS, plural } from "../../base/time.ts";
import type { LowBalance } from "./low_balance.ts";
import type { BankErrorCode } from "./provider.ts";
import type { Treasury } from "./treasury.ts";

const outage = z.strictObject({
  /** The time of the first failure since the last successful read. */
  since: z.iso.datetime(),
  /** True if administrators were alerted. */
  alerted: z.boolean(),
});

/** The outages of banks. A row is deleted when the bank responds again. */
export const bankOutages = defineTable({
  prefix: "bank_outages",
  value: outage,
  key: ["organisation"],
  owner: "organisation",
  lifetime: untilUsed("until the bank responds", "bank"),
  per: "organisation",
});

/** Administrators are alerted when a bank has been unreachable for this long. */
const OUTAGE_MS = HOUR_MS;

export const BANK_UNREACHABLE = "bank_unreachable";
export const BANK_REJECTED = "bank_rejected";

/**
 * Creates the job that reads each organisation's accounts, alerts its administrators if the bank has
 * not responded for an hour or has rejected the token twice, and marks the alert as done once it responds
 * again. It also checks the balances against the limits that they have set.
 */
export function createOutageJob({ kv, clock, lowBalance, treasuries }: {
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
    const lastResponse = error ? await treasury.lastResponse() : null;
    const continued = await transact(() => update(organisation, error, lastResponse));
    const rejected = { organisation, kind: BANK_REJECTED, problem: "bank" };
    // Once may be a mistake of the bank, but no wait repairs a token.
    await reportCondition(
      { kv, clock },
      rejected,
      error === "auth_failed" && continued !== null ? { error, since: continued } : null,
    );
    if (read === null) return "not connected";
    if (!("accounts" in read)) return read.error;
    const low = await lowBalance.check(organisation, read.accounts);
    return low === 0 ? "responds" : `responds, ${plural(low, "balance")} below the limit`;
  }

  /** Returns since when the bank fails if an earlier run found it too; otherwise null. */
  async function update(
    organisation: OrganisationKey,
    error: BankErrorCode | null,
    lastResponse: string | null,
  ) {
    const now = clock();
    const entry = await bankOutages.get(kv, organisation);
    const commit = kv.atomic().check(entry);
    const alert = { organisation, kind: BANK_UNREACHABLE, problem: "bank" };
    // Another read may have succeeded since the last run of the job.
    const isSame = entry.value !== null && (lastResponse ?? "") < entry.value.since;
    if (entry.value?.alerted && (error === null || !isSame)) {
      await setAlertState(kv, commit, alert, { state: "done", by: null, now });
    }
    if (error === null) {
      if (entry.value === null) return { result: null };
      bankOutages.deleteAt(commit, [organisation], entry.value);
      return { result: null, commit };
    }
    const outage = isSame ? entry.value! : { since: new Date(now).toISOString(), alerted: false };
    const isLong = now - Date.parse(outage.since) >= OUTAGE_MS;
    if (!outage.alerted && isLong && error !== "auth_failed") {
      const details = { error, since: outage.since };
      await addAlert(kv, commit, { ...alert, details }, now);
      bankOutages.put(commit, [organisation], { ...outage, alerted: true });
    } else if (!isSame) bankOutages.put(commit, [organisation], outage);
    return { result: isSame ? outage.since : null, commit };
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
