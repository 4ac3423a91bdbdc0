import { actNow, inMorning } from "../../platform/alert_kind.ts";
import type { Alerts } from "../alerts/mod.ts";
import { MONITOR_PATH } from "./responses.ts";
import { originHash } from "./rows.ts";
import type { WitnessFault } from "./witness.ts";

/** The kinds of alerts. */
export const WITNESS_ALERTS = {
  log_forked: actNow("Log forked", "console", { quoted: ["origin"] }),
  witness_lost: inMorning("Witness has lost its store"),
} as const;

interface Dependencies {
  alerts: Alerts;
  /** The start of the witness's addresses, without a slash; null if they are not served here. */
  url: string | null;
}

/** Reports a fault in the console of the foundation, to which the witness belongs. */
export async function reportFault(
  { alerts, url }: Dependencies,
  { kind, origin, size }: WitnessFault,
): Promise<void> {
  const evidence = `${url ?? ""}${MONITOR_PATH}/${originHash(origin)}/refused`;
  await alerts.reportAnyway([{
    organisation: "foundation",
    kind: kind === "forked" ? "log_forked" : "witness_lost",
    problem: originHash(origin),
    details: { origin, size, evidence },
  }]);
}
