/**
 * Runs the tests on stores whose every call takes longer, as with a store in another region. Arguments
 * are those of `deno task test`.
 *
 *     deno task test:slow-kv
 *     deno task test:slow-kv tests/oauth_tokens_test.ts
 *
 * `TEST_KV_DELAY_MS` replaces the delay of 5 ms.
 *
 * @module
 */
import { testOnReplacedStores } from "../replaced_stores.ts";

const delay = Deno.env.get("TEST_KV_DELAY_MS") ?? "5";
const env = { TEST_KV_DELAY_MS: delay };
const began = performance.now();
Deno.exitCode = await testOnReplacedStores("tests/slow_kv/open.ts", Deno.args, env);
console.log(`${Math.round((performance.now() - began) / 1000)} s with ${delay} ms per call`);
