/** The metrics of the public log: size, waiting entries, age of the checkpoint, and witnesses. */
import { SECOND_MS } from "../../base/time.ts";
import { gauge, type ReadGauges, sample } from "../../platform/telemetry/mod.ts";
import type { Witness } from "./store/ask_witness.ts";
import { countPending } from "./store/pending.ts";
import { readStatus } from "./store/status.ts";

const entries = gauge("log_entries", "Entries of the public log's tree.", {});
const pending = gauge(
  "log_pending",
  "Entries that are not in the public log's tree yet; at most 1,000 are counted.",
  {},
);
const delay = gauge(
  "log_delay_seconds",
  "How long the oldest entry has been waiting for the public log, without those of a log that has begun again; 0 if none is.",
  {},
);
const checkpointAge = gauge(
  "log_checkpoint_age_seconds",
  "Time since the public log signed its newest published checkpoint.",
  {},
);
const halted = gauge("log_halted", "1 if the public log is halted; 0 if it is not.", {});
const witnessAge = gauge(
  "log_witness_age_seconds",
  "Time since a witness last countersigned the public log.",
  { witness: null },
);

export const LOG_METRICS = [entries, pending, delay, checkpointAge, halted, witnessAge];

export const logGauges = (
  { kv, clock, publicLog }: {
    kv: Deno.Kv;
    clock: () => number;
    publicLog: { origin: string; witnesses(): Promise<readonly Witness[]> };
  },
): ReadGauges =>
async () => {
  const [status, waiting] = await Promise.all([readStatus(kv, publicLog), countPending(kv)]);
  const since = (time: string) => Math.max(0, clock() - Date.parse(time)) / SECOND_MS;
  const { published, waitingSince } = status;
  return [
    sample(entries, status.size, {}),
    sample(pending, waiting, {}),
    sample(delay, waitingSince === null ? 0 : since(waitingSince), {}),
    sample(halted, status.halted === null ? 0 : 1, {}),
    ...published === null ? [] : [sample(checkpointAge, since(published.signed_at), {})],
    ...status.witnesses.flatMap(({ name, at }) =>
      at === null ? [] : [sample(witnessAge, since(at), { witness: name })]
    ),
  ];
};
