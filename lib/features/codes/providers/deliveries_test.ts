import { assertEquals } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { createDeliveries, type Delivery } from "./deliveries.ts";

const SENDING: Delivery = { state: "sending", failure: null };
const FAILED: Delivery = { state: "failed", failure: "unanswered" };
const DELIVERED: Delivery = { state: "delivered", failure: null };

Deno.test("reports in any order leave the latest state, and a failure counts once", async () => {
  const cases: [reports: Delivery[], state: Delivery, failures: number][] = [
    [[SENDING, DELIVERED], DELIVERED, 0],
    [[DELIVERED, SENDING], DELIVERED, 0],
    [[DELIVERED, FAILED], DELIVERED, 0],
    [[FAILED, SENDING, FAILED], FAILED, 1],
    [[SENDING], SENDING, 0],
  ];
  for (const [reports, state, failures] of cases) {
    using kv = await openKv(":memory:");
    const deliveries = createDeliveries({ kv, clock: Date.now });
    for (const report of reports) await deliveries.report("SM1", report);
    assertEquals(await deliveries.read("SM1"), state);
    assertEquals(await deliveries.failures(), failures);
  }
});

Deno.test("concurrent reports of one failure count once", async () => {
  using kv = await openKv(":memory:");
  const deliveries = createDeliveries({ kv, clock: Date.now });
  await Promise.all(Array.from({ length: 20 }, () => deliveries.report("SM1", FAILED)));
  assertEquals(await deliveries.failures(), 1);
});

Deno.test("a delivery is unknown before the first report and after a day", async () => {
  using kv = await openKv(":memory:");
  let now = Date.now();
  const deliveries = createDeliveries({ kv, clock: () => now });
  assertEquals(await deliveries.read("SM1"), null);
  await deliveries.report("SM1", SENDING);
  now += 24 * 60 * 60_000;
  assertEquals(await deliveries.read("SM1"), null);
});
