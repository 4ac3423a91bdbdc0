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
import { withFiles } from "../network_stores.ts";
import { testOnReplacedStores } from "../replaced_stores.ts";

const lost = Number(Deno.env.get("TEST_LOST") ?? 0.15);
await using server = serveConnect({
  seed: Deno.env.get("TEST_SEED"),
  // The tests have clocks of their own, and take several times as long as usual.
  sweeps: false,
  drops: true,
  ...losing(lost),
});
const env = { TEST_KV_SERVER: server.url, TEST_KV_TOKEN: server.token, TEST_PEOPLE: "1000" };
Deno.exitCode = await testOnReplacedStores("tests/lossy/open.ts", withFiles(Deno.args), env);
console.log(`${server.commits} commits, ${server.faults} responses to commits were lost`);
