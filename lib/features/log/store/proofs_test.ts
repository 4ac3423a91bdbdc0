import { assert, assertEquals } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import {
  createSigner,
  eventEntry,
  formatVerifierKey,
  generatePrivateJwk,
  LOG_KEY,
  parseCheckpoint,
  parsePolicy,
  parseProof,
  verifyProof,
} from "../../../../packages/proof/mod.ts";
import { createChains } from "../../chain/mod.ts";
import { HASH, PUBLISHER, readAll } from "../../chain/testing/fixtures.ts";
import {
  addEntries,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
  testEntries,
} from "../testing/fixtures.ts";
import { createAddEvent } from "./chains.ts";
import { storeCheckpoint } from "./join.ts";
import { createLogProofs } from "./proofs.ts";
import { REPUBLISH_MS } from "./publish.ts";
import { sequenceBatch } from "./sequence.ts";
import { logCheckpoints } from "./tables.ts";

async function setup({ witnessed = true } = {}) {
  const kv = limitKv(await openKv(":memory:"));
  let now = Date.parse("2026-03-01T00:00:00Z");
  const clock = () => now;
  const signer = await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk());
  let signers = [signer];
  const witness = await createTestWitness("other", clock);
  const witnessList = witnessed ? [witness] : [];
  const publisher = await createTestPublisher(kv, {
    clock,
    witnessList,
    signers: () => Promise.resolve([signer]),
  });
  const chains = createChains({
    kv,
    clock,
    publisher: PUBLISHER,
    signingKey: undefined,
    addToEvent: createAddEvent({ kv, clock, committed: () => {} }),
  });
  const proofs = createLogProofs({
    kv,
    signers: () => Promise.resolve(signers),
    witnesses: () => Promise.resolve(witnessList),
  });
  const policy = parsePolicy(
    `log ${formatVerifierKey(signer.key)}\nwitness other ${formatVerifierKey(witness.key)}\n` +
      "quorum none\n",
  );
  return {
    kv,
    clock,
    chains,
    witness,
    proofs,
    policy,
    wait: (ms: number) => now += ms,
    rotate: async () => {
      signers = [await createSigner(ORIGIN, LOG_KEY, await generatePrivateJwk())];
      return signers[0];
    },
    sequence: async () => {
      while ((await sequenceBatch(kv) as { more?: boolean }).more) { /* the next one */ }
    },
    publish: async () => {
      while ((await sequenceBatch(kv) as { more?: boolean }).more) { /* the next one */ }
      await publisher.publish();
    },
    proofFrom: async (from: number) => {
      const { key, find } = proofs.source(HASH, from);
      return await (await find(1, await kv.get(key)))!.read();
    },
    proof: async (size: number) => await (await proofs.ofChain(HASH, size))?.read() ?? null,
    version: async (size: number) => (await proofs.ofChain(HASH, size))?.version ?? null,
    /** Returns the size of the chain that a proof is of, and that of its checkpoint. */
    async sizesOf(text: string | null) {
      const events = await readAll(chains);
      for (let size = events.length; size > 0; size--) {
        const result = await verifyProof(
          text!,
          (salt) => salt && eventEntry({ record: HASH, size, tip: events[size - 1].hash, salt }),
          policy,
          ORIGIN,
        );
        if (result.ok) return [size, result.checkpoint.size, result.checkpoint.cosignatures.length];
      }
      return null;
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("the proof of a chain is against its first countersigned checkpoint, and never changes", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  assertEquals(await log.proof(1), null);
  await log.sequence();
  assertEquals(await log.proof(1), null);
  await log.publish();
  const first = await log.proof(1);
  assertEquals(await log.sizesOf(first), [1, 1, 1]);
  const version = await log.version(1);

  await addEntries(log.kv, Array.from({ length: 300 }, (_, i) => `other ${i}`));
  await log.publish();
  log.wait(REPUBLISH_MS);
  await log.publish();
  assertEquals([await log.proof(1), await log.version(1)], [first, version]);

  // Until the newer size is countersigned, the proof is that of the older one.
  await log.chains.append(HASH, "email_confirmed");
  assertEquals([await log.proof(2), await log.version(2)], [first, version]);
  log.witness.respond = () => Promise.resolve(new Response("", { status: 500 }));
  await log.publish();
  assertEquals([await log.proof(2), await log.version(2)], [first, version]);
  log.witness.respond = undefined;
  await addEntries(log.kv, ["one more"]);
  await log.publish();
  const second = await log.proof(2);
  assertEquals(await log.sizesOf(second), [2, 303, 1]);
  assert(await log.version(2) !== version);
});

Deno.test("without a countersignature, the proof is against the first published checkpoint", async () => {
  using log = await setup({ witnessed: false });
  await log.chains.start(HASH);
  await log.publish();
  await addEntries(log.kv, ["a"]);
  await log.publish();
  assertEquals(await log.sizesOf(await log.proof(1)), [1, 1, 0]);
});

Deno.test("while witnesses do not respond, a new chain has a proof against a published checkpoint", async () => {
  using log = await setup();
  await addEntries(log.kv, ["a"]);
  await log.publish();
  log.witness.respond = () => Promise.resolve(new Response("", { status: 500 }));
  await log.chains.start(HASH);
  await log.publish();
  const published = await log.proof(1);
  assertEquals(await log.sizesOf(published), [1, 2, 0]);
  const version = await log.version(1);
  await addEntries(log.kv, ["b"]);
  await log.publish();
  assertEquals([await log.proof(1), await log.version(1)], [published, version]);
  log.witness.respond = undefined;
  await addEntries(log.kv, ["c"]);
  await log.publish();
  assertEquals(await log.sizesOf(await log.proof(1)), [1, 4, 1]);
  assert(await log.version(1) !== version);
});

Deno.test("a chain whose newest sizes wait has the proof of an older one, also after many events", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  for (let i = 0; i < 3; i++) await log.chains.append(HASH, "record_verified");
  await log.publish();
  for (let i = 0; i < 20; i++) await log.chains.append(HASH, "record_verified");
  assertEquals((await log.sizesOf(await log.proof(24)))![0], 4);
  assertEquals(await log.proofs.ofChain("d".repeat(64), 3), null);
});

Deno.test("a question for a later size of the log gets the usual proof, and a newer one once the log has that size", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  await log.publish();
  assertEquals(await log.sizesOf(await log.proofFrom(2)), [1, 1, 1]);
  await addEntries(log.kv, ["a"]);
  await log.publish();
  assertEquals(await log.sizesOf(await log.proofFrom(2)), [1, 2, 1]);
  assertEquals(await log.sizesOf(await log.proofFrom(0)), [1, 1, 1]);
});

Deno.test("a checkpoint that another process stores after a larger one becomes the first one for every process", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  await log.publish();
  const { value: early } = await logCheckpoints.get(log.kv, 1);
  await addEntries(log.kv, ["a"]);
  await log.publish();
  // As if the process with the first one had been slower than the other.
  const commit = log.kv.atomic();
  logCheckpoints.deleteAt(commit, [1], early!);
  await commit.commit();
  assertEquals(await log.sizesOf(await log.proof(1)), [1, 2, 1]);
  await storeCheckpoint(log.kv, log.clock, parseCheckpoint(early!.text)!, {
    signedAt: early!.signed_at,
  });
  assertEquals(await log.sizesOf(await log.proof(1)), [1, 1, 1]);
});

Deno.test("a proof is also signed by the log's present keys", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  await log.publish();
  const before = parseProof((await log.proof(1))!)!;
  const { key } = await log.rotate();
  const after = parseProof((await log.proof(1))!)!;
  const idsOf = (text: string) => parseCheckpoint(text)!.note.signatures.map(({ id }) => id);
  assertEquals(idsOf(after.checkpoint), [key.id, ...idsOf(before.checkpoint)]);
  const policy = parsePolicy(`log ${formatVerifierKey(key)}\nquorum none\n`);
  const [{ hash: tip }] = await readAll(log.chains);
  const result = await verifyProof(
    (await log.proof(1))!,
    (salt) => salt && eventEntry({ record: HASH, size: 1, tip, salt }),
    policy,
    ORIGIN,
  );
  assert(result.ok);
});

Deno.test("entries have a proof once they are published, and one that never changes once they are countersigned", async () => {
  using log = await setup();
  const salt = new Uint8Array(32).fill(3);
  const [a, b, c] = testEntries(["a", "b", "c"]);
  const read = () => log.proofs.ofEntries([a, b, c], salt);
  await addEntries(log.kv, ["a"]);
  await log.publish();
  const [first, ...none] = await read();
  assertEquals(none, [null, null]);
  log.witness.respond = () => Promise.resolve(new Response("", { status: 500 }));
  await addEntries(log.kv, ["b"]);
  await log.publish();
  const [again, published, missing] = await read();
  assertEquals([again, missing], [first, null]);
  const verify = async (text: string, i: number) =>
    (await verifyProof(text, () => [a, b, c][i], log.policy, ORIGIN)).ok;
  assertEquals([await verify(first!, 0), await verify(published!, 1)], [true, true]);
  assertEquals(await verify(published!, 0), false);
});
