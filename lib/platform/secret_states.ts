/** Shows which values of each secret the running processes have, so that old ones can be removed safely. */
import { z } from "zod";
import type { Schedule } from "../base/schedule.ts";
import type { Secrets } from "../base/secrets.ts";
import { DAY_MS, HOUR_MS, inDays, inMinutes, MINUTE_MS } from "../base/time.ts";
import type { ConfiguredSecret } from "./config/secret_files.ts";
import {
  defineTable,
  expires,
  EXPIRING,
  ifWritable,
  isLive,
  isoAfter,
  transact,
} from "./kv/mod.ts";

const REPORT_MS = MINUTE_MS;
/** How long a process counts as running after its last report. */
const RUNNING_MS = 3 * MINUTE_MS;
/** How long a value is remembered after the last day on which a process had it. */
const KEPT_MS = 400 * DAY_MS;
/** How often it is noted that an older value was used. */
const USE_MS = HOUR_MS;

const time = z.iso.datetime();

/** A value that a secret has, or had: by its short keyed fingerprint, which reveals nothing about it. */
const secretAge = z.strictObject({
  variable: z.string(),
  id: z.string(),
  /** When a process had it first. */
  since: time,
  /** When somebody last used it although there was a newer one; null if nobody has. */
  used_at: time.nullable(),
  ...EXPIRING,
});

export const secretAges = defineTable({
  prefix: "secret_ages",
  value: secretAge,
  key: ["variable", "id"],
  owner: "nobody",
  lifetime: expires(`${inDays(KEPT_MS)} after it was last in use`),
  per: "value of a secret",
});

/** The secrets that a process has. */
const secretReport = z.strictObject({
  process: z.string(),
  /** The fingerprints of each variable's values, the current one first. */
  ids: z.record(z.string(), z.array(z.string())),
  ...EXPIRING,
});

export const secretReports = defineTable({
  prefix: "secret_reports",
  value: secretReport,
  key: ["process"],
  owner: "nobody",
  lifetime: expires(inMinutes(RUNNING_MS)),
  per: "running process",
});

/** The state of a secret. */
export interface SecretState {
  variable: string;
  /** Where its value is, on the process that was asked. */
  source: ConfiguredSecret["source"];
  current: { id: string; since: string | null };
  /** Values that are still accepted. */
  older: { id: string; since: string | null; usedAt: string | null }[];
  /** Other processes that have another current value. */
  differs: { process: string; id: string }[];
}

/** Knows which secrets are in use, since when, and who uses older ones. */
export interface SecretStates {
  /** Reports which secrets this process has. */
  report(): Promise<void>;
  /** Notes that somebody has used a value although there is a newer one. */
  noteUse(variable: string, value: string): Promise<void>;
  read(): Promise<SecretState[]>;
  /** Starts to report every minute. */
  start(): void;
  close(): void;
}

export function createSecretStates({ kv, clock, schedule, secrets, instance, configured }: {
  kv: Deno.Kv;
  clock: () => number;
  schedule: Schedule;
  secrets: Secrets;
  /** Identifies the process. */
  instance: string;
  /** Returns the secrets of the configuration. */
  configured: () => readonly ConfiguredSecret[];
}): SecretStates {
  /** When uses were last noted. */
  const noted = new Map<string, number>();
  let cancel = () => {};
  let isClosed = false;

  const idOf = async (variable: string, value: string) =>
    (await secrets.sign("secret-state", `${variable}\n${value}`)).slice(0, 8);

  const idsOf = async ({ variable, values }: ConfiguredSecret) =>
    await Promise.all(values.map((value) => idOf(variable, value)));

  /** Keeps the time since which a value is in use. */
  const remember = (variable: string, id: string, used_at?: string): Promise<void> =>
    transact(async () => {
      const now = clock();
      const entry = await secretAges.get(kv, variable, id);
      const { value } = entry;
      const isFresh = value !== null && isLive(value, now + KEPT_MS - DAY_MS);
      if (isFresh && used_at === undefined) return { result: undefined };
      const since = value?.since ?? new Date(now).toISOString();
      const row = {
        ...{ variable, id, since, used_at: used_at ?? value?.used_at ?? null },
        expires_at: isoAfter(now, KEPT_MS),
      };
      const commit = kv.atomic();
      secretAges.replace(commit, entry, row, now);
      return { result: undefined, commit };
    });

  async function report(): Promise<void> {
    const ids: Record<string, string[]> = {};
    for (const secret of configured()) ids[secret.variable] = await idsOf(secret);
    await ifWritable(async () => {
      const now = clock();
      const commit = kv.atomic();
      const row = { process: instance, ids, expires_at: isoAfter(now, RUNNING_MS) };
      secretReports.set(commit, row, now);
      await commit.commit();
      for (const [variable, values] of Object.entries(ids)) {
        for (const id of values) await remember(variable, id);
      }
    });
  }

  function next(): void {
    if (!isClosed) cancel = schedule(() => void report().catch(() => {}).finally(next), REPORT_MS);
  }

  return {
    report,
    async noteUse(variable, value) {
      const id = await idOf(variable, value);
      if (clock() - (noted.get(id) ?? -Infinity) < USE_MS) return;
      noted.set(id, clock());
      await ifWritable(() => remember(variable, id, new Date(clock()).toISOString()));
    },
    async read() {
      const now = clock();
      const [rows, reports] = await Promise.all([
        Array.fromAsync(secretAges.list(kv, []), ({ value }) => value),
        Array.fromAsync(secretReports.list(kv, []), ({ value }) => value),
      ]);
      const ages = new Map(rows.map((row) => [`${row.variable} ${row.id}`, row]));
      const others = reports.filter((row) => isLive(row, now) && row.process !== instance);
      return await Promise.all(
        configured().map(async (secret): Promise<SecretState> => {
          const { variable, source } = secret;
          const [current, ...older] = (await idsOf(secret)).map((id) => {
            const age = ages.get(`${variable} ${id}`);
            return { id, since: age?.since ?? null, usedAt: age?.used_at ?? null };
          });
          const differs = others.flatMap(({ process, ids }) => {
            const id = ids[variable]?.[0];
            return id === undefined || id === current.id ? [] : [{ process, id }];
          });
          return { variable, source, current, older, differs };
        }),
      );
    },
    start() {
      report().catch(() => {}).finally(next);
    },
    close() {
      isClosed = true;
      cancel();
    },
  };
}
