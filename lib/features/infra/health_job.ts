import { z } from "zod";
import { addAlert, setAlertState } from "../alerts/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { ALWAYS, defineTable, transact, untilUsed } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { type HealthKind, type Reading, reading, readingsOf } from "./readings.ts";

const healthRow = z.strictObject({
  at: z.iso.datetime(),
  /** The process that measured; the others have their own memory. */
  process: z.string(),
  readings: z.array(reading),
  /** When the certificates were read, ISO 8601; null if they never were. */
  certificates_at: z.iso.datetime().nullable(),
});

export type HealthRow = z.infer<typeof healthRow>;

/** The last readings, which every process shows. */
export const healthTable = defineTable({
  prefix: "health",
  value: healthRow,
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

export const readHealth = async (kv: Deno.Kv): Promise<HealthRow | null> =>
  (await healthTable.get(kv)).value;

const problem = z.strictObject({
  /** The number of successive checks that found it, or no longer found it. */
  bad: z.int(),
  ok: z.int(),
  alerted: z.boolean(),
});

type Problem = z.infer<typeof problem>;

/** Readings that are or were bad. */
export const healthProblems = defineTable({
  prefix: "health_problems",
  value: problem,
  key: ["organisation", "reading"],
  owner: "organisation",
  lifetime: untilUsed("until the problem has ended", "health"),
  per: "problem",
});

/** The number of successive bad checks that raise an alert; the values of some change for a moment. */
const RAISE_AFTER: Record<HealthKind, number> = {
  service_down: 2,
  disk_low: 1,
  memory_low: 3,
  backup_old: 1,
  clock_off: 2,
  certificate_ends: 1,
  certificate_urgent: 1,
  messages_waiting: 1,
  job_failing: 2,
  log_halted: 1,
  log_late: 1,
  // Entries can be added to the tree at the moment of a check, and are published some seconds later.
  log_still: 2,
  witness_missing: 1,
};
/** The number of successive good checks that resolve it. */
const RESOLVE_AFTER = 2;

const HEALTH_JOB = "health";

/**
 * Creates the job that measures everything every five minutes, stores the readings for the page and
 * the metrics, and raises or resolves the alerts of both consoles.
 */
export function createHealthJob({ kv, clock, measure }: {
  kv: Deno.Kv;
  clock: () => number;
  measure(previous: HealthRow | null, signal: AbortSignal): Promise<Omit<HealthRow, "at">>;
}): Job {
  return {
    name: HEALTH_JOB,
    title: "Measuring the health of the site",
    everyMs: 5 * MINUTE_MS,
    maxMs: 2 * MINUTE_MS,
    async run({ signal }) {
      const measured = await measure(await readHealth(kv), signal);
      await kv.set(healthTable.key(), { at: new Date(clock()).toISOString(), ...measured });
      for (const organisation of ["foundation", "commercial"] as const) {
        await updateAlerts(organisation, readingsOf(measured.readings, organisation));
      }
      const bad = measured.readings.filter(({ state }) => state === "bad").length;
      return `${measured.readings.length} readings, ${bad} bad`;
    },
  };

  async function updateAlerts(organisation: OrganisationKey, readings: Reading[]): Promise<void> {
    const found = new Set(readings.map(({ id }) => id));
    for (const one of readings) await update(organisation, one);
    // What is no longer measured, such as an empty queue or a removed relay, is no problem.
    for await (const { key } of healthProblems.list(kv, [organisation])) {
      const id = String(key[2]);
      if (!found.has(id)) await update(organisation, { ...GONE, id, kind: kindOf(id) });
    }
  }

  async function update(
    organisation: OrganisationKey,
    { id, kind, name, text, at, state }: Pick<
      Reading,
      "id" | "kind" | "name" | "text" | "at" | "state"
    >,
  ): Promise<void> {
    if (state === "near" || state === "unknown") return;
    await transact(async () => {
      const entry = await healthProblems.get(kv, organisation, id);
      const { value } = entry;
      if (state === "ok" && value === null) return { result: undefined };
      const next: Problem = state === "bad"
        ? { bad: (value?.bad ?? 0) + 1, ok: 0, alerted: value?.alerted ?? false }
        : { bad: 0, ok: value!.ok + 1, alerted: value!.alerted };
      const commit = kv.atomic().check(entry);
      const alert = { organisation, kind, problem: id };
      const now = clock();
      if (state === "bad" && !next.alerted && next.bad >= RAISE_AFTER[kind]) {
        const details = { name, found: text, ...at === null ? {} : { at } };
        await addAlert(kv, commit, { ...alert, details }, now);
        next.alerted = true;
      }
      const ended = state === "ok" && (!next.alerted || next.ok >= RESOLVE_AFTER);
      if (ended && next.alerted) {
        await setAlertState(kv, commit, alert, { state: "done", by: null, now });
      }
      if (ended) healthProblems.deleteAt(commit, [organisation, id], value!);
      else healthProblems.put(commit, [organisation, id], next);
      return { result: undefined, commit };
    });
  }
}

const GONE = { name: "", text: "", at: null, state: "ok" } as const;
const kindOf = (id: string) => id.split(":")[0] as HealthKind;
