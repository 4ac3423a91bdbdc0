import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { makeChain } from "./fixtures.ts";
import { linkEvent } from "./hash.ts";
import { type ChainStart, verifyEvents } from "./verify.ts";

const RECORD = "c".repeat(64);
const LENGTH = 12;
const chain = () => makeChain(RECORD, LENGTH);
const faultOf = async (
  events: readonly unknown[],
  record = RECORD,
  start?: ChainStart,
) => {
  const result = await verifyEvents(record, events, start);
  return result.ok ? "ok" : `${result.seq} ${result.code}`;
};

Deno.test("an intact chain verifies, and so does one without events", async () => {
  const events = await chain();
  assertEquals(await verifyEvents(RECORD, events), {
    ok: true,
    size: LENGTH,
    tip: events[LENGTH - 1].hash,
  });
  assertEquals(await verifyEvents(RECORD, []), {
    ok: true,
    size: 0,
    tip: RECORD,
  });
});

Deno.test("a flipped bit anywhere is found at its seq", async () => {
  const events = await chain();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(LENGTH - 1),
      fc.nat(),
      fc.nat(7),
      async (seq: number, place: number, bit: number) => {
        const bytes = encoder.encode(JSON.stringify(events[seq]));
        bytes[place % bytes.length] ^= 1 << bit;
        const fault = await faultOf(
          events.with(seq, parsed(decoder.decode(bytes))),
        );
        return fault.startsWith(`${seq} bad_`);
      },
    ),
    { numRuns: 500 },
  );
});

/** What JSON gives; a text that is none stays a text, which is no event either. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

Deno.test("each fault has its code, at the first bad seq", async () => {
  const events = await chain();
  const change = (seq: number, members: Record<string, unknown>) =>
    faultOf(events.with(seq, { ...events[seq], ...members } as never));
  assertEquals(await change(3, { kind: "document_signed" }), "3 bad_event");
  assertEquals(await change(3, { note: "" }), "3 bad_event");
  assertEquals(await change(3, { seq: 4 }), "3 bad_seq");
  assertEquals(await change(3, { prev: events[1].hash }), "3 bad_prev");
  assertEquals(await change(3, { kind: "hash_generated" }), "3 bad_hash");
  assertEquals(await change(3, { hash: events[4].hash }), "3 bad_hash");
});

Deno.test("a kind that is not known may be that of a newer version, and the message says so", async () => {
  const [event] = await chain();
  const result = await verifyEvents(RECORD, [{ ...event, kind: "document_signed" }]);
  assertEquals(
    !result.ok && result.message,
    "kind is none of the ten of version 1.0; a newer verifier may know it",
  );
});

Deno.test("an event left out, repeated, moved or inserted is found", async () => {
  const events = await chain();
  assertEquals(await faultOf(events.toSpliced(5, 1)), "5 bad_seq");
  assertEquals(await faultOf(events.toSpliced(5, 0, events[4])), "5 bad_seq");
  assertEquals(
    await faultOf(events.with(5, events[6]).with(6, events[5])),
    "5 bad_seq",
  );
  const other = await makeChain("d".repeat(64), LENGTH);
  assertEquals(await faultOf(events.with(5, other[5])), "5 bad_prev");
});

Deno.test("an event that was altered and hashed anew breaks the next link", async () => {
  const events = await chain();

  const forged = await linkEvent(events[5].prev, {
    ...events[5],
    at: "2030-01-01T00:00:00.000Z",
  });
  assertEquals(await faultOf(events.with(5, forged)), "6 bad_prev");
});

Deno.test("the chain of another record does not verify", async () => {
  assertEquals(await faultOf(await chain(), "d".repeat(64)), "0 bad_prev");
});

Deno.test("a later part verifies from a known hash, and from no other", async () => {
  const events = await chain();
  const part = events.slice(7);
  const start = { seq: 7, prev: events[6].hash };
  assertEquals(await verifyEvents(RECORD, part, start), {
    ok: true,
    size: LENGTH,
    tip: events[LENGTH - 1].hash,
  });
  const fromUnknown = { seq: 7, prev: RECORD };
  assertEquals(await faultOf(part, RECORD, fromUnknown), "7 bad_prev");
  const tooEarly = { ...start, seq: 6 };
  assertEquals(await faultOf(part, RECORD, tooEarly), "6 bad_seq");
});

Deno.test("a start at event 0 is the record's hash, whatever is said", async () => {
  const other = "d".repeat(64);
  const foreign = await makeChain(other, 2);
  const start = { seq: 0, prev: other };
  assertEquals(await faultOf(foreign, RECORD, start), "0 bad_prev");
});

Deno.test("malformed arguments are answers", async () => {
  const events = await chain();
  assertEquals(await faultOf(events, "C".repeat(64)), "0 bad_input");
  assertEquals(await faultOf(events, null as never), "0 bad_input");
  assertEquals(await faultOf({} as never), "0 bad_input");
  for (const seq of [-1, 0.5, NaN]) {
    const start = { seq, prev: RECORD };
    assertEquals(await faultOf(events, RECORD, start), "0 bad_input");
  }
});

Deno.test("any value can stand for an event without a throw", async () => {
  const events = await chain();
  await fc.assert(
    fc.asyncProperty(
      fc.nat(LENGTH - 1),
      fc.anything(),
      async (seq: number, value: unknown) =>
        await faultOf(events.with(seq, value as never)) === `${seq} bad_event`,
    ),
  );
});
