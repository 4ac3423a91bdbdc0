/** The events that readers of a record and its documents cause, and their limits. */
import { z } from "zod";
import type { LinkedEvent } from "../../../../packages/proof/mod.ts";
import { isLinkPreview, isPrefetch } from "../../../platform/http/audience.ts";
import {
  createSingleUseTokens,
  defineTable,
  expires,
  EXPIRING,
  ifWritable,
  isLive,
  isoAfter,
  TOKEN,
  transact,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { DAY_MS, dayOf, HOUR_MS, inMinutes, MINUTE_MS } from "../../../base/time.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { RecordsOptions } from "../record/options.ts";
import type { HolderSession } from "../sessions/table.ts";
import { readExisting } from "../record/store.ts";

/** The events that readers of a record cause. */
const readerEventKind = z.enum([
  "record_verified",
  "document_viewed",
  "document_downloaded",
  "document_printed",
  "document_verified",
  "access_requested",
]);

type ReaderEventKind = z.infer<typeof readerEventKind>;

/** An action of a reader that may become an event of the record's chain. */
export interface ReaderAction {
  hash: string;
  kind: ReaderEventKind;
  /** The object that was read or verified: the id of a document, or the record's hash. */
  object: string;
  reader: Reader;
  /** An unknown reader, one who was granted access, or a full administrator (L1). */
  as: "anonymous" | "grant" | "administrator";
  /** Further information for the access log, such as the document and the grant. */
  detail?: string;
}

/**
 * Why an action is not an event. `recent`: the same reader did the same within the last hour; `limit`:
 * anonymous readers have caused enough events today.
 */
export type Suppression = "recent" | "limit";

export type ReaderResult =
  | { ok: true; event: LinkedEvent }
  | { ok: true; event: null; suppressed: Suppression }
  | Failure<"not_found" | "invalid_nonce">;

/** Adds to the commit of an action, whether it becomes an event or not. `false` cancels the action. */
export type AddToAction = (
  commit: Deno.AtomicOperation,
) => boolean | void | Promise<boolean | void>;

/** The one action that a nonce allows: of this kind, for this object of this record. */
export type NonceScope = z.infer<typeof nonceScope>;

export type ReaderEvents = ReturnType<typeof createReaderEvents>;

/** A reader's action counts once in this time. */
const REPEAT_MS = HOUR_MS;

/** The most events of one kind that anonymous readers cause in a chain per day (UTC). */
export const ANONYMOUS_PER_DAY = 50;

/** How long a nonce can be used, in milliseconds. */
export const NONCE_LIFETIME_MS = 10 * MINUTE_MS;

/** The actions of readers that repeat too soon. `reader` is a keyed hash of day, network and object. */
const visits = defineTable({
  prefix: "reader_visits",
  value: z.strictObject(EXPIRING),
  key: ["record", "kind", "reader"],
  owner: { record: "record" },
  lifetime: expires(inMinutes(REPEAT_MS)),
  per: "reader of a record",
  privacy: {
    section: "check",
    label: "Repeated checks",
    text: "A keyed fingerprint of the day, your network and the record or document, for " +
      `${
        inMinutes(REPEAT_MS)
      }, so that repeated checks are only counted. The number of checks of ` +
      "each record per day.",
  },
});

/** The counts of one day, record and kind, for anonymous readers. */
const dayCounts = defineTable({
  prefix: "reader_counts",
  value: z.strictObject({
    events: z.number(),
    suppressed: z.number(),
    /** The access log's entry with the number of suppressed actions. */
    entry: z.array(z.string()).readonly().nullable(),
    ...EXPIRING,
  }),
  key: ["record", "day", "kind"],
  owner: { record: "record" },
  lifetime: expires("2 days"),
  per: "record, day and kind of event",
  privacy: { section: "check", label: "Repeated checks" },
});

const nonceScope = z.strictObject({
  hash: z.string(),
  kind: readerEventKind,
  object: z.string(),
});

const nonces = createSingleUseTokens<NonceScope>({
  prefix: "reader_nonces",
  lifetimeMs: NONCE_LIFETIME_MS,
});

export const readingTables = [
  visits,
  dayCounts,
  defineTable({
    prefix: "reader_nonces",
    value: nonceScope.extend(TOKEN),
    owner: "nobody",
    lifetime: expires(inMinutes(NONCE_LIFETIME_MS)),
    per: "look-up on a page",
    privacy: {
      section: "check",
      label: "Limits",
      text: "The number of checks from your network address, only in memory, for a minute. A " +
        "fingerprint of a random number with which your browser can report one match, for " +
        `${inMinutes(NONCE_LIFETIME_MS)}.`,
    },
  }),
];

type ReaderEventsOptions = Pick<RecordsOptions, "kv" | "clock" | "chains" | "secrets">;

/**
 * Returns whether a request comes from a reader other than the record's holder: not from a link
 * preview, a prefetch or a `HEAD` request, which nobody reads.
 */
export const isReading = (request: Request, holder: HolderSession | null, hash: string): boolean =>
  request.method !== "HEAD" && !isPrefetch(request) && !isLinkPreview(request) &&
  !isOwnReading(holder, hash);

/** Returns whether a session may open the record, whichever record is open. */
export const isOwnReading = (holder: HolderSession | null, hash: string): boolean =>
  holder !== null && (holder.record === hash || holder.choices.includes(hash));

/**
 * Creates the events that readers cause.
 */
export function createReaderEvents(options: ReaderEventsOptions) {
  const { kv, clock, chains } = options;

  /**
   * Appends the event of an action to the record's chain, in one commit with its counters and its entry
   * in the access log, or counts it in the access log if it is suppressed.
   *
   * Check {@link isReading} first: what it rejects is not an action.
   */
  async function add(
    action: ReaderAction,
    addToCommit: AddToAction = () => {},
  ): Promise<ReaderResult> {
    const { hash, kind, reader, detail } = action;
    const limited = isLimited(action);
    // Most suppressed actions end here, before they wait for other appends to the chain.
    if (limited && (await readQuota(options, action, clock())).suppressed) {
      return await suppress(action, addToCommit);
    }
    let suppressed = false;
    const appended = await chains.append(hash, kind, async (commit, { seq }) => {
      const now = clock();
      const [record, quota] = await Promise.all([
        readExisting(kv, hash),
        limited ? readQuota(options, action, now) : null,
      ]);
      suppressed = quota !== null && quota.suppressed !== null;
      if (record === null || suppressed || await addToCommit(commit) === false) return false;
      commit.check(record.contact); // no entry for a record that is being deleted
      quota?.countEvent(commit);
      addAccess(commit, hash, { what: kind, reader, seq, detail }, now);
    });
    if (appended !== null) return { ok: true, event: appended.event };
    return suppressed ? await suppress(action, addToCommit) : fail("not_found");
  }

  function suppress(action: ReaderAction, addToCommit: AddToAction): Promise<ReaderResult> {
    return transact<ReaderResult>(async () => {
      const [record, quota] = await Promise.all([
        readExisting(kv, action.hash),
        readQuota(options, action, clock()),
      ]);
      const commit = kv.atomic();
      if (record === null || await addToCommit(commit) === false) {
        return { result: fail("not_found") };
      }
      commit.check(record.contact);
      quota.countSuppressed(commit);
      // If the hour ended just now, the action still counts as one within it.
      const suppressed = quota.suppressed ?? "recent";
      return { result: { ok: true, event: null, suppressed }, commit };
    });
  }

  async function readNonce(nonce: string) {
    const found = await nonces.find(kv, nonce, clock());
    return found.state === "open" ? found.entry : null;
  }

  return {
    add,
    /**
     * Creates a nonce for a page whose browser verifies something. Returns null while the store is
     * read-only: the browser verifies, but cannot report it.
     */
    async createNonce({ hash, kind, object }: NonceScope): Promise<string | null> {
      const nonce = await ifWritable(() =>
        transact(() => {
          const commit = kv.atomic();
          const { token } = nonces.create(commit, { hash, kind, object }, clock());
          return Promise.resolve({ result: token, commit });
        })
      );
      return nonce ?? null;
    },
    /** Returns what an unused nonce allows. */
    async readNonce(nonce: string): Promise<NonceScope | null> {
      const entry = await readNonce(nonce);
      if (entry === null) return null;
      const { hash, kind, object } = entry.value;
      return { hash, kind, object };
    },
    /** Does the same as `add` for a reader whose page got the nonce. A nonce works once. */
    async addOnce(
      nonce: string,
      action: Pick<ReaderAction, "kind" | "reader" | "as" | "detail">,
    ): Promise<ReaderResult> {
      const scope = (await readNonce(nonce))?.value;
      if (scope?.kind !== action.kind) return invalidNonce();
      const { hash, object } = scope;
      let replayed = false;
      const result = await add({ ...action, hash, object }, async (commit) => {
        const entry = await readNonce(nonce);
        replayed = entry === null;
        if (entry === null) return false;
        nonces.use(commit, entry, clock());
      });
      return replayed ? invalidNonce() : result;
    },
  };
}

const isLimited = ({ as, kind }: ReaderAction) => as === "anonymous" && kind !== "access_requested";

/** Reads whether an action of an anonymous reader is suppressed, and the rows that count it. */
async function readQuota(
  { kv, secrets }: ReaderEventsOptions,
  { hash, kind, object, reader }: ReaderAction,
  now: number,
) {
  const day = dayOf(now);
  const text = `${day}\n${reader.network}\n${object}`;
  const macs = await secrets.signatures("reader", text);
  const [visited, counts] = await Promise.all([
    Promise.all(macs.map((mac) => visits.get(kv, hash, kind, mac))),
    dayCounts.get(kv, hash, day, kind),
  ]);
  // The events of a chain never overlap. An action that is only counted changes none of these rows.
  unchecked("Every event changes the head of the chain.", ...visited);
  const before = counts.value ??
    { events: 0, suppressed: 0, entry: null, expires_at: isoAfter(now, 2 * DAY_MS) };
  const isOver = before.events >= ANONYMOUS_PER_DAY;
  const suppressed: Suppression | null =
    visited.some(({ value }) => value !== null && isLive(value, now))
      ? "recent"
      : isOver
      ? "limit"
      : null;
  return {
    suppressed,
    countEvent(commit: Deno.AtomicOperation): void {
      visits.put(commit, [hash, kind, macs[0]], { expires_at: isoAfter(now, REPEAT_MS) }, now);
      // Events of one chain never overlap, but a suppressed action may be counted at the same time.
      dayCounts.replace(commit, counts, { ...before, events: before.events + 1 }, now);
    },
    /** Replaces the day's entry in the access log, so that the log does not grow. */
    countSuppressed(commit: Deno.AtomicOperation): void {
      const suppressed = before.suppressed + 1;
      if (before.entry !== null) commit.delete(before.entry);
      const detail = `(${kind} × ${suppressed})`;
      const entry = addAccess(commit, hash, { what: "readings_suppressed", reader, detail }, now);
      dayCounts.replace(commit, counts, { ...before, suppressed, entry: entry.map(String) }, now);
    },
  };
}

const invalidNonce = () =>
  fail("invalid_nonce", { message: "This page has expired. Reload it to verify again." });
