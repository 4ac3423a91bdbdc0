import { ifWritable, transact } from "../../platform/kv/mod.ts";
import { addAlert } from "../alerts/mod.ts";
import { MONITOR_PATH } from "./responses.ts";
import { originHash } from "./rows.ts";
import type { WitnessFault } from "./witness.ts";

/** The kinds of alerts, with their names. */
export const WITNESS_ALERTS = {
  log_forked: "Log forked",
  witness_lost: "Witness has lost its store",
} as const;

interface Dependencies {
  /** The site's store. */
  kv: Deno.Kv;
  clock: () => number;
  /** The start of the witness's addresses, without a slash; null if they are not served here. */
  url: string | null;
}

/** Reports a fault in the console of the foundation, to which the witness belongs. */
export async function reportFault(
  { kv, clock, url }: Dependencies,
  { kind, origin, size }: WitnessFault,
): Promise<void> {
  const evidence = `${url ?? ""}${MONITOR_PATH}/${originHash(origin)}/refused`;
  await ifWritable(() =>
    transact(async () => {
      const commit = kv.atomic();
      await addAlert(kv, commit, {
        organisation: "foundation",
        kind: kind === "forked" ? "log_forked" : "witness_lost",
        problem: originHash(origin),
        details: { origin, size, evidence },
      }, clock());
      return { result: undefined, commit };
    })
  );
}
