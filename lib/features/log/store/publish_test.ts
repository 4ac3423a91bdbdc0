import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import {
  createSigner,
  formatVerifierKey,
  generatePrivateJwk,
  LOG_KEY,
  parseCheckpoint,
  parsePolicy,
  verifyCheckpoint,
} from "../../../../packages/proof/mod.ts";
import {
  addEntries,
  createTestAnchor,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
} from "../testing/fixtures.ts";
import { halt } from "./halt.ts";
import { storeCheckpoint } from "./join.ts";
import { REPUBLISH_MS } from "./publish.ts";
import { sequenceBatch } from "./sequence.ts";
import {
  type CheckpointRow,
  lineOf,
  logCheckpoint,
  logCheckpoints,
  logHalted,
  logState,
  logWitnesses,
} from "./tables.ts";

/** Adds the names of the witnesses that have countersigned a checkpoint. */
const withNames = <Row extends CheckpointRow>(row: Row | null) =>
  row && { ...row, witnesses: row.cosigned.map((key) => key.split(".")[0]) };

async function setup(names = ["one", "other"]) {
  const kv = limitKv(await openKv(":memory:"));
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const witnesses = await Promise.all(names.map((name) => createTestWitness(name, clock)));
  const anchor = createTestAnchor();
  const lines: Record<string, unknown>[] = [];
  const log = (line: Record<string, unknown>) => void lines.push(line);
  return {
    kv,
    clock,
    witnesses,
    anchor,
    lines,
    publisher: await createTestPublisher(kv, { clock, witnessList: witnesses, anchor, log }),
    wait: (ms: number) => now += ms,
    async add(...names: string[]) {
      await addEntries(kv, names);
      await sequenceBatch(kv);
    },
    published: async () => withNames((await logCheckpoint.get(kv)).value),
    first: async (size: number) => withNames((await logCheckpoints.get(kv, size)).value),
    halted: async () => (await logHalted.get(kv)).value,
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a grown tree is published with the countersignatures of all witnesses, who got the same bytes", async () => {
  using log = await setup();
  await log.add("a", "b", "c");
  await log.publisher.publish();
  const { size, text, witnesses } = (await log.published())!;
  assertEquals([size, witnesses], [3, ["one", "other"]]);
  assertEquals(parseCheckpoint(text)!.note.signatures.length, 3);
  await log.add("d", "e");
  await log.publisher.publish();
  assertEquals((await log.published())!.size, 5);
  assertEquals(log.witnesses.map(({ size }) => size), [5, 5]);
  const [one, other] = log.witnesses.map(({ bodies }) => bodies.at(-1));
  assertEquals(one, other);
  assertEquals(log.anchor.anchored!.size, 5);
});

Deno.test("while the key is replaced, both keys sign, for readers and witnesses who know only one of them", async () => {
  using log = await setup();
  const signers = await Promise.all(
    [1, 2].map(async () => await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk())),
  );
  const publisher = await createTestPublisher(log.kv, {
    clock: log.clock,
    witnessList: log.witnesses,
    signers: () => Promise.resolve(signers),
  });
  await log.add("a");
  await publisher.publish();
  const { text, witnesses } = (await log.published())!;
  assertEquals(witnesses, ["one", "other"]);
  for (const { key } of signers) {
    const policy = parsePolicy(`log ${formatVerifierKey(key)}\nquorum none`);
    assertEquals((await verifyCheckpoint(text, policy, ORIGIN)).ok, true);
  }
});

Deno.test("an unchanged tree is published again after an hour, and its first checkpoint stays", async () => {
  using log = await setup();
  await log.add("a");
  await log.publisher.publish();
  const first = await log.published();
  await log.publisher.publish();
  assertEquals(await log.published(), first);
  log.wait(REPUBLISH_MS);
  await log.publisher.publish();
  assert((await log.published())!.text !== first!.text);
  const { joined: _, ...stored } = first!;
  assertEquals(await log.first(1), stored);
});

Deno.test("a checkpoint is published without a witness that fails, which is asked again a minute later", async () => {
  using log = await setup();
  const [one, other] = log.witnesses;
  one.respond = () => Promise.reject(new TypeError("unreachable"));
  other.respond = () => Promise.resolve(new Response("", { status: 429 }));
  await log.add("a");
  assertEquals((await log.publisher.publish()).failed, 2);
  assertEquals((await log.first(1))!.witnesses, []);
  delete other.respond;
  log.wait(60_000);
  await log.publisher.publish();
  assertEquals((await log.first(1))!.witnesses, ["other"]);
  delete one.respond;
  other.respond = () => Promise.reject(new TypeError("unreachable"));
  log.wait(60_000);
  await log.publisher.publish();
  assertEquals((await log.published())!.witnesses, ["other", "one"]);
  // The line joins the checkpoint that was stored, whose text stays.
  assertEquals((await log.first(1))!.witnesses, ["other", "one"]);
  const { value } = await logWitnesses.get(log.kv, "other.example");
  assertEquals(value!.problem?.what, "TypeError");
});

Deno.test("a witness that knows an earlier size of another process gets the proof from there", async () => {
  using log = await setup(["one"]);
  await log.add("a", "b", "c");
  await log.publisher.publish();
  await log.kv.delete(logWitnesses.key("one.example"));
  await log.add("d");
  await log.publisher.publish();
  assertEquals(log.witnesses[0].size, 4);
});

Deno.test("a response without a valid signature of the witness is not a countersignature", async () => {
  using log = await setup();
  const [one, other] = log.witnesses;
  await log.add("a");
  const { submit } = other;
  one.respond = () => submit(one.bodies.at(-1)!, new AbortController().signal);
  await log.publisher.publish();
  assertEquals((await log.published())!.witnesses, ["other"]);
});

Deno.test("a checkpoint with more countersignatures than a row has room for is published with the first ones", async () => {
  using log = await setup();
  await log.add("a");
  await log.publisher.publish();
  const { text, signed_at } = (await log.first(1))!;
  const checkpoint = parseCheckpoint(text)!;
  const { signatures } = checkpoint.note;
  // As long as those by ML-DSA-44. A note that is not Latin takes two bytes for each unit.
  const long = Array.from({ length: 12 }, (_, i) => ({
    name: `long${i}—.example`,
    id: `0000000${i.toString(16)}`,
    bytes: new Uint8Array(8 + 2420),
  }));
  const commit = log.kv.atomic().delete(logCheckpoint.key());
  logCheckpoints.deleteAt(commit, [1], (await logCheckpoints.get(log.kv, 1)).value!);
  await commit.commit();
  const note = { ...checkpoint.note, signatures: [...signatures, ...long] };
  await storeCheckpoint(log.kv, log.clock, { ...checkpoint, note }, { signedAt: signed_at });
  const { cosigned } = (await logCheckpoint.get(log.kv)).value!;
  assertEquals(cosigned.slice(0, 3), [...signatures.slice(1), long[0]].map(lineOf));
  assert(cosigned.length > 8 && cosigned.length < 14);
});

Deno.test("with a required quorum, nothing is published until it is reached", async () => {
  using log = await setup();
  const required = parsePolicy("quorum none");
  Object.assign(required, {
    witnesses: log.witnesses.map(({ name, key }) => ({ name, key, url: null })),
    groups: [{ name: "both", threshold: 2, members: ["one", "other"] }],
    quorum: "both",
  });
  const publisher = await createTestPublisher(log.kv, {
    clock: log.clock,
    witnessList: log.witnesses,
    required,
  });
  log.witnesses[0].respond = () => Promise.resolve(new Response("", { status: 500 }));
  await log.add("a");
  assertStringIncludes((await publisher.publish()).summary, "waits");
  assertEquals(await log.published(), null);
  delete log.witnesses[0].respond;
  await publisher.publish();
  assertEquals((await log.published())!.size, 1);
});

Deno.test("an anchor that is gone is written again with a log line, and the first one without", async () => {
  using log = await setup();
  await log.add("a");
  await log.publisher.publish();
  assertEquals([log.anchor.anchored?.size, log.lines], [1, []]);
  Object.assign(log.anchor, { anchored: null });
  await log.add("b");
  await log.publisher.publish();
  assertEquals((await log.anchor.read())?.size, 2);
  assertEquals(log.lines, [{ level: "warn", event: "log_anchor_new", size: 2 }]);
});

Deno.test("a smaller tree never replaces a larger published one", async () => {
  using log = await setup([]);
  await log.add("a");
  const state = await logState.get(log.kv);
  const slow = await createTestPublisher(log.kv, {
    clock: log.clock,
    witnesses: async () => {
      // Meanwhile another process adds entries and publishes them.
      await log.add("b");
      await log.publisher.publish();
      return [];
    },
  });
  assertEquals(state.value!.size, 1);
  await slow.publish();
  assertEquals((await log.published())!.size, 2);
  assertEquals((await log.first(1))!.size, 1);
});

/** Restores the rows of a store as they were. */
async function restore(kv: Deno.Kv, rows: Deno.KvEntry<unknown>[]) {
  for await (const { key } of kv.list({ prefix: [] })) await kv.delete(key);
  for (const { key, value } of rows) await kv.set(key, value);
}

for (const by of ["witness", "anchor"] as const) {
  Deno.test(`a restored store is halted by its ${by} before it adds anything`, async () => {
    using log = await setup(by === "witness" ? ["one"] : []);
    await log.add("a");
    await log.publisher.publish();
    const rows = await Array.fromAsync(log.kv.list({ prefix: [] }));
    await log.add("b", "c");
    await log.publisher.publish();
    await restore(log.kv, rows);
    const options = { clock: log.clock, witnessList: log.witnesses };
    const anchored = by === "anchor" ? { ...options, anchor: log.anchor } : options;
    const restarted = await createTestPublisher(log.kv, anchored);
    assertEquals(await restarted.confirm(), "halted");
    assertEquals((await log.halted())!.by, by === "witness" ? "one" : "anchor");
    assertEquals(await sequenceBatch(log.kv), { ok: false, reason: "halted" });
  });

  Deno.test(`a store that has grown to another tree is halted by its ${by}, and publishes nothing`, async () => {
    using log = await setup(by === "witness" ? ["one"] : []);
    await log.add("a");
    const rows = await Array.fromAsync(log.kv.list({ prefix: [] }));
    await log.add("b");
    await log.publisher.publish();
    await restore(log.kv, rows);
    await log.add("c");
    await log.add("d");
    const options = { clock: log.clock, witnessList: log.witnesses };
    const anchored = by === "anchor" ? { ...options, anchor: log.anchor } : options;
    const restarted = await createTestPublisher(log.kv, anchored);
    assertEquals((await restarted.publish()).summary, "halted");
    assertEquals(await log.published(), null);
    const { checkpoint, response } = (await log.halted())!;
    if (by === "witness") {
      assertEquals([parseCheckpoint(checkpoint)!.size, response], [3, "422 inconsistent"]);
    }
  });
}

Deno.test("a log that another process halts while witnesses respond publishes nothing", async () => {
  using log = await setup([]);
  await log.add("a");
  const { write } = log.anchor;
  const at = "2026-03-01T00:00:00Z";
  log.anchor.write = async (anchored) => {
    await halt(log.kv, { by: "other", at, checkpoint: "", response: "" });
    await write(anchored);
  };
  await log.publisher.publish();
  assertEquals((await log.halted())!.by, "other");
  assertEquals([await log.published(), await log.first(1)], [null, null]);
});

Deno.test("a witness that has seen a tree of another process, within the stored one, does not halt the log", async () => {
  using log = await setup(["one"]);
  await log.add("a");
  await log.publisher.publish();
  const rows = await Array.fromAsync(log.kv.list({ prefix: ["log_checkpoint"] }));
  await log.add("b");
  await log.publisher.publish();
  // The process died after the witness had signed, before it stored the checkpoint.
  for (const { key, value } of rows) await log.kv.set(key, value);
  assertEquals(await log.publisher.confirm(), "confirmed");
  assertEquals(await log.halted(), null);
});

Deno.test("a store from before its log's first checkpoint signs only the empty tree, and is halted by its witness", async () => {
  using log = await setup(["one"]);
  const rows = await Array.fromAsync(log.kv.list({ prefix: [] }));
  await log.add("a");
  await log.publisher.publish();
  await restore(log.kv, rows);
  await addEntries(log.kv, ["b"]);
  const options = { clock: log.clock, witnessList: log.witnesses };
  assertEquals(await (await createTestPublisher(log.kv, options)).confirm(), "halted");
  const { checkpoint, response } = (await log.halted())!;
  assertEquals([parseCheckpoint(checkpoint)!.size, response], [0, "409 1"]);
});

Deno.test("a witness that knows only the key that has replaced another confirms the checkpoint of the old one", async () => {
  using log = await setup(["one"]);
  await log.add("a");
  await log.publisher.publish();
  const options = { clock: log.clock, witnessList: log.witnesses };
  await (await createTestPublisher(log.kv, options)).confirm(); // with another key
  const body = log.witnesses[0].bodies.at(-1)!;
  assertEquals(body.match(/^— trust\.example\/log /gm)!.length, 2);
});

Deno.test("an unchanged tree is published again after the clock was set back by a day", async () => {
  using log = await setup();
  await log.add("a");
  await log.publisher.publish();
  log.wait(-24 * REPUBLISH_MS);
  const { signed_at } = (await log.published())!;
  await log.publisher.publish();
  assert((await log.published())!.signed_at < signed_at);
});

Deno.test("two keys of a witness that handles one request at a time both countersign", async () => {
  using log = await setup();
  let isBusy = false;
  for (const witness of log.witnesses) {
    const { submit } = witness;
    witness.url = "https://witness.example/";
    witness.submit = async (...request) => {
      if (isBusy) return new Response(null, { status: 429 });
      isBusy = true;
      await log.halted(); // for as long as a read of the store takes
      const response = await submit(...request);
      isBusy = false;
      return response;
    };
  }
  await log.add("a");
  await log.publisher.publish();
  assertEquals((await log.published())!.witnesses, ["one", "other"]);
});

Deno.test("a witness whose size keeps changing has as much time for all attempts as for one", async () => {
  using log = await setup(["one"]);
  await log.add("a", "b", "c", "d");
  const signals: AbortSignal[] = [];
  log.witnesses[0].submit = (_, signal) => {
    const headers = { "content-type": "text/x.tlog.size" };
    return Promise.resolve(new Response(`${signals.push(signal)}\n`, { status: 409, headers }));
  };
  assertEquals((await log.publisher.publish()).failed, 1);
  assertEquals([signals.length, new Set(signals).size], [3, 1]);
  assertEquals((await log.published())!.size, 4);
});
