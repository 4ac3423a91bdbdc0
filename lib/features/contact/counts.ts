/**
 * Counters of an organisation's records, which are changed in the commits that register, change and
 * delete records. Charts read them instead of the records. They cannot conflict, because each change
 * is a `sum`.
 *
 * @module
 */
import { ALWAYS, changeVersion, counter, defineTable } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

export interface RegistrationGroup {
  /** `YYYY-MM-DD` in UTC. */
  day: string;
  type: string;
  /** The value that `siteOf` returns; null if it was not stored. */
  site: string | null;
}

/** The number of registrations of a group. */
export interface RegistrationCount extends RegistrationGroup {
  count: number;
}

export const recordCounts = defineTable({
  prefix: "record_counts",
  value: counter,
  owner: "organisation",
  lifetime: ALWAYS,
  per: "day, type and site of registrations, and level",
  privacy: {
    section: "enquiry",
    label: "Counts",
    text: "The number of enquiries per day, type and site, and the number of records at each " +
      "level. They contain no names, addresses or hashes. If your record is deleted, it is no " +
      "longer counted.",
  },
});

const keyOf = (organisation: string, ...counter: Deno.KvKeyPart[]) => [
  recordCounts.prefix,
  organisation,
  ...counter,
];
/** The number of all registrations. Its versionstamp is the version of their list. */
const versionKey = (organisation: string) => keyOf(organisation, "all");
const dayKey = (organisation: string, day: string) => keyOf(organisation, "days", day);
const monthKey = (organisation: string, day: string) =>
  keyOf(organisation, "months", day.slice(0, 7));
/** Sums wrap around, so this subtracts 1. */
const MINUS_ONE = 2n ** 64n - 1n;

/** Adds a registration to the counters, or removes it if the record is deleted. */
export function countRegistration(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  { day, type, site }: RegistrationGroup,
  change: 1 | -1,
): void {
  const n = change === 1 ? 1n : MINUS_ONE;
  commit.sum(keyOf(organisation, "day", day, type, site ?? ""), n)
    .sum(dayKey(organisation, day), n)
    .sum(monthKey(organisation, day), n)
    .sum(versionKey(organisation), n);
}

/**
 * Adds a new version of the list of registrations to a commit that adds or removes one, or changes its
 * level, whether or not it is counted.
 */
export const changeRegistrations = (
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
): Deno.AtomicOperation => changeVersion(commit, versionKey(organisation));

/**
 * Moves a record from one level's counter to another's. Null means that it is not counted, because
 * it does not exist or is not in force.
 */
export function countLevel(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  before: number | null,
  after: number | null,
): void {
  if (before === after) return;
  changeRegistrations(commit, organisation);
  if (before !== null) commit.sum(keyOf(organisation, "level", before), MINUS_ONE);
  if (after !== null) commit.sum(keyOf(organisation, "level", after), 1n);
}

/** Returns the registrations of a period by day, type and site. The cost grows with its days. */
export async function readRegistrations(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  { from, to }: { from: string; to: string },
): Promise<RegistrationCount[]> {
  const prefix = keyOf(organisation, "day");
  const range = { start: [...prefix, from], end: [...prefix, `${to}Z`] };
  const entries = await Array.fromAsync(kv.list<Deno.KvU64>(range, { batchSize: 500 }));
  return entries.map(({ key, value }) => {
    const [day, type, site] = key.slice(3).map(String);
    return { day, type, site: site || null, count: Number(value.value) };
  }).filter(({ count }) => count > 0);
}

/** The registrations of a calendar month (UTC). */
export interface MonthCount {
  all: number;
  /** The registrations until the end of a day in the month. */
  until: number;
}

/**
 * Returns the registrations of the months that days are in. It reads at most 15 counters of each
 * month, those before the day or those after it.
 */
export async function readMonths(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  days: readonly string[],
): Promise<MonthCount[]> {
  const months = await kv.getMany<Deno.KvU64[]>(days.map((day) => monthKey(organisation, day)));
  return await Promise.all(days.map(async (day, i): Promise<MonthCount> => {
    const all = Number(months[i].value?.value ?? 0n);
    const isEarly = Number(day.slice(8)) <= 15;
    const [first, last] = isEarly ? ["01", day.slice(8)] : [`${day.slice(8)}~`, "31"];
    const keyOf = (part: string) => dayKey(organisation, `${day.slice(0, 8)}${part}`);
    const range = { start: keyOf(first), end: keyOf(`${last}~`) };
    const counters = last < first || all === 0
      ? []
      : await Array.fromAsync(kv.list<Deno.KvU64>(range, { batchSize: 20 }));
    const read = counters.reduce((sum, { value }) => sum + Number(value.value), 0);
    return { all, until: isEarly ? read : all - read };
  }));
}

/** The registrations that are not deleted, and the records in force at each level. */
export interface RecordTotals {
  registrations: number;
  levels: Record<1 | 2 | 3 | 4, number>;
}

const TOTALS = [["all"], ["level", 1], ["level", 2], ["level", 3], ["level", 4]];

/** Reads the totals of an organisation from their counters, in one call of the store. */
export async function readTotals(
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<RecordTotals> {
  const counters = await kv.getMany<Deno.KvU64[]>(
    TOTALS.map((key) => keyOf(organisation, ...key)),
  );
  const [registrations, ...levels] = counters.map(({ value }) => Number(value?.value ?? 0n));
  return { registrations, levels: { 1: levels[0], 2: levels[1], 3: levels[2], 4: levels[3] } };
}

/** Returns the version that {@link changeRegistrations} changes. */
export const readListVersion = async (
  kv: Deno.Kv,
  organisation: OrganisationKey,
): Promise<string | null> => (await kv.get(versionKey(organisation))).versionstamp;
