import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { chainEventSchema, eventKindSchema, instantSchema, linkedEventSchema } from "./event.ts";
import { EVENT_KINDS } from "./kinds.ts";

const event = {
  seq: 0,
  kind: "hash_generated",
  at: "2026-01-15T09:30:00.000Z",
  status: "ok",
};
const accepts = (changes: Record<string, unknown>) =>
  chainEventSchema.safeParse({ ...event, ...changes }).success;

Deno.test("EVENT_KINDS contains exactly the kinds of spec 6", () => {
  assertEquals(EVENT_KINDS.map(({ kind }) => kind), [
    "hash_generated",
    "email_confirmed",
    "sms_confirmed",
    "k2_delivered",
    "record_verified",
    "document_viewed",
    "document_downloaded",
    "document_printed",
    "document_verified",
    "access_requested",
  ]);
  for (const { kind, meaning } of EVENT_KINDS) {
    assert(eventKindSchema.safeParse(kind).success);
    assert(meaning.endsWith(".") && !meaning.includes("\n"), meaning);
  }
  for (const other of ["", "Hash_Generated", "document_signed", "toString"]) {
    assert(!eventKindSchema.safeParse(other).success, other);
  }
});

Deno.test("chainEventSchema accepts exactly the members seq, kind, at and status, each in its format", () => {
  assert(accepts({}));
  assert(accepts({ seq: Number.MAX_SAFE_INTEGER }));
  for (const seq of [-1, 0.5, "0", null, NaN, 2 ** 53, 0n]) {
    assert(!accepts({ seq }), `seq ${seq}`);
  }
  for (const status of ["OK", "failed", true, null]) {
    assert(!accepts({ status }), `status ${status}`);
  }
  assert(!accepts({ note: "a member that is not hashed" }));
  const { at: _, ...incomplete } = event;
  assert(!chainEventSchema.safeParse(incomplete).success);
});

Deno.test("linkedEventSchema rejects other members and hashes that are not lowercase", () => {
  const linked = { ...event, prev: "0".repeat(64), hash: "f".repeat(64) };
  assert(linkedEventSchema.safeParse(linked).success);
  for (
    const changes of [
      { hash: "F".repeat(64) },
      { hash: "f".repeat(63) },
      { hash: `${"f".repeat(64)}\n` },
      { prev: "g".repeat(64) },
      { prev: undefined },
      { extra: 1 },
    ]
  ) {
    assert(!linkedEventSchema.safeParse({ ...linked, ...changes }).success);
  }
});

Deno.test("instantSchema accepts only the format of toISOString", () => {
  fc.assert(fc.property(
    fc.date({
      min: new Date("0000-01-01T00:00:00.000Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    }),
    (date: Date) => instantSchema.safeParse(date.toISOString()).success,
  ));
  for (
    const other of [
      "2026-01-15T09:30:00Z",
      "2026-01-15T09:30:00.0Z",
      "2026-01-15T09:30:00.0000Z",
      "2026-01-15T09:30:00.000",
      "2026-01-15T09:30:00.000z",
      "2026-01-15t09:30:00.000Z",
      "2026-01-15 09:30:00.000Z",
      "2026-01-15T09:30:00.000+00:00",
      "2026-01-15T24:00:00.000Z",
      "2026-01-15T09:60:00.000Z",
      "2016-12-31T23:59:60.000Z",
      "2026-02-29T00:00:00.000Z",
      "2026-13-01T00:00:00.000Z",
      "+012026-01-15T09:30:00.000Z",
      " 2026-01-15T09:30:00.000Z",
      "2026-01-15T09:30:00.000Z\n",
      1768469400000,
    ]
  ) {
    assert(!instantSchema.safeParse(other).success, String(other));
  }
});
