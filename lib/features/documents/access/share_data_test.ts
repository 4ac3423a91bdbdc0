import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../base/time.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { raceKv } from "../../../platform/kv/testing/race_kv.ts";
import { moveLinks } from "./share_data.ts";
import { listShares, shares } from "./share_rows.ts";

const NOW = Date.parse("2026-03-01T10:00:00Z");

Deno.test("a link that another process moves on, or deletes, during a move is not moved back", async () => {
  using kv = raceKv(await openKv(":memory:"));
  const move = (from: string, to: string) => moveLinks({ kv, clock: () => NOW }, from, to);
  const commit = kv.atomic();
  const at = (ms: number) => new Date(NOW + ms).toISOString();
  shares.set(commit, {
    hash: "link",
    document: "d",
    record: "first",
    label: null,
    person: null,
    created_at: at(0),
    ends_at: at(DAY_MS),
    limit: 5,
    openings: 0,
    opened: [],
    ended_at: null,
    expires_at: at(2 * DAY_MS),
  }, NOW);
  await commit.commit();
  const places = async () => {
    const lists = ["first", "second", "third"].map((record) => listShares(kv, record, NOW));
    return (await Promise.all(lists)).map((each) => each.length);
  };
  kv.meanwhile("document_shares", async () => {
    await move("first", "second");
    await move("second", "third");
  });
  await move("first", "second");
  assertEquals(await places(), [0, 0, 1]);
  kv.meanwhile("document_shares", () => shares.deleteOf(kv, "third"));
  await move("third", "first");
  assertEquals(await places(), [0, 0, 0]);
});
