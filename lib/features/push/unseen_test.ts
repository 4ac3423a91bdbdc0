import { assertEquals } from "@std/assert";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { dueRowsJobs } from "../../platform/jobs/mod.ts";
import { deletesUnseen } from "./devices.ts";
import { type DeviceRow, DEVICES, UNSEEN_MS } from "./rows.ts";
import { android, pushFixture } from "./testing/fixture.ts";

Deno.test("the job removes devices that were not seen for 270 days, and lowers their records' counts", async () => {
  using fixture = await pushFixture();
  const { kv, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("old"));
  clock.now += 1;
  await fixture.register(hash, android("new"));
  clock.now += UNSEEN_MS - 1;
  const deps = { kv, clock: () => clock.now };
  const [, job] = dueRowsJobs({ ...deps, tables: DEVICES, deletes: deletesUnseen(deps) });
  const { signal } = new AbortController();
  const save = () => Promise.resolve();
  assertEquals(await job.run({ cursor: null, signal, save }), "1 deleted");
  const [left, ...others] = await valuesOf<DeviceRow>(kv, "device_tokens");
  assertEquals([left.created_at, others], [clock.now - UNSEEN_MS + 1, []]);
  const [settings] = await valuesOf<{ devices: number }>(kv, "push_settings");
  assertEquals(settings.devices, 1);
});
