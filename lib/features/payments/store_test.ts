import { assertEquals } from "@std/assert";
import { paymentEvent } from "../../../sandbox/payment_events.ts";
import { utf8 } from "../../base/encoding.ts";
import { type PaymentUpdate, readEvent } from "./event.ts";
import { statusOf } from "./status.ts";
import type { Payment } from "./rows.ts";
import { merge } from "./store.ts";

const HASH = "ab".repeat(32);

function updateOf(event: unknown, eventId: string | null = null): PaymentUpdate {
  const read = readEvent(utf8(JSON.stringify(event)), eventId);
  if (!read.ok || read.update === null) throw new Error("No update.");
  return read.update;
}

const outcomeOf = (event: unknown, eventId: string | null = null) => {
  const read = readEvent(utf8(JSON.stringify(event)), eventId);
  return read.ok ? read.update?.state ?? "ignored" : read.error;
};

const mergeAll = (updates: PaymentUpdate[]): Payment =>
  updates.reduce<Payment | null>(merge, null)!;

function permutations<Item>(items: Item[]): Item[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((item, i) =>
    permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest])
  );
}

/** A payment's life in one or two seconds, with a charge and two refunds. */
const LIFE = [
  { id: "e9", type: "payment_intent.created", status: "requires_payment_method", created: 100 },
  {
    id: "e5",
    type: "payment_intent.payment_failed",
    status: "requires_payment_method",
    created: 100,
  },
  { id: "e3", type: "payment_intent.succeeded", created: 101, amount: 5_000, record: HASH },
  {
    id: "e4",
    type: "charge.refunded",
    payment: "ch_1",
    created: 102,
    since: 101,
    amount: 5_000,
    object: {
      payment_intent: "pi_1",
      captured: true,
      amount_refunded: 1_000,
      billing_details: { name: " Ada\u202e ", email: 7, phone: null },
      receipt_email: "ada@payer.example",
    },
  },
  {
    id: "e0",
    type: "charge.refunded",
    payment: "ch_1",
    created: 102,
    since: 101,
    amount: 5_000,
    object: { payment_intent: "pi_1", captured: true, amount_refunded: 2_000 },
  },
].map((options) => updateOf(paymentEvent({ since: 100, description: null, ...options })));

Deno.test("the order in which a payment's events arrive makes no difference", () => {
  const expected = mergeAll(LIFE);
  assertEquals(statusOf(expected), "partially_refunded");
  assertEquals([expected.amount, expected.refunded, expected.record], [5_000, 2_000, HASH]);
  assertEquals(expected.payer, { name: "Ada", email: "ada@payer.example" });
  assertEquals(expected.created_at, "1970-01-01T00:01:40.000Z");
  for (const updates of permutations(LIFE)) assertEquals(mergeAll(updates), expected);
});

Deno.test("of two events of one second, the one with the later state counts", () => {
  for (const updates of permutations(LIFE.slice(0, 2))) {
    assertEquals(mergeAll(updates).state, "failed");
  }
});

Deno.test("a final state is kept, even if a later event has another one", () => {
  const succeeded = updateOf(paymentEvent({ id: "a", created: 100 }));
  const later = updateOf(
    paymentEvent({
      id: "b",
      type: "payment_intent.processing",
      status: "processing",
      created: 200,
    }),
  );
  for (const updates of [[succeeded, later], [later, succeeded]]) {
    assertEquals(mergeAll(updates).state, "succeeded");
  }
});

Deno.test("the amount of an older event does not replace a newer one's", () => {
  const event = (id: string, created: number, amount: number) =>
    updateOf(
      paymentEvent({
        id,
        type: "payment_intent.processing",
        status: "processing",
        created,
        amount,
      }),
    );
  const [old, current] = [event("a", 100, 999), event("b", 200, 5_000)];
  assertEquals(mergeAll([current, old]).amount, 5_000);
});

const STATES: [type: string, object: Record<string, unknown>, outcome: string][] = [
  ["payment_intent.created", { status: "requires_payment_method" }, "pending"],
  ["payment_intent.payment_failed", { status: "requires_payment_method" }, "failed"],
  ["payment_intent.canceled", { status: "canceled" }, "cancelled"],
  ["payment_intent.succeeded", { status: "succeeded" }, "succeeded"],
  ["payment_intent.succeeded", { status: "something_new" }, "ignored"],
  ["payment_intent.succeeded", { status: "toString" }, "ignored"],
  ["charge.succeeded", { status: "succeeded", captured: false }, "pending"],
  ["charge.captured", { status: "succeeded", captured: true }, "succeeded"],
  ["charge.dispute.created", { object: "dispute" }, "ignored"],
  ["payment_method.attached", { object: "payment_method" }, "ignored"],
  ["customer.created", { object: "customer" }, "ignored"],
  ["payment_intent.succeeded", { amount: -1 }, "invalid_event"],
  ["payment_intent.succeeded", { amount: 1.5 }, "invalid_event"],
  ["payment_intent.succeeded", { amount: "12" }, "invalid_event"],
  ["payment_intent.succeeded", { currency: "dollars" }, "invalid_event"],
  ["payment_intent.succeeded", { id: "../x" }, "invalid_event"],
  ["payment_intent.succeeded", { created: 1e13 }, "invalid_event"],
];

for (const [type, object, outcome] of STATES) {
  Deno.test(`${type} with ${JSON.stringify(object)} is ${outcome}`, () => {
    assertEquals(outcomeOf(paymentEvent({ type, object })), outcome);
  });
}

Deno.test("readEvent() reads Standard Webhooks, with the id of the header", () => {
  const data = {
    id: "pay_1",
    amount: 100,
    currency: "eur",
    status: "paid",
    metadata: { record: HASH },
  };
  const event = { type: "payment.paid", timestamp: "2026-03-01T10:00:00+01:00", data };
  const update = updateOf(event, "msg_1");
  assertEquals([update.event, update.at, update.currency, update.state, update.record], [
    "msg_1",
    "2026-03-01T09:00:00.000Z",
    "EUR",
    "succeeded",
    HASH,
  ]);
  assertEquals(outcomeOf(event), "invalid_event"); // it has no id
});

Deno.test("readEvent() reads an id of 1 to 255 characters", () => {
  const lengths = [0, 1, 255, 256];
  const outcomes = lengths.map((length) =>
    outcomeOf({ ...paymentEvent(), id: "e".repeat(length) })
  );
  assertEquals(outcomes, ["invalid_event", "succeeded", "succeeded", "invalid_event"]);
});

Deno.test("readEvent() refuses what is not an event", () => {
  const bodies = ["", "{", "null", "[]", "1", '{"type":1}', "{}"].map(utf8);
  const notUtf8 = utf8('{"type":"customer.?","data":{}}').with(18, 0xff);
  for (const body of [...bodies, notUtf8]) {
    const read = readEvent(body, "msg_1");
    assertEquals(read.ok, false, new TextDecoder().decode(body));
  }
});

Deno.test("readEvent() stores only a record's hash and a short description without controls", () => {
  const long = `a\u0000\u202eb${"x".repeat(500)}`;
  const update = updateOf(paymentEvent({ description: long, record: "not a hash" }));
  assertEquals(update.description, `ab${"x".repeat(198)}`);
  assertEquals(update.record, null);
});
