/**
 * Runs the tests on the real KV server: each store is a `denokv` process of its own. Then it runs the processes of
 * the built site on one, and kills it under load. Arguments are those of `deno task test`, and leave out the latter.
 *
 *     deno task test:denokv
 *     DENOKV=/opt/denokv/bin/denokv deno task test:denokv tests/oauth_tokens_test.ts
 *
 * @module
 */
import { findDenokv } from "../../lib/platform/kv/testing/denokv_server.ts";
import { withFiles } from "../network_stores.ts";
import { testOnReplacedStores } from "../replaced_stores.ts";
import { servePool } from "./pool.ts";

const INSTALL =
  `There is no denokv on the PATH, and DENOKV names none. Install it outside of the repository:

    cargo install denokv@0.14.0 --root /opt/denokv     # half an hour on two cores; needs a C compiler
    DENOKV=/opt/denokv/bin/denokv deno task test:denokv`;

const MANY_JOBS = "12";

async function test(binary: string): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "denokv-" });
  let code: number;
  {
    await using pool = servePool(binary, folder);
    // Tests wait for the server most of the time.
    const { DENO_JOBS = MANY_JOBS } = Deno.env.toObject();
    const env = { DENO_JOBS, TEST_DENOKV_POOL: pool.url, TEST_PEOPLE: "1000", DENOKV: binary };
    code = await testOnReplacedStores("tests/denokv/open.ts", withFiles(Deno.args), env);
    console.log(`${pool.started} stores, ${pool.errors.length} errors of denokv`);
    for (const error of pool.errors.slice(0, 20)) console.log(error);
  }
  await Deno.remove(folder, { recursive: true });
  if (Deno.args.length > 0) return code;
  const processes = new Deno.Command(Deno.execPath(), {
    args: ["task", "test:processes"],
    env: { TEST_STORE: "denokv", DENOKV: binary },
  });
  return Math.max(code, (await processes.spawn().status).code);
}

const binary = findDenokv();
if (binary === null) console.error(INSTALL);
Deno.exitCode = binary === null ? 1 : await test(binary);
