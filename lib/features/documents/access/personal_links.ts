/**
 * The links of people whose requests were approved, one for each.
 *
 * @module
 */
import { sha256 } from "../../../platform/kv/hash.ts";
import { newKey } from "../../records/mod.ts";
import type { AccessRequestRow } from "./requests.ts";
import { afterEnd, newShare, type ShareRow, shares } from "./share_rows.ts";

type WithLink = Pick<AccessRequestRow, "share">;

/** Reads the newest link of a request for a commit, which checks it; null if it has none. */
async function readLink(kv: Deno.Kv, commit: Deno.AtomicOperation, { share }: WithLink) {
  const entry = share === null ? null : await shares.get(kv, share);
  if (entry === null || entry.versionstamp !== null) return entry;
  commit.check(entry); // somebody else has just removed it
  return null;
}

const hasOpened = ({ openings, person }: ShareRow) => openings > 0 || person!.replaces !== null;

/** Returns the ids of those requests whose person has opened the document. */
export async function listOpened(
  kv: Deno.Kv,
  rows: readonly AccessRequestRow[],
): Promise<ReadonlySet<string>> {
  const keys = rows.flatMap(({ share }): [string][] => share === null ? [] : [[share]]);
  const links = keys.length === 0 ? [] : await shares.getMany(kv, keys);
  return new Set(
    links.map(({ value }) => value).filter(hasOpened).map(({ person }) => person!.request),
  );
}

/**
 * Adds the link of an approved request to a commit, in place of an earlier one, which opens nothing any more.
 * A browser that has opened the document reads it until the new link is opened.
 *
 * @returns the code of the link, and the request with it, which the caller saves
 */
export async function addPersonalLink(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  row: AccessRequestRow,
  now: number,
): Promise<{ token: string; row: AccessRequestRow }> {
  const before = await readLink(kv, commit, row);
  let replaces: string | null = null;
  if (before !== null && before.value.openings > 0) {
    replaces = before.value.hash;
    commit.check(before);
  } else if (before !== null) {
    replaces = before.value.person!.replaces;
    replaceLink(commit, before, now);
  }
  const code = newKey();
  const { id: request, document, record } = row;
  const person = { request, replaces, replaced: false };
  const share = { hash: sha256(code), document, record, label: null, limit: 1, person };
  shares.set(commit, newShare(share, Date.parse(row.ends_at!), now), now);
  return { token: code, row: { ...row, share: share.hash } };
}

/** Marks a link as replaced in a commit, so that it opens nothing and its browser reads nothing. */
export function replaceLink(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<ShareRow>,
  now: number,
): void {
  const person = { ...entry.value.person!, replaced: true };
  shares.replace(commit, entry, { ...entry.value, person }, now);
}

/** Ends the link of a request in a commit, and the earlier one with which a browser may still read. */
export async function endPersonalLink(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  row: WithLink,
  now: number,
): Promise<void> {
  const newest = await readLink(kv, commit, row);
  const opened = newest && await readLink(kv, commit, { share: newest.value.person!.replaces });
  for (const entry of [newest, opened]) {
    if (entry === null) continue;
    const ended = afterEnd(entry.value, now);
    if (ended === null) commit.check(entry);
    else shares.replace(commit, entry, ended, now);
  }
}

/** Adds to a commit the deletion of a link that was not mailed. */
export async function removePersonalLink(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  row: WithLink,
): Promise<void> {
  const entry = await readLink(kv, commit, row);
  if (entry !== null) shares.delete(commit.check(entry), entry.value);
}
