/**
 * The lists of an organisation's records: one for each combination of the filters of
 * `/console/records`, so that a page reads only the records that it shows.
 *
 * @module
 */
import { z } from "zod";
import { defineTable, WITH_RECORD } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ownerOf } from "./owner.ts";

/** The contacts of each organisation by time. Rows from before they were counted may lack one. */
export const contactTimes = defineTable({
  prefix: "contacts_by_time",
  value: z.strictObject({
    /** True if the registration is in the counters. A correction is not. */
    counted: z.boolean(),
  }),
  key: ["organisation", "registered_at", "hash"],
  owner: "record",
  lifetime: WITH_RECORD,
  per: "registration",
});

/** The records that some of the filters select, by time. {@link contactTimes} has those of none. */
export const contactLists = defineTable({
  prefix: "contacts_by_filter",
  value: z.literal(true),
  key: ["organisation", "selection", "registered_at", "hash"],
  owner: "record",
  lifetime: WITH_RECORD,
  per: "registration and combination of filters",
});

/** The values of a record that the filters of the list test. */
export interface Listed {
  level: number;
  /** Empty if it was not given. */
  type: string;
  confirmed: boolean;
}

/** The part of a contact that its place in the lists depends on. */
interface Placed {
  organisation?: OrganisationKey;
  registered_at: string;
}

/** Returns the key of a contact in {@link contactTimes}. */
export const contactTimeKey = (hash: string, contact: Placed) =>
  [ownerOf(contact), contact.registered_at, hash] as const;

const selectionOf = ({ level, type, confirmed }: Partial<Listed>): string =>
  [level, confirmed, type].map((each) => each ?? "*").join("/");

const ANY = selectionOf({});

/** Returns the prefix of the records that the filters select. */
export function listPrefix(organisation: OrganisationKey, filters: Partial<Listed>): string[] {
  const selection = selectionOf(filters);
  return selection === ANY
    ? [contactTimes.prefix, organisation]
    : [contactLists.prefix, organisation, selection];
}

/** Returns the selections that a record is in: each filter is set or not, and at least one is. */
function selectionsOf({ level, type, confirmed }: Listed): string[] {
  const either = <Value>(value: Value) => [value, undefined];
  return either(level).flatMap((level) =>
    either(confirmed).flatMap((confirmed) =>
      either(type).map((type) => selectionOf({ level, type, confirmed }))
    )
  ).filter((selection) => selection !== ANY);
}

/**
 * Moves a record between lists, in the commit that changes what the filters test.
 *
 * @param before null for a new record
 * @param after null for a record that is deleted
 */
export function changeLists(
  commit: Deno.AtomicOperation,
  hash: string,
  contact: Placed,
  { before, after }: { before: Listed | null; after: Listed | null },
): void {
  const place = [contact.registered_at, hash] as const;
  const selections = (listed: Listed | null) =>
    new Set(listed === null ? [] : selectionsOf(listed));
  const [left, entered] = [selections(before), selections(after)];
  for (const selection of left.difference(entered)) {
    commit.delete(contactLists.key(ownerOf(contact), selection, ...place));
  }
  for (const selection of entered.difference(left)) {
    contactLists.put(commit, [ownerOf(contact), selection, ...place], true);
  }
}
