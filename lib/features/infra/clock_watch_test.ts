import { assertEquals } from "@std/assert";
import { createClockWatch } from "./clock_watch.ts";

const NOW = Date.parse("2026-03-01T20:00:00.000Z");

Deno.test("the clock is compared with the Date of the last response of each server, in the middle of the request", async () => {
  const clock = { now: NOW, elapsed: 1_000 };
  const watch = createClockWatch({ clock: () => clock.now });
  let headers: Record<string, string> = {};
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => {
    clock.now += clock.elapsed;
    return new Response("{}", { headers });
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const send = async (source: string, date: string, more: Record<string, string> = {}) => {
    headers = { date, ...more };
    clock.now = NOW;
    const response = await watch.watch(source, fetch)(url);
    assertEquals(await response.json(), {});
  };
  assertEquals(watch.offsets(), []);
  await send("Bank", "Sun, 01 Mar 2026 20:00:30 GMT");
  await send("Mail API", "Sun, 01 Mar 2026 19:59:50 GMT");
  const expected = [{ source: "Bank", ms: 30_000 }, { source: "Mail API", ms: -10_000 }];
  assertEquals(watch.offsets(), expected);
  // A repeated response, a malformed date and a slow response say nothing.
  await send("Bank", "Sun, 01 Mar 2026 20:00:00 GMT", { age: "60" });
  await send("Bank", "yesterday");
  clock.elapsed = 4_000;
  await send("Bank", "Sun, 01 Mar 2026 20:00:00 GMT");
  assertEquals(watch.offsets(), expected);
});
