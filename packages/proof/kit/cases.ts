/**
 * The checks of the kit about records, chains and heads.
 *
 * @module
 */
import {
  EVENT_KINDS,
  importSigningKey,
  type LinkedEvent,
  linkEvent,
  type PrivateJwk,
  recordHash as hashOf,
  signHead,
} from "../chain/mod.ts";
import { type Case, CaseList } from "./case_list.ts";
import { addLog } from "./log_cases.ts";
import { type ChainVector, type InvalidVector, PRINTED_RECORDS, VECTORS } from "./vectors.ts";
import {
  INSTANTS,
  NOT_INSTANTS,
  NOT_KEYS,
  NOT_OBJECTS,
  resized,
  retyped,
  surrounded,
  UNUSABLE_KEYS,
} from "./malformed.ts";

export type { Case } from "./case_list.ts";

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
  ["numbers that are rounded", `{"a":9007199254740993,"b":0.1000000000000000055,"c":1.0}`],
  ["escapes", String.raw`{"\u0022":"\/ \u0008\u0001\u001F\u007f\u2028 \\ \t"}`],
];

const ZEROS = "0".repeat(64);

const fault = (code: string, seq?: number): Expected =>
  seq === undefined ? { ok: false, code } : { ok: false, code, seq };

/** The result that the standard requires for a vector, whose code is null if it is valid. */
const outcome = (code: string | null, valid: Expected, seq?: number): Expected =>
  code === null ? valid : fault(code, seq);

const [SINGLE, TRIPLE] = VECTORS.valid;
const { privateKey: PRIVATE_KEY, signed: HEAD, kid: KID } = TRIPLE.head!;
const KEY = publicPart(PRIVATE_KEY);
const CHECKED = {
  head: HEAD,
  publisher: PUBLISHER,
  recordHash: TRIPLE.recordHash,
  keys: [KEY],
} as const;

/**
 * Returns all checks for a verifier: every value of the test vectors that a verifier computes, every
 * invalid vector, and for each remaining rule of the sections on verification and on the log inputs that break
 * it.
 */
export async function conformanceCases(): Promise<Case[]> {
  const cases = new Cases();
  await addHashes(cases);
  await addHeads(cases);
  await addChains(cases);
  addMalformedEvents(cases);
  await addOrderOfFaults(cases);
  addTexts(cases);
  addParts(cases);
  await addLog(cases);
  return cases.all;
}

class Cases extends CaseList {
  head(title: string, changes: Record<string, unknown>, expected: Expected) {
    this.add(`Head: ${title}`, { op: "verify_head", ...CHECKED, ...changes }, expected);
  }

  chain(title: string, changes: Record<string, unknown>, expected: Expected) {
    const request = { op: "verify_chain", ...CHECKED, events: linked(TRIPLE), ...changes };
    this.add(`Chain: ${title}`, request, expected);
  }
}

async function addHashes(cases: Cases): Promise<void> {
  for (const [i, { recordHash, salt, events }] of VECTORS.valid.entries()) {
    const vector = `Vector ${i + 1}`;
    const members = { op: '"record_hash"', salt: `"${salt}"`, record: PRINTED_RECORDS[i] };
    cases.addText(`${vector}: record hash`, members, { hash: recordHash });
    for (const { event, prev, hash } of events) {
      cases.add(`${vector}: hash of event ${event.seq}`, { op: "event_hash", prev, event }, {
        hash,
      });
    }
  }
  for (const [title, json] of MORE_RECORDS) {
    const hash = await hashOf(Uint8Array.fromHex(SINGLE.salt), JSON.parse(json));
    const members = { op: '"record_hash"', salt: `"${SINGLE.salt}"`, record: json };
    cases.addText(`Record: ${title}`, members, { hash });
  }
  cases.add("Vector 2: key identifier", { op: "key_id", key: KEY }, { kid: KID });
}

async function addHeads(cases: Cases): Promise<void> {
  const withMember = (name: string, value: unknown) => ({ head: { ...HEAD, [name]: value } });
  const malformed = (title: string, head: unknown) =>
    cases.head(title, { head }, fault("bad_head"));

  cases.head("vector 2", {}, { ok: true });
  for (const { change, edit: { member, value }, code } of VECTORS.heads) {
    cases.head(change, withMember(member, value), fault(code));
  }
  for (const { title, x, kid, signature, code } of VECTORS.signatures) {
    const signed = { head: { ...HEAD, kid, signature }, keys: [{ ...KEY, x }] };
    cases.head(title, signed, outcome(code, { ok: true }));
  }
  for (const value of NOT_OBJECTS) malformed(`it is \`${JSON.stringify(value)}\``, value);
  malformed("it has a member `note`", { ...HEAD, note: "x" });
  for (const [name, value] of Object.entries(HEAD)) {
    const { [name]: _, ...without } = HEAD as unknown as Record<string, unknown>;
    malformed(`it has no \`${name}\``, without);
    malformed(`\`${name}\` has another type`, { ...HEAD, [name]: retyped(value) });
    if (typeof value !== "string") continue;
    const fixed = name === "origin" ? [] : resized(value);
    for (const [how, text] of [...surrounded(value), ...fixed]) {
      malformed(`\`${name}\` ${how}`, { ...HEAD, [name]: text });
    }
  }
  for (const [how, text] of resized(CHECKED.recordHash)) {
    malformed(`the origin's record hash ${how}`, { ...HEAD, origin: `${PUBLISHER}/${text}` });
  }
  const capitals = CHECKED.recordHash.toUpperCase();
  malformed("the origin's record hash is in capitals", {
    ...HEAD,
    origin: `${PUBLISHER}/${capitals}`,
  });
  malformed("`size` is -1", { ...HEAD, size: -1 });
  for (const at of NOT_INSTANTS) malformed(`\`at\` is \`${at}\``, { ...HEAD, at });
  for (const at of INSTANTS) {
    cases.head(`\`at\` was changed to \`${at}\``, withMember("at", at), fault("bad_signature"));
  }

  const unknown = (title: string, changes: Record<string, unknown>) =>
    cases.head(title, changes, fault("unknown_key"));
  unknown("the key set is empty", { keys: [] });
  unknown("the key set is not a list", { keys: { "0": KEY } });
  unknown("another key states the `kid`", { keys: [{ ...OTHER_KEY, kid: KID }] });
  for (const [how, members] of UNUSABLE_KEYS) {
    const key = { ...KEY, ...members };
    unknown(`the key has ${how}`, { head: { ...HEAD, kid: await keyIdOf(key) }, keys: [key] });
  }
  const usable = (title: string, keys: unknown[]) => cases.head(title, { keys }, { ok: true });
  usable("the key states a wrong `kid`", [{ ...KEY, kid: "x" }]);
  usable("the key states another `use` and `alg`", [{ ...KEY, use: "enc", alg: "none" }]);
  usable("the key is second in the set", [OTHER_KEY, KEY]);
  usable("the set has values that are not keys", [...NOT_KEYS, KEY]);

  const origin = (title: string, changes: Record<string, unknown>) =>
    cases.head(title, changes, fault("bad_origin"));
  origin("another publisher", { publisher: "other.example" });
  origin("the publisher with another port", { publisher: `${PUBLISHER}:8443` });
  origin("the publisher in capitals", { publisher: PUBLISHER.toUpperCase() });
  origin("another record", { recordHash: SINGLE.recordHash });
}

async function addChains(cases: Cases): Promise<void> {
  const { recordHash } = SINGLE;
  const without = { op: "verify_chain", recordHash };
  cases.add("Chain: vector 1, without a head", { ...without, events: linked(SINGLE) }, {
    ok: true,
    size: 1,
  });
  cases.add("Chain: no events, without a head", { ...without, events: [] }, { ok: true, size: 0 });
  const allKinds = await chainOfAllKinds(recordHash);
  cases.add("Chain: one event of each kind, without a head", { ...without, events: allKinds }, {
    ok: true,
    size: allKinds.length,
  });

  const events = linked(TRIPLE);
  cases.chain("vector 2", {}, { ok: true, size: 3, covered: 3 });
  for (const { change, edit, code, seq } of VECTORS.invalid) {
    cases.chain(change, { events: edited(events, edit) }, fault(code, seq));
  }
  const later = { ...HEAD, at: "2026-03-01T00:05:00.001Z" };
  cases.chain("`at` of the head was changed", { head: later }, fault("bad_signature"));
  cases.chain("the head is null", { head: null }, fault("bad_head"));
  cases.chain("another publisher", { publisher: "other.example" }, fault("bad_origin"));
  const forged = await linkEvent(events[1].prev, { ...events[1], kind: "sms_confirmed" });
  cases.chain("event 1 was replaced, with its hash", { events: events.with(1, forged) }, {
    ...fault("bad_prev", 2),
  });
  const last = await linkEvent(events[2].prev, { ...events[2], kind: "sms_confirmed" });
  cases.chain("event 2 was replaced, with its hash", { events: events.with(2, last) }, {
    ...fault("bad_tip", 2),
  });
  cases.chain("the head covers two of three events", { head: await sign(2, events[1].hash) }, {
    ok: true,
    size: 3,
    covered: 2,
  });
  cases.chain("the head covers another tip", { head: await sign(3, ZEROS) }, fault("bad_tip", 2));
}

/** Adds inputs in which one event, or the list or the record hash, has another form. */
function addMalformedEvents(cases: Cases): void {
  const events = linked(TRIPLE);
  const malformed = (title: string, event: unknown, seq = 1) =>
    cases.chain(`event ${seq} ${title}`, { events: (events as unknown[]).with(seq, event) }, {
      ...fault("bad_event", seq),
    });
  for (const value of NOT_OBJECTS) malformed(`is \`${JSON.stringify(value)}\``, value);
  for (const [name, value] of Object.entries(events[1])) {
    const { [name]: _, ...without } = events[1] as unknown as Record<string, unknown>;
    malformed(`has no \`${name}\``, without);
    malformed(`has a \`${name}\` of another type`, { ...events[1], [name]: retyped(value) });
    if (typeof value !== "string") continue;
    for (const [how, text] of [...surrounded(value), ...resized(value)]) {
      malformed(`has a \`${name}\` that ${how}`, { ...events[1], [name]: text });
    }
    const capitals = value.toUpperCase();
    if (capitals !== value) {
      malformed(`has \`${name}\` in capitals`, { ...events[1], [name]: capitals });
    }
  }
  malformed("has an unknown kind", { ...events[1], kind: "record_renamed" });
  malformed("has the `seq` -1", { ...events[0], seq: -1 }, 0);
  for (const at of NOT_INSTANTS) malformed(`has \`${at}\` as \`at\``, { ...events[1], at });
  for (const at of INSTANTS) {
    const changed = { events: events.with(1, { ...events[1], at }) };
    cases.chain(`event 1 was changed to \`${at}\``, changed, fault("bad_hash", 1));
  }

  const input = (title: string, changes: Record<string, unknown>) =>
    cases.chain(title, changes, fault("bad_input", 0));
  const { recordHash } = CHECKED;
  const forms = [...surrounded(recordHash), ...resized(recordHash)];
  for (const [how, text] of forms) input(`the record hash ${how}`, { recordHash: text });
  input("the record hash is in capitals", { recordHash: recordHash.toUpperCase() });
  input("the record hash is null", { recordHash: null });
  for (const value of [null, "[]", { "0": events[0] }]) {
    input(`the events are not a list but \`${JSON.stringify(value)}\``, { events: value });
  }
}

/** Adds inputs with two faults, of which the first in the order of the steps must be reported. */
async function addOrderOfFaults(cases: Cases): Promise<void> {
  const events = linked(TRIPLE);
  const both = (title: string, changes: Record<string, unknown>, code: string, seq?: number) =>
    cases.chain(`two faults: ${title}`, changes, fault(code, seq));
  const first = (changes: Record<string, unknown>) => ({
    events: [{ ...events[0], ...changes }, ...events.slice(1)],
  });
  both("form and `seq`", first({ seq: 5, status: "" }), "bad_event", 0);
  both("`seq` and `prev`", first({ seq: 5, prev: ZEROS }), "bad_seq", 0);
  both("`prev` and `hash`", first({ prev: ZEROS, hash: ZEROS }), "bad_prev", 0);
  both(
    "event 0 and event 1",
    {
      events: [{ ...events[0], hash: ZEROS }, null, events[2]],
    },
    "bad_hash",
    0,
  );
  both("event 2 and the head", { events: events.with(2, events[0]), head: null }, "bad_seq", 2);
  both("the record hash and an event", { recordHash: "", events: [null] }, "bad_input", 0);
  both("the head's form and its key", { head: { ...HEAD, size: 0 }, keys: [] }, "bad_head");
  const kid = await keyIdOf(OTHER_KEY);
  both("the key and the signature", { head: { ...HEAD, size: 2, kid } }, "unknown_key");
  both("the signature and the origin", {
    head: { ...HEAD, size: 2 },
    publisher: "other.example",
  }, "bad_signature");
  both("the origin and the size", {
    events: events.slice(0, 2),
    publisher: "other.example",
  }, "bad_origin");
}

function addTexts(cases: Cases): void {
  const { head: _, ...known } = CHECKED;
  const add = (title: string, text: string, expected: Expected) =>
    cases.add(`Text: ${title}`, { op: "verify_text", ...known, text }, expected);
  const valid = { ok: true, size: 3, covered: 3 };
  const events = linked(TRIPLE);
  add("vector 2", JSON.stringify({ events, head: HEAD }), valid);
  add(
    "with line breaks and other members",
    JSON.stringify({ events, head: HEAD, tip: "" }, null, 1),
    {
      ...valid,
    },
  );
  for (const { change, text, code, seq } of VECTORS.texts) {
    add(change, text, outcome(code, valid, seq));
  }
}

function addParts(cases: Cases): void {
  const events = linked(TRIPLE);
  const start = { seq: 1, prev: events[0].hash };
  const { recordHash } = CHECKED;
  const request = { op: "verify_part", recordHash, start, events: events.slice(1) };
  const add = (title: string, changes: Record<string, unknown>, expected: Expected) =>
    cases.add(`Part: ${title}`, { ...request, ...changes }, expected, true);
  add("events 1 and 2", {}, { ok: true, size: 3 });
  add("it begins one event earlier than stated", { start: { ...start, seq: 2 } }, {
    ...fault("bad_seq", 2),
  });
  add("it does not follow the stated hash", { start: { ...start, prev: ZEROS } }, {
    ...fault("bad_prev", 1),
  });
  add("a start at 0 with another hash than the record's", {
    recordHash: SINGLE.recordHash,
    start: { seq: 0, prev: recordHash },
    events,
  }, fault("bad_prev", 0));
  for (const seq of [-1, 0.5, "1", null]) {
    add(`a start at \`${JSON.stringify(seq)}\``, { start: { ...start, seq } }, fault("bad_input"));
  }
  const prev = start.prev.toUpperCase();
  add("a start with a hash in capitals", { start: { ...start, prev } }, fault("bad_input", 1));
  add("a malformed record hash", { recordHash: "" }, fault("bad_input", 1));
}

async function sign(size: number, tip: string) {
  const key = await importSigningKey(PRIVATE_KEY);
  return await signHead({ origin: HEAD.origin, size, tip, at: HEAD.at }, key);
}

function publicPart({ d: _, ...key }: PrivateJwk) {
  return key;
}

/** Returns the thumbprint of a key, whatever its members are. */
async function keyIdOf({ crv, kty, x }: Record<string, unknown>): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ crv, kty, x }));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return digest.toBase64({ alphabet: "base64url", omitPadding: true });
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
  if ("order" in edit) return edit.order.map((seq) => events[seq]);
  if ("remove" in edit) return events.filter((_, i) => i !== edit.remove);
  return events.map((event, i) =>
    i === edit.event ? { ...event, [edit.member]: edit.value } : event
  );
}
