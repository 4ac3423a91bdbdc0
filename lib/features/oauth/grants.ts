import { isLive, isoAfter, transact } from "../../platform/kv/mod.ts";
import { addAccess, readRecord, SITE } from "../records/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { type Grant, grants } from "./rows.ts";

/** How often the last use of a grant is written. */
const TOUCH_MS = MINUTE_MS;
const BY_RECORD = "oauth_grants_by_record";

/**
 * Adds the end of a grant to a commit. Its tokens are invalid from then on, in every process, because
 * each request with a token reads the grant.
 */
export const revokeGrant = grants.delete;

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
    const record = why === undefined || hash === null ? null : await readRecord(kv, hash);
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

/** Returns the grants of a record that are in force, newest first. */
export async function grantsOf(kv: Deno.Kv, record: string, now: number): Promise<Grant[]> {
  const found = await grants.find(kv, BY_RECORD, [record]);
  return liveOnes(found, now).sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/**
 * Writes the last use of a grant, at most once per minute. A write that conflicts with another one is
 * dropped, because the other one is as recent, or has ended the grant.
 */
export async function touchGrant(
  kv: Deno.Kv,
  entry: Deno.KvEntry<Grant>,
  now: number,
): Promise<void> {
  const { last_used } = entry.value;
  if (last_used !== null && now < Date.parse(last_used) + TOUCH_MS) return;
  const commit = kv.atomic().check(entry);
  grants.set(commit, { ...entry.value, last_used: isoAfter(now, 0) }, now);
  await commit.commit().catch(() => {}); // a later request writes it
}

export const grantIds = (kv: Deno.Kv, record: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_RECORD, record] }), ({ key }) => String(key[2]));

const liveOnes = (entries: readonly Deno.KvEntry<Grant>[], now: number): Grant[] =>
  entries.map(({ value }) => value).filter((grant) => isLive(grant, now));
