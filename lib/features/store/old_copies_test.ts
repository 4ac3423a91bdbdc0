import { assertEquals } from "@std/assert";
import { HOUR_MS } from "../../base/time.ts";
import { copyName, oldCopies } from "./old_copies.ts";

const NOW = Date.parse("2026-11-22T10:00:00Z");

/** The names of copies of certain ages. */
const copies = (...hours: number[]) => hours.map((each) => copyName(NOW - each * HOUR_MS));

Deno.test("copyName() gives the UTC time without punctuation", () => {
  assertEquals(copyName(NOW), "gatehouse-20261122T100000Z.kv");
});

Deno.test("oldCopies() keeps 24 hours of copies, and the last of each day for 14 days", () => {
  const hourly = copies(...Array.from({ length: 20 * 24 }, (_, hour) => hour));
  const old = new Set(oldCopies(hourly, { hours: 24, days: 14 }, NOW));
  const kept = hourly.filter((name) => !old.has(name));
  assertEquals(kept.slice(0, 25), copies(...Array.from({ length: 25 }, (_, hour) => hour)));
  // The last hour of each day before yesterday that ended in the last 14 times 24 hours.
  assertEquals(kept.slice(25), copies(...Array.from({ length: 13 }, (_, day) => 35 + 24 * day)));
});

Deno.test("oldCopies() keeps the newest copy whatever its age, and other files", () => {
  const [newest, older] = copies(900, 1_000);
  const others = [
    "gatehouse.kv",
    `${older}.incomplete.txt`,
    "20260101T000000Z-abc.kv",
    "notes.txt",
  ];
  assertEquals(oldCopies([older, ...others, newest], { hours: 24, days: 14 }, NOW), [older]);
});

Deno.test("oldCopies() keeps an incomplete copy for 24 hours, in which it may still be made", () => {
  const [running, interrupted, newest] = copies(23, 25, 30);
  const names = ["", "-journal", "-wal"].map((end) => `${interrupted}.incomplete${end}`);
  assertEquals(
    oldCopies([`${running}.incomplete`, ...names, newest], { hours: 24, days: 14 }, NOW).sort(),
    names,
  );
});
