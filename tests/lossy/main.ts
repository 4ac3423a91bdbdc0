/**
 * Runs the tests on stores whose network loses 15 % of the responses to commits: they are committed, and
 * then the client gets 503, or its connection ends. Stores in files stay as they are. Arguments replace
 * the default files.
 *
 *     deno task test:lossy
 *     deno task test:lossy tests/oauth_tokens_test.ts
 *
 * `TEST_LOST` replaces the share of 0.15, and `TEST_SEED` leads to other responses.
 *
 * @module
 */
import { losing } from "../../lib/platform/kv/testing/connect/network.ts";
import { serveConnect } from "../../lib/platform/kv/testing/connect_server.ts";
import { testOnReplacedStores } from "../replaced_stores.ts";
import { testFiles } from "../runner/groups.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The tests that do not run, by file or folder, with the reason. */
const EXCLUDED: Record<string, string> = {
  "fresh": "has no store",
  "tools": "has no store",
  "lib/platform/kv/exactly_once_test.ts": "compares stores over a network with local ones",
  "lib/platform/kv/testing/limited_kv_test.ts": "tests the limits of local stores",
  "tests/registry_test.ts": "has checks of services that do not wait for repeated commits",
  "tests/costs_test.ts": "counts with stores of its own",
};

const isExcluded = (path: string): boolean =>
  Object.keys(EXCLUDED).some((name) => path === ROOT + name || path.startsWith(`${ROOT}${name}/`));

const given = Deno.args.some((argument) => !argument.startsWith("-"));
const files = given ? [] : [...testFiles(ROOT)].filter((path) => !isExcluded(path));
const lost = Number(Deno.env.get("TEST_LOST") ?? 0.15);
await using server = serveConnect({
  seed: Deno.env.get("TEST_SEED"),
  // The tests have clocks of their own, and take several times as long as usual.
  sweeps: false,
  drops: true,
  ...losing(lost),
});
const env = { TEST_KV_SERVER: server.url, TEST_KV_TOKEN: server.token, TEST_PEOPLE: "1000" };
Deno.exitCode = await testOnReplacedStores("tests/lossy/open.ts", [...files, ...Deno.args], env);
console.log(`${server.commits} commits, ${server.faults} responses to commits were lost`);
