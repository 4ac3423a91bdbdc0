/** Measures the health of the deployment: disk, memory, backups, queues, jobs, log and certificates. */
import type { JobState } from "../../platform/jobs/mod.ts";
import { diskSpace, isFile } from "../../platform/kv/mod.ts";
import { MAIL_CHANNEL, MAIL_KINDS } from "../../platform/mail/mod.ts";
import { readBackup, readMarker } from "../../platform/store/mod.ts";
import type { Surfaces } from "../../platform/surfaces/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import { readCertificates } from "./certificates.ts";
import type { ClockWatch } from "./clock_watch.ts";
import type { LogStatus } from "../log/mod.ts";
import type { HealthRow } from "./health_job.ts";
import { logReadings } from "./log_readings.ts";
import type { InfraNode } from "./map.ts";
import { type Queue, readQueues } from "./queues.ts";
import {
  backupReading,
  certificateReadings,
  CERTIFICATES,
  clockReading,
  diskReading,
  jobReadings,
  memoryReading,
  queueReadings,
  type Reading,
  serviceReadings,
} from "./readings.ts";

export interface MeasureDeps {
  config: {
    env: "development" | "production";
    kvPath: string | undefined;
    relays: { all: readonly { host: string }[] };
  };
  kv: Deno.Kv;
  clock: () => number;
  surfaces: Surfaces;
  jobs: { states(): Promise<JobState[]> };
  clockWatch: Pick<ClockWatch, "offsets">;
  /** Checks all services, and waits for the results. */
  services: () => Promise<readonly InfraNode[]>;
  /** Reads the state of the public log. */
  logStatus: () => Promise<LogStatus>;
  /** Identifies the process in the log. */
  instance: string;
  /** Where hosts are reached, for tests. Default: their own addresses. */
  certificateAddress?: string;
  /** Returns the memory that the process uses, in bytes, for tests. */
  memoryUsed?: () => number;
}

/** Hosts are asked for their certificates this often, and after an hour if one could not be reached. */
const CERTIFICATES_MS = { read: 6 * HOUR_MS, unread: HOUR_MS };
/** They are due a little earlier, because the job does not run to the second, and would else wait for its next run. */
const MARGIN_MS = MINUTE_MS;

/** Measures everything. Each part takes a few seconds at most, and none fails because of another one. */
export async function measure(
  deps: MeasureDeps,
  previous: HealthRow | null,
  signal: AbortSignal,
): Promise<Omit<HealthRow, "at">> {
  const { config: { env, kvPath }, kv, clock } = deps;
  const now = clock();
  const remote = !isFile(kvPath);
  const known = previous?.readings.filter(({ kind }) => CERTIFICATES.includes(kind)) ?? [];
  const every = CERTIFICATES_MS[known.some(({ state }) => state === "unknown") ? "unread" : "read"];
  const isDue = now - Date.parse(previous?.certificates_at ?? "1970-01-01") >= every - MARGIN_MS;
  // First, because the clock's offsets come from the responses.
  const nodes = await deps.services();
  const [space, backup, marker, queues, jobs, log, certificates] = await Promise.all([
    diskSpace(kvPath),
    readBackup(kv),
    readMarker(kv),
    readQueues(kv, now),
    deps.jobs.states(),
    deps.logStatus(),
    env === "production" && isDue
      ? readCertificates(originsOf(deps), signal, deps.certificateAddress)
      : null,
  ]);
  return {
    process: deps.instance,
    certificates_at: certificates === null
      ? previous?.certificates_at ?? null
      : new Date(now).toISOString(),
    readings: [
      ...serviceReadings(nodes),
      diskReading(space, remote),
      memoryReading(deps.memoryUsed?.() ?? Deno.memoryUsage().rss, await machineMemory()),
      backupReading(backup, {
        remote,
        since: marker?.created_at ?? null,
        expected: env === "production",
        now,
      }),
      clockReading(deps.clockWatch.offsets()),
      ...certificates === null
        ? agedCertificates(known, now)
        : certificateReadings(certificates, now),
      ...queueReadings(queues, queueName, now),
      ...jobReadings(jobs, now),
      ...logReadings(log, now),
    ],
  };
}

/** Returns the earlier readings of certificates, with the days that are left now. */
const agedCertificates = (readings: readonly Reading[], now: number): Reading[] =>
  certificateReadings(
    readings.map(({ id, at }) => ({ host: id.slice(id.indexOf(":") + 1), until: at })),
    now,
  );

/** Returns the HTTPS origins that this deployment serves, relays included. */
function originsOf({ surfaces, config }: MeasureDeps): string[] {
  const origins = [
    ...surfaces.all.flatMap(({ servesAll, baseUrl }) => servesAll ? [] : [baseUrl]),
    ...config.relays.all.map(({ host }) => `https://${host}`),
  ];
  return [...new Set(origins)].filter((origin) => origin.startsWith("https:"));
}

const queueName = ({ channel, kind }: Queue): string => {
  const name = channel === MAIL_CHANNEL ? MAIL_KINDS[kind as keyof typeof MAIL_KINDS] : undefined;
  return `${channel === MAIL_CHANNEL ? "Mail" : "Notifications"}: ${name ?? (kind || "other")}`;
};

/** Returns the memory of the machine; undefined if the process may not ask for it. */
async function machineMemory(): Promise<{ total: number; available: number } | undefined> {
  const { state } = await Deno.permissions.query({ name: "sys", kind: "systemMemoryInfo" });
  return state === "granted" ? Deno.systemMemoryInfo() : undefined;
}
