/** The alerts about the public log and its witnesses, for both consoles. */
import { actNow, inMorning } from "../../platform/alert_kind.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import type { Alerts } from "../alerts/mod.ts";
import type { HaltedRow } from "./store/tables.ts";

const LOG_REFUSED = "log_refused";
const LOG_UNCONFIRMED = "log_unconfirmed";

/** The kinds of alerts. */
export const LOG_ALERTS = {
  [LOG_REFUSED]: actNow("Public log refused by a witness", "site", {
    quoted: ["witness"],
    cause: "log",
  }),
  [LOG_UNCONFIRMED]: inMorning("Public log continues without its witnesses"),
};

/** The most of a witness's response that an alert keeps. */
const MOST_KEPT = 500;

/** Reports in both consoles that a witness has seen another tree, with the evidence. */
export const reportRefusal = (
  alerts: Alerts,
  { by, checkpoint, response }: Omit<HaltedRow, "at">,
): Promise<void> => {
  const details = { witness: by, checkpoint, response: response.slice(0, MOST_KEPT) };
  return report(alerts, LOG_REFUSED, by, details);
};

/** Reports in both consoles that the log goes on although none of its witnesses has answered. */
export const reportUnconfirmed = (
  alerts: Alerts,
  witnesses: readonly string[],
): Promise<void> => {
  const names = witnesses.join(", ");
  return report(alerts, LOG_UNCONFIRMED, names, { witnesses: names });
};

const report = (
  alerts: Alerts,
  kind: keyof typeof LOG_ALERTS,
  problem: string,
  details: Record<string, string>,
): Promise<void> =>
  alerts.reportAnyway(
    ORGANISATIONS.map((organisation) => ({ organisation, kind, problem, details })),
  );
