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
  const registered = await platform.send("api", "/api/ir/register", { json: PERSON });
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
  const mails = providers.mails.map(({ to }) => to);
  assertEquals(mails.filter((to) => to === PERSON.email).length, 1);
  assertEquals(new Set(providers.mails.map(({ id }) => id)).size, mails.length);
  assertEquals(platform.faults, []);
  assertEquals(platform.starts, 2);
});
