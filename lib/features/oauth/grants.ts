/** Grants, the permissions that people gave to clients: reading, using and ending them. */
import { isLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import type { LastUses } from "../../platform/http/last_use.ts";
import { addAccess, readExisting, SITE } from "../records/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { type Grant, grants, grantUses } from "./rows.ts";

/** How often the last use of a grant is written. */
export const USE_MS = MINUTE_MS;
const BY_RECORD = "oauth_grants_by_record";

/**
 * Adds the end of a grant to a commit. Its tokens are invalid from then on, in every process, because
 * each request with a token reads the grant.
 */
export function revokeGrant(commit: Deno.AtomicOperation, grant: Grant): void {
  grants.delete(commit, grant);
  commit.delete(grantUses.key(grant.id));
}

/** Removes the phones that were registered with a grant, after it has ended. */
export type OnGrantEnd = (grant: Pick<Grant, "id" | "record">) => Promise<void>;

/** The store of the grants, and the function that is called when one ends. */
export interface GrantDeps {
  kv: Deno.Kv;
  onGrantEnd?: OnGrantEnd;
}

/** Ends of grants that the holder did not ask for, and that the access log explains. */
const REASONS = {
  revoked: "at its own request",
  replayed: "because one of its codes or tokens was used twice",
} as const;

/**
 * Ends a grant now. Succeeds if it has already ended.
 *
 * @param why adds an entry to the record's access log
 */
export async function endGrant(
  { kv, onGrantEnd }: GrantDeps,
  id: string,
  why?: { reason: keyof typeof REASONS; now: number },
): Promise<void> {
  const ended = await transact<Grant | null>(async () => {
    const entry = await grants.get(kv, id);
    if (entry.versionstamp === null) return { result: null };
    const commit = kv.atomic().check(entry);
    revokeGrant(commit, entry.value);
    const { record: hash, client_name } = entry.value;
    const record = why === undefined || hash === null ? null : await readExisting(kv, hash);
    if (record !== null) {
      commit.check(record.contact);
      const detail = `${client_name}, ${REASONS[why!.reason]}`;
      addAccess(commit, hash!, { what: "agent_disconnected", detail, reader: SITE }, why!.now);
    }
    return { result: entry.value, commit };
  });
  if (ended !== null) await onGrantEnd?.(ended);
}

export async function endGrantsOf(deps: GrantDeps, record: string): Promise<void> {
  for (const id of await grantIds(deps.kv, record)) await endGrant(deps, id);
}

/** Reads a grant that is in force, as an entry that a commit can check; null if there is none. */
export const liveGrant = (
  kv: Deno.Kv,
  id: string,
  now: number,
): Promise<Deno.KvEntry<Grant> | null> => grants.getLive(kv, now, id);

/** Returns those of the given grants that are in force, by their ids. */
export async function liveGrants(
  kv: Deno.Kv,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  const found = await grants.getMany(kv, [...new Set(ids)].map((id): [string] => [id]));
  return new Set(liveOnes(found, now).map(({ id }) => id));
}

/** A grant with the time of its last use, ISO 8601 in UTC; null if it was not used yet. */
export type UsedGrant = Grant & { last_used: string | null };

/** Returns the grants of a record that are in force, newest first. */
export async function grantsOf(kv: Deno.Kv, record: string, now: number): Promise<UsedGrant[]> {
  const ids = (await grantIds(kv, record)).map((id): [string] => [id]);
  const [found, uses] = await Promise.all([grants.getMany(kv, ids), grantUses.getMany(kv, ids)]);
  const times = new Map(uses.map(({ value: { grant, used_at } }) => [grant, used_at]));
  return liveOnes(found, now)
    .map((grant) => ({ ...grant, last_used: times.get(grant.id) ?? null }))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** Writes the last use of a grant, at most once per minute. */
export async function noteGrantUse(
  { kv, uses }: { kv: Deno.Kv; uses: LastUses },
  entry: Deno.KvEntry<Grant>,
  now: number,
): Promise<void> {
  const { id, expires_at } = entry.value;
  await uses.note(id, now, () => {
    const commit = kv.atomic().check(entry); // it may have ended
    grantUses.set(commit, { grant: id, used_at: isoAfter(now, 0), expires_at }, now);
    return commit;
  });
}

export const grantIds = (kv: Deno.Kv, record: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_RECORD, record] }), ({ key }) => String(key[2]));

const liveOnes = (entries: readonly Deno.KvEntry<Grant>[], now: number): Grant[] =>
  entries.map(({ value }) => value).filter((grant) => isLive(grant, now));
