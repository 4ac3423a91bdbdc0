import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { decodeHex, encodeHex } from "../../../lib/base/encoding.ts";
import { EVENT_KINDS } from "./kinds.ts";
import { canonicalBytes, eventHash, linkEvent, newSalt, recordHash, withDomain } from "./hash.ts";

const event = {
  seq: 0,
  kind: "hash_generated",
  at: "2026-01-15T09:30:00.000Z",
  status: "ok",
} as const;
const salt = new Uint8Array(32).fill(7);

Deno.test("recordHash() ignores the order of members", async () => {
  assertEquals(
    await recordHash(salt, { name: "Zoë", tags: [1, { b: 2, a: null }] }),
    await recordHash(salt, { tags: [1, { a: null, b: 2 }], name: "Zoë" }),
  );
});

Deno.test("recordHash() depends on the salt, every value and the Unicode normalisation", async () => {
  const records = [
    {},
    { name: "\u00e9" },
    { name: "e\u0301" },
    { name: null },
    { name: "" },
    { name: "1" },
    { name: 1 },
    JSON.parse('{"__proto__": 1}'),
    JSON.parse('{"__proto__": 2}'),
  ];
  const hashes = await Promise.all([
    ...records.map((record) => recordHash(salt, record)),
    recordHash(newSalt(), {}),
    recordHash(newSalt(), {}),
  ]);
  assertEquals(new Set(hashes).size, hashes.length);
  for (const hash of hashes) assert(/^[0-9a-f]{64}$/.test(hash));
});

Deno.test("recordHash() rejects a salt that does not have 32 bytes", async () => {
  for (const length of [0, 16, 31, 33]) {
    await assertRejects(() => recordHash(new Uint8Array(length), {}), RangeError);
  }
});

Deno.test("recordHash() rejects a record that is not a JSON object", async () => {
  for (
    const record of [
      { x: NaN },
      { x: Infinity },
      { x: undefined },
      { x: 1n },
      { x: new Date(0) },
      { x: "\ud800" },
      { "\udc00": 1 },
      [1],
      "text",
      null,
    ]
  ) {
    await assertRejects(() => recordHash(salt, record as never));
  }
});

Deno.test("eventHash() covers the event's members and the previous hash, and nothing else", async () => {
  const prev = "0".repeat(64);
  const hash = await eventHash(prev, event);
  const linked = await linkEvent(prev, event);
  assertEquals(linked, { ...event, prev, hash });
  assertEquals(await eventHash(prev, linked), hash, "links are not hashed");
  assertEquals(await linkEvent(prev, linked), linked);
  for (
    const other of [
      { ...event, seq: 1 },
      { ...event, kind: "k2_delivered" as const },
      { ...event, at: "2026-01-15T09:30:00.001Z" },
    ]
  ) {
    assertNotEquals(await eventHash(prev, other), hash);
  }
  assertNotEquals(await eventHash("0".repeat(63) + "1", event), hash);
});

Deno.test("eventHash() rejects a prev that is not a hash", async () => {
  for (const prev of ["", "0".repeat(63), "G".repeat(64)]) {
    await assertRejects(() => eventHash(prev, event));
  }
});

Deno.test("eventHash() hashes the canonical JSON of every kind of event", async () => {
  for (const [seq, { kind }] of EVENT_KINDS.entries()) {
    const one = { status: "ok" as const, seq: seq * 1e14, kind, at: "2026-01-15T09:30:00.000Z" };
    const prev = "ab".repeat(32);
    const bytes = withDomain("event", decodeHex(prev), canonicalBytes(one));
    assertEquals(
      await eventHash(prev, one),
      encodeHex(await crypto.subtle.digest("SHA-256", bytes)),
    );
  }
});
