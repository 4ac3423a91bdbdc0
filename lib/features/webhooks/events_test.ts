import { assert, assertEquals } from "@std/assert";
import { createEventIds, EVENT_ID } from "./events.ts";

Deno.test("the ids of events are in the order in which they were created, even when the clock is set back", () => {
  const idAt = createEventIds();
  const start = Date.parse("2026-11-28T10:00:00Z");
  const times = [0, 0, 0, 1, 1, 500, 100, 500, 501, 86_400_000];
  const ids = times.map((ms) => idAt(start + ms));
  for (let i = 0; i < 5_000; i++) ids.push(idAt(start + 86_400_000));
  assertEquals(ids.toSorted(), ids);
  assertEquals(new Set(ids).size, ids.length);
  assert(ids.every((id) => EVENT_ID.test(id)));
  assert(createEventIds()(start) !== createEventIds()(start));
});
