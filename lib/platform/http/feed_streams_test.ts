import { assertEquals } from "@std/assert";
import { openKv } from "../kv/mod.ts";
import { createFeedStreams, type FeedSource } from "./feed_streams.ts";

const SOURCE: FeedSource<number> = {
  key: ["feed"],
  idOf: String,
  read: (position) => Promise.resolve({ events: [], position, more: false }),
};

Deno.test("the streams of all clients together are limited, and one that ends makes room", async () => {
  using kv = await openKv(":memory:");
  const schedule = () => () => {};
  const streams = createFeedStreams({
    kv,
    schedule,
    clock: () => 0,
    clientLimit: 10,
    limit: 3,
    log: () => {},
  });
  const open = (client: string) => streams.open(SOURCE, { from: 0, client });
  const opened = ["a", "b", "c", "d"].map(open);
  assertEquals(opened.map((each) => each.ok ? null : each.error), [
    null,
    null,
    null,
    "unavailable",
  ]);
  if (opened[0].ok) await opened[0].body.cancel();
  assertEquals([open("d").ok, open("e").ok, streams.size], [true, false, 3]);
  await streams.close();
});
