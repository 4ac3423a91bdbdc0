/**
 * Replaces `lib/platform/kv/open.ts` in `deno task test:slow-kv`: each call of a store takes longer.
 *
 * @module
 */
import { openKv as open } from "../../lib/platform/kv/open.ts";
import { slowKv } from "../../lib/platform/kv/testing/slow_kv.ts";

export { isFile } from "../../lib/platform/kv/open.ts";

const DELAY_MS = Number(Deno.env.get("TEST_KV_DELAY_MS"));

export const openKv = async (...args: Parameters<typeof open>): Promise<Deno.Kv> =>
  slowKv(await open(...args), DELAY_MS);
