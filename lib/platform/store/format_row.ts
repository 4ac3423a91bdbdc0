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

/** The migrations that run while the site serves, in their order. */
const besideWork = z.strictObject({
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
  /** The cursor at which the first of `steps` continues; null if there are none. */
  cursor: z.string().nullable(),
  /** The migrations that the start still has to run. Absent before format 3, and if there are none. */
  steps: z.array(z.string()).optional(),
  /** Before format 7: the fingerprints of the secrets, with commas, the current one first. */
  index: z.string().optional(),
  secrets: usedSecrets.optional(),
  beside: besideWork.optional(),
});

export type StoreFormat = z.infer<typeof storeFormat>;
export type UsedSecrets = z.infer<typeof usedSecrets>;
export type BesideWork = z.infer<typeof besideWork>;

/**
 * The row and, below it, the lease of the process that migrates before it serves, and one row for each older
 * secret that a process still writes with.
 */
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
export const shown = (id: string): string => id.slice(0, SHOWN);

/** Returns the fingerprints of the configured secrets, the current one first. They reveal nothing. */
export const fingerprints = (secrets: Secrets): Promise<string[]> =>
  secrets.signatures("contact-index", "current");

export const isBeside = (migration: Migration): boolean => "beside" in migration;

const namesOf = (migrations: readonly Migration[]) => migrations.map(({ name }) => name);

export const rotating = (migrations: readonly Migration[]): string[] =>
  namesOf(migrations.filter(({ rotates }) => rotates));

/** The secrets of a process. */
export interface ConfiguredSecrets {
  /** Their fingerprints, the current one first. */
  ids: readonly string[];
  /** The shown fingerprints of those that are lost or no longer trusted. */
  givenUp: readonly string[];
}

/** Returns the secrets that the rows of a store depend on; null if that is not known. */
function usedIn(format: StoreFormat | null, now: number): UsedSecrets | null {
  if (format?.secrets !== undefined) return format.secrets;
  const [current, ...older] = (format?.index ?? "").split(",");
  if (current === "") return null;
  const since = new Date(now).toISOString();
  return { current, since, older: older.map((id) => ({ id, unused_from: null })) };
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
  const used = usedIn(format, now);
  if (used === null) return null;
  const needed = [
    used.current,
    ...used.older.filter((each) => each.unused_from === null || isLiveAt(each.unused_from, now))
      .map(({ id }) => id),
  ];
  const missing = needed.filter((id) => !ids.includes(id) && !givenUp.includes(shown(id)));
  if (missing.length === 0) return null;
  const [older] = used.older.filter(({ id }) => id === missing[0]);
  const until = older?.unused_from ? ` until ${older.unused_from}` : "";
  return `should also contain the secret ${missing.map(shown).join(" and ")}, which rows of the ` +
    `store depend on${until}. Add it after the first one. If it is lost or no longer trusted, see ` +
    "APP_SECRET_GIVEN_UP in docs/ops/secrets.md";
}

const isLiveAt = (time: string, now: number) => now < Date.parse(time);

/**
 * Returns the row that a store has while this build and these secrets use it.
 *
 * @throws {ConfigError} if rows depend on a secret that is not configured
 */
export function plannedFormat(
  migrations: readonly Migration[],
  format: StoreFormat | null,
  secrets: ConfiguredSecrets,
  now: number,
): StoreFormat {
  const refused = refusesSecrets(format, secrets, now);
  if (refused !== null) throw new ConfigError([`APP_SECRET: ${refused}`]);
  const outdated = migrations.filter((each) =>
    each.format !== undefined && (format === null || format.version < each.format)
  );
  // In a store without a format, nothing works before all of it exists.
  const [later, sooner] = format === null
    ? [[], outdated]
    : [outdated.filter(isBeside), outdated.filter((each) => !isBeside(each))];
  // In format 2, records were indexed while there was a cursor.
  const begun = format?.steps ?? (format?.cursor == null ? [] : rotating(migrations));
  const steps = [...new Set([...begun, ...namesOf(sooner)])];
  return {
    version: FORMAT,
    cursor: steps.length === 0 ? null : format?.cursor ?? "",
    ...steps.length === 0 ? {} : { steps },
    ...plannedSecrets(migrations, format, secrets, namesOf(later), now),
  };
}

/** Returns the secrets that are in use, and the migrations that run beside the site. */
function plannedSecrets(
  migrations: readonly Migration[],
  format: StoreFormat | null,
  { ids, givenUp }: ConfiguredSecrets,
  outdated: readonly string[],
  now: number,
): Pick<StoreFormat, "secrets" | "beside"> {
  const [current] = ids;
  const used = usedIn(format, now);
  const isNew = used?.current !== current;
  const before = used === null ? [] : [
    ...isNew ? [{ id: used.current, unused_from: null }] : [],
    ...used.older,
  ];
  const secrets: UsedSecrets = {
    current,
    since: isNew ? new Date(now).toISOString() : used.since,
    older: before.filter(({ id }) => id !== current && ids.includes(id)),
  };
  // What depends on a secret that was given up cannot be found until the rows have been written again.
  const lost = before.some(({ id, unused_from }) =>
    unused_from === null && !ids.includes(id) && givenUp.includes(shown(id))
  );
  const rotates = lost || (isNew && used !== null) ? rotating(migrations) : [];
  const work = queued(format?.beside, [...rotates, ...outdated], [
    ...lost ? rotates : [],
    ...outdated,
  ], rotates.length > 0);
  return { secrets, ...work === undefined ? {} : { beside: work } };
}

/**
 * Adds migrations to those that run beside the site.
 *
 * @param first whether they begin at once, even if others have begun, which then begin again
 */
function queued(
  work: BesideWork | undefined,
  steps: readonly string[],
  incomplete: readonly string[],
  first: boolean,
): BesideWork | undefined {
  const { steps: old, ...rest } = work ?? { steps: [], incomplete: [], cursor: "", begun: null };
  const all = first ? [...steps, ...old] : [...old, ...steps];
  if (all.length === 0) return undefined;
  return {
    ...rest,
    ...first ? { cursor: "", begun: null } : {},
    steps: [...new Set(all)],
    incomplete: [...new Set([...rest.incomplete, ...incomplete])],
  };
}

/** Returns the row with the migrations that follow a change of the secret, from their beginning. */
export const beginAgain = (
  migrations: readonly Migration[],
  { beside, ...format }: StoreFormat,
): StoreFormat => ({ ...format, beside: queued(beside, rotating(migrations), [], true) });

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
  const { beside, ...format } = data;
  return {
    ...format,
    secrets: { ...data.secrets, older },
    ...beside === undefined ? {} : { beside: { ...beside, cursor: "", begun: null } },
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
