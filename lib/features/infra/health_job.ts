/**
 * The job that measures the health of the site, and alerts when a reading stays bad.
 *
 * @module
 */
import { z } from "zod";
import { type Condition, conditions, type Observation, observe } from "../alerts/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { ALWAYS, defineTable } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { HEALTH_ALERTS, type HealthKind, type Reading, reading, readingsOf } from "./readings.ts";

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
/** Every kind is resolved after two successive good checks. */
const conditionOf = (kind: HealthKind): Condition => ({
  kind,
  raiseAfter: { times: RAISE_AFTER[kind] },
  resolveAfter: 2,
});

const HEALTH_JOB = "health";

/**
 * Creates the job that measures everything every five minutes, stores the readings for the page and
 * the metrics, and raises or resolves the alerts of both consoles.
 */
export function createHealthJob({ measure, ...deps }: {
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
      const { kv, clock } = deps;
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
    for (const { kind, id, ...reading } of readings) {
      await observe(
        deps,
        { condition: conditionOf(kind), organisation, problem: id },
        seen(reading),
      );
    }
    // A reading that is no longer taken, such as that of an empty queue or a removed relay, is no problem.
    for await (const { key: [, , kind, problem] } of conditions.list(deps.kv, [organisation])) {
      if (!isHealthKind(kind) || found.has(String(problem))) continue;
      const gone = { condition: conditionOf(kind), organisation, problem: String(problem) };
      await observe(deps, gone, { state: "ok" });
    }
  }
}

function seen({ name, text, at, state }: Omit<Reading, "id" | "kind">): Observation {
  if (state !== "bad") return { state: state === "ok" ? "ok" : "near" };
  return { state, details: { name, found: text, ...at === null ? {} : { at } } };
}

const isHealthKind = (kind: Deno.KvKeyPart): kind is HealthKind =>
  typeof kind === "string" && Object.hasOwn(HEALTH_ALERTS, kind);
