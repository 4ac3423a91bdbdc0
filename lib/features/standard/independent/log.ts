/**
 * The section on the transparency log, written from the text alone, like `implementation.ts`.
 *
 * @module
 */
import { createHash, createPublicKey, verify } from "node:crypto";

// deno-lint-ignore no-explicit-any -- requests of all operations
type Request = Record<string, any>;
type Answer = Record<string, string | number | boolean>;

/** A fault with its code. */
class Fault extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

function require(condition: unknown, code: string): asserts condition {
  if (!condition) throw new Fault(code);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const raw = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
const sha256 = (...parts: Uint8Array[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
};
const equal = (a: Uint8Array, b: Uint8Array) => a.toHex() === b.toHex();

function base64(text: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return bytes.toBase64() === text ? bytes : null;
  } catch {
    return null;
  }
}

// Entries

const domain = (name: string) => utf8(`verifiable-records/1/${name}\0`);

function u64(n: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
  return bytes;
}

const hashOf = (name: string, ...parts: Uint8Array[]) => sha256(domain(name), ...parts);

const eventEntry = (record: string, size: number, tip: string, salt: Uint8Array) => ({
  slot: hashOf("log-slot", raw(record), u64(size)),
  commitment: hashOf("log-entry", salt, raw(record), u64(size), raw(tip)),
});

function entryOf(request: Request) {
  const { kind, record_hash, size, tip, log_salt, document, n, version, state, original, issued } =
    request;
  switch (kind) {
    case "event":
      return eventEntry(record_hash, size, tip, raw(log_salt));
    case "document":
      return {
        slot: hashOf("log-document-slot", u64(n), utf8(document)),
        commitment: hashOf(
          "log-document",
          raw(log_salt),
          u64(n),
          u64(version),
          Uint8Array.of(state === "withdrawn" ? 2 : 1),
          raw(original),
          issued === null ? new Uint8Array(32) : raw(issued),
          utf8(document),
        ),
      };
    case "keys":
      return {
        slot: hashOf("log-keys-slot", u64(n)),
        commitment: hashOf("log-keys", u64(n), utf8(request.key_set)),
      };
    default:
      return {
        slot: hashOf("log-complete-slot", u64(1)),
        commitment: hashOf("log-complete", u64(1)),
      };
  }
}

const leafOf = ({ slot, commitment }: ReturnType<typeof eventEntry>) =>
  sha256(Uint8Array.of(0), slot, commitment);

// The tree (RFC 9162, sections 2.1.3.2 and 2.1.4.2)

const node = (left: Uint8Array, right: Uint8Array) => sha256(Uint8Array.of(1), left, right);

function included(
  index: number,
  size: number,
  leaf: Uint8Array,
  proof: Uint8Array[],
  root: Uint8Array,
) {
  if (index >= size) return false;
  let [fn, sn, r] = [BigInt(index), BigInt(size - 1), leaf];
  for (const p of proof) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      r = node(p, r);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else r = node(r, p);
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  return sn === 0n && equal(r, root);
}

function consistent(
  first: number,
  second: number,
  before: Uint8Array,
  after: Uint8Array,
  proof: Uint8Array[],
) {
  const isSize = (n: number) => Number.isSafeInteger(n) && n >= 0;
  if (!isSize(first) || !isSize(second) || first > second) return false;
  if (![before, after, ...proof].every(({ length }) => length === 32)) return false;
  if (first === 0) return proof.length === 0 && equal(before, sha256());
  if (first === second) return proof.length === 0 && equal(before, after);
  if (proof.length === 0) return false;
  const path = Number.isInteger(Math.log2(first)) ? [before, ...proof] : proof;
  let [fn, sn] = [BigInt(first - 1), BigInt(second - 1)];
  while (fn % 2n === 1n) [fn, sn] = [fn / 2n, sn / 2n];
  let [fr, sr] = [path[0], path[0]];
  for (const c of path.slice(1)) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      [fr, sr] = [node(c, fr), node(c, sr)];
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn / 2n, sn / 2n];
    } else sr = node(sr, c);
    [fn, sn] = [fn / 2n, sn / 2n];
  }
  return sn === 0n && equal(fr, before) && equal(sr, after);
}

// Keys and signed notes

interface Key {
  name: string;
  id: string;
  type: number;
  bytes: Uint8Array;
}

/** The points of small order, and numbers that are not reduced, as in rule 1 of valid signatures. */
const REFUSED = [
  /^(00|01)(00){31}$/,
  /^26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05$/,
  /^c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a$/,
  /^(e[c-f]|f.)(ff){30}7f$/,
];
const isRefused = (point: Uint8Array) =>
  REFUSED.some((pattern) => pattern.test(point.with(31, point[31] & 0x7f).toHex()));

const NAME = /^[^\s+\p{Cc}]+$/u;

/** Witnesses with keys of later algorithms, from this one on, count as absent. */
const LATER = 6;

function readKey(text: string | undefined, type: number): Key {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text ?? "") ?? [];
  const typed = base64(encoded ?? "");
  require(typed !== null && NAME.test(name ?? ""), "log_malformed");
  require(sha256(utf8(`${name}\n`), typed).slice(0, 4).toHex() === id, "log_malformed");
  const bytes = typed.slice(1);
  if (type === 4 && typed[0] >= LATER) return { name, id, type: typed[0], bytes };
  require(typed.length === 33 && typed[0] === type, "log_malformed");
  require(!isRefused(bytes), "log_malformed");
  return { name, id, type, bytes };
}

function isSignature(key: Key, signature: Uint8Array, message: Uint8Array): boolean {
  if (signature.length !== 64 || isRefused(signature.slice(0, 32))) return false;
  const x = key.bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    return verify(null, message, createPublicKey({ key: jwk, format: "jwk" }), signature);
  } catch {
    return false;
  }
}

interface Line {
  name: string;
  id: string;
  signature: Uint8Array;
}

function readLine(line: string): Line {
  const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
  const bytes = base64(encoded ?? "");
  require(bytes !== null && bytes.length > 4 && NAME.test(name), "log_malformed");
  return { name, id: bytes.slice(0, 4).toHex(), signature: bytes.slice(4) };
}

const isNumber = (text: string) =>
  /^(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));

function readCheckpoint(note: string) {
  // deno-lint-ignore no-control-regex -- they are refused
  require(!/[\0-\x09\x0b-\x1f\x7f]/.test(note) && note.endsWith("\n"), "log_malformed");
  const at = note.lastIndexOf("\n\n");
  require(at >= 0, "log_malformed");
  const text = note.slice(0, at + 1);
  const lines = note.slice(at + 2, -1).split("\n").map(readLine);
  const [origin, size, root, ...extensions] = text.slice(0, -1).split("\n");
  const bytes = base64(root ?? "");
  require(NAME.test(origin) && isNumber(size ?? ""), "log_malformed");
  require(bytes?.length === 32 && !extensions.includes(""), "log_malformed");
  require(size !== "0" || equal(bytes, sha256()), "log_malformed");
  return { text, lines, origin, size: Number(size), root: bytes };
}

// Policies

function readPolicy(text: string) {
  const logs: Key[] = [];
  const witnesses = new Map<string, Key>();
  const groups = new Map<string, { count: number; members: string[] }>();
  const grouped: string[] = [];
  let quorum: string | undefined;
  const isKnown = (name: string) => witnesses.has(name) || groups.has(name);
  const isFree = (name: string) => name !== "none" && !isKnown(name);
  const isNew = (key: Key) =>
    [...logs, ...witnesses.values()].every(({ bytes }) => !equal(bytes, key.bytes));
  const isUrl = (url: string | undefined) =>
    url === undefined || /^https?:/.test(url) && URL.canParse(url);
  const check = (condition: unknown) => require(condition, "log_malformed");
  for (const line of text.split("\n")) {
    // deno-lint-ignore no-control-regex -- they are refused
    check(!/[\0-\x08\x0b-\x1f\x7f]/.test(line));
    const [word, ...rest] = line.split(/[ \t]+/).filter(Boolean);
    if (word === undefined || word.startsWith("#")) continue;
    if (word === "log") {
      const key = readKey(rest[0], 1);
      check(isNew(key) && isUrl(rest[1]) && rest.length <= 2);
      logs.push(key);
    } else if (word === "witness") {
      const key = readKey(rest[1], 4);
      check(isFree(rest[0]) && isNew(key) && isUrl(rest[2]) && rest.length <= 3);
      witnesses.set(rest[0], key);
    } else if (word === "group") {
      const [name, needed, ...members] = rest;
      check(members.every((each, i) => isKnown(each) && members.indexOf(each) === i));
      check(members.every((each) => !grouped.includes(each)));
      check(/^(all|any|[1-9]\d*)$/.test(needed ?? "") && isFree(name));
      const count = needed === "all" ? members.length : needed === "any" ? 1 : Number(needed);
      check(count >= 1 && count <= members.length);
      grouped.push(...members);
      groups.set(name, { count, members });
    } else {
      check(word === "quorum" && quorum === undefined && rest.length === 1);
      check(rest[0] === "none" || isKnown(rest[0]));
      quorum = rest[0];
    }
  }
  check(quorum !== undefined);
  const isMet = (name: string, signed: ReadonlySet<string>): boolean => {
    const group = groups.get(name);
    if (group === undefined) return signed.has(name);
    return group.members.filter((each) => isMet(each, signed)).length >= group.count;
  };
  return {
    logs,
    witnesses,
    isMet: (signed: ReadonlySet<string>) => quorum === "none" || isMet(quorum!, signed),
  };
}

// Proofs

function readProof(text: unknown) {
  require(typeof text === "string", "log_malformed");
  const [head] = text.split("\n\n", 1);
  require(head.length < text.length, "log_malformed");
  const [first, extra, index, ...hashes] = head.split("\n");
  require(first === "c2sp.org/tlog-proof@v1", "log_malformed");
  const salt = base64(/^extra (.*)$/.exec(extra ?? "")?.[1] ?? "");
  const [, position] = /^index (.+)$/.exec(index ?? "") ?? [];
  require(salt?.length === 32 && isNumber(position ?? ""), "log_malformed");
  const path = hashes.map(base64);
  require(path.length <= 63 && path.every((hash) => hash?.length === 32), "log_malformed");
  return {
    salt,
    index: Number(position),
    path: path as Uint8Array[],
    note: text.slice(head.length + 2),
  };
}

/** Steps 1 to 5. Returns the proof, and the earliest countersignature. */
function openProof({ proof: text, policy: policyText, origin }: Request) {
  const policy = readPolicy(policyText);
  const proof = readProof(text);
  const checkpoint = readCheckpoint(proof.note);
  const logs = policy.logs.filter(({ name }) => name === origin);
  const madeBy = (key: Key) =>
    checkpoint.lines.filter(({ name, id }) => name === key.name && id === key.id);
  const own = logs.flatMap((key) => madeBy(key).map(({ signature }) => ({ key, signature })));
  require(checkpoint.origin === origin && own.length > 0, "log_unknown");
  for (const { key, signature } of own) {
    require(isSignature(key, signature, utf8(checkpoint.text)), "log_signature");
  }
  const signed = new Set<string>();
  let time = Infinity;
  for (const [name, key] of policy.witnesses) {
    if (key.type >= LATER) continue;
    for (const { signature } of madeBy(key)) {
      require(signature.length === 72, "log_signature");
      const at = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
      const message = utf8(`cosignature/v1\ntime ${at}\n${checkpoint.text}`);
      require(at > 0n && at <= Number.MAX_SAFE_INTEGER, "log_signature");
      require(isSignature(key, signature.slice(8), message), "log_signature");
      signed.add(name);
      time = Math.min(time, Number(at));
    }
  }
  require(policy.isMet(signed), "log_quorum");
  return { ...proof, checkpoint, time };
}

type Opened = ReturnType<typeof openProof>;

const isOf = (
  { index, path, salt, checkpoint }: Opened,
  record: string,
  size: number,
  tip: string,
) =>
  included(
    index,
    checkpoint.size,
    leafOf(eventEntry(record, size, tip, salt)),
    path,
    checkpoint.root,
  );

const withTime = (answer: Answer, time: number): Answer =>
  time === Infinity ? answer : { ...answer, time };

const TEN_MINUTES = 10 * 60 * 1000;

const OPERATIONS: Record<string, (request: Request) => Answer> = {
  log_entry(request) {
    const entry = entryOf(request);
    const { slot, commitment } = entry;
    return { slot: slot.toHex(), commitment: commitment.toHex(), leaf: leafOf(entry).toHex() };
  },
  log_proof(request) {
    const opened = openProof(request);
    const { index, checkpoint, time } = opened;
    const { record_hash, size, tip } = request;
    require(isOf(opened, record_hash, size, tip), "log_inclusion");
    return withTime({ ok: true, index, log_size: checkpoint.size }, time);
  },
  log_chain(request) {
    const { record_hash, events, as_of } = request;
    const isNew = ({ at }: { at: string }) =>
      Math.abs(Date.parse(as_of) - Date.parse(at)) < TEN_MINUTES;
    let logged = 0;
    let time = Infinity;
    if ((request.proof ?? null) !== null) {
      const opened = openProof(request);
      time = opened.time;
      for (logged = events.length; logged > 0; logged--) {
        if (isOf(opened, record_hash, logged, events[logged - 1].hash)) break;
      }
      require(logged > 0, "log_inclusion");
    }
    require(events.slice(logged).every(isNew), "log_missing");
    return withTime({ ok: true, logged }, time);
  },
  log_consistency({ old_size, old_root, new_size, new_root, proof }) {
    const hashes = proof.map(raw);
    require(
      consistent(old_size, new_size, raw(old_root), raw(new_root), hashes),
      "log_inconsistent",
    );
    return { ok: true };
  },
  log_tile({ size, level, index }) {
    const items = level === "entries" ? size : Math.floor(size / 256 ** level);
    const width = Math.min(256, items - 256 * index);
    const digits = String(index).padStart(3 * Math.ceil(String(index).length / 3), "0");
    const groups = digits.match(/.{3}/g)!.map((each, i, all) =>
      i === all.length - 1 ? each : `x${each}`
    );
    const partial = width === 256 ? "" : `.p/${width}`;
    return { path: `tile/${level}/${groups.join("/")}${partial}`, width };
  },
  log_keys({ kid, key_sets }) {
    const kids = key_sets.flatMap((text: string) => JSON.parse(text).keys)
      .map((key: { kid: string }) => key.kid);
    require(kids.includes(kid), "log_unknown");
    return { ok: true };
  },
  log_entries({ entries }) {
    const commitments = new Map<string, string>();
    for (const entry of entries) {
      require(entry.length === 128, "log_malformed");
      const [slot, commitment] = [entry.slice(0, 64), entry.slice(64)];
      require((commitments.get(slot) ?? commitment) === commitment, "log_fork");
      commitments.set(slot, commitment);
    }
    return { ok: true };
  },
};

/** Answers a request of the kit about the log. */
export function answerLog(request: Request): Answer {
  try {
    return OPERATIONS[request.op](request);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { ok: false, code: error.code };
  }
}
