/**
 * Replaces `lib/platform/kv/open.ts` in `deno task test:lossy`: a store in memory becomes one that is
 * reached over a network. Stores in files remain.
 *
 * @module
 */
import { MINUTE_MS } from "../../lib/base/time.ts";
import { openKv as open } from "../../lib/platform/kv/open.ts";
import { rulesOf } from "../../lib/platform/kv/store_kv.ts";

export { isFile } from "../../lib/platform/kv/open.ts";

const TOKEN = "DENO_KV_ACCESS_TOKEN";
/** Longer than usual, because a lost connection delays all calls that are on their way, up to a thousand. */
const WAIT_MS = MINUTE_MS;
/** The rows with the ids of commits over a network. */
const COMMITS = "commits";

export async function openKv(...[path, ...rest]: Parameters<typeof open>): Promise<Deno.Kv> {
  if (path !== ":memory:") return await open(path, ...rest);
  const before = Deno.env.get(TOKEN);
  Deno.env.set(TOKEN, Deno.env.get("TEST_KV_TOKEN")!);
  try {
    // Each path of the server is a store.
    const name = crypto.randomUUID().replaceAll("-", "");
    const kv = await open(Deno.env.get("TEST_KV_SERVER") + name, ...rest);
    Object.assign(rulesOf(kv).deadlines, { callMs: WAIT_MS, requestMs: WAIT_MS });
    return withoutCommits(kv);
  } finally {
    if (before === undefined) Deno.env.delete(TOKEN);
    else Deno.env.set(TOKEN, before);
  }
}

/** Leaves the ids of commits out of lists of everything, because tests compare all that is stored. */
function withoutCommits(kv: Deno.Kv): Deno.Kv {
  const list = kv.list.bind(kv);
  return Object.assign(kv, {
    list<Value>(selector: Deno.KvListSelector, options?: Deno.KvListOptions) {
      if (!("prefix" in selector) || selector.prefix.length > 0) {
        return list<Value>(selector, options);
      }
      const iterator = list<Value>(selector, { ...options, limit: undefined });
      const next = iterator.next.bind(iterator);
      let left = options?.limit ?? Infinity;
      return Object.assign(iterator, {
        async next() {
          if (left-- <= 0) return { done: true, value: undefined };
          let result = await next();
          while (!result.done && result.value.key[0] === COMMITS) result = await next();
          return result;
        },
      });
    },
  });
}
