import { assertEquals, assertStringIncludes } from "@std/assert";
import { type Bytes, concatBytes, decodeHex, utf8 } from "../../base/bytes.ts";
import { SECOND_MS } from "../../base/time.ts";
import { unwrap } from "../../platform/http/errors.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import { tempKv } from "../../platform/kv/testing/temp_kv.ts";
import {
  createSigner,
  formatCheckpoint,
  formatNote,
  formatSignature,
  generatePrivateJwk,
  LOG_KEY,
  type NoteSigner,
  parseCheckpoint,
  parseSignature,
  verifyNote,
  verifySignature,
  WITNESS_KEY,
} from "../../../packages/proof/mod.ts";
import { formatAddCheckpoint, MAX_BODY_BYTES } from "./request.ts";
import { MAX_REFUSED, originHash, witnessedKey, type WitnessedRow } from "./rows.ts";
import { createTestLog, type TestLog } from "./testing/test_log.ts";
import { createWitness, type Witness, type WitnessLimits } from "./witness.ts";

const NO_LIMITS: WitnessLimits = { growth: 0, requests: 0 };
const START = 1_795_442_520;

const key = await createSigner("witness.example", WITNESS_KEY, await generatePrivateJwk());
const ten = Array.from({ length: 10 }, (_, i) => `entry ${i}`);

interface Options {
  kv?: Deno.Kv;
  limits?: WitnessLimits;
  signer?: NoteSigner;
}

/** A witness of one log with 10 entries, and the clock of both. */
async function setUp({ kv, limits = NO_LIMITS, signer = key }: Options = {}) {
  const log = await createTestLog();
  log.append(...ten);
  const time = { seconds: START };
  const lines: Record<string, unknown>[] = [];
  const store = kv ?? await openKv(":memory:");
  const witnessOn = (kv: Deno.Kv) =>
    createWitness({
      kv,
      signer,
      limits,
      logs: () => Promise.resolve([{ key: log.signer.key, url: null }]),
      clock: () => time.seconds * SECOND_MS,
      monotonic: () => time.seconds * SECOND_MS,
      log: (line) => void lines.push(line),
    });
  const witness = witnessOn(store);
  return {
    log,
    time,
    lines,
    kv: store,
    witness,
    witnessOn,
    /** Sends a checkpoint with its proof, and returns the outcome in short. */
    send: (old: number, size?: number, from = log) => send(witness, from, old, size),
    [Symbol.dispose]: () => store.close(),
  };
}

/** Returns the time of a valid cosignature, and otherwise the error. */
async function send(witness: Witness, log: TestLog, old: number, size?: number) {
  return await outcome(witness, await log.request(old, size));
}

async function outcome(witness: Witness, body: Bytes | undefined, client = "192.0.2.1") {
  const result = await witness.add(body, client);
  if (!result.ok) return "size" in result ? `${result.error} ${result.size}` : result.error;
  const text = parseCheckpoint(new TextDecoder().decode(body).split(/^[^]*?\n\n/)[1])!.note.text;
  const signature = parseSignature(result.cosignature.trimEnd())!;
  return (await verifySignature(text, signature, witness.key))?.time;
}

const refusedBy = async (witness: Witness, hash: string) => (await witness.refused(hash))!.refused;

const stored = async (kv: Deno.Kv, { origin }: TestLog) => {
  const { value } = await kv.get<WitnessedRow>(witnessedKey(originHash(origin)));
  return value === null ? null : [value.size, value.time];
};

Deno.test("a session of a log that grows is countersigned, and each fault has its outcome", async () => {
  using t = await setUp();
  const { log, send, witness, time } = t;
  assertEquals(await send(0, 1), START);
  time.seconds += 10;
  assertEquals(await send(1, 3), START + 10);

  const forged = await createSigner(log.origin, LOG_KEY, await generatePrivateJwk());
  const text = formatCheckpoint({ origin: log.origin, size: 5, root: log.root(5) });
  const [proof, signature] = [log.proof(3, 5), await log.signer.sign(text)];
  const note = (signatures: (typeof signature)[]) => formatNote({ text, signatures });
  const post = (note: string, hashes = proof) =>
    outcome(witness, formatAddCheckpoint({ old: 3, proof: hashes, note }));
  const bad = { ...signature, bytes: signature.bytes.with(63, signature.bytes[63] ^ 1) };

  assertEquals(await post(note([await forged.sign(text)])), "bad_log_signature");
  assertEquals(await post(note([bad])), "bad_log_signature");
  assertEquals(await post(note([await forged.sign(text), bad])), "bad_log_signature");
  const other = await createTestLog("other.example/log");
  other.append("entry");
  assertEquals(await send(0, 1, other), "unknown_log");
  assertEquals(await post(note([signature]), []), "inconsistent");
  assertEquals(await post(note([signature]), proof.slice(1)), "inconsistent");
  assertEquals(await post(note([signature]), [...proof, proof[0]]), "inconsistent");
  assertEquals(
    await post(note([signature]), [proof[0].with(0, 1), ...proof.slice(1)]),
    "inconsistent",
  );
  assertEquals(await send(1, 5), "conflict 3");
  assertEquals(await send(0, 5), "conflict 3");
  assertEquals(await send(2, 2), "conflict 3");
  assertEquals(await post(note([await forged.sign(text), signature])), START + 10);
  assertEquals(await send(0, 5), "conflict 5");
});

Deno.test("the same size is countersigned again with a later time, but needs an empty proof and the same root", async () => {
  using t = await setUp();
  const { log, send, witness, time } = t;
  assertEquals(await send(0, 4), START);
  time.seconds += 3600;
  assertEquals(await send(4, 4), START + 3600);
  const note = await log.checkpoint(4);
  const body = formatAddCheckpoint({ old: 4, proof: log.proof(3, 4).slice(0, 1), note });
  assertEquals(await outcome(witness, body), "inconsistent");
  const fork = log.fork(3);
  fork.append("another entry");
  assertEquals(await send(4, 4, fork), "inconsistent");
});

Deno.test("the empty tree is countersigned only with its own root, and a proof from it must be empty", async () => {
  using t = await setUp();
  const { log, send, witness } = t;
  const text = formatCheckpoint({ origin: log.origin, size: 0, root: log.root(1) });
  const note = formatNote({ text, signatures: [await log.signer.sign(text)] });
  assertEquals(
    await outcome(witness, formatAddCheckpoint({ old: 0, proof: [], note })),
    "inconsistent",
  );
  assertEquals(await send(0, 0), START);
  const proof = [log.root(1)];
  const body = formatAddCheckpoint({ old: 0, proof, note: await log.checkpoint(2) });
  assertEquals(await outcome(witness, body), "inconsistent");
  assertEquals(await send(0, 2), START);
});

Deno.test("a malformed body is an invalid request, before anything else is looked at", async () => {
  using t = await setUp();
  const { log, witness } = t;
  const note = await log.checkpoint(5);
  const hash = btoa("x".repeat(32));
  const bodies: Record<string, string | Bytes | undefined> = {
    "too long to be read": undefined,
    "too long": `old 0\n\n${note}`.padEnd(MAX_BODY_BYTES + 1, "x"),
    "empty": "",
    "only a checkpoint": note,
    "no empty line": `old 0\n${note}`,
    "no old size": `\n${note}`,
    "another word": `new 0\n\n${note}`,
    "no number": `old \n\n${note}`,
    "a negative size": `old -1\n\n${note}`,
    "a size with a sign": `old +0\n\n${note}`,
    "a size with a leading zero": `old 00\n\n${note}`,
    "a size above 2^53": `old 9007199254740992\n\n${note}`,
    "two spaces": `old  0\n\n${note}`,
    "a carriage return": `old 0\r\n\r\n${note}`,
    "a byte order mark": `\ufeffold 0\n\n${note}`,
    "64 hashes": `old 0\n${`${hash}\n`.repeat(64)}\n${note}`,
    "a hash of 31 bytes": `old 1\n${btoa("x".repeat(31))}\n\n${note}`,
    "a hash in base64url": `old 1\n${"_".repeat(43)}=\n\n${note}`,
    "an old size above the checkpoint's": `old 6\n\n${note}`,
    "no signature": `old 0\n\n${note.slice(0, note.indexOf("\n\n") + 2)}`,
    "no newline at the end": `old 0\n\n${note.trimEnd()}`,
    "a checkpoint without a root": `old 0\n\n${note.replace(/\n[^\n]+\n\n/, "\n\n")}`,
    "a size with a leading zero in the checkpoint": `old 0\n\n${note.replace("\n5\n", "\n05\n")}`,
    "invalid UTF-8": concatBytes([utf8("old 0\n\n"), decodeHex("ff"), utf8(note)]),
  };
  for (const [title, body] of Object.entries(bodies)) {
    const bytes = typeof body === "string" ? utf8(body) : body;
    assertEquals(await outcome(witness, bytes), "invalid_request", title);
  }
  assertEquals(await outcome(witness, utf8(`old 0\n\n${note}`)), START);
});

Deno.test("a cosignature's line is the only line, and the monitoring copy has it and the log's signature", async () => {
  using t = await setUp();
  const { log, witness, send } = t;
  const hash = originHash(log.origin);
  assertEquals(await witness.latest(hash), null);
  const stranger = await createSigner("stranger.example", WITNESS_KEY, await generatePrivateJwk());
  const checkpoint = await log.checkpoint(3);
  const { note } = parseCheckpoint(checkpoint)!;
  const line = formatSignature(await stranger.sign(note.text, START));
  const body = formatAddCheckpoint({
    old: 0,
    proof: [],
    note: checkpoint + line + checkpoint.split("\n\n")[1],
  });
  const result = unwrap(await witness.add(body, ""));
  // The stranger's line, and the repeated one of the log, are not served.
  assertEquals(await witness.latest(hash), checkpoint + result.cosignature);
  const served = parseCheckpoint(checkpoint + result.cosignature)!;
  const verified = await verifyNote(served.note, [log.signer.key, witness.key]);
  assertEquals(verified?.map(({ time }) => time), [null, START]);
  assertEquals(await send(3, 3), START);
});

Deno.test("two requests at once for trees that exclude each other get one cosignature", async () => {
  using kv = raceKv(await openKv(":memory:"));
  using t = await setUp({ kv });
  const { log, send, time } = t;
  const fork = log.fork(5);
  fork.append("another entry", "and another");
  await send(0, 5);
  let meanwhile: unknown;
  kv.meanwhile("witnessed", async () => {
    meanwhile = await send(5, 7, fork);
  });
  assertEquals(await send(5, 7), "conflict 7");
  assertEquals(meanwhile, START);
  // The log learns that it has forked when it asks again.
  assertEquals(await send(7, 7), "inconsistent");

  time.seconds += 1;
  kv.meanwhile("witnessed", () => send(7, 7, fork)); // a larger time for the same tree
  assertEquals(await send(7, 7, fork), START + 1);
});

Deno.test("of a smaller and a larger tree at once, the larger stays", async () => {
  using kv = raceKv(await openKv(":memory:"));
  using t = await setUp({ kv });
  const { log, send } = t;
  await send(0, 2);
  kv.meanwhile("witnessed", () => send(2, 9));
  assertEquals(await send(2, 4), "conflict 9");
  assertEquals(await stored(kv, log), [9, START]);
});

Deno.test("a commit whose response is lost is read back: its own tree is countersigned, another is a conflict", async () => {
  using memory = await openKv(":memory:");
  /** Commits, and reports that a check failed, as a network can. */
  const lossy = new Proxy(memory, {
    get(target, name) {
      if (name !== "atomic") {
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return () => {
        const operation = target.atomic();
        const commit = operation.commit.bind(operation);
        return Object.assign(operation, {
          commit: async () => {
            await commit();
            return { ok: false };
          },
        });
      };
    },
  });
  using t = await setUp({ kv: lossy });
  const { log, send, time } = t;
  assertEquals(await send(0, 3), START);
  time.seconds += 1;
  assertEquals(await send(3, 6), START + 1);
  assertEquals(await stored(memory, log), [6, START + 1]);
});

Deno.test("with a clock that was set back, the time stays that of the larger tree before", async () => {
  using t = await setUp();
  const { send, time } = t;
  assertEquals(await send(0, 3), START);
  time.seconds -= 86_400;
  assertEquals(await send(3, 3), START);
  assertEquals(await send(3, 5), START);
  time.seconds = START + 1;
  assertEquals(await send(5, 6), START + 1);
});

Deno.test("with a clock that is not set, nothing is signed or stored", async () => {
  using t = await setUp();
  const { log, kv, send, time } = t;
  time.seconds = 0;
  assertEquals(await send(0, 3), "unavailable");
  assertEquals(await stored(kv, log), null);
});

Deno.test("two processes with one store countersign one of two forks", async () => {
  await using file = await tempKv();
  const second = await openKv(file.path);
  const { log, witness, witnessOn } = await setUp({ kv: file.kv });
  const fork = log.fork(5);
  fork.append("another entry");
  await send(witness, log, 0, 5);
  const others = witnessOn(second);
  const outcomes = await Promise.all([send(witness, log, 5, 6), send(others, fork, 5, 6)]);
  assertEquals(outcomes.toSorted(), [START, "conflict 6"]);
  second.close();
});

Deno.test("a witness whose store was restored refuses once it sees its own later cosignature, for good", async () => {
  using older = await openKv(":memory:");
  using t = await setUp();
  const { log, witness, witnessOn, kv, time } = t;
  await send(witness, log, 0, 5);
  const { key: row, value } = await kv.get<WitnessedRow>(witnessedKey(originHash(log.origin)));
  await older.set(row, value);
  time.seconds += 1;
  await send(witness, log, 5, 8);
  const published = (await witness.latest(originHash(log.origin)))!;

  const restored = witnessOn(older);
  const fork = log.fork(5);
  fork.append("another entry");
  // A log that withholds the cosignatures gets one for its fork: nothing in the store can show that.
  using unaware = await openKv(":memory:");
  await unaware.set(row, value);
  assertEquals(await send(witnessOn(unaware), fork, 5, 6), START + 1);

  const body = formatAddCheckpoint({ old: 5, proof: log.proof(5, 8), note: published });
  assertEquals(await outcome(restored, body), "unavailable");
  assertEquals(await send(restored, log, 5, 8), "unavailable");
  assertEquals(await send(restored, fork, 5, 6), "unavailable");
  assertStringIncludes((await restored.lost())!.checkpoint, "— witness.example ");
  // The witness whose store has everything goes on, also with its own cosignature in the request.
  const again = formatAddCheckpoint({ old: 8, proof: [], note: published });
  assertEquals(await outcome(witness, again), START + 1);
  assertEquals(await send(witness, log, 8, 9), START + 1);
});

Deno.test("a witness with an empty store stops when a log serves its earlier cosignature", async () => {
  using t = await setUp();
  const { log, witness, witnessOn } = t;
  await send(witness, log, 0, 5);
  const published = (await witness.latest(originHash(log.origin)))!;
  using empty = await openKv(":memory:");
  const again = witnessOn(empty);
  await again.compare("not a checkpoint");
  await again.compare(await log.checkpoint(5));
  await again.compare(published.replace(/ \S+\n$/, ` ${btoa("x".repeat(76))}\n`));
  assertEquals(await again.lost(), null);
  await again.compare(published);
  assertEquals((await again.lost())?.origin, log.origin);
  assertEquals(await send(again, log, 0, 5), "unavailable");
  await witness.compare(published);
  assertEquals(await witness.lost(), null);
});

Deno.test("a later time and another root of the same size show as well that the store was restored", async () => {
  for (const fault of ["time", "root"]) {
    using t = await setUp();
    const { log, witness, send } = t;
    await send(0, 5);
    const fork = log.fork(4);
    fork.append("another entry");
    const checkpoint = await (fault === "root" ? fork : log).checkpoint(5);
    const time = fault === "time" ? START + 1 : START;
    const own = await key.sign(parseCheckpoint(checkpoint)!.note.text, time);
    await witness.compare(checkpoint + formatSignature(own));
    assertEquals((await witness.lost())?.origin, log.origin, fault);
  }
});

Deno.test("a witness that learns during a request that its store was restored does not sign", async () => {
  using kv = raceKv(await openKv(":memory:"));
  using t = await setUp({ kv });
  const { log, witness, send, time } = t;
  await send(0, 5);
  const later = await log.checkpoint(8);
  const own = await key.sign(parseCheckpoint(later)!.note.text, START);
  time.seconds += 1;
  kv.meanwhile("witnessed", () => witness.compare(later + formatSignature(own)));
  assertEquals(await send(5, 5), "unavailable");
  assertEquals(await stored(kv, log), [5, START]);
});

Deno.test("refused checkpoints that a log has signed are kept as evidence, each once", async () => {
  using t = await setUp();
  const { log, witness, send, time, lines } = t;
  const hash = originHash(log.origin);
  await send(0, 5);
  const fork = log.fork(4);
  fork.append("another entry");
  for (let i = 0; i < 2; i++) {
    time.seconds += 1;
    assertEquals(await send(5, 5, fork), "inconsistent");
  }
  assertEquals(lines, [
    { level: "error", event: "witness_refused", origin: log.origin, size: 5, fork: true },
  ]);
  const [evidence, ...others] = await refusedBy(witness, hash);
  assertEquals(others, []);
  assertEquals([evidence.fork, evidence.size, evidence.old], [true, 5, 5]);
  const pair = [evidence.known!, evidence.checkpoint].map((note) => parseCheckpoint(note)!);
  assertEquals(pair.map(({ origin, size }) => [origin, size]), [[log.origin, 5], [log.origin, 5]]);
  assertEquals(pair.map(({ root }) => root), [log.root(5), fork.root(5)]);
  for (const { note } of pair) {
    assertEquals((await verifyNote(note, [log.signer.key]))?.length, 1);
  }
  const [shown] = await witness.logs();
  assertEquals([shown.refused, shown.fork], [1, true]);
});

Deno.test("a checkpoint that was refused for its proof alone is not evidence once it is countersigned", async () => {
  using t = await setUp();
  const { log, witness, send } = t;
  await send(0, 3);
  const body = formatAddCheckpoint({ old: 3, proof: [], note: await log.checkpoint(6) });
  assertEquals(await outcome(witness, body), "inconsistent");
  const hash = originHash(log.origin);
  assertEquals((await refusedBy(witness, hash)).map(({ fork }) => fork), [false]);
  assertEquals(await send(3, 6), START);
  assertEquals(await refusedBy(witness, hash), []);
});

Deno.test("the last 100 refused checkpoints are kept, and proofs of a fork longest", async () => {
  using t = await setUp();
  const { log, witness, send, time } = t;
  await send(0, 5);
  const fork = log.fork(4);
  fork.append("another entry");
  await send(5, 5, fork);
  for (let i = 0; i <= MAX_REFUSED; i++) {
    time.seconds += 1;
    log.append(`more ${i}`);
    const body = formatAddCheckpoint({ old: 5, proof: [], note: await log.checkpoint() });
    assertEquals(await outcome(witness, body), "inconsistent");
  }
  const kept = await refusedBy(witness, originHash(log.origin));
  assertEquals(kept.length, MAX_REFUSED);
  assertEquals([kept[0].size, kept.at(-1)!.fork, kept.at(-2)!.size], [111, true, 13]);
});

Deno.test("a third larger tree in a second is refused, but the same tree is not, so that repeating it harms nobody", async () => {
  using t = await setUp({ limits: { growth: 2, requests: 0 } });
  const { send, time } = t;
  assertEquals(await send(0, 1), START);
  for (let i = 0; i < 5; i++) assertEquals(await send(1, 1), START);
  assertEquals(await send(1, 2), START);
  assertEquals(await send(2, 3), "rate_limited");
  assertEquals(await send(2, 2), START);
  time.seconds += 0.9;
  await send(2, 2);
  time.seconds += 0.1;
  assertEquals(await send(2, 3), START + 1);
});

Deno.test("a later time for the same tree uses up nothing of the limit of larger trees", async () => {
  using t = await setUp({ limits: { growth: 2, requests: 0 } });
  const { send, time } = t;
  time.seconds += 0.9;
  await send(0, 1);
  assertEquals(await send(1, 2), START);
  time.seconds += 0.2;
  assertEquals(await send(2, 2), START + 1);
});

Deno.test("a client's requests without a cosignature are limited, but those of a log from its address are not", async () => {
  using t = await setUp({ limits: { growth: 0, requests: 3 } });
  const { log, witness, send, time } = t;
  const malformed = () => outcome(witness, utf8("old"));
  const outcomes = [await malformed(), await malformed(), await malformed(), await malformed()];
  assertEquals(outcomes, ["invalid_request", "invalid_request", "invalid_request", "rate_limited"]);
  assertEquals(await outcome(witness, utf8("old"), "198.51.100.1"), "invalid_request");
  assertEquals(await send(0, 1), START);
  assertEquals(await send(0, 2), "rate_limited");
  time.seconds += 60;
  assertEquals(await malformed(), "invalid_request");
  assertEquals(await outcome(witness, await log.request(1, 2), "192.0.2.1"), START + 60);
});

Deno.test("during a rotation of the log's key, either key is enough, and both signatures are kept", async () => {
  using kv = await openKv(":memory:");
  const log = await createTestLog();
  log.append(...ten);
  const next = await createSigner(log.origin, LOG_KEY, await generatePrivateJwk());
  const witness = createWitness({
    kv,
    signer: key,
    limits: NO_LIMITS,
    logs: () => Promise.resolve([log.signer, next].map(({ key }) => ({ key, url: null }))),
    clock: () => START * SECOND_MS,
  });
  const text = formatCheckpoint({ origin: log.origin, size: 5, root: log.root(5) });
  const [old, young] = [await log.signer.sign(text), await next.sign(text)];
  const note = formatNote({ text, signatures: [old, young] });
  assertEquals(await outcome(witness, formatAddCheckpoint({ old: 0, proof: [], note })), START);
  assertStringIncludes((await witness.latest(originHash(log.origin)))!, note);
  const young6 = formatCheckpoint({ origin: log.origin, size: 6, root: log.root(6) });
  const only = formatNote({ text: young6, signatures: [await next.sign(young6)] });
  assertEquals(
    await outcome(witness, formatAddCheckpoint({ old: 5, proof: log.proof(5, 6), note: only })),
    START,
  );
  assertEquals((await witness.logs()).map(({ origin, keys }) => [origin, keys.length]), [
    [log.origin, 2],
  ]);
});
