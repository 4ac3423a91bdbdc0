/**
 * The settings of tests whose stores are all reached over a network.
 *
 * @module
 */
import { testFiles } from "./runner/groups.ts";

const ROOT = new URL("../", import.meta.url).pathname;

/** The tests that do not run, by file or folder, with the reason. */
const EXCLUDED: Record<string, string> = {
  "fresh": "has no store",
  "tools": "has no store",
  "lib/platform/kv/exactly_once_test.ts": "compares stores over a network with local ones",
  "lib/platform/kv/identity_test.ts": "compares stores over a network with local ones",
  "lib/platform/kv/testing/limited_kv_test.ts": "tests the limits of local stores",
  "tests/registry_test.ts": "has checks of services that do not wait for repeated commits",
  "tests/costs_test.ts": "counts with stores of its own",
};

const isExcluded = (path: string): boolean =>
  Object.keys(EXCLUDED).some((name) => path === ROOT + name || path.startsWith(`${ROOT}${name}/`));

/** Returns the arguments for all tests, unless they name files. */
export function withFiles(args: readonly string[]): string[] {
  const given = args.some((argument) => !argument.startsWith("-"));
  const files = given ? [] : [...testFiles(ROOT)].filter((path) => !isExcluded(path));
  return [...files, ...args];
}

/** The rows with the ids of commits over a network. */
const COMMITS = "commits";

/** Leaves the ids of commits out of lists of everything, because tests compare all that is stored. */
export function withoutCommits(kv: Deno.Kv): Deno.Kv {
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

/** Runs something while the environment has the token of a server. */
export async function withToken<Result>(
  token: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const name = "DENO_KV_ACCESS_TOKEN";
  const before = Deno.env.get(name);
  Deno.env.set(name, token);
  try {
    return await run();
  } finally {
    if (before === undefined) Deno.env.delete(name);
    else Deno.env.set(name, before);
  }
}
