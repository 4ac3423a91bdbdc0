import { assertEquals } from "@std/assert";
import type { Listed } from "./listed.ts";
import { timelineOf } from "./issued_timeline.ts";

const NOW = Date.parse("2026-11-29T18:00:00Z");
const at = (minute: number) => `2026-11-29T16:${String(minute).padStart(2, "0")}:00.000Z`;

/** Returns the minutes and the texts of a document that was issued at 16:10. */
function timeline(by: string, recipient: Record<string, unknown>) {
  const document = { versions: [{ number: 1, at: at(10), by }], created_at: at(10), record: "r" };
  const listed = { document: { ...document, expires_at: null }, recipient } as unknown as Listed;
  return timelineOf(listed, NOW).map((entry) => [Number(entry.at.slice(14, 16)), entry.what]);
}

Deno.test("mails after a recipient has accepted a document are not listed as mails about it", () => {
  const accepted = { state: "accepted", state_at: at(20), mailed_at: [at(5), at(10), at(30)] };
  assertEquals(timeline("key k1", accepted), [
    [10, "Issued"],
    [10, "Emailed to the recipient"],
    [20, "Accepted by the recipient"],
  ]);
});

Deno.test("a document that went to a record without another acceptance was added to it with the first mail", () => {
  const earlier = { state: "accepted", state_at: at(1), mailed_at: [at(0), at(15), at(30)] };
  assertEquals(timeline("batch b1", earlier), [
    [10, "Issued"],
    [15, "Added to their record"],
    [15, "Emailed to the recipient"],
  ]);
});
