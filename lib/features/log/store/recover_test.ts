import { assert, assertEquals } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { unwrap } from "../../../platform/http/errors.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { DeathError, dyingKv } from "../../../platform/kv/testing/dying_kv.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import {
  createSigner,
  eventSlot,
  generatePrivateJwk,
  importSigningKey,
  LOG_KEY,
} from "../../../../packages/proof/mod.ts";
import { createChains, openSigningKey, readKeySet, withdrawKey } from "../../chain/mod.ts";
import { PUBLISHER, range, readAll } from "../../chain/testing/fixtures.ts";
import type { LogCopy } from "../../../../packages/proof/monitor/mod.ts";
import {
  addEntries,
  checkStored,
  countPending,
  createTestAnchor,
  createTestLog,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
  testEntries,
} from "../testing/fixtures.ts";
import { createAddEvent } from "./chains.ts";
import { createAddKeys } from "./key_sets.ts";
import { LANES, putPending } from "./pending.ts";
import { recoverLog } from "./recover.ts";
import { restoreChain } from "./restore_chain.ts";
import { sequenceBatch } from "./sequence.ts";
import { createLogFiles } from "./serve.ts";
import { lineOf, logCheckpoint, logHalted, logWitnesses } from "./tables.ts";

const hashOf = (i: number) => i.toString(16).padStart(64, "0");

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const signer = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  const signers = () => Promise.resolve([signer]);
  const witness = await createTestWitness("other", clock);
  const anchor = createTestAnchor();
  const options = { clock, signers, witnessList: [witness], anchor };
  const publisher = await createTestPublisher(kv, options);
  const signingKey = await generatePrivateJwk();
  const files = createLogFiles({ kv, log: { ...createTestLog(kv), signers }, url: "" });
  let rows: Deno.KvEntry<unknown>[] = [];
  return {
    kv,
    clock,
    witness,
    anchor,
    chains: createChains({
      kv,
      clock,
      publisher: PUBLISHER,
      signingKey,
      addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
      addToKeys: createAddKeys({ kv, clock }),
    }),
    key: await importSigningKey(signingKey),
    wait: (ms: number) => now += ms,
    async publish() {
      while ((await sequenceBatch(kv).then((batch) => batch.ok && batch.more))) {
        /* the next one */
      }
      await publisher.publish();
    },
    /** Returns a copy of what is served now, as a monitor keeps it. */
    async copy(): Promise<LogCopy> {
      const served = new Map<string, Uint8Array<ArrayBuffer>>();
      const text = (await files.checkpoint())!;
      const size = Number(text.split("\n")[1]);
      served.set("checkpoint", new TextEncoder().encode(text));
      for (const index of range(0, Math.ceil(size / 256))) {
        const width = Math.min(256, size - index * 256);
        const path = `tile/entries/${String(index).padStart(3, "0")}` +
          (width === 256 ? "" : `.p/${width}`);
        served.set(path, (await files.tile(path))!);
      }
      for (const n of [1, 2, 3, 4]) {
        const keys = await files.keySet(`${n}`);
        if (keys !== null) served.set(`keys/${n}`, keys);
      }
      return { read: (path) => Promise.resolve(served.get(path) ?? null) };
    },
    async backup() {
      rows = await Array.fromAsync(kv.list({ prefix: [] }));
    },
    async restore() {
      for await (const { key } of kv.list({ prefix: [] })) await kv.delete(key);
      for (const { key, value } of rows) await kv.set(key, value);
    },
    confirm: async () => await (await createTestPublisher(kv, options)).confirm(),
    recover: (copy: LogCopy, store = kv) =>
      recoverLog({
        kv: store,
        clock,
        origin: ORIGIN,
        signers: [signer],
        witnesses: [witness],
        anchor,
        copy,
      }),
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("a restored log is rebuilt from a copy, goes on from there, and is consistent for its witness", async () => {
  using log = await setup();
  await log.chains.start(hashOf(1));
  await addEntries(log.kv, range(0, 300).map(String));
  await log.publish();
  await log.backup();
  await log.chains.append(hashOf(1), "email_confirmed");
  await addEntries(log.kv, range(300, 600).map(String));
  await log.publish();
  const copy = await log.copy();
  const before = await checkStored(log.kv);
  await log.restore();
  await addEntries(log.kv, ["599", "new"]); // one of them is in the copy
  assertEquals(await log.confirm(), "halted");

  const recovered = unwrap(await log.recover(copy));
  assertEquals(recovered, {
    ok: true,
    size: 603,
    before: 302,
    dropped: 1,
    again: 0,
    forked: 0,
    witnesses: ["other"],
  });
  assertEquals(await checkStored(log.kv), before);
  assertEquals((await logHalted.get(log.kv)).value, null);
  await log.publish();
  assertEquals((await checkStored(log.kv)).length, 604);
  assertEquals((await logCheckpoint.get(log.kv)).value!.cosigned, [
    lineOf(log.witness.key),
  ]);
  assertEquals(log.witness.size, 604);
});

Deno.test("entries that only the restored store had logged are added again, and forks are counted", async () => {
  using log = await setup();
  await addEntries(log.kv, ["a"]);
  await log.publish();
  await log.backup();
  await addEntries(log.kv, ["b", "c", "d"]);
  await log.publish();
  const copy = await log.copy();
  await log.restore();
  await addEntries(log.kv, ["b", "lost"]);
  await sequenceBatch(log.kv); // while no witness was configured
  const recovered = unwrap(await log.recover(copy));
  assertEquals([recovered.again, recovered.forked], [1, 0]);
  await log.publish();
  assertEquals((await checkStored(log.kv)).length, 5);
});

Deno.test("a copy that is older than a witness or the anchor, or was changed, changes nothing", async () => {
  using log = await setup();
  await log.chains.start(hashOf(1));
  await log.publish();
  await log.backup();
  const old = await log.copy();
  await addEntries(log.kv, ["b", "c"]);
  await log.publish();
  const copy = await log.copy();
  await log.restore();
  const anchored = log.anchor.anchored;
  const refused = async (of: LogCopy) => {
    const result = await log.recover(of);
    return result.ok ? "" : `${result.error}: ${result.message}`;
  };
  assertEquals(
    await refused(old),
    "log_not_newest: There was a tree of 4 entries; the copy has 2.",
  );
  log.anchor.anchored = null;
  assertEquals(
    await refused(old),
    "log_not_newest: other has countersigned 4 entries; the copy has 2.",
  );
  const changed: LogCopy = {
    async read(path) {
      const bytes = await copy.read(path);
      return path.startsWith("tile") ? bytes!.map((byte, i) => i === 10 ? byte ^ 1 : byte) : bytes;
    },
  };
  assert((await refused(changed)).startsWith("log_copy: The entries of the copy"));
  assert((await refused({ read: () => Promise.resolve(null) })).startsWith("log_copy"));
  log.witness.respond = () => Promise.reject(new TypeError("unreachable"));
  assert((await refused(copy)).startsWith("log_unwitnessed"));
  assertEquals((await checkStored(log.kv)).length, 2);
  delete log.witness.respond;
  log.anchor.anchored = anchored;
  unwrap(await log.recover(copy));
});

Deno.test("missing events of a chain are found by their commitments; one at another time closes the chain", async () => {
  using log = await setup();
  for (const i of [1, 2, 3]) await log.chains.start(hashOf(i));
  await log.publish();
  await log.backup();
  const from = log.clock();
  log.wait(700);
  await log.chains.append(hashOf(1), "email_confirmed");
  log.wait(300);
  await log.chains.append(hashOf(1), "record_verified");
  await log.chains.append(hashOf(2), "k2_delivered");
  await log.publish();
  const copy = await log.copy();
  const [events] = [await readAll(log.chains, hashOf(1))];
  await log.restore();
  unwrap(await log.recover(copy));
  assertEquals((await log.chains.head(hashOf(1)))!.size, 1);
  assertEquals(
    await log.chains.append(hashOf(1), "email_confirmed").then(
      () => "appended",
      ({ failure }) => failure.error,
    ),
    "chain_behind_log",
  );

  const options = { kv: log.kv, publisher: PUBLISHER, key: log.key, from, to: from + 2_000 };
  assertEquals(await restoreChain(options, hashOf(1)), { restored: 2, complete: true });
  assertEquals(await restoreChain({ ...options, to: from + 10 }, hashOf(2)), {
    restored: 0,
    complete: false,
  });
  assertEquals(await restoreChain(options, hashOf(3)), null);
  assertEquals(await readAll(log.chains, hashOf(1)), events);
  await log.chains.append(hashOf(1), "sms_confirmed");
  await log.publish();
  const slots = await checkStored(log.kv);
  assert(slots.includes(encodeHex(eventSlot(hashOf(1), 4))));
  assertEquals(await countPending(log.kv), 0);
  assertEquals((await logWitnesses.get(log.kv, "other.example")).value!.size, slots.length);
});

Deno.test("a copy that changes while it is read writes nothing of the change, and the entries of the store survive a second attempt", async () => {
  using log = await setup();
  await addEntries(log.kv, range(0, 300).map(String));
  await log.publish();
  await log.backup();
  await addEntries(log.kv, range(300, 520).map(String));
  await log.publish();
  const copy = await log.copy();
  const expected = await checkStored(log.kv);
  await log.restore();
  await addEntries(log.kv, ["only here"]);
  await sequenceBatch(log.kv); // while no witness was configured
  const reads = new Map<string, number>();
  const changing: LogCopy = {
    async read(path) {
      const bytes = await copy.read(path);
      reads.set(path, (reads.get(path) ?? 0) + 1);
      const isChanged = path.startsWith("tile/entries/002") && reads.get(path) === 2;
      return isChanged ? bytes!.map((byte, i) => i === 10 ? byte ^ 1 : byte) : bytes;
    },
  };
  const refused = await log.recover(changing);
  assertEquals(
    refused.ok ? "" : refused.message,
    "The copy has changed while it was read. The log stays halted.",
  );
  assertEquals((await logHalted.get(log.kv)).value!.by, "log:recover");
  const recovered = unwrap(await log.recover(copy));
  assertEquals(recovered.forked, 0);
  assertEquals(await checkStored(log.kv), expected);
  await log.publish();
  const [{ slot }] = testEntries(["only here"]);
  assert((await checkStored(log.kv)).includes(encodeHex(slot)));
});

Deno.test("an entry that both trees have in different bundles is not a fork, and one that contradicts the copy keeps the log halted", async () => {
  using log = await setup();
  const sorted = range(0, 257).map(String).map((name) => ({ name, ...testEntries([name])[0] }))
    .sort((a, b) => encodeHex(a.slot) < encodeHex(b.slot) ? -1 : 1);
  const [first, ...others] = sorted.map(({ name }) => name);
  await addEntries(log.kv, ["begin"]);
  await log.publish();
  await log.backup();
  await addEntries(log.kv, others);
  await log.publish();
  await addEntries(log.kv, [first, "end"]);
  await log.publish();
  const copy = await log.copy();
  await log.restore();
  await addEntries(log.kv, [first]); // in the first bundle now
  await sequenceBatch(log.kv);
  assertEquals(unwrap(await log.recover(copy)).forked, 0);
  assertEquals([await countPending(log.kv), (await checkStored(log.kv)).length], [0, 259]);

  await log.restore();
  const [entry] = testEntries([first]);
  const commit = log.kv.atomic();
  putPending(commit, [{ ...entry, commitment: entry.slot }], LANES.live, 0);
  await commit.commit();
  for (const _ of range(0, 2)) {
    assertEquals(unwrap(await log.recover(copy)).forked, 1);
    assertEquals(await sequenceBatch(log.kv), { ok: false, reason: "halted" });
  }
});

Deno.test("keys that were withdrawn or published after the backup, or withdrawn before the log was recovered, are so afterwards", async () => {
  using log = await setup();
  const addToKeys = createAddKeys({ kv: log.kv, clock: log.clock });
  const open = async () => {
    const key = await openSigningKey(log.kv, await generatePrivateJwk(), addToKeys);
    return key.kid;
  };
  const published = async () => (await readKeySet(log.kv)).keys.map(({ kid }) => kid).sort();
  const [old, kept] = [await open(), await open()];
  await log.publish();
  await log.backup();
  const added = await open();
  await withdrawKey(log.kv, old, addToKeys);
  await log.publish();
  const copy = await log.copy();
  await log.restore();
  assertEquals(await published(), [old, kept].sort());
  await withdrawKey(log.kv, kept, addToKeys);
  const withoutKeys: LogCopy = {
    read: (path) => path === "keys/4" ? Promise.resolve(null) : copy.read(path),
  };
  const refused = await log.recover(withoutKeys);
  assertEquals(refused.ok ? "" : refused.message, "The copy lacks keys/4. The log stays halted.");
  unwrap(await log.recover(copy));
  assertEquals(await published(), [added]);
});

Deno.test("a recovery that is killed before any of its writes loses nothing, and the log stays halted until the next one", async () => {
  using log = await setup();
  await log.chains.start(hashOf(1));
  await log.publish();
  await log.backup();
  await addEntries(log.kv, ["b", "c"]);
  await log.publish();
  const copy = await log.copy();
  const expected = await checkStored(log.kv);
  for (let write = 0;; write++) {
    await log.restore();
    await addEntries(log.kv, ["only here"]);
    await sequenceBatch(log.kv); // while no witness was configured
    await addEntries(log.kv, ["b"]);
    const died = await log.recover(copy, dyingKv(log.kv, write)).then(() => false, (error) => {
      if (error instanceof DeathError) return true;
      throw error;
    });
    if (died && write > 0) {
      assertEquals(await sequenceBatch(log.kv), { ok: false, reason: "halted" });
    }
    if (died) unwrap(await log.recover(copy));
    assertEquals(await checkStored(log.kv), expected);
    await sequenceBatch(log.kv);
    assertEquals((await checkStored(log.kv)).length, expected.length + 1);
    if (died) continue;
    assert(write > 4, `${write} writes`);
    return;
  }
});
