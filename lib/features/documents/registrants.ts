/**
 * The organisations that have registered some bytes, in the order of their first registrations.
 *
 * @module
 */
import { z } from "zod";
import { eachOf } from "../../base/slots.ts";
import { type Job, sweepRows } from "../../platform/jobs/mod.ts";
import {
  apart,
  asSite,
  defineTable,
  transact,
  unchecked,
  untilUsed,
} from "../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { addNotices } from "./also_registered.ts";
import {
  BY_HASH,
  type DocumentMatch,
  type DocumentRow,
  documents,
  findByIssuer,
  hashKeys,
  type HashScope,
  HIDDEN_BY_HASH,
  matchesIn,
  modeOf,
  scopeOf,
  SCOPES,
} from "./store.ts";

const scopeSchema = z.enum([...SCOPES.live, ...SCOPES.test]);

/** An organisation that has registered documents with the same bytes. */
const registrantRow = z.strictObject({
  /** The hash of the bytes. */
  sha256: z.string(),
  mode: z.enum(["live", "test"]),
  /** The id of the issuer. */
  issuer: z.string(),
  /**
   * Since when it has had a document with the bytes in a scope, by scope. A hidden registration neither takes
   * nor keeps a place among the public ones.
   */
  first: z.partialRecord(scopeSchema, z.string()),
  /** The id of the document that it registered last, by scope. */
  newest: z.partialRecord(scopeSchema, z.string()),
});
type RegistrantRow = z.infer<typeof registrantRow>;

const IN_ORDER = "registrants_in_order";
const COUNTS = "registrant_counts";

/**
 * One row for each hash, mode and issuer, derived from the documents: what one issuer registers changes no
 * row of another's.
 */
export const registrants = defineTable({
  prefix: "registrants",
  value: registrantRow,
  key: ["sha256", "mode", "issuer"],
  indexes: {
    [IN_ORDER]: {
      keysOf: ({ sha256, first, issuer, newest }: RegistrantRow) =>
        (Object.keys(newest) as HashScope[]).map((scope) => [sha256, scope, first[scope]!, issuer]),
      value: ({ newest }: RegistrantRow) => newest,
    },
  },
  otherIndexes: [COUNTS],
  owner: "nobody",
  lifetime: untilUsed("while the issuer has a document with these bytes"),
  per: "hash and issuer",
  privacy: { section: "record", label: "Documents" },
});

const unsettledRow = z.strictObject({
  id: z.string(),
  mode: z.enum(["live", "test"]),
  issuer: z.string(),
  hashes: z.array(z.string()),
  /** When the document was changed. */
  at: z.string(),
});

/** Hashes whose registrants are updated after the commit of a document. */
export type Unsettled = z.infer<typeof unsettledRow>;

/** The hashes of changed documents whose registrants have not been updated yet. */
export const unsettledHashes = defineTable({
  prefix: "document_hashes_unsettled",
  value: unsettledRow,
  key: ["id"],
  owner: "nobody",
  lifetime: untilUsed("until the hashes can be looked up, normally at once", "registrants"),
  per: "change of a document",
  privacy: { section: "record", label: "Documents" },
});

/**
 * Adds a new or changed document to a commit, with its indexes. Give the result to `settle` after the commit.
 * If that fails or the process dies, the job does it.
 *
 * @param change the stored row and the time of the change; null for a new document
 * @returns null if nothing has to be settled
 */
export function saveDocument(
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  change: { before: DocumentRow; now: number } | null,
): Unsettled | null {
  if (change !== null) documents.delete(commit, change.before);
  documents.set(commit, document);
  const known = new Set(change === null ? [] : keysOf(change.before));
  const keys = keysOf(document).filter((key) => !known.has(key));
  return addUnsettled(commit, document, keys, change?.now ?? Date.parse(document.created_at));
}

/** Adds the deletion of a document and its indexes to a commit. See {@link saveDocument} about the result. */
export function removeDocument(
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  now: number,
): Unsettled | null {
  documents.delete(commit, document);
  return addUnsettled(commit, document, keysOf(document), now);
}

/** Returns the keys of a document's hashes as texts, which begin with the hash. */
const keysOf = (document: DocumentRow): string[] =>
  hashKeys(document, [document.id]).map((key) => key.join("\n"));

function addUnsettled(
  commit: Deno.AtomicOperation,
  document: DocumentRow,
  keys: readonly string[],
  now: number,
): Unsettled | null {
  if (keys.length === 0) return null;
  const unsettled: Unsettled = {
    id: crypto.randomUUID(),
    mode: modeOf(document),
    issuer: document.issuer.id,
    hashes: keys.map((key) => key.split("\n", 1)[0]),
    at: new Date(now).toISOString(),
  };
  unsettledHashes.set(commit, unsettled);
  return unsettled;
}

export interface Registrants {
  /**
   * Updates the registrants of hashes from the documents that have them now. An error is logged, because the
   * job tries again.
   */
  settle(unsettled: Unsettled | null): Promise<void>;
  /** Settles what was interrupted. */
  job: Job;
}

export function createRegistrants(
  { kv, log }: { kv: Deno.Kv; log: (entry: Record<string, unknown>) => void },
): Registrants {
  async function settle(unsettled: Unsettled): Promise<void> {
    await eachOf(unsettled.hashes, (sha256) =>
      transact(async () => {
        const commit = kv.atomic(); // for one hash, because that checks up to five rows
        await addRegistrant(kv, commit, { ...unsettled, sha256 });
        return { result: undefined, commit };
      }));
    await kv.delete(unsettledHashes.key(unsettled.id));
  }

  return {
    async settle(unsettled) {
      if (unsettled === null) return;
      try {
        await asSite(() => settle(unsettled)); // the document is stored, whoever sent it
      } catch (error) {
        log({ level: "error", event: "hashes_unsettled", reason: String(error) });
      }
    },
    job: {
      name: "registrants",
      title: "Making changed documents findable by their hashes",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      async run(context) {
        const count = await sweepRows<Unsettled>(
          kv,
          unsettledHashes.prefix,
          context,
          async ({ value }) => {
            await settle(value);
            return true;
          },
        );
        return `${count} settled`;
      },
    },
  };
}

/**
 * Adds to a commit what an issuer has registered of some bytes. The commit fails if its documents with them or
 * its row have changed since. It always writes a row that exists, so that of two attempts at the same time the
 * one with the older data fails.
 */
async function addRegistrant(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { sha256, mode, issuer, at }: Pick<Unsettled, "mode" | "issuer" | "at"> & { sha256: string },
): Promise<void> {
  // This comes first: documents that change later change this row later, too.
  const [entry, ...counts] = await kv.getMany<[RegistrantRow, ...Deno.KvU64[]]>([
    registrants.key(sha256, mode, issuer),
    ...SCOPES[mode].map((scope) => [COUNTS, sha256, scope]),
  ]);
  const before = entry.value;
  commit.check(entry);
  const newest: RegistrantRow["newest"] = {};
  const first: RegistrantRow["first"] = {};
  const [lasts, firsts] = await Promise.all([
    Promise.all(SCOPES[mode].map(async (scope) => {
      const prefix = [BY_HASH, sha256, scope, issuer];
      return (await Array.fromAsync(kv.list({ prefix }, { limit: 1, reverse: true })))[0];
    })),
    mode === "live" ? firstOthers(kv, sha256, issuer) : [],
  ]);
  unchecked("Only a change of their number depends on them.", ...counts);
  for (const [i, scope] of SCOPES[mode].entries()) {
    const last = lasts[i];
    if (last !== undefined) {
      commit.check(last);
      newest[scope] = String(last.key.at(-1));
      first[scope] = before?.first[scope] ?? at;
    }
    const change = Number(last !== undefined) - Number(before?.newest[scope] !== undefined);
    if (change > 0) {
      commit.sum([COUNTS, sha256, scope], 1n);
      if (scope === "live") {
        commit.check(...counts);
        noteFirst(commit, firsts, { sha256, document: newest[scope]! });
      }
    }
    if (change < 0) addDeparture(commit, counts[i]);
  }
  if (before !== null) registrants.delete(commit, before);
  if (Object.keys(newest).length > 0) {
    registrants.set(commit, { sha256, mode, issuer, first, newest });
  }
}

/** Returns who was the first to register some bytes in each scope, apart from an issuer. */
const firstOthers = (kv: Deno.Kv, sha256: string, issuer: string) =>
  Promise.all(SCOPES.live.map(async (scope) => {
    // One of the two may be the issuer itself, whose hidden document has become public.
    const two = await apart(
      "The counts, which are checked, change with each issuer that joins or leaves.",
      () => Array.fromAsync(listInOrder(kv, sha256, scope, 2)),
    );
    return two.find((row) => row.issuer !== issuer);
  }));

/**
 * Adds notices to the commit of a registration that anybody may know of: for the organisation that was first
 * among those whose registrations are public, and for the first one among all others. A hidden registration
 * takes neither's place. The newcomer is notified of the first public one in turn. The commit checks the counts, so it
 * fails if another organisation registers the bytes at the same time, and one of the two always finds the other.
 */
function noteFirst(
  commit: Deno.AtomicOperation,
  firsts: Awaited<ReturnType<typeof firstOthers>>,
  { sha256, document }: { sha256: string; document: string },
): void {
  const others = new Map(firsts.flatMap((first) => first ? [[first.issuer, first.id]] : []));
  const [shown] = firsts;
  addNotices(commit, [
    ...[...others.values()].map((id) => ({ sha256, document: id, other: document, first: true })),
    ...shown ? [{ sha256, document, other: shown.id, first: false }] : [],
  ]);
}

/** Subtracts one from a count, which ends with the last registrant. */
function addDeparture(commit: Deno.AtomicOperation, count: Deno.KvEntryMaybe<Deno.KvU64>): void {
  commit.check(count);
  const left = Number(count.value ?? 1n) - 1;
  if (left > 0) commit.set(count.key, new Deno.KvU64(BigInt(left)));
  else commit.delete(count.key);
}

/** Lists the issuers with documents in a scope, and the id of each one's newest, by their first registrations. */
async function* listInOrder(kv: Deno.Kv, sha256: string, scope: HashScope, limit: number) {
  const list = kv.list<RegistrantRow["newest"]>({ prefix: [IN_ORDER, sha256, scope] }, { limit });
  for await (const { key, value } of list) {
    yield { first: String(key[3]), issuer: String(key[4]), id: value[scope]! };
  }
}

/** The most registrants that a look-up of a hash returns. */
export const MAX_REGISTRANTS = 15;

/** The registrations of some bytes by one organisation. */
export interface Registrant {
  /** The id of the issuer. */
  issuer: string;
  /** Since when it has had them registered in this scope, ISO 8601 in UTC. */
  first: string;
  /** Its newest registration; null while a change of the document is being settled. */
  match: DocumentMatch | null;
}

/** The organisations that have registered some bytes. */
export interface FoundRegistrants {
  /** In the order of their first registrations. */
  registrants: Registrant[];
  /** How many further ones there are. */
  more: number;
}

/** Returns who has registered a file, at most {@link MAX_REGISTRANTS} issuers with one document each. */
export async function findRegistrants(
  kv: Deno.Kv,
  sha256: string,
  scope: HashScope,
): Promise<FoundRegistrants> {
  const rows = await Array.fromAsync(listInOrder(kv, sha256, scope, MAX_REGISTRANTS));
  const [entries, count] = await Promise.all([
    documents.getMany(kv, rows.map(({ id }): [string] => [id])),
    rows.length < MAX_REGISTRANTS ? null : kv.get<Deno.KvU64>([COUNTS, sha256, scope]),
  ]);
  const matches = new Map(
    matchesIn(entries, sha256).filter(({ document }) => scopeOf(document) === scope)
      .map((match) => [match.document.id, match]),
  );
  return {
    registrants: rows.map(({ id, ...row }) => ({ ...row, match: matches.get(id) ?? null })),
    more: Math.max(0, Number(count?.value ?? 0n) - rows.length),
  };
}

/**
 * Returns who has registered a file in a record with a hash that may not be confirmed to everybody, one
 * document of each issuer. All keys of the record are read, so that no issuer takes the place of another.
 */
export async function findHidden(
  kv: Deno.Kv,
  sha256: string,
  record: string,
): Promise<Registrant[]> {
  const keys = await Array.fromAsync(
    kv.list({ prefix: [HIDDEN_BY_HASH, sha256, record] }),
    ({ key: [, , , issuer, at, id] }) => ({
      issuer: String(issuer),
      at: String(at),
      id: String(id),
    }),
  );
  const rows = [...Map.groupBy(keys, ({ issuer }) => issuer).values()]
    .map((each) => ({ issuer: each[0].issuer, first: each[0].at, id: each.at(-1)!.id }))
    .toSorted((a, b) => a.first < b.first ? -1 : 1)
    .slice(0, MAX_REGISTRANTS);
  const found = await documents.getMany(kv, rows.map(({ id }): [string] => [id]));
  const matches = new Map(matchesIn(found, sha256).map((match) => [match.document.id, match]));
  return rows.map(({ id, ...row }) => ({ ...row, match: matches.get(id) ?? null }));
}

/** The most documents of its own issuer that a new document is compared with. */
const MAX_SAME = 20;

/**
 * Returns the documents with a file of this hash that an administrator may have meant: those of the document's
 * own issuer, and one of each other issuer whose documents the same organisation registers.
 */
export async function findSame(
  kv: Deno.Kv,
  { organisation, issuer, test }: Pick<DocumentRow, "organisation" | "issuer" | "test">,
  sha256: string,
): Promise<DocumentMatch[]> {
  const found = await Promise.all(SCOPES[modeOf({ test })].map(async (scope) => {
    const [own, { registrants }] = await Promise.all([
      findByIssuer(kv, { sha256, scope, issuer: issuer.id }, MAX_SAME),
      findRegistrants(kv, sha256, scope),
    ]);
    const others = registrants.flatMap(({ match }) => match ?? [])
      .filter(({ document }) =>
        document.issuer.id !== issuer.id && document.organisation === organisation
      );
    return [...own, ...others];
  }));
  return found.flat();
}
