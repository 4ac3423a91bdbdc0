import {
  EVENT_KINDS,
  importSigningKey,
  type LinkedEvent,
  linkEvent,
  recordHash as hashOf,
  signHead,
} from "../../chain/mod.ts";
import { readSections } from "../sections.ts";
import { type ChainVector, type InvalidVector, VECTORS } from "../vectors.ts";

/** One request to a program, with the response that the standard requires. */
export interface Case {
  /** Its place among the cases, from 1. */
  id: number;
  title: string;
  /** The request as one line of JSON. */
  line: string;
  /** The members that the response must have. Others are ignored. */
  expected: Readonly<Record<string, string | number | boolean>>;
}

type Expected = Case["expected"];

/** The host that signs the head of the vectors. */
const PUBLISHER = "trust.example";

/** A public key that signed nothing: RFC 8032, section 7.1, test 2. */
const OTHER_KEY = { kty: "OKP", crv: "Ed25519", x: "PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw" };

/** Records with what the vectors' records do not contain, as JSON text. */
const MORE_RECORDS: readonly [title: string, json: string][] = [
  ["text is not normalised", String.raw`{"name":"e\u0301","other":"\u00e9"}`],
  ["nested values", `{"list":[{"z":1,"a":[]},"b",null,false],"empty":{},"at":{"y":2,"x":""}}`],
  ["numbers", `{"a":-0,"b":1E-7,"c":0.000001,"d":100000000000000000000,"e":9007199254740991}`],
  ["escapes", String.raw`{"\u0022":"\/ \u0008\u0001\u001F\u007f\u2028 \\ \t"}`],
];

const ZEROS = "0".repeat(64);

/**
 * Returns all checks for a verifier: every value of the test vectors that a verifier computes, every
 * invalid chain, and for each remaining fault of the section on verification one input that has it.
 */
export async function conformanceCases(): Promise<Case[]> {
  const cases: Case[] = [];
  /** Members are JSON text, so that records are sent exactly as the standard prints them. */
  const addText = (title: string, members: Record<string, string>, expected: Expected) => {
    const id = cases.length + 1;
    const text = Object.entries({ id: String(id), ...members })
      .map(([name, value]) => `"${name}":${value}`);
    cases.push({ id, title, line: `{${text.join(",")}}`, expected });
  };
  const add = (title: string, members: Record<string, unknown>, expected: Expected) =>
    addText(
      title,
      Object.fromEntries(
        Object.entries(members).filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, JSON.stringify(value)]),
      ),
      expected,
    );

  const records = printedRecords();
  for (const [i, { recordHash, salt, events }] of VECTORS.valid.entries()) {
    const vector = `Vector ${i + 1}`;
    const members = { op: '"record_hash"', salt: `"${salt}"`, record: records[i] };
    addText(`${vector}: record hash`, members, { hash: recordHash });
    for (const { event, prev, hash } of events) {
      add(`${vector}: hash of event ${event.seq}`, { op: "event_hash", prev, event }, { hash });
    }
  }

  const [single, triple] = VECTORS.valid;
  for (const [title, json] of MORE_RECORDS) {
    const hash = await hashOf(Uint8Array.fromHex(single.salt), JSON.parse(json));
    const members = { op: '"record_hash"', salt: `"${single.salt}"`, record: json };
    addText(`Record: ${title}`, members, { hash });
  }

  const { privateKey, signed: head, kid } = triple.head!;
  const { d: _private, ...key } = privateKey;
  add("Vector 2: key identifier", { op: "key_id", key }, { kid });

  const { recordHash } = triple;
  const toCheck = { head, publisher: PUBLISHER, recordHash, keys: [key] };
  const addHead = (title: string, changes: Record<string, unknown>, expected: Expected) =>
    add(`Head: ${title}`, { op: "verify_head", ...toCheck, ...changes }, expected);
  const fault = (code: string): Expected => ({ ok: false, code });
  addHead("vector 2", {}, { ok: true });
  addHead("`size` is 0", { head: { ...head, size: 0 } }, fault("bad_head"));
  addHead("it has a member `note`", { head: { ...head, note: "x" } }, fault("bad_head"));
  addHead("it is null", { head: null }, fault("bad_head"));
  addHead("the key set is empty", { keys: [] }, fault("unknown_key"));
  addHead("another key states the `kid`", { keys: [{ ...OTHER_KEY, kid }] }, fault("unknown_key"));
  addHead("the key states a wrong `kid`", { keys: [{ ...key, kid: "x" }] }, { ok: true });
  addHead("the key is second in the set", { keys: [OTHER_KEY, key] }, { ok: true });
  const later = { ...head, at: "2026-03-01T00:05:00.001Z" };
  addHead("`at` was changed after signing", { head: later }, fault("bad_signature"));
  addHead("another publisher", { publisher: "other.example" }, fault("bad_origin"));
  addHead("another record", { recordHash: single.recordHash }, fault("bad_origin"));

  const events = linked(triple);
  const addChain = (title: string, changes: Record<string, unknown>, expected: Expected) =>
    add(`Chain: ${title}`, { op: "verify_chain", ...toCheck, events, ...changes }, expected);
  const { recordHash: first } = single;
  const withoutHead = { op: "verify_chain", recordHash: first, events: linked(single) };
  add("Chain: vector 1, without a head", withoutHead, { ok: true, size: 1 });
  addChain("vector 2", {}, { ok: true, size: 3, covered: 3 });
  for (const { change, edit, code, seq } of VECTORS.invalid) {
    addChain(change, { events: edited(events, edit) }, { ok: false, code, seq });
  }
  const oneEvent = (changes: Record<string, unknown>) => [{ ...events[0], ...changes }];
  for (
    const [what, changes] of [
      ["event 0 has an unknown kind", { kind: "record_renamed" }],
      ["event 0 has a date that does not exist", { at: "2026-02-30T23:59:59.999Z" }],
      ["event 0 has `seq` as text", { seq: "0" }],
      ["event 0 has `prev` in capitals", { prev: events[0].prev.toUpperCase() }],
    ] as const
  ) addChain(what, { events: oneEvent(changes) }, { ok: false, code: "bad_event", seq: 0 });
  const allKinds = await chainOfAllKinds(first);
  addChain("one event of each kind, without a head", {
    recordHash: first,
    events: allKinds,
    head: undefined,
  }, { ok: true, size: allKinds.length });
  const withNull = [events[0], null, events[2]];
  addChain("event 1 is null", { events: withNull }, { ok: false, code: "bad_event", seq: 1 });
  addChain("`at` of the head was changed", { head: later }, fault("bad_signature"));
  addChain("another publisher", { publisher: "other.example" }, fault("bad_origin"));

  const signingKey = await importSigningKey(privateKey);
  const sign = (size: number, tip: string) =>
    signHead({ origin: head.origin, size, tip, at: head.at }, signingKey);
  const partial = await sign(2, events[1].hash);
  addChain("the head covers two of three events", { head: partial }, {
    ok: true,
    size: 3,
    covered: 2,
  });
  const elsewhere = await sign(3, ZEROS);
  addChain("the head covers another tip", { head: elsewhere }, {
    ok: false,
    code: "bad_tip",
    seq: 2,
  });
  return cases;
}

async function chainOfAllKinds(recordHash: string): Promise<LinkedEvent[]> {
  const events: LinkedEvent[] = [];
  for (const [seq, { kind }] of EVENT_KINDS.entries()) {
    const prev = events.at(-1)?.hash ?? recordHash;
    events.push(await linkEvent(prev, { seq, kind, at: "2026-01-15T09:30:00.000Z", status: "ok" }));
  }
  return events;
}

const linked = ({ events }: ChainVector): LinkedEvent[] =>
  events.map(({ event, prev, hash }) => ({ ...event, prev, hash }));

function edited(events: readonly LinkedEvent[], edit: InvalidVector["edit"]): unknown[] {
  if ("remove" in edit) return events.filter((_, i) => i !== edit.remove);
  return events.map((event, i) =>
    i === edit.event ? { ...event, [edit.member]: edit.value } : event
  );
}

/** Returns the vectors' records as the text prints them, with its escapes and numbers, each in one line. */
function printedRecords(): string[] {
  const { markdown } = readSections().find(({ id }) => id === "test-vectors")!;
  return [...markdown.matchAll(/```json\n([\s\S]*?)```/g)]
    .map(([, json]) => json.replace(/\n\s*/g, ""));
}
