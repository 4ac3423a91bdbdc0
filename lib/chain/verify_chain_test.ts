import { assertEquals } from "@std/assert";
import { makeChain } from "./fixtures.ts";
import { linkEvent } from "./hash.ts";
import { headOrigin, signHead } from "./head.ts";
import { generatePrivateJwk, importSigningKey } from "./keys.ts";
import { type ChainEvidence, verifyChain } from "./verify_chain.ts";

const recordHash = "c".repeat(64);
const publisher = "trust.example";

async function evidence(signedSize = 5) {
  const key = await importSigningKey(await generatePrivateJwk());
  const events = await makeChain(recordHash, 5);
  const sign = (tip: string, record = recordHash, size = signedSize) =>
    signHead({
      origin: headOrigin(publisher, record),
      size,
      tip,
      at: "2026-03-01T00:05:00.000Z",
    }, key);
  const head = await sign(events[signedSize - 1].hash);
  const keys = [key.publicJwk];
  const given: ChainEvidence = { recordHash, events, head, publisher, keys };
  return { given, events, head, sign };
}

const faultOf = async (given: ChainEvidence) => {
  const result = await verifyChain(given);
  return result.ok ? "ok" : [result.code, result.seq];
};

Deno.test("a whole chain verifies up to its head", async () => {
  const { given, events, head } = await evidence();
  assertEquals(await verifyChain(given), {
    ok: true,
    size: 5,
    tip: events[4].hash,
    signedSize: 5,
    head,
  });
});

Deno.test("events after an older head are linked but not covered", async () => {
  const { given, events, head } = await evidence(3);
  assertEquals(await verifyChain(given), {
    ok: true,
    size: 5,
    tip: events[4].hash,
    signedSize: 3,
    head,
  });
});

Deno.test("events missing at the end are found by the head", async () => {
  const { given, events } = await evidence();
  for (const left of [4, 3, 0]) {
    const fault = await faultOf({ ...given, events: events.slice(0, left) });
    assertEquals(fault, ["truncated", left]);
  }
});

Deno.test("a head over other events, another record or another host is refused", async () => {
  const { given, events, sign } = await evidence();
  assertEquals(await faultOf({ ...given, head: await sign(events[3].hash) }), [
    "bad_tip",
    4,
  ]);
  const foreign = await sign(events[4].hash, "d".repeat(64));
  assertEquals(await faultOf({ ...given, head: foreign }), [
    "bad_origin",
    undefined,
  ]);
  assertEquals(await faultOf({ ...given, publisher: "other.example" }), [
    "bad_origin",
    undefined,
  ]);
});

Deno.test("a last event that was altered and hashed anew does not match the head", async () => {
  const { given, events } = await evidence();

  const forged = await linkEvent(events[4].prev, {
    ...events[4],
    kind: "access_requested",
  });
  assertEquals(await faultOf({ ...given, events: events.with(4, forged) }), [
    "bad_tip",
    4,
  ]);
});

Deno.test("faults of events and of the head come through with their codes", async () => {
  const { given, events, head } = await evidence();
  assertEquals(
    await faultOf({ ...given, events: events.with(2, events[3]) }),
    ["bad_seq", 2],
  );
  assertEquals(await faultOf({ ...given, head: null }), [
    "bad_head",
    undefined,
  ]);
  assertEquals(await faultOf({ ...given, keys: [] }), [
    "unknown_key",
    undefined,
  ]);
  assertEquals(await faultOf({ ...given, head: { ...head, size: 4 } }), [
    "bad_signature",
    undefined,
  ]);
});
