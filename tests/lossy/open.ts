/**
 * Replaces `lib/platform/kv/open.ts` in `deno task test:lossy`: a store in memory becomes one that is
 * reached over a network. Stores in files remain.
 *
 * @module
 */
import { MINUTE_MS } from "../../lib/base/time.ts";
import { openKv as open } from "../../lib/platform/kv/open.ts";
import { rulesOf } from "../../lib/platform/kv/store_kv.ts";
import { withoutCommits, withToken } from "../network_stores.ts";

export { isFile } from "../../lib/platform/kv/open.ts";

/** Longer than usual, because a lost connection delays all calls that are on their way, up to a thousand. */
const WAIT_MS = MINUTE_MS;

export async function openKv(...[path, ...rest]: Parameters<typeof open>): Promise<Deno.Kv> {
  if (path !== ":memory:") return await open(path, ...rest);
  return await withToken(Deno.env.get("TEST_KV_TOKEN")!, async () => {
    // Each path of the server is a store.
    const name = crypto.randomUUID().replaceAll("-", "");
    const kv = await open(Deno.env.get("TEST_KV_SERVER") + name, ...rest);
    Object.assign(rulesOf(kv).deadlines, { callMs: WAIT_MS, requestMs: WAIT_MS });
    return withoutCommits(kv);
  });
}
