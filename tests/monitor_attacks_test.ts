import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { decodeHex } from "../lib/base/bytes.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { generatePrivateJwk, importSigningKey, keySet } from "../lib/features/chain/mod.ts";
import {
  createSigner,
  eventSlot,
  formatVerifierKey,
  keySetEntry,
  LOG_KEY,
  ownWitnessComment,
  parsePolicy,
  verifyCheckpoint,
} from "../lib/features/log/core.ts";
import { openCopy } from "../lib/features/log/mod.ts";
import { recoverLog } from "../lib/features/log/store/recover.ts";
import { checkStored, testEntries } from "../lib/features/log/testing/fixtures.ts";
import { openKept } from "../lib/features/log_monitor/mod.ts";
import { isProof } from "../lib/features/verifier/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { limitKv } from "../lib/platform/kv/testing/limited_kv.ts";
import { followFor, HASH, names, watchLog } from "./watched_log.ts";

const contradiction = (evidence: Readonly<Record<string, string>> | undefined) =>
  JSON.parse(evidence!["contradiction.json"]);

Deno.test("an honest log has no faults, also after a restart, and its copy restores the log", async () => {
  await using log = await watchLog();
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
    copy: openCopy(log.folder),
  });
  assertEquals(recovered.ok && recovered.size, round.size);
  restored.close();
});

Deno.test("a tree that does not extend the one before is proved with both signed checkpoints", async () => {
  await using log = await watchLog();
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
});

Deno.test("a checkpoint that shrinks, and one that stands still for three hours, are reported", async () => {
  await using log = await watchLog();
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
});

Deno.test("a log that nobody countersigns may stand still while nothing is logged", async () => {
  await using log = await watchLog();
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
});

Deno.test("entries and tiles that are withheld, altered or not those of the tree are reported", async () => {
  await using log = await watchLog();
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
});

Deno.test("one slot with two commitments is a fork, whoever sees it", async () => {
  await using log = await watchLog();
  const [{ slot, commitment }] = testEntries(["a"]);
  await log.honest.publish("a");
  await log.honest.force({ slot, commitment: commitment.toReversed() });
  await log.honest.publish();
  assertEquals(await log.faults(), ["log_fork"]);
  await log.restart();
  assertEquals(await log.faults(), ["log_fork"]);
});

Deno.test("another log key, a wrong signature and a set of keys that was not logged are reported", async () => {
  await using log = await watchLog();
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
  // What was logged is not a set of keys at all.
  const bytes = new TextEncoder().encode("keys");
  await log.honest.force(keySetEntry(2, bytes));
  await log.honest.publish();
  log.show(log.honest, (path, served) => path === "keys/2" ? bytes : served);
  assertEquals(await log.faults(), ["log_keys"]);
});

Deno.test("a key that verifiers get, but that is not in the log, is reported after ten minutes", async () => {
  await using log = await watchLog();
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
});

Deno.test("a witness that has seen a larger tree for ten minutes shows what was withheld", async () => {
  await using log = await watchLog();
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
});

Deno.test("a witness that countersigns a fork proves it with its own signatures", async () => {
  await using log = await watchLog();
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

Deno.test("a log that continues differently after a restore is reported, also if its operator's witness was restored with it", async () => {
  await using log = await watchLog();
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
  assertEquals(await log.faults(), ["log_shrank", "log_inconsistent"]);
  await restored.publish("other 2", "other 3");
  const [{ fault, evidence }] = await log.findings();
  assertEquals([fault, isProof(contradiction(evidence))], ["log_inconsistent", true]);
  // Nobody who begins now can notice it.
  await log.restart({ empty: true, policy });
  assertEquals(await log.faults(), []);
});
