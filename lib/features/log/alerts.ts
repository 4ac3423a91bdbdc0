import { ifWritable, transact } from "../../platform/kv/mod.ts";
import { addAlert } from "../alerts/mod.ts";
import type { HaltedRow } from "./store/tables.ts";

const LOG_REFUSED = "log_refused";

/** The kinds of alerts, with their names. */
export const LOG_ALERTS = { [LOG_REFUSED]: "Public log refused by a witness" };

/** The most of a witness's response that an alert keeps. */
const MOST_KEPT = 500;

/** Reports in both consoles that a witness has seen another tree, with the evidence. */
export async function reportRefusal(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  { by, checkpoint, response }: Omit<HaltedRow, "at">,
): Promise<void> {
  await ifWritable(() =>
    transact(async () => {
      const commit = kv.atomic();
      for (const organisation of ["foundation", "commercial"] as const) {
        await addAlert(kv, commit, {
          organisation,
          kind: LOG_REFUSED,
          problem: by,
          details: { witness: by, checkpoint, response: response.slice(0, MOST_KEPT) },
        }, clock());
      }
      return { result: undefined, commit };
    })
  );
}
