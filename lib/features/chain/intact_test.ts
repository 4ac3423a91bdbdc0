import { assertEquals } from "@std/assert";
import {
  generatePrivateJwk,
  type Head,
  headOrigin,
  importSigningKey,
  keySet,
  type LinkedEvent,
  linkEvent,
  signHead,
  verifyChain,
} from "../../../packages/proof/mod.ts";
import { makeChain, PUBLISHER } from "./testing/fixtures.ts";
import { createIntactTest } from "./intact.ts";

const HASH = "a".repeat(64);
const key = await importSigningKey(await generatePrivateJwk());
const stranger = await importSigningKey(await generatePrivateJwk());
const { keys } = keySet([key]);
const chain = await makeChain(HASH, 3);

/** Links changed events again, so that only what was changed is wrong. */
async function relink(change: (event: LinkedEvent, i: number) => object): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  let prev = HASH;
  for (const [i, event] of chain.entries()) {
    const changed = { ...event, ...change(event, i) } as LinkedEvent;
    const linked = await linkEvent(prev, changed);
    events.push({ ...changed, ...linked });
    prev = linked.hash;
  }
  return events;
}

interface Change {
  events?: LinkedEvent[];
  statement?: Partial<Head>;
  signer?: typeof key;
  head?: Partial<Head>;
}

const CHANGES: Record<string, Change> = {
  "nothing": {},
  "no events": { events: [] },
  "an event is missing at the end": { events: chain.slice(0, 2), statement: { size: 3 } },
  "an event is not signed": { statement: { size: 2, tip: chain[1].hash } },
  "the last event has another hash": {
    events: [...chain.slice(0, 2), { ...chain[2], hash: "b".repeat(64) }],
    statement: { tip: "b".repeat(64) },
  },
  "the last event has another hash than the head": {
    events: [...chain.slice(0, 2), { ...chain[2], hash: "b".repeat(64) }],
    statement: { tip: chain[2].hash },
  },
  "a time has five digits of the year": {
    events: await relink((_, i) => i === 1 ? { at: "+010000-01-01T00:00:00.000Z" } : {}),
  },
  "an event has another predecessor": {
    events: [...chain.slice(0, 2), { ...chain[2], prev: "b".repeat(64) }],
  },
  "the events are of another record": { events: await makeChain("c".repeat(64), 3) },
  "the numbers have a gap": { events: await relink((_, i) => ({ seq: 2 * i })) },
  "a kind is unknown": { events: await relink((_, i) => i === 1 ? { kind: "flown" } : {}) },
  "a status is not ok": { events: await relink((_, i) => i === 1 ? { status: "bad" } : {}) },
  "a time has no milliseconds": {
    events: await relink((_, i) => i === 1 ? { at: "2026-03-01T09:30:00Z" } : {}),
  },
  "a time does not exist": {
    events: await relink((_, i) => i === 1 ? { at: "2026-02-30T09:30:00.000Z" } : {}),
  },
  "an event has one more member": {
    events: await relink((_, i) => i === 1 ? { note: "Ada" } : {}),
  },
  "the head has one more member": { head: { note: "Ada" } as object },
  "the head has another tip": { statement: { tip: "b".repeat(64) } },
  "the head is of another publisher": { statement: { origin: headOrigin("x.example", HASH) } },
  "the head is of another record": { statement: { origin: headOrigin(PUBLISHER, "b".repeat(64)) } },
  "the head is signed with a strange key": { signer: stranger },
  "the head names a key that has not signed it": { signer: stranger, head: { kid: key.kid } },
  "the head was changed": { head: { at: "2026-03-01T09:30:00.001Z" } },
  "the signature is malformed": { head: { signature: "A" } },
};

Deno.test("a chain is intact exactly if every verifier accepts it and its head covers all events", async () => {
  const isIntact = createIntactTest(PUBLISHER, keys);
  for (
    const [name, { events = chain, statement, signer = key, head: changed }] of Object.entries(
      CHANGES,
    )
  ) {
    const signed = await signHead({
      origin: headOrigin(PUBLISHER, HASH),
      size: Math.max(1, events.length),
      tip: events.at(-1)?.hash ?? HASH,
      at: "2026-03-01T09:30:00.000Z",
      ...statement,
    }, signer);
    const head = { ...signed, ...changed };
    const evidence = { recordHash: HASH, events, head, publisher: PUBLISHER, keys };
    const verified = await verifyChain(evidence);
    const expected = verified.ok && verified.signedSize === events.length;
    assertEquals(isIntact({ hash: HASH, head, events }), expected, name);
    assertEquals(expected, name === "nothing", name);
  }
});

Deno.test("a key that is not Ed25519, and one of small order, verify nothing", async () => {
  const head = await signHead({
    origin: headOrigin(PUBLISHER, HASH),
    size: 3,
    tip: chain[2].hash,
    at: "2026-03-01T09:30:00.000Z",
  }, key);
  const small = { kty: "OKP", crv: "Ed25519", x: "A".repeat(43) } as const;
  for (const jwk of [small, { ...keys[0], x: "!" }]) {
    assertEquals(createIntactTest(PUBLISHER, [jwk])({ hash: HASH, head, events: chain }), false);
  }
});
