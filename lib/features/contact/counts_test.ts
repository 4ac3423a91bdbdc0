import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { dayOf } from "../../base/time.ts";
import { countRegistration, readMonths } from "./counts.ts";

Deno.test("readMonths() counts the registrations of a month until each of its days", async () => {
  using kv = await openKv(":memory:");
  for (let i = -1; i <= 31; i++) {
    const commit = kv.atomic();
    const group = { day: dayOf(Date.UTC(2026, 2, 1 + i)), type: "", site: null };
    countRegistration(commit, "commercial", group, 1);
    await commit.commit();
  }
  for (let i = 1; i <= 31; i++) {
    const march = dayOf(Date.UTC(2026, 2, i));
    const [february, ...found] = await readMonths(kv, "commercial", ["2026-02-27", march]);
    assertEquals([february, found], [{ all: 1, until: 0 }, [{ all: 31, until: i }]]);
  }
});
