/** The access log as a feed that clients follow. */
import { z } from "zod";
import { eTag } from "../../../platform/http/etag.ts";
import { type Feed, limitSchema, MAX_PAGE_SIZE } from "../../../platform/http/feed.ts";
import { fail } from "../../../base/result.ts";
import { hashSchema } from "../../../../packages/proof/mod.ts";
import { accessCountKey, accessIdSchema, accessRowSchema, readAccessPage } from "./access_log.ts";

/** The query of an access log's feed. */
export const logQuerySchema = z.object({
  before: accessIdSchema.optional().describe("Selects the newest entries before this id."),
  after: accessIdSchema.optional().describe("Selects the oldest entries after this id."),
  limit: limitSchema,
});

/** The response of `GET /my-record/log` as JSON. */
export const logFeedSchema = z.object({
  hash: hashSchema,
  events: z.array(accessRowSchema),
  has_more: z.boolean(),
});

type Query = z.output<typeof logQuerySchema>;

/** The id of the last entry that a client has; null if it has none. */
type LogPosition = string | null;

/**
 * Returns a record's access log as a private feed, of the same shape as a chain's.
 *
 * Entries are ordered by time. Entries of suppressed readings are replaced by newer ones, so the
 * entry at a client's position may no longer exist.
 *
 * @param url the full URL of `/my-record/log`
 */
export function logFeed(
  { kv, clock }: { kv: Deno.Kv; clock: () => number },
  hash: string,
  { url }: { url: string },
): Feed<Query, LogPosition> {
  const read = (query: Query) => readAccessPage(kv, hash, clock(), query);
  const newestId = async () => (await read({ limit: 1 })).last;
  /** The count changes with every entry, and no two records have the same hash. */
  const tag = async ({ before, after, limit }: Query) => {
    const { versionstamp } = await kv.get(accessCountKey(hash));
    return await eTag(JSON.stringify([hash, versionstamp, before, after, limit]), { weak: true });
  };
  /** Returns a failure if the client's position is newer than the log. */
  const findDivergence = async (after: string | undefined) => {
    const newest = after === undefined ? undefined : await newestId();
    if (newest === undefined || after! <= newest) return null;
    return fail("log_rewritten", { message: "This log has no entry as new as your position." });
  };
  return {
    url,
    cacheControl: "private, no-cache",
    vary: "Cookie",
    tag,
    async page(query) {
      const { limit, after } = query;
      const etag = await tag(query); // read before the page, because a newer tag could hide an entry
      const { rows, first, last, older, newer } = await read(query);
      const divergence = rows.length === 0 ? await findDivergence(after) : null;
      if (divergence !== null) return divergence;
      return {
        ok: true,
        body: { hash, events: rows, has_more: after === undefined ? older : newer },
        etag,
        prev: older && first !== undefined ? { before: first, limit } : null,
        next: newer && last !== undefined ? { after: last, limit } : null,
      };
    },
    async position({ after }) {
      if (after === undefined) return { ok: true, position: await newestId() ?? null };
      return await findDivergence(after) ?? { ok: true, position: after };
    },
    source: {
      key: accessCountKey(hash),
      idOf: (id) => id ?? "",
      async read(id) {
        const { rows, last, newer } = await read({ after: id ?? undefined, limit: MAX_PAGE_SIZE });
        return {
          events: rows.map((entry) => ({ id: entry.id, data: entry })),
          position: last ?? id,
          more: newer,
        };
      },
    },
  };
}
