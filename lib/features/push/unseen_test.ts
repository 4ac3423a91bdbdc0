import { assertEquals } from "@std/assert";
import { valuesOf } from "../../platform/kv/testing/temp_kv.ts";
import { type DeviceRow, readDevice, saveDevice, UNSEEN_MS } from "./rows.ts";
import { android, pushFixture } from "./testing/fixture.ts";
import { createUnseenJob } from "./unseen_job.ts";

const context = (cursor: unknown, save: (cursor: unknown) => void, signal?: AbortSignal) => ({
  cursor,
  signal: signal ?? new AbortController().signal,
  save: (cursor: unknown) => Promise.resolve(save(cursor)),
});

Deno.test("the job removes devices that were not seen for 270 days, and lowers their records' counts", async () => {
  using fixture = await pushFixture();
  const { kv, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("old"));
  clock.now += 1;
  await fixture.register(hash, android("new"));
  clock.now += UNSEEN_MS - 1;
  const job = createUnseenJob({ kv, clock: () => clock.now });
  assertEquals(await job.run(context(null, () => {})), "1 removed");
  const [left, ...others] = await valuesOf<DeviceRow>(kv, "device_tokens");
  assertEquals([left.created_at, others], [clock.now - UNSEEN_MS + 1, []]);
  const [settings] = await valuesOf<{ devices: number }>(kv, "push_settings");
  assertEquals(settings.devices, 1);
});

Deno.test("a run that is out of time continues after its last device", async () => {
  using fixture = await pushFixture();
  const { kv, clock } = fixture;
  const hash = await fixture.record();
  await fixture.register(hash, android("one"));
  const [device] = await valuesOf<DeviceRow>(kv, "device_tokens");
  for (const platform of ["android", "web"] as const) {
    for (let i = 0; i < 120; i++) {
      const commit = kv.atomic();
      saveDevice(commit, { ...device, platform, id: `${i}`.padStart(64, "0") });
      await commit.commit();
    }
  }
  clock.now += UNSEEN_MS;
  const job = createUnseenJob({ kv, clock: () => clock.now });
  const results: unknown[] = [];
  let cursor: unknown = null;
  for (let run = 0; run < 4; run++) {
    const controller = new AbortController();
    const save = (saved: unknown) => {
      cursor = saved;
      controller.abort();
    };
    results.push(await job.run(context(cursor, save, controller.signal)));
  }
  assertEquals(results, ["100 removed", "21 removed", "100 removed", "20 removed"]);
  assertEquals((await readDevice(kv, device)).value, null);
  assertEquals(await valuesOf(kv, "push_subscriptions_by_contact"), []);
});
