/**
 * Replaces `lib/platform/kv/open.ts` in `deno task test:denokv`: a store in memory becomes a `denokv` process of its
 * own. Stores in files remain.
 *
 * @module
 */
import { MINUTE_MS } from "../../lib/base/time.ts";
import { openKv as open } from "../../lib/platform/kv/open.ts";
import { rulesOf } from "../../lib/platform/kv/store_kv.ts";
import { withoutCommits, withToken } from "../network_stores.ts";

export { isFile } from "../../lib/platform/kv/open.ts";

/** Longer than usual, because a commit of more than 1 KiB waits for 40 ms. */
const WAIT_MS = MINUTE_MS;

export async function openKv(...[path, ...rest]: Parameters<typeof open>): Promise<Deno.Kv> {
  if (path !== ":memory:") return await open(path, ...rest);
  const pool = Deno.env.get("TEST_DENOKV_POOL")!;
  const { url, token, end } = await (await fetch(pool, { method: "POST" })).json();
  const kv = await withToken(token, () => open(url, ...rest));
  Object.assign(rulesOf(kv).deadlines, { callMs: WAIT_MS, requestMs: WAIT_MS });
  return ending(withoutCommits(kv), end);
}

/** Ends the process of a store that is closed: a file tells it, because `close` cannot wait for a request. */
function ending(kv: Deno.Kv, end: string): Deno.Kv {
  const close = kv.close.bind(kv);
  let closed = false;
  return Object.assign(kv, {
    close() {
      closed = true;
      close();
      Deno.writeTextFileSync(end, "");
    },
    [Symbol.dispose]() {
      if (!closed) kv.close();
    },
  });
}
