import { assert, assertEquals } from "@std/assert";
import { HOUR_MS } from "../../../base/time.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { generatePrivateJwk } from "../../chain/mod.ts";
import { createChains } from "../../chain/store/mod.ts";
import { PUBLISHER, range } from "../../chain/testing/fixtures.ts";
import {
  createSigner,
  eventSlot,
  formatVerifierKey,
  LOG_KEY,
  type NoteSigner,
  parsePolicy,
} from "../core.ts";
import { type LogCopy, openCopy } from "../copy.ts";
import { createAddEvent } from "../store/chains.ts";
import { createAddKeys } from "../store/key_sets.ts";
import { recoverLog } from "../store/recover.ts";
import { sequenceBatch } from "../store/sequence.ts";
import { createLogFiles } from "../store/serve.ts";
import { logCheckpoint, logPending } from "../store/tables.ts";
import {
  addEntries,
  checkStored,
  createTestLog,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
  type TestWitness,
} from "../testing/fixtures.ts";
import { createMonitor } from "./follow.ts";
import { openKept } from "./kept.ts";

const HASH = "c".repeat(64);

/** A publisher with its real keys, who can serve whatever it wants. */
async function createPublisher(
  signer: NoteSigner,
  witnessList: TestWitness[],
  clock: () => number,
) {
  const kv = limitKv(await openKv(":memory:"));
  const signers = () => Promise.resolve([signer]);
  const publisher = await createTestPublisher(kv, { clock, signers, witnessList });
  const files = createLogFiles({ kv, log: { ...createTestLog(kv), signers }, url: "" });
  const source: LogCopy = {
    async read(path) {
      if (path === "checkpoint") {
        const text = await files.checkpoint();
        return text === null ? null : new TextEncoder().encode(text);
      }
      return path.startsWith("keys/")
        ? await files.keySet(path.slice(5))
        : await files.tile(path).then((bytes) => bytes && new Uint8Array(bytes));
    },
  };
  return {
    kv,
    source,
    chains: createChains({
      kv,
      clock,
      publisher: PUBLISHER,
      signingKey: undefined,
      addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
      addToKeys: createAddKeys({ kv, clock }),
    }),
    async publish(...names: string[]) {
      if (names.length > 0) await addEntries(kv, names);
      while (await sequenceBatch(kv).then((batch) => batch.ok && batch.more)) { /* the next one */ }
      await publisher.publish();
    },
  };
}

async function setup() {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const signer = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  const witness = await createTestWitness("other", clock);
  const honest = await createPublisher(signer, [witness], clock);
  const folder = await Deno.makeTempDir();
  const vkeys = { log: formatVerifierKey(signer.key), witness: formatVerifierKey(witness.key) };
  const policy = parsePolicy(`log ${vkeys.log}\nwitness other ${vkeys.witness}\nquorum none\n`);
  let source = honest.source;
  let seenByWitness: string | null = null;
  const create = () =>
    createMonitor({
      source: { read: (path) => source.read(path) },
      kept: openKept(folder),
      policy,
      origin: ORIGIN,
      clock,
      readWitness: () => Promise.resolve(seenByWitness),
    });
  let monitor = create();
  return {
    honest,
    signer,
    witness,
    folder,
    clock,
    wait: (ms: number) => now += ms,
    /** Another log that the same publisher signs. */
    forged: () => createPublisher(signer, [], clock),
    serve: (from: LogCopy) => source = from,
    /** Serves the honest log with another content of some files. */
    alter(
      change: (
        path: string,
        bytes: Uint8Array<ArrayBuffer> | null,
      ) => Uint8Array<ArrayBuffer> | null,
    ) {
      source = { read: async (path) => change(path, await honest.source.read(path)) };
    },
    witnessed: (text: string | null) => seenByWitness = text,
    restart: () => monitor = create(),
    monitor: () => monitor,
    faults: async () => (await monitor.round()).findings.map(({ fault }) => fault),
    async [Symbol.asyncDispose]() {
      honest.kv.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

const names = (prefix: string, count: number) => range(0, count).map((i) => `${prefix} ${i}`);

Deno.test("an honest log has no faults, also after a restart, and its copy restores the log", async () => {
  await using log = await setup();
  await log.honest.chains.start(HASH);
  for (const count of [1, 3, 300, 40, 600]) {
    await log.honest.publish(...names(`${count}`, count));
    assertEquals(await log.faults(), []);
  }
  log.restart();
  await log.honest.chains.append(HASH, "email_confirmed");
  await log.honest.publish(...names("later", 200));
  const round = await log.monitor().round();
  assertEquals([round.findings, round.countersigned], [[], ["other"]]);
  assertEquals(round.size, (await checkStored(log.honest.kv)).length);
  assertEquals(log.monitor().indexOf(eventSlot(HASH, 3)), null);
  assert(log.monitor().indexOf(eventSlot(HASH, 2)) !== null);

  const restored = limitKv(await openKv(":memory:"));
  const recovered = await recoverLog({
    kv: restored,
    clock: log.clock,
    origin: ORIGIN,
    signers: [log.signer],
    witnesses: [log.witness],
    copy: openCopy(log.folder),
  });
  assertEquals(recovered.ok && recovered.size, round.size);
  restored.close();
});

Deno.test("a tree that does not extend the one before is proved with both signed checkpoints", async () => {
  await using log = await setup();
  await log.honest.publish(...names("a", 300));
  await log.faults();
  const forged = await log.forged();
  await forged.publish(...names("a", 299), "rewritten", "more");
  log.serve(forged.source);
  const { findings } = await log.monitor().round();
  assertEquals(findings.map(({ fault }) => fault), ["log_inconsistent"]);
  assertEquals(findings[0].evidence!.length, 2);
  // Another tree of the same size, too.
  const other = await log.forged();
  await other.publish(...names("b", 300));
  log.serve(other.source);
  assertEquals(await log.faults(), ["log_inconsistent"]);
  log.serve(log.honest.source);
  assertEquals(await log.faults(), []);
  for (const { kv } of [forged, other]) kv.close();
});

Deno.test("an older checkpoint, and one that does not change for three hours, are reported", async () => {
  await using log = await setup();
  await log.honest.publish("a");
  const old = await log.honest.source.read("checkpoint");
  await log.honest.publish("b");
  await log.faults();
  log.alter((path, bytes) => path === "checkpoint" ? old : bytes);
  assertEquals(await log.faults(), ["log_shrank"]);
  log.serve(log.honest.source);
  log.wait(4 * HOUR_MS);
  assertEquals(await log.faults(), ["log_stale"]);
  await log.honest.publish();
  assertEquals(await log.faults(), []);
});

Deno.test("entries and tiles that are withheld, altered or not those of the tree are reported", async () => {
  await using log = await setup();
  await log.honest.publish(...names("a", 300));
  await log.faults();
  await log.honest.publish(...names("b", 300));
  const cases: [
    path: string,
    fault: string,
    bytes: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | null,
  ][] = [
    ["tile/entries/001", "log_unreachable", () => null],
    ["tile/0/001", "log_unreachable", () => null],
    ["tile/1/000.p/2", "log_unreachable", (bytes) => bytes.slice(1)],
    ["tile/entries/001", "log_bundles", (bytes) => bytes.with(2, bytes[2] ^ 1)], // known before
    ["tile/entries/001", "log_bundles", (bytes) => bytes.with(200 * 66 + 5, 9)],
    ["tile/entries/001", "log_bundles", (bytes) => bytes.with(200 * 66 + 1, 63)],
    ["tile/0/001", "log_bundles", (bytes) => bytes.with(7, bytes[7] ^ 1)],
    ["tile/0/002.p/88", "log_bundles", (bytes) => bytes.with(7, bytes[7] ^ 1)],
    ["tile/1/000.p/2", "log_bundles", (bytes) => bytes.with(40, bytes[40] ^ 1)],
  ];
  for (const [altered, fault, change] of cases) {
    let count = 0;
    log.alter((path, bytes) => {
      if (path !== altered) return bytes;
      count++;
      return change(bytes!);
    });
    assertEquals([altered, await log.faults(), count > 0], [altered, [fault], true]);
  }
  log.serve(log.honest.source);
  assertEquals(await log.faults(), []);
});

Deno.test("one slot with two commitments is a fork, whoever sees it", async () => {
  await using log = await setup();
  await log.honest.publish("a");
  for (const byte of [1, 2]) {
    const key = logPending.key(0, 0, "00".repeat(32));
    await log.honest.kv.set(key, new Uint8Array(32).fill(byte));
    await log.honest.publish();
  }
  assertEquals(await log.faults(), ["log_fork"]);
  log.restart();
  assertEquals(await log.faults(), ["log_fork"]);
});

Deno.test("another key, a wrong signature and a set of keys that was not logged are reported", async () => {
  await using log = await setup();
  await log.honest.chains.start(HASH);
  await log.honest.publish("a");
  const { source } = log.honest;
  const text = new TextDecoder().decode((await source.read("checkpoint"))!);
  const other = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  const impostor = await createPublisher(other, [], log.clock);
  await impostor.publish("a");
  log.serve(impostor.source);
  assertEquals(await log.faults(), ["log_unknown"]);
  log.alter((path, bytes) =>
    path === "checkpoint" ? new TextEncoder().encode(text.replace(/\n\d+\n/, "\n9\n")) : bytes
  );
  assertEquals(await log.faults(), ["log_signature"]);
  log.alter((path, bytes) => path === "keys/1" ? new TextEncoder().encode(`{"keys":[]}`) : bytes);
  assertEquals(await log.faults(), ["log_keys"]);
  log.alter((path, bytes) => path === "keys/1" ? null : bytes);
  assertEquals(await log.faults(), ["log_keys"]);
  log.serve(source);
  assertEquals(await log.faults(), []);
  impostor.kv.close();
});

Deno.test("a witness that has seen a larger or another tree shows what was withheld", async () => {
  await using log = await setup();
  await log.honest.publish(...names("a", 10));
  const checkpoint = async (kv: Deno.Kv) => (await logCheckpoint.get(kv)).value!.text;
  const small = await checkpoint(log.honest.kv);
  await log.honest.publish("b");
  log.witnessed(small);
  assertEquals(await log.faults(), []);
  const served = log.honest.source;
  const old = new Map<string, Uint8Array<ArrayBuffer> | null>();
  for (const path of ["checkpoint", "tile/entries/000.p/11", "tile/0/000.p/11"]) {
    old.set(path, await served.read(path));
  }
  await log.honest.publish("c");
  log.witnessed(await checkpoint(log.honest.kv));
  log.alter((path, bytes) => old.get(path) ?? bytes);
  assertEquals(await log.faults(), ["log_withheld"]);
  const forged = await log.forged();
  await forged.publish(...names("x", 10));
  log.witnessed(await checkpoint(forged.kv));
  assertEquals(await log.faults(), ["log_inconsistent"]);
  forged.kv.close();
});
