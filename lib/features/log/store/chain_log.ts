/** The response of `GET /api/chain/:hash/log`: where the events of a record are in the public log. */
import { z } from "zod";
import { encodeHex } from "../../../base/bytes.ts";
import { encodeBase64 } from "../../../base/encoding.ts";
import { fail, type Failure } from "../../../base/result.ts";
import { limitSchema } from "../../../platform/http/feed.ts";
import { integer } from "../../../platform/http/schemas.ts";
import { eventSlot, hashSchema, type Head } from "../../../../packages/proof/mod.ts";
import { heads } from "../../chain/mod.ts";
import { type LogChain, logChains, logIndex } from "./tables.ts";

/** The query of `GET /api/chain/:hash/log`. */
export const chainLogQuerySchema = z.object({
  // So that a size after it, up to the largest limit, is a safe integer.
  after: integer(0, 1e15 - 1, "a size of the chain: a whole number from 0").optional()
    .describe("Selects the sizes above this one. Default: from 1."),
  limit: limitSchema,
});

/** The response of `GET /api/chain/:hash/log`. */
export const chainLogSchema = z.object({
  hash: hashSchema,
  log: z.url().describe("The address of the public log."),
  policy: z.string().describe(
    "The policy that the publisher suggests: the log's keys and its witnesses (C2SP tlog-policy).",
  ),
  log_salt: z.string().describe(
    "32 bytes in base64, with which the entries of this chain are opened.",
  ),
  size: z.int().describe("The number of events of the chain."),
  entries: z.array(z.object({
    size: z.int(),
    index: z.int().nullable().describe("Null until the log has the entry."),
  })).describe("The place of each size in the log, in ascending order."),
  has_more: z.boolean(),
});

type ChainLog = z.infer<typeof chainLogSchema>;

/**
 * Returns what a complete check of a chain against the log needs: the salt, and where each of its sizes is.
 * All rows are read in one round trip.
 *
 * @param log the address of the log, and the policy that it suggests
 */
export async function chainLogPage(
  kv: Deno.Kv,
  record: string,
  { after = 0, limit }: z.output<typeof chainLogQuerySchema>,
  log: { url: string; policy: string },
): Promise<{ ok: true; page: ChainLog } | Failure<"not_found">> {
  if (!hashSchema.safeParse(record).success) return unknown();
  const sizes = Array.from({ length: limit }, (_, i) => after + 1 + i);
  const [head, chain, ...indexes] = await kv.getMany([
    heads.key(record),
    logChains.key(record),
    ...sizes.map((size) => logIndex.key(encodeHex(eventSlot(record, size)))),
  ]);
  if (head.value === null || chain.value === null) return unknown();
  const { size } = head.value as Head;
  const { salt } = chain.value as LogChain;
  const entries = sizes.filter((each) => each <= size)
    .map((size, i) => ({ size, index: indexes[i].value as number | null }));
  const hasMore = after + limit < size;
  const page = {
    hash: record,
    log: log.url,
    policy: log.policy,
    log_salt: encodeBase64(salt),
    size,
    entries,
    has_more: hasMore,
  };
  return { ok: true, page };
}

const unknown = () => fail("not_found", { message: "The log has nothing about this record." });
