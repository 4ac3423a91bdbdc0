/** Judges health measurements by limits, as readings that consoles show and alerts are raised from. */
import { actNow, inMorning } from "../../platform/alert_kind.ts";
import { atLeast, atMost } from "../alerts/mod.ts";
import { z } from "zod";
import type { LastBackup } from "../../platform/store/mod.ts";
import type { JobState } from "../../platform/jobs/mod.ts";
import type { DiskSpace } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import {
  DAY_MS,
  formatCount,
  HOUR_MS,
  inHours,
  MINUTE_MS,
  plural,
  SECOND_MS,
} from "../../base/time.ts";
import type { Certificate } from "./certificates.ts";
import type { ClockOffset } from "./clock_watch.ts";
import { type InfraNode, LOG_NODE, WITNESS_NODE } from "./map.ts";
import type { Queue } from "./queues.ts";

/** The kinds of problems, which are also those of the alerts. */
export const HEALTH_ALERTS = {
  service_down: inMorning("Service down"),
  disk_low: actNow("Disk almost full", "site", { quoted: ["found"] }),
  memory_low: inMorning("Memory almost used up"),
  backup_old: actNow("No recent backup", "site", { quoted: ["at"] }),
  clock_off: inMorning("Clock is wrong"),
  certificate_ends: inMorning("Certificate expires soon"),
  certificate_urgent: actNow("Certificate expires within a week", "site", {
    quoted: ["name", "found"],
  }),
  messages_waiting: inMorning("Messages are not sent"),
  job_failing: inMorning("Job fails"),
  log_halted: actNow("Public log halted", "site", { cause: "log" }),
  log_late: inMorning("Public log is late"),
  log_still: inMorning("Public log publishes nothing"),
  witness_missing: inMorning("Witness missing"),
} as const;

export type HealthKind = keyof typeof HEALTH_ALERTS;

/** Something that was measured. Its texts are shown, so they contain no addresses or secrets. */
export const reading = z.strictObject({
  /** Identifies it among all readings, such as `job_failing:mail`. */
  id: z.string(),
  kind: z.enum(Object.keys(HEALTH_ALERTS) as [HealthKind, ...HealthKind[]]),
  name: z.string(),
  /**
   * `near`: between the limits of `bad` and `ok`, so an alert is neither raised nor resolved.
   * `unknown`: could not be measured, or is not here.
   */
  state: z.enum(["ok", "near", "bad", "unknown"]),
  text: z.string(),
  /** The time that the text is about, ISO 8601. */
  at: z.string().nullable(),
  /** The only console that shows it; null for both. */
  organisation: z.enum(["foundation", "commercial"]).nullable(),
  /** The value that the metrics report, if they do. */
  value: z.number().nullable(),
});

export type Reading = z.infer<typeof reading>;

/** The limits of the alerts. docs/ops/runbook.md explains them. */
const LIMITS = {
  /** Shares of the disk that are free. */
  disk: { bad: 0.10, ok: 0.12 },
  /** Bytes of the process; the systemd unit limits it to 768 MiB. */
  memory: { bad: 700e6, ok: 600e6 },
  /** Shares of the machine's memory that are available. */
  available: { bad: 0.08, ok: 0.12 },
  /** Some more than a day, so that a daily backup is not late. */
  backupMs: DAY_MS + HOUR_MS,
  clockMs: { bad: 10 * SECOND_MS, ok: 5 * SECOND_MS },
  certificateDays: { bad: 14, ok: 15 },
  /** Below this, somebody has to act now. */
  urgentDays: 7,
  queueMs: { bad: 30 * MINUTE_MS, ok: 15 * MINUTE_MS },
} as const;

/** The kinds of readings about certificates. A certificate has one of them. */
export const CERTIFICATES: readonly HealthKind[] = ["certificate_ends", "certificate_urgent"];

/** Returns a reading whose value is not known yet. */
export const unknownReading = (kind: HealthKind, name: string, part = ""): Reading => ({
  id: part === "" ? kind : `${kind}:${part}`,
  kind,
  name,
  state: "unknown",
  text: "",
  at: null,
  organisation: null,
  value: null,
});

const worse = (...states: Reading["state"][]): Reading["state"] =>
  (["bad", "near", "ok"] as const).find((state) => states.includes(state)) ?? "unknown";

/** Returns a number of bytes in words: `1.5 GiB`, `512 MiB`. */
function bytesText(bytes: number): string {
  const mib = bytes / 2 ** 20;
  return mib < 1024 ? `${Math.round(mib)} MiB` : `${(mib / 1024).toFixed(1)} GiB`;
}

/** @param remote whether the store is not a file on this machine */
export function diskReading(space: DiskSpace | undefined, remote: boolean): Reading {
  const reading = unknownReading("disk_low", "Disk of the store");
  if (space === undefined || space.size === 0) {
    const text = remote
      ? "The store is not a file on this machine, so its disk is not known."
      : "The free space could not be read.";
    return { ...reading, text };
  }
  const share = space.free / space.size;
  const text = `${bytesText(space.free)} free of ${bytesText(space.size)} (${
    Math.floor(share * 100)
  }%)`;
  return { ...reading, text, state: atLeast(share, LIMITS.disk) };
}

/** @param machine undefined if the process may not ask for it */
export function memoryReading(
  rss: number,
  machine: { total: number; available: number } | undefined,
): Reading {
  const own = `The site’s process uses ${bytesText(rss)}`;
  return {
    ...unknownReading("memory_low", "Memory"),
    text: machine === undefined
      ? `${own}.`
      : `${own}; ${bytesText(machine.available)} of ${bytesText(machine.total)} are available.`,
    state: worse(
      atMost(rss, LIMITS.memory),
      machine === undefined ? "ok" : atLeast(machine.available / machine.total, LIMITS.available),
    ),
  };
}

/**
 * @param options.remote whether the store is not a file on this machine
 * @param options.since when the store was created, ISO 8601; null if that is not known
 * @param options.expected false in development, where nobody makes backups
 */
export function backupReading(
  last: LastBackup | null,
  { remote, since, expected, now }: {
    remote: boolean;
    since: string | null;
    expected: boolean;
    now: number;
  },
): Reading {
  const reading = unknownReading("backup_old", "Backup");
  const late = (at: string) => now - Date.parse(at) > LIMITS.backupMs;
  if (last !== null) {
    const value = Math.max(0, now - Date.parse(last.at)) / SECOND_MS;
    const state = !late(last.at) ? "ok" : expected ? "bad" : "unknown";
    const text = last.bytes === undefined
      ? "Made by another tool"
      : `Copied ${bytesText(last.bytes)}`;
    return { ...reading, state, at: last.at, value, text };
  }
  if (remote) {
    return {
      ...reading,
      text: "No backup is known. After each one, run deno task backup --note.",
    };
  }
  const state = expected && since !== null && late(since) ? "bad" : "unknown";
  return { ...reading, state, text: "No backup is known. Backups are made with deno task backup." };
}

/** Compares our clock with that of each server. One server alone may be wrong, so the best counts. */
export function clockReading(offsets: readonly ClockOffset[]): Reading {
  const reading = unknownReading("clock_off", "Clock");
  if (offsets.length === 0) {
    return { ...reading, text: "Neither the bank nor the mail API has sent its time." };
  }
  const least = offsets.reduce((a, b) => Math.abs(b.ms) < Math.abs(a.ms) ? b : a);
  const text = offsets.map(({ source, ms }) => {
    const seconds = Math.floor(Math.abs(ms) / SECOND_MS); // less is not exact
    return seconds === 0
      ? `${source}: no difference`
      : `${source}: ${plural(seconds, "second")} ${ms > 0 ? "ahead of" : "behind"} this machine`;
  }).join("; ");
  const state = atMost(Math.abs(least.ms), LIMITS.clockMs);
  return { ...reading, state, text, value: least.ms / SECOND_MS };
}

export function certificateReadings(
  certificates: readonly Certificate[],
  now: number,
): Reading[] {
  return certificates.map(({ host, until }) => {
    const name = `Certificate of ${host}`;
    if (until === null) {
      const text = "This machine could not read it from the host.";
      return { ...unknownReading("certificate_ends", name, host), text };
    }
    const days = Math.floor((Date.parse(until) - now) / DAY_MS);
    // One of the two kinds, so that the second alert takes the place of the first.
    const kind = days < LIMITS.urgentDays ? "certificate_urgent" : "certificate_ends";
    const reading = unknownReading(kind, name, host);
    const text = days < 0 ? "Has expired" : `Expires in ${plural(days, "day")}`;
    const state = atLeast(days, LIMITS.certificateDays);
    return { ...reading, state, text, at: until, value: days };
  });
}

/** @param names the names of kinds of messages for people */
export function queueReadings(
  queues: readonly Queue[],
  names: (queue: Queue) => string,
  now: number,
): Reading[] {
  return queues.map((queue) => {
    const { channel, kind, organisation, waiting, oldest } = queue;
    const part = [channel, kind, organisation].filter(Boolean).join(":");
    return {
      ...unknownReading("messages_waiting", names(queue), part),
      organisation,
      state: atMost(now - Date.parse(oldest), LIMITS.queueMs),
      text: `${formatCount(waiting)} waiting, the oldest added`,
      at: oldest,
    };
  });
}

/** How late a run may be, in periods, and at least. */
const LATE = { periods: 3, leastMs: 15 * MINUTE_MS };

export function jobReadings(jobs: readonly JobState[], now: number): Reading[] {
  return jobs.map(({ name, title, everyMs, runningSince, lastRun }) => {
    const reading = unknownReading("job_failing", `${title} (job ${name})`, name);
    if (lastRun === null) {
      return {
        ...reading,
        text: runningSince === null ? "Has not run yet" : "Runs for the first time",
      };
    }
    const at = lastRun.finished ?? lastRun.started;
    const isLate = runningSince === null &&
      now - Date.parse(at) > Math.max(LATE.periods * everyMs, LATE.leastMs);
    const { text, bad } = OUTCOMES[lastRun.outcome];
    const detail = lastRun.detail === null ? "" : `: ${lastRun.detail}`;
    return {
      ...reading,
      state: bad || isLate ? "bad" : "ok",
      text: `${
        isLate ? "Late: it should run every " + inWords(everyMs) + ". " : ""
      }${text}${detail}`,
      at,
    };
  });
}

const OUTCOMES: Record<
  NonNullable<JobState["lastRun"]>["outcome"],
  { text: string; bad: boolean }
> = {
  done: { text: "Done", bad: false },
  stopped: { text: "Stopped, and continues", bad: false },
  failed: { text: "Failed", bad: true },
  interrupted: { text: "Interrupted: its process ended", bad: true },
};

const inWords = (ms: number): string =>
  ms % HOUR_MS === 0 ? inHours(ms) : `${formatCount(ms / SECOND_MS)} seconds`;

/** Services that do not respond. The bank, the log and its witnesses have alerts of their own. */
export function serviceReadings(nodes: readonly InfraNode[]): Reading[] {
  const hasOwn = (id: string) => id === "bank" || id === LOG_NODE || id.startsWith(WITNESS_NODE);
  return nodes.filter(({ id, checked_at }) => !hasOwn(id) && checked_at !== null).map(
    ({ id, name, state, detail = "" }) => ({
      ...unknownReading("service_down", name, id),
      state: state === "down" ? "bad" as const : "ok" as const,
      text: state === "down" ? detail : "Responds",
    }),
  );
}

/** Returns the readings that a console shows. */
export const readingsOf = (
  readings: readonly Reading[],
  organisation: OrganisationKey,
): Reading[] =>
  readings.filter((reading) => (reading.organisation ?? organisation) === organisation);
