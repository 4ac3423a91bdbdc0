/** The metrics of background jobs and outboxes. */
import { SECOND_MS } from "../../base/time.ts";
import { gauge, type ReadGauges, sample } from "../telemetry/mod.ts";
import type { Jobs } from "./jobs.ts";
import { readOutbox } from "./outbox_rows.ts";

const jobAge = gauge(
  "job_age_seconds",
  "Time since the last run of a job ended, in any process.",
  { task: null },
);
const jobPeriod = gauge("job_period_seconds", "How often a job should run.", { task: null });
const jobOk = gauge(
  "job_ok",
  "1 if the last run of a job succeeded; 0 if it failed or its process died.",
  { task: null },
);

/** The gauges of {@link jobGauges}. */
export const JOB_METRICS = [jobAge, jobPeriod, jobOk];

/** Returns the function that reads the gauges of all jobs. */
export const jobGauges = (
  { jobs, clock }: { jobs: Jobs; clock: () => number },
): ReadGauges =>
async () =>
  (await jobs.states()).flatMap(({ name: task, everyMs, lastRun }) => {
    const period = sample(jobPeriod, everyMs / SECOND_MS, { task });
    if (lastRun === null) return [period];
    const { started, finished, outcome } = lastRun;
    const age = Math.max(0, clock() - Date.parse(finished ?? started)) / SECOND_MS;
    const succeeded = outcome === "done" || outcome === "stopped";
    return [period, sample(jobAge, age, { task }), sample(jobOk, succeeded ? 1 : 0, { task })];
  });

const waiting = gauge(
  "outbox_waiting",
  "Messages that have not been sent yet; at most 100 are counted.",
  { channel: null },
);
const oldest = gauge(
  "outbox_oldest_seconds",
  "The age of the oldest message that has not been sent yet; 0 if there is none.",
  { channel: null },
);
const dead = gauge(
  "outbox_dead",
  "Messages that were given up and are still stored; at most 100 are counted.",
  { channel: null },
);

/** The gauges of every feature with an outbox. */
export const OUTBOX_METRICS = [waiting, oldest, dead];

/** Returns the function that reads the gauges of a channel's outbox. */
export const outboxGauges = (
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  channel: string,
): ReadGauges =>
async () => {
  const now = clock();
  const state = await readOutbox(kv, channel, now);
  const since = state.waitingSince;
  const age = since === null ? 0 : Math.max(0, now - Date.parse(since)) / SECOND_MS;
  return [
    sample(waiting, state.waiting, { channel }),
    sample(oldest, age, { channel }),
    sample(dead, state.dead, { channel }),
  ];
};
