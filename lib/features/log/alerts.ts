import { ifWritable, transact } from "../../platform/kv/mod.ts";
import { addAlert } from "../alerts/mod.ts";
import type { HaltedRow } from "./store/tables.ts";

const LOG_REFUSED = "log_refused";
const LOG_UNCONFIRMED = "log_unconfirmed";

/** The kinds of alerts, with their names. */
export const LOG_ALERTS = {
  [LOG_REFUSED]: "Public log refused by a witness",
  [LOG_UNCONFIRMED]: "Public log goes on without its witnesses",
};

/** The most of a witness's response that an alert keeps. */
const MOST_KEPT = 500;

interface Store {
  kv: Deno.Kv;
  clock: () => number;
}

/** Reports in both consoles that a witness has seen another tree, with the evidence. */
export const reportRefusal = (
  store: Store,
  { by, checkpoint, response }: Omit<HaltedRow, "at">,
): Promise<void> => {
  const details = { witness: by, checkpoint, response: response.slice(0, MOST_KEPT) };
  return report(store, LOG_REFUSED, by, details);
};

/** Reports in both consoles that the log goes on although none of its witnesses has answered. */
export const reportUnconfirmed = (
  store: Store,
  witnesses: readonly string[],
): Promise<void> => {
  const names = witnesses.join(", ");
  return report(store, LOG_UNCONFIRMED, names, { witnesses: names });
};

async function report(
  { kv, clock }: Store,
  kind: keyof typeof LOG_ALERTS,
  problem: string,
  details: Record<string, string>,
): Promise<void> {
  await ifWritable(() =>
    transact(async () => {
      const commit = kv.atomic();
      for (const organisation of ["foundation", "commercial"] as const) {
        await addAlert(kv, commit, { organisation, kind, problem, details }, clock());
      }
      return { result: undefined, commit };
    })
  );
}
