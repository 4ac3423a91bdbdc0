/** The totals of records, and the newest ones, for the dashboard. */
import {
  type ContactIndex,
  type MonthCount,
  readListVersion,
  readMonths,
  readRegistrations,
  readTotals,
  type RecordTotals,
  type RegistrationCount,
} from "../../contact/mod.ts";
import { createDerivedValues } from "../../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import type { Level } from "../record/levels.ts";
import { type ListOptions, listRecords } from "./list.ts";

/** The part of a record that the dashboard shows. */
export interface NewRecord {
  hash: string;
  name: string;
  level: Level;
  /** ISO 8601 in UTC. */
  registered_at: string;
}

/**
 * A summary of the records of an organisation, for its console. It is read again only after a record
 * was registered or deleted, or a level has changed.
 */
export interface RecordOverview {
  totals: RecordTotals;
  /** Returns what `Records.months` returns. */
  months(days: readonly string[]): Promise<MonthCount[]>;
  /** Returns the registrations of a period by day, type and site. */
  registrations(period: { from: string; to: string }): Promise<readonly RegistrationCount[]>;
  /** Returns the newest records, at most {@link MOST_NEWEST}. */
  newest(): Promise<readonly NewRecord[]>;
}

/** Creates a function that returns the overview of an organisation, and keeps it in memory. */
export function createRecordOverview(
  { kv, clock, index }: { kv: Deno.Kv; clock: () => number; index: ContactIndex },
): (organisation: OrganisationKey) => Promise<RecordOverview> {
  const derived = createDerivedValues({ clock });
  return async (organisation) => {
    const version = await readListVersion(kv, organisation);
    return {
      totals: await derived.get(`totals ${organisation}`, version, async () => ({
        value: await readTotals(kv, organisation),
      })),
      months: (days) =>
        derived.get(`months ${organisation}`, `${version} ${days.join()}`, async () => ({
          value: await readMonths(kv, organisation, days),
        })),
      registrations: (period) =>
        derived.get(
          `registrations ${organisation}`,
          `${version} ${period.from} ${period.to}`,
          async () => ({ value: await readRegistrations(kv, organisation, period) }),
        ),
      // A record's name and time never change.
      newest: () =>
        derived.get(`newest ${organisation}`, version, async () => ({
          value: await readNewest({ kv, index }, organisation),
        })),
    };
  };
}

const MOST_NEWEST = 5;

async function readNewest(
  options: ListOptions,
  organisation: OrganisationKey,
): Promise<NewRecord[]> {
  const { records } = await listRecords(options, organisation, { limit: MOST_NEWEST });
  return records.map(({ hash, row: { level }, contact: { value } }) => {
    const { record: { name }, registered_at } = value;
    return { hash, name, level, registered_at };
  });
}
