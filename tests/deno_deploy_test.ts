import { assert, assertEquals } from "@std/assert";
import { valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { builtSite } from "./built_site.ts";
import { PERSON } from "./contact_site.ts";
import { startPlatform } from "./deno_deploy/platform.ts";

// `deno task test:deploy` runs a day without visitors.
Deno.test("on Deno Deploy, the cron of a new instance sends what its predecessor could not, and publishes the log within 90 seconds", async () => {
  const { folder } = await builtSite();
  await using platform = await startPlatform(folder);
  const { kv, providers } = platform;
  providers.refuses = true;
  const json = { ...PERSON, email: "person@example.org" };
  const registered = await platform.send("api", "/api/ir/register", { json });
  assertEquals(registered.status, 201);
  await platform.end();
  assert((await valuesOf(kv, "log_pending")).length > 0);
  assertEquals(await valuesOf(kv, "log_checkpoints"), []);

  providers.refuses = false;
  await platform.pass(MINUTE_MS);
  await platform.fire();
  assertEquals(await valuesOf(kv, "log_pending"), []);
  assertEquals((await valuesOf(kv, "log_checkpoints")).length, 1);
  await platform.pass(MINUTE_MS);
  await platform.fire();
  assertEquals(await valuesOf(kv, "outbox"), []);
  assertEquals(providers.mails.map(({ to }) => to), [json.email]);
  assertEquals(platform.faults, []);
  assertEquals(platform.starts, 2);
});
