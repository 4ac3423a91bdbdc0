import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { decodeHex } from "../lib/base/bytes.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import {
  createSigner,
  eventSlot,
  formatVerifierKey,
  generatePrivateJwk,
  importSigningKey,
  isProof,
  keySet,
  keySetEntry,
  LOG_KEY,
  ownWitnessComment,
  parsePolicy,
  verifyCheckpoint,
} from "../packages/proof/mod.ts";
import { openCopy } from "../packages/proof/monitor/mod.ts";
import { recoverLog } from "../lib/features/log/store/recover.ts";
import { checkStored, testEntries } from "../lib/features/log/testing/fixtures.ts";
import { keepEvidence, openKept } from "../packages/proof/monitor/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import { followFor, HASH, names, testWatched, watchLog } from "./watched_log.ts";

const contradiction = (evidence: Readonly<Record<string, string>> | undefined) =>
  JSON.parse(evidence!["contradiction.json"]);

testWatched(
  "an honest log has no faults, also after a restart, and its copy restores the log",
  async (log) => {
    await log.honest.chains.start(HASH);
    for (const count of [1, 3, 300, 40, 600]) {
      await log.honest.publish(...names(`${count}`, count));
      assertEquals(await log.faults(), []);
    }
    // A full disk has cut off a line of its history.
    const history = join(log.folder, "checkpoints.jsonl");
    await Deno.writeTextFile(history, `\n{"seen":"2026-`, { append: true });
    await log.restart();
    await log.honest.chains.append(HASH, "email_confirmed");
    await log.honest.publish(...names("later", 200));
    log.watchRecord(HASH);
    const round = await log.round();
    assertEquals([round.findings, round.countersigned, round.compared], [[], ["other"], ["other"]]);
    const slots = await checkStored(log.honest.kv);
    assertEquals(round.size, slots.length);
    const [{ events, entries, findings }] = round.records;
    assertEquals([events, findings], [2, []]);
    assertEquals(
      entries.map(({ index }) => decodeHex(slots[index])),
      [1, 2].map((size) => eventSlot(HASH, size)),
    );
    assertEquals(entries.map(({ countersigned }) => countersigned?.name), ["other", "other"]);
    assertEquals((await openKept(log.folder).seen()).length, 6);

    const restored = limitKv(await openKv(":memory:"));
    const recovered = await recoverLog({
      kv: restored,
      clock: log.clock,
      origin: log.publisher.origin,
      signers: [log.publisher.signer],
      witnesses: [log.publisher.independent],
      copy: openCopy(log.folder, fetch),
    });
    assertEquals(recovered.ok && recovered.size, round.size);
    restored.close();
  },
);

testWatched(
  "a tree that does not extend the one before is proved with both signed checkpoints",
  async (log) => {
    await log.honest.publish(...names("a", 300));
    await log.faults();
    const forged = await log.publisher.open();
    await forged.publish(...names("a", 299), "rewritten", "more", "and more");
    log.show(forged);
    const [{ fault, evidence }] = await log.findings();
    assertEquals([fault, isProof(contradiction(evidence))], ["log_inconsistent", true]);
    // Another tree of the same size, too.
    const other = await log.publisher.open();
    await other.publish(...names("b", 301));
    log.show(other);
    const [same] = await log.findings();
    assertEquals([same.fault, isProof(contradiction(same.evidence))], ["log_inconsistent", true]);
    // Tiles that are not those of the signed tree prove nothing about it.
    log.show(forged, (path, bytes) => path.startsWith("tile/0/") ? bytes!.fill(1) : bytes);
    assertEquals(await log.faults(), ["log_bundles"]);
    log.show(log.honest);
    assertEquals(await log.faults(), []);
  },
);

testWatched(
  "a checkpoint that shrinks, and one that stands still for three hours, are reported",
  async (log) => {
    await log.honest.publish("a");
    const old = await log.honest.source.read("checkpoint");
    await log.honest.publish("b");
    await log.faults();
    log.show(log.honest, (path, bytes) => path === "checkpoint" ? old : bytes);
    assertEquals(await log.faults(), ["log_shrank"]);
    log.show(log.honest);
    log.wait(2 * HOUR_MS);
    assertEquals(await log.faults(), []);
    log.wait(2 * HOUR_MS);
    assertEquals(await log.faults(), ["log_stale"]);
    // A monitor that begins now, too, by the time of the witness.
    await log.restart({ empty: true });
    assertEquals(await log.faults(), ["log_stale"]);
    await log.honest.publish();
    assertEquals(await log.faults(), []);
  },
);

testWatched(
  "a log that nobody countersigns may stand still while nothing is logged",
  async (log) => {
    const alone = await log.publisher.open();
    await alone.publish("a");
    log.show(alone);
    log.ask(() => Promise.resolve(null));
    const policy = parsePolicy(`log ${formatVerifierKey(log.publisher.signer.key)}\nquorum none\n`);
    await log.restart({ policy });
    assertEquals(await log.faults(), []);
    log.wait(5 * HOUR_MS);
    await alone.publish();
    assertEquals(await log.faults(), []);
    // Not once a witness has countersigned it, although the policy does not know it.
    log.show(log.honest);
    await log.restart({ empty: true, policy });
    await log.honest.publish("a");
    assertEquals(await log.faults(), []);
    log.wait(4 * HOUR_MS);
    assertEquals(await log.faults(), ["log_stale"]);
  },
);

testWatched(
  "entries and tiles that are withheld, altered or not those of the tree are reported",
  async (log) => {
    await log.honest.publish(...names("a", 299));
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
      log.show(log.honest, (path, bytes) => {
        if (path !== altered) return bytes;
        count++;
        return change(bytes!);
      });
      assertEquals([altered, await log.faults(), count > 0], [altered, [fault], true]);
    }
    log.show(log.honest);
    assertEquals(await log.faults(), []);
  },
);

testWatched("one slot with two commitments is a fork, whoever sees it", async (log) => {
  const [{ slot, commitment }] = testEntries(["a"]);
  await log.honest.publish("a");
  await log.honest.force({ slot, commitment: commitment.toReversed() });
  await log.honest.publish();
  assertEquals(await log.faults(), ["log_fork"]);
  await log.restart();
  assertEquals(await log.faults(), ["log_fork"]);
});

testWatched(
  "another log key, a wrong signature and a set of keys that was not logged are reported",
  async (log) => {
    await log.honest.chains.start(HASH);
    await log.honest.publish("a");
    const text = new TextDecoder().decode((await log.honest.source.read("checkpoint"))!);
    const signer = await createSigner(log.publisher.origin, LOG_KEY, await generatePrivateJwk());
    const impostor = await log.publisher.open({ signer });
    await impostor.publish("a");
    log.show(impostor);
    assertEquals(await log.faults(), ["log_unknown"]);
    log.show(
      log.honest,
      (path, bytes) =>
        path === "checkpoint" ? new TextEncoder().encode(text.replace(/\n\d+\n/, "\n9\n")) : bytes,
    );
    assertEquals(await log.faults(), ["log_signature"]);
    for (const served of [new TextEncoder().encode(`{"keys":[]}`), null]) {
      log.show(log.honest, (path, bytes) => path === "keys/1" ? served : bytes);
      assertEquals(await log.faults(), ["log_keys"]);
    }
    log.show(log.honest);
    assertEquals(await log.faults(), []);
    // The logged entry is not a set of keys at all.
    const bytes = new TextEncoder().encode("keys");
    await log.honest.force(keySetEntry(2, bytes));
    await log.honest.publish();
    log.show(log.honest, (path, served) => path === "keys/2" ? bytes : served);
    assertEquals(await log.faults(), ["log_keys"]);
  },
);

testWatched(
  "a key that verifiers get, but that is not in the log, is reported after ten minutes",
  async (log) => {
    const { keys } = await log.honest.chains.keys();
    await log.honest.publish();
    const [own] = keys;
    const { keys: [other] } = keySet([await importSigningKey(await generatePrivateJwk())]);
    // It claims the id of the key that is in the log.
    log.offer([own, { ...other, kid: own.kid }, null, "x"]);
    assertEquals(await followFor(log, 11), []);
    await log.restart();
    assertEquals(await followFor(log, 1), ["log_unknown"]);
    log.offer(keys);
    assertEquals(await log.faults(), []);
  },
);

testWatched(
  "a witness that has seen a larger tree for ten minutes shows what was withheld",
  async (log) => {
    await log.honest.publish(...names("a", 10));
    const small = await log.publisher.independent.latest();
    await log.honest.publish("b");
    log.ask(() => Promise.resolve(small));
    assertEquals(await log.faults(), []);
    const old = await log.publisher.open({ from: log.honest });
    await log.honest.publish("c");
    log.ask(log.publisher.independent.latest);
    // The reader is shown the log of before, which others see grow.
    log.show(old);
    assertEquals(await followFor(log, 10), []);
    await log.honest.publish("d");
    await log.restart();
    assertEquals(await followFor(log, 1), []);
    assertEquals(await followFor(log, 1), ["log_withheld"]);
    log.show(log.honest);
    assertEquals(await log.faults(), []);
  },
);

testWatched("a witness that countersigns a fork proves it with its own signatures", async (log) => {
  const { independent, policy, origin } = log.publisher;
  // It has its key, but does not remember what it countersigns for others.
  const twin = await log.publisher.openWitness("other", { from: independent });
  const forged = await log.publisher.open({ from: log.honest, witnesses: [twin] });
  await log.honest.publish(...names("a", 10));
  await log.faults();
  await forged.publish("x", "y");
  log.ask(twin.latest);
  const [{ fault, evidence }] = await log.findings();
  assertEquals([fault, isProof(contradiction(evidence))], ["log_inconsistent", true]);
  const { older, newer } = contradiction(evidence);
  for (const text of [older, newer]) {
    const verified = await verifyCheckpoint(text, policy, origin);
    assertEquals(verified.ok && verified.checkpoint.cosignatures[0].witness.name, "other");
  }
});

testWatched(
  "a log that continues differently after a restore is reported, even if its operator's witness was restored with it",
  async (log) => {
    const { publisher } = log;
    const own = await publisher.openWitness("own", { own: true });
    const before = await publisher.open({ witnesses: [own] });
    const policy = parsePolicy([
      `log ${formatVerifierKey(publisher.signer.key)}`,
      ownWitnessComment("own"),
      `witness own ${formatVerifierKey(own.key)}`,
      "quorum own",
    ].join("\n"));
    await log.restart({ policy });
    log.show(before);
    log.ask(own.latest);
    await before.publish(...names("a", 3));
    const backup = {
      from: before,
      witnesses: [await publisher.openWitness("own", { own: true, from: own })],
    };
    const restored = await publisher.open(backup);
    await before.publish("lost 1", "lost 2");
    assertEquals(await log.faults(), []);
    log.show(restored);
    log.ask(backup.witnesses[0].latest);
    await restored.publish("other 1");
    // Both the log and the witness prove it, although this tree is smaller than the one before.
    const proofs = (await log.findings()).map(({ fault, evidence }) =>
      [fault, isProof(contradiction(evidence))] as const
    );
    assertEquals(proofs, [["log_inconsistent", true], ["log_inconsistent", true]]);
    await restored.publish("other 2", "other 3");
    const [{ fault, evidence }] = await log.findings();
    assertEquals([fault, isProof(contradiction(evidence))], ["log_inconsistent", true]);
    // Nobody who begins now can notice it.
    await log.restart({ empty: true, policy });
    assertEquals(await log.faults(), []);
  },
);

testWatched(
  "every checkpoint that was seen is kept, also refused ones, and each fork has evidence of its own",
  async (log) => {
    await log.honest.publish(...names("a", 5));
    await log.faults();
    const texts = [await log.honest.source.read("checkpoint")];
    const folders: (string | null)[] = [];
    for (const prefix of ["b", "c"]) {
      const forged = await log.publisher.open();
      await forged.publish(...names(prefix, 9));
      log.show(forged);
      texts.push(await forged.source.read("checkpoint"));
      for (const _ of [1, 2]) {
        const [finding] = await log.findings();
        assertEquals(finding.fault, "log_inconsistent");
        const { origin } = log.publisher;
        folders.push(await keepEvidence(openKept(log.folder), finding, { origin, at: "now" }));
      }
    }
    assertEquals(new Set(folders).size, 2); // once for each
    const kept = (await openKept(log.folder).seen()).map(({ text, fault }) => [text, fault]);
    const decode = (bytes: Uint8Array | null) => new TextDecoder().decode(bytes!);
    assertEquals(
      kept.slice(-3),
      texts.map((bytes, i) => [
        decode(bytes),
        i === 0 ? undefined : "log_inconsistent",
      ]),
    );
    // A third person needs the folder and the log's key only.
    const { origin, signer } = log.publisher;
    const policy = parsePolicy(`log ${formatVerifierKey(signer.key)}\nquorum none`);
    for (const folder of new Set(folders)) {
      const found = JSON.parse(await Deno.readTextFile(join(folder!, "contradiction.json")));
      assertEquals(isProof(found), true);
      for (const text of [found.older, found.newer]) {
        assertEquals((await verifyCheckpoint(text, policy, origin)).ok, true);
      }
    }
    // They do not confuse what is known about the honest log, also after a restart.
    log.show(log.honest);
    await log.restart();
    assertEquals(await log.faults(), []);
  },
);

Deno.test("with a quorum, a log that grows without it is followed and reported, and so is what contradicts it later", async () => {
  await using log = await watchLog({ quorum: true });
  await log.honest.publish(...names("a", 3));
  await log.faults();
  const alone = await log.publisher.open({ from: log.honest });
  await alone.publish("b");
  log.show(alone);
  assertEquals(await log.faults(), ["log_quorum"]);
  assertEquals((await log.round()).size, 5);
  await log.honest.publish("c", "d");
  log.show(log.honest);
  const found = await log.findings();
  assertEquals(found.map(({ fault }) => fault), ["log_inconsistent"]);
  assertEquals(isProof(contradiction(found[0].evidence)), true);
});
