/**
 * A second implementation of the standard, written from its text alone, without `lib/features/chain`. The tests
 * compare both with the vectors, so they fail if the text and the library differ.
 *
 * @module
 */
import { createHash, createPublicKey, verify } from "node:crypto";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** A response of the protocol in docs/conform.md, without its id. */
type Answer = Record<string, string | number | boolean>;

const KINDS = [
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
];
const EVENT_MEMBERS = ["at", "hash", "kind", "prev", "seq", "status"];
const HEAD_MEMBERS = ["at", "kid", "origin", "signature", "size", "tip"];
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const ORIGIN = /^([a-z0-9.-]+)(?::([1-9]\d*))?\/[0-9a-f]{64}$/;
const BYTES_32 = /^[\w-]{42}[AEIMQUYcgkosw048]$/;
const BYTES_64 = /^[\w-]{85}[AQgw]$/;

const utf8 = (text: string) => new TextEncoder().encode(text);
const raw = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));

/** JCS: names sorted by UTF-16 code units, strings and numbers formatted as in ECMAScript. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${members.join(",")}}`;
}

/** The bytes that are hashed or signed: the domain, a zero byte, and the parts. */
export function preimage(purpose: "record" | "event" | "head", ...parts: Uint8Array[]): Uint8Array {
  const all = [utf8(`verifiable-records/1/${purpose}`), Uint8Array.of(0), ...parts];
  return Uint8Array.from(all.flatMap((part) => [...part]));
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes);

export const recordHash = (salt: string, record: Json): string =>
  sha256(preimage("record", raw(salt), utf8(canonical(record)))).digest("hex");

export function eventHash(prev: string, { at, kind, seq, status }: JsonObject): string {
  const event = utf8(canonical({ at, kind, seq, status }));
  return sha256(preimage("event", raw(prev), event)).digest("hex");
}

export const keyId = ({ crv, kty, x }: JsonObject): string =>
  sha256(utf8(canonical({ crv, kty, x }))).digest("base64url");

export function headMessage({ at, kid, origin, size, tip }: JsonObject): Uint8Array {
  return preimage("head", utf8(canonical({ at, kid, origin, size, tip })));
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const matches = (value: Json, pattern: RegExp) => typeof value === "string" && pattern.test(value);
const hasExactly = (object: JsonObject, members: string[]) =>
  Object.keys(object).sort().join() === members.join();
const isCount = (value: Json, from: number) => Number.isSafeInteger(value) && Number(value) >= from;

function isInstant(value: Json): boolean {
  if (!matches(value, INSTANT)) return false;
  const time = Date.parse(value as string);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}

const isEvent = (event: Json): event is JsonObject =>
  isObject(event) && hasExactly(event, EVENT_MEMBERS) && isCount(event.seq, 0) &&
  KINDS.includes(event.kind as string) && isInstant(event.at) && event.status === "ok" &&
  matches(event.prev, HASH) && matches(event.hash, HASH);

/** The section on heads: no empty label, and a port only if it is not 443. */
function isOrigin(value: Json): boolean {
  const [, host, port] = typeof value === "string" && ORIGIN.exec(value) || [];
  if (host === undefined || host.split(".").includes("")) return false;
  if (host.startsWith("-") || host.endsWith("-")) return false;
  return port === undefined || Number(port) < 65536 && port !== "443";
}

const isHead = (head: Json): head is JsonObject =>
  isObject(head) && hasExactly(head, HEAD_MEMBERS) && isOrigin(head.origin) &&
  isCount(head.size, 1) && matches(head.tip, HASH) && isInstant(head.at) &&
  matches(head.kid, BYTES_32) && matches(head.signature, BYTES_64);

const isKey = (key: Json): key is JsonObject =>
  isObject(key) && key.kty === "OKP" && key.crv === "Ed25519" && matches(key.x, BYTES_32);

/** The points of small order, and how 2^255 - 19 and larger numbers end. Highest bit cleared. */
const REFUSED_POINTS = [
  /^(00|01)(00){31}$/,
  /^26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05$/,
  /^c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a$/,
  /^(e[c-f]|f.)(ff){30}7f$/,
];

/** Rule 1 of valid signatures. */
function isRefused(point: Uint8Array): boolean {
  const hex = point.with(31, point[31] & 0x7f).toHex();
  return REFUSED_POINTS.some((pattern) => pattern.test(hex));
}

/** Rules 1 to 3. The platform checks that S is reduced, and uses the equation without the cofactor. */
function isSignature(signature: Uint8Array, message: Uint8Array, x: string): boolean {
  const key = Uint8Array.fromBase64(x, { alphabet: "base64url" });
  if (isRefused(key) || isRefused(signature.subarray(0, 32))) return false;
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    return verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signature);
  } catch {
    return false; // not a point
  }
}

/** Step 2 of the section on verification, from a start that need not be event 0. */
function verifyEvents({ recordHash, events, start = null }: JsonObject): Answer {
  const { seq: first, prev: before } = isObject(start) ? start : { seq: 0, prev: recordHash };
  if (!isCount(first, 0)) return { ok: false, code: "bad_input", seq: 0 };
  if (!matches(recordHash, HASH) || !matches(before, HASH) || !Array.isArray(events)) {
    return { ok: false, code: "bad_input", seq: first as number };
  }
  let prev = first === 0 ? recordHash : before;
  for (const [i, event] of events.entries()) {
    const seq = Number(first) + i;
    if (!isEvent(event)) return { ok: false, code: "bad_event", seq };
    if (event.seq !== seq) return { ok: false, code: "bad_seq", seq };
    if (event.prev !== prev) return { ok: false, code: "bad_prev", seq };
    if (event.hash !== eventHash(event.prev as string, event)) {
      return { ok: false, code: "bad_hash", seq };
    }
    prev = event.hash;
  }
  return { ok: true, size: Number(first) + events.length };
}

/** Steps 3 to 6. */
export function verifyHead({ head, keys, publisher, recordHash }: JsonObject): Answer {
  if (!isHead(head)) return { ok: false, code: "bad_head" };
  const set = Array.isArray(keys) ? keys : [];
  const key = set.find((each) => isKey(each) && keyId(each) === head.kid) as JsonObject;
  if (key === undefined) return { ok: false, code: "unknown_key" };
  const signature = Uint8Array.fromBase64(head.signature as string, { alphabet: "base64url" });
  if (!isSignature(signature, headMessage(head), key.x as string)) {
    return { ok: false, code: "bad_signature" };
  }
  return head.origin === `${publisher}/${recordHash}`
    ? { ok: true }
    : { ok: false, code: "bad_origin" };
}

function verifyChain(request: JsonObject): Answer {
  const events = request.events as Json[];
  const checked = verifyEvents(request);
  if (!checked.ok || request.head === undefined) return checked;
  const signed = verifyHead(request);
  if (!signed.ok) return signed;
  const { size, tip } = request.head as { size: number; tip: string };
  if (size > events.length) return { ok: false, code: "truncated", seq: events.length };
  if ((events[size - 1] as JsonObject).hash !== tip) {
    return { ok: false, code: "bad_tip", seq: size - 1 };
  }
  return { ...checked, covered: size };
}

/** The names of an object that occur in it twice, at any depth. The text is valid JSON. */
function repeatsName(text: string): boolean {
  const open: string[][] = [];
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === "{") open.push([]);
    else if (token === "}") open.pop();
    else if (name !== undefined) {
      const names = open[open.length - 1];
      if (names.includes(JSON.parse(name))) return true;
      names.push(JSON.parse(name));
    }
  }
  return false;
}

/** Verifies the events and the head in a JSON text. */
function verifyText({ text, ...known }: JsonObject): Answer {
  try {
    const { events, head } = JSON.parse(text as string);
    if (!repeatsName(text as string)) return verifyChain({ ...known, events, head });
  } catch { /* the same answer as for a repeated name */ }
  return { ok: false, code: "bad_input", seq: 0 };
}

/** Answers one request of the protocol. */
export function answer(request: JsonObject): Answer {
  switch (request.op) {
    case "record_hash":
      return { hash: recordHash(request.salt as string, request.record) };
    case "event_hash":
      return { hash: eventHash(request.prev as string, request.event as JsonObject) };
    case "key_id":
      return { kid: keyId(request.key as JsonObject) };
    case "verify_head":
      return verifyHead(request);
    case "verify_chain":
      return verifyChain(request);
    case "verify_text":
      return verifyText(request);
    case "verify_part":
      return verifyEvents(request);
    default:
      return { error: "unknown operation" };
  }
}
