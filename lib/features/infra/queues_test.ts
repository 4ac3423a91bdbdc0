import { assertEquals } from "@std/assert";
import { HOUR_MS } from "../../base/time.ts";
import { messages, type OutboxRow, readOutbox } from "../../platform/jobs/mod.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { readQueues } from "./queues.ts";

const NOW = Date.parse("2026-03-01T09:00:00.000Z");

/** Puts messages of a sender into a channel, which are due one after another. */
async function fill(kv: Deno.Kv, channel: string, count: number, sender: string, at = NOW) {
  for (let from = 0; from < count; from += 200) {
    const commit = kv.atomic();
    for (let i = from; i < Math.min(count, from + 200); i++) {
      const row = {
        created_at: new Date(at).toISOString(),
        expires_at: new Date(NOW + HOUR_MS).toISOString(),
        labels: { kind: "notice", sender },
      };
      commit.set(
        [messages.prefix, channel, at + i, crypto.randomUUID()],
        row as unknown as OutboxRow,
      );
    }
    await commit.commit();
  }
}

Deno.test("messages of a channel are found, whatever waits in another one and for another organisation", async () => {
  using kv = await openKv(":memory:");
  await fill(kv, "mail", 6_000, "commercial", NOW - HOUR_MS);
  await fill(kv, "mail", 1, "foundation");
  await fill(kv, "push", 2, "commercial");
  const queues = await readQueues(kv, NOW);
  assertEquals(queues.map(({ channel, waiting }) => [channel, waiting]), [
    ["mail", 5_000],
    ["push", 2],
  ]);
  const { waiting } = await readOutbox(kv, "mail", NOW, ({ sender }) => sender === "foundation");
  assertEquals(waiting, 1);
});
