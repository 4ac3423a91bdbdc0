import { MINUTE_MS } from "../time.ts";

/** The lists whose versions are stored. */
export type ListName = "alerts" | "registrations";

/** The key whose versionstamp is the version of an organisation's list. */
export const listVersionKey = (organisation: string, list: ListName): Deno.KvKey => [
  "list_versions",
  organisation,
  list,
];

/** Adds a new version to a commit that changes a list. Sums cannot conflict. */
export const changeList = (
  commit: Deno.AtomicOperation,
  organisation: string,
  list: ListName,
): Deno.AtomicOperation => commit.sum(listVersionKey(organisation, list), 1n);

/**
 * Values are read again after this time in any case, because processes of an earlier build, which may
 * run during an upgrade, do not change versions.
 */
const MAX_AGE_MS = MINUTE_MS;

/** What was derived from a list. */
export interface Derived<Value> {
  value: Value;
  /** When the value changes by itself, in milliseconds since 1970; absent if it does not. */
  until?: number;
}

/** Values that were derived from lists, in memory. */
export interface DerivedValues {
  /**
   * Returns the value of a name, which is read only if the version has changed.
   *
   * @param version the versionstamp of {@link listVersionKey}, read after the request for the value
   */
  get<Value>(
    name: string,
    version: string | null,
    read: () => Promise<Derived<Value>>,
  ): Promise<Value>;
}

/**
 * Keeps the last value of each name as long as the version in the store is the same, so changes by any
 * process count at once. The caller determines the number of names.
 */
export function createDerivedValues({ clock }: { clock: () => number }): DerivedValues {
  const kept = new Map<string, Derived<unknown> & { version: string | null; at: number }>();
  return {
    async get<Value>(name: string, version: string | null, read: () => Promise<Derived<Value>>) {
      const now = clock();
      const last = kept.get(name);
      const isCurrent = last !== undefined && last.version === version && last.at <= now &&
        now < Math.min(last.at + MAX_AGE_MS, last.until ?? Infinity);
      if (isCurrent) return last.value as Value;
      const derived = await read();
      kept.set(name, { ...derived, version, at: now });
      return derived.value;
    },
  };
}
