import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { EVENT_KINDS, STANDARD_VERSION } from "./kinds.ts";
import { linkEvent } from "./hash.ts";
import { headOrigin, signHead } from "./head.ts";
import { generatePrivateJwk, importSigningKey } from "./keys.ts";
import { HASH, makeChain, PUBLISHER } from "../testing/chains.ts";
import { type ChainEvidence, type ChainStart, verifyChain, verifyEvents } from "./verify.ts";

const OTHER = "d".repeat(64);
const LENGTH = 12;

const eventFault = async (events: readonly unknown[], record = HASH, start?: ChainStart) => {
  const result = await verifyEvents(record, events, start);
  return result.ok ? "ok" : `${result.seq} ${result.code}`;
};

Deno.test("verifyEvents() accepts an intact chain and an empty one", async () => {
  const events = await makeChain(HASH, LENGTH);
  const tip = events[LENGTH - 1].hash;
  assertEquals(await verifyEvents(HASH, events), { ok: true, size: LENGTH, tip });
  assertEquals(await verifyEvents(HASH, []), { ok: true, size: 0, tip: HASH });
});

Deno.test("verifyEvents() finds a flipped bit at its seq", async () => {
  const events = await makeChain(HASH, LENGTH);
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
        const fault = await eventFault(events.with(seq, parsed(decoder.decode(bytes))));
        return fault.startsWith(`${seq} bad_`);
      },
    ),
    { numRuns: 500 },
  );
});

/** Parses JSON; returns other text unchanged, because a string is not an event either. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

Deno.test("verifyEvents() returns the code of each fault at the first bad seq", async () => {
  const events = await makeChain(HASH, LENGTH);
  const change = (members: Record<string, unknown>) =>
    eventFault(events.with(3, { ...events[3], ...members } as never));
  assertEquals(await change({ kind: "document_signed" }), "3 bad_event");
  assertEquals(await change({ note: "" }), "3 bad_event");
  assertEquals(await change({ seq: 4 }), "3 bad_seq");
  assertEquals(await change({ prev: events[1].hash }), "3 bad_prev");
  assertEquals(await change({ kind: "hash_generated" }), "3 bad_hash");
  assertEquals(await change({ hash: events[4].hash }), "3 bad_hash");
});

Deno.test("the message for an unknown kind says that a newer verifier may know it", async () => {
  const [event] = await makeChain(HASH, 1);
  const result = await verifyEvents(HASH, [{ ...event, kind: "document_signed" }]);
  assertEquals(
    !result.ok && result.message,
    `kind is not one of the ${EVENT_KINDS.length} kinds of version ${STANDARD_VERSION}; a newer verifier may know it`,
  );
});

Deno.test("verifyEvents() finds a removed, repeated, moved or inserted event", async () => {
  const events = await makeChain(HASH, LENGTH);
  assertEquals(await eventFault(events.toSpliced(5, 1)), "5 bad_seq");
  assertEquals(await eventFault(events.toSpliced(5, 0, events[4])), "5 bad_seq");
  assertEquals(await eventFault(events.with(5, events[6]).with(6, events[5])), "5 bad_seq");
  const other = await makeChain(OTHER, LENGTH);
  assertEquals(await eventFault(events.with(5, other[5])), "5 bad_prev");
});

Deno.test("an altered event with a recomputed hash breaks the next link", async () => {
  const events = await makeChain(HASH, LENGTH);
  const at = "2030-01-01T00:00:00.000Z";
  const forged = await linkEvent(events[5].prev, { ...events[5], at });
  assertEquals(await eventFault(events.with(5, forged)), "6 bad_prev");
});

Deno.test("verifyEvents() rejects the chain of another record", async () => {
  assertEquals(await eventFault(await makeChain(HASH, LENGTH), OTHER), "0 bad_prev");
});

Deno.test("verifyEvents() verifies part of a chain from a known hash only", async () => {
  const events = await makeChain(HASH, LENGTH);
  const part = events.slice(7);
  const start = { seq: 7, prev: events[6].hash };
  const tip = events[LENGTH - 1].hash;
  assertEquals(await verifyEvents(HASH, part, start), { ok: true, size: LENGTH, tip });
  assertEquals(await eventFault(part, HASH, { seq: 7, prev: HASH }), "7 bad_prev");
  assertEquals(await eventFault(part, HASH, { ...start, seq: 6 }), "6 bad_seq");
});

Deno.test("a start at event 0 always uses the record's hash", async () => {
  const foreign = await makeChain(OTHER, 2);
  assertEquals(await eventFault(foreign, HASH, { seq: 0, prev: OTHER }), "0 bad_prev");
});

Deno.test("verifyEvents() returns bad_input for malformed arguments", async () => {
  const events = await makeChain(HASH, 2);
  assertEquals(await eventFault(events, "C".repeat(64)), "0 bad_input");
  assertEquals(await eventFault(events, null as never), "0 bad_input");
  assertEquals(await eventFault({} as never), "0 bad_input");
  for (const seq of [-1, 0.5, NaN]) {
    assertEquals(await eventFault(events, HASH, { seq, prev: HASH }), "0 bad_input");
  }
});

Deno.test("verifyEvents() returns bad_event for any other value and does not throw", async () => {
  const events = await makeChain(HASH, LENGTH);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(LENGTH - 1),
      fc.anything(),
      async (seq: number, value: unknown) =>
        await eventFault(events.with(seq, value as never)) === `${seq} bad_event`,
    ),
  );
});

/** A chain of five events with a head over the first `signedSize`. */
async function evidence(signedSize = 5) {
  const key = await importSigningKey(await generatePrivateJwk());
  const events = await makeChain(HASH, 5);
  const sign = (tip: string, record = HASH) => {
    const origin = headOrigin(PUBLISHER, record);
    return signHead({ origin, size: signedSize, tip, at: "2026-03-01T00:05:00.000Z" }, key);
  };
  const head = await sign(events[signedSize - 1].hash);
  const keys = [key.publicJwk];
  const given: ChainEvidence = { recordHash: HASH, events, head, publisher: PUBLISHER, keys };
  return { given, events, head, sign };
}

const chainFault = async (given: ChainEvidence) => {
  const result = await verifyChain(given);
  return result.ok ? "ok" : [result.code, result.seq];
};

for (const signedSize of [5, 3]) {
  Deno.test(`verifyChain() reports that the head covers ${signedSize} of 5 events`, async () => {
    const { given, events, head } = await evidence(signedSize);
    const tip = events[4].hash;
    assertEquals(await verifyChain(given), { ok: true, size: 5, tip, signedSize, head });
  });
}

Deno.test("verifyChain() returns truncated for events missing at the end", async () => {
  const { given, events } = await evidence();
  for (const left of [4, 3, 0]) {
    const fault = await chainFault({ ...given, events: events.slice(0, left) });
    assertEquals(fault, ["truncated", left]);
  }
});

Deno.test("verifyChain() rejects a head over other events, another record or another host", async () => {
  const { given, events, sign } = await evidence();
  const overOther = await sign(events[3].hash);
  assertEquals(await chainFault({ ...given, head: overOther }), ["bad_tip", 4]);
  const foreign = await sign(events[4].hash, OTHER);
  assertEquals(await chainFault({ ...given, head: foreign }), ["bad_origin", undefined]);
  const publisher = "other.example";
  assertEquals(await chainFault({ ...given, publisher }), ["bad_origin", undefined]);
});

Deno.test("verifyChain() returns bad_tip for an altered last event with a recomputed hash", async () => {
  const { given, events } = await evidence();
  const forged = await linkEvent(events[4].prev, { ...events[4], kind: "access_requested" });
  assertEquals(await chainFault({ ...given, events: events.with(4, forged) }), ["bad_tip", 4]);
});

Deno.test("verifyChain() returns the faults of events and of the head", async () => {
  const { given, events, head } = await evidence();
  const repeated = events.with(2, events[3]);
  assertEquals(await chainFault({ ...given, events: repeated }), ["bad_seq", 2]);
  assertEquals(await chainFault({ ...given, head: null }), ["bad_head", undefined]);
  assertEquals(await chainFault({ ...given, keys: [] }), ["unknown_key", undefined]);
  const altered = { ...head, size: 4 };
  assertEquals(await chainFault({ ...given, head: altered }), ["bad_signature", undefined]);
});
