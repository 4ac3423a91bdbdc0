/**
 * The row `["format"]`: the format of the store, the secrets that its rows depend on, and the migrations
 * that are not complete.
 *
 * @module
 */
import { z } from "zod";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { ConfigError } from "../config/error.ts";
import {
  ALWAYS,
  defineTable,
  EXPIRING,
  type Expiring,
  FORMAT,
  FORMAT_KEY,
  isLive,
  isoAfter,
} from "../kv/mod.ts";
import type { Migration } from "./migration.ts";

const usedSecrets = z.strictObject({
  /** The fingerprint of the secret that writes rows, and since when. */
  current: z.string(),
  since: z.iso.datetime(),
  /** The other secrets that are configured and have written rows. */
  older: z.array(z.strictObject({
    id: z.string(),
    /** From when on no row depends on it; null until the rows have been written again. */
    unused_from: z.iso.datetime().nullable(),
  })),
});

/** The migrations that are not complete, in their order: first those that run before the site serves. */
const storeWork = z.strictObject({
  steps: z.array(z.string()),
  /** Those of them whose rows do not exist in full, unlike after a change of the secret. */
  incomplete: z.array(z.string()),
  /** The cursor at which the first one continues; empty if it has not begun. */
  cursor: z.string(),
  /** When the migrations that follow a change of the secret began; null if they have not. */
  begun: z.iso.datetime().nullable(),
});

const storeFormat = z.strictObject({
  version: z.int(),
  secrets: usedSecrets.optional(),
  work: storeWork.optional(),
});

export type StoreFormat = z.infer<typeof storeFormat>;
type UsedSecrets = z.infer<typeof usedSecrets>;
export type Work = z.infer<typeof storeWork>;

/** The row and, below it, one row for each older secret that a process still writes with. */
export const formatTable = defineTable({
  prefix: String(FORMAT_KEY[0]),
  value: z.union([storeFormat, z.strictObject(EXPIRING)]),
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

const WRITERS_KEY: Deno.KvKey = [...FORMAT_KEY, "writers"];

/** How often a process reports that it writes with an older secret. */
export const REPORT_MS = 10 * SECOND_MS;
/** How long such a report is valid. */
export const REPORT_LIFETIME_MS = 60 * SECOND_MS;
/**
 * How long an older secret is still needed after the rows that last have been written again: for codes,
 * mailed links, uploads and limits, none of which is kept longer.
 */
const SHORT_LIVED_MS = DAY_MS;
/** The characters of a fingerprint that people see. */
const SHOWN = 8;

/** Returns the part of a fingerprint that identifies a secret for people. */
export const shortFingerprint = (id: string): string => id.slice(0, SHOWN);

/** Returns the fingerprints of the configured secrets, the current one first. They reveal nothing. */
export const fingerprints = (secrets: Secrets): Promise<string[]> =>
  secrets.signatures("contact-index", "current");

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

export const rotating = (migrations: readonly Migration[]): string[] =>
  namesOf(migrations.filter(({ rotates }) => rotates));

/** Returns whether a migration runs before the site serves requests. */
export const runsBefore = (migrations: readonly Migration[], name: string | undefined): boolean =>
  migrations.some((each) => each.name === name && "before" in each);

/** The secrets of a process. */
interface ConfiguredSecrets {
  /** Their fingerprints, the current one first. */
  ids: readonly string[];
  /** The shown fingerprints of those that are lost or no longer trusted. */
  givenUp: readonly string[];
}

/**
 * Returns why a process must not use a store: rows depend on a secret that it does not have.
 *
 * @returns null if it may use the store
 */
export function refusesSecrets(
  format: StoreFormat | null,
  { ids, givenUp }: ConfiguredSecrets,
  now: number,
): string | null {
  const used = format?.secrets;
  if (used === undefined) return null;
  const needed = [
    used.current,
    ...used.older.filter((each) => each.unused_from === null || isLiveAt(each.unused_from, now))
      .map(({ id }) => id),
  ];
  const missing = needed.filter((id) =>
    !ids.includes(id) && !givenUp.includes(shortFingerprint(id))
  );
  if (missing.length === 0) return null;
  const [older] = used.older.filter(({ id }) => id === missing[0]);
  const until = older?.unused_from ? ` until ${older.unused_from}` : "";
  return `should also contain the secret ${
    missing.map(shortFingerprint).join(" and ")
  }, which rows of the ` +
    `store depend on${until}. Add it after the first one. If it is lost or no longer trusted, see ` +
    "APP_SECRET_GIVEN_UP in docs/ops/secrets.md";
}

const isLiveAt = (time: string, now: number) => now < Date.parse(time);

/**
 * Returns the row that a store has while this build and these secrets use it.
 *
 * @param format null for a new store, which needs no migration
 * @param newest the format of this build
 * @throws {ConfigError} if rows depend on a secret that is not configured
 */
export function plannedFormat(
  migrations: readonly Migration[],
  format: StoreFormat | null,
  { ids, givenUp }: ConfiguredSecrets,
  now: number,
  newest = FORMAT,
): StoreFormat {
  const refused = refusesSecrets(format, { ids, givenUp }, now);
  if (refused !== null) throw new ConfigError([`APP_SECRET: ${refused}`]);
  const [current] = ids;
  const used = format?.secrets;
  const isNew = used?.current !== current;
  const before = used === undefined ? [] : [
    ...isNew ? [{ id: used.current, unused_from: null }] : [],
    ...used.older,
  ];
  const secrets: UsedSecrets = {
    current,
    since: used === undefined || isNew ? new Date(now).toISOString() : used.since,
    older: before.filter(({ id }) => id !== current && ids.includes(id)),
  };
  // Rows that depend on an abandoned secret cannot be found until they have been written again.
  const lost = before.some(({ id, unused_from }) =>
    unused_from === null && !ids.includes(id) && givenUp.includes(shortFingerprint(id))
  );
  const rotates = lost || (isNew && used !== undefined) ? rotating(migrations) : [];
  const { version = newest } = format ?? {};
  const outdated = namesOf(
    migrations.filter(({ format: to = 0 }) => version < to && to <= newest),
  );
  const incomplete = [...outdated, ...lost ? rotates : []];
  const work = queued(migrations, format?.work, { rotates, outdated, incomplete });
  return { version: newest, secrets, ...work === undefined ? {} : { work } };
}

/** Adds migrations to those that are not complete. Those that follow a change of the secret begin again. */
function queued(
  migrations: readonly Migration[],
  { steps: old, ...work }: Work = { steps: [], incomplete: [], cursor: "", begun: null },
  { rotates, outdated = [], incomplete = [] }: {
    rotates: readonly string[];
    outdated?: readonly string[];
    incomplete?: readonly string[];
  },
): Work | undefined {
  const { true: sooner = [], false: later = [] } = Object.groupBy(
    new Set([...rotates, ...old, ...outdated]),
    (name) => `${runsBefore(migrations, name)}` as const,
  );
  const steps = [...sooner, ...later];
  if (steps.length === 0) return undefined;
  return {
    steps,
    incomplete: [...new Set([...work.incomplete, ...incomplete])],
    cursor: steps[0] === old[0] && !rotates.includes(steps[0]) ? work.cursor : "",
    begun: rotates.length > 0 ? null : work.begun,
  };
}

/** Returns the row with the migrations that follow a change of the secret, from their beginning. */
export const beginAgain = (
  migrations: readonly Migration[],
  { work, ...format }: StoreFormat,
): StoreFormat => ({
  ...format,
  work: queued(migrations, work, { rotates: rotating(migrations) }),
});

/** Returns whether rows depend on a secret other than the current one. */
export const isRotating = ({ secrets }: StoreFormat): boolean =>
  secrets?.older.some(({ unused_from }) => unused_from === null) ?? false;

/** Returns the row once all rows have been written again: the older secrets have one more day. */
export function endedRotation({ secrets, ...format }: StoreFormat, now: number): StoreFormat {
  const older = secrets!.older.map(({ id, unused_from }) => ({
    id,
    unused_from: unused_from ?? isoAfter(now, SHORT_LIVED_MS),
  }));
  return { ...format, secrets: { ...secrets!, older } };
}

/** Returns the row of an imported store: its rows may be from different moments of a rotation. */
export function importedFormat(value: unknown): unknown {
  const { data } = storeFormat.safeParse(value);
  if (data?.secrets === undefined) return value;
  const older = data.secrets.older.map(({ id }) => ({ id, unused_from: null }));
  const { work, ...format } = data;
  return {
    ...format,
    secrets: { ...data.secrets, older },
    ...work === undefined ? {} : { work: { ...work, cursor: "", begun: null } },
  };
}

/** The key of the report that a process writes with an older secret. */
export const writerKey = (id: string): Deno.KvKey => [...WRITERS_KEY, id];

/** Returns until when the reports of processes that write with older secrets are valid, by secret. */
export async function readWriters(kv: Deno.Kv, now: number): Promise<Map<string, string>> {
  const rows = await Array.fromAsync(kv.list<Expiring>({ prefix: WRITERS_KEY }));
  return new Map(
    rows.filter(({ value }) => isLive(value, now))
      .map(({ key, value }) => [String(key.at(-1)), value.expires_at]),
  );
}
