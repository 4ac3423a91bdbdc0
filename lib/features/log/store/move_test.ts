import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseConfig } from "../../../app/config.ts";
import { encodeHex } from "../../../base/bytes.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { DeathError, dyingKv } from "../../../platform/kv/testing/dying_kv.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import {
  consistencySteps,
  createSigner,
  eventSlot,
  formatVerifierKey,
  generatePrivateJwk,
  isConsistent,
  LOG_KEY,
  newLogSalt,
  parseCheckpoint,
  readProof,
} from "../../../../packages/proof/mod.ts";
import { PUBLISHER, range, writeChain } from "../../chain/testing/fixtures.ts";
import {
  addEntries,
  checkStored,
  createTestAnchor,
  createTestLog,
  createTestPublisher,
  createTestWitness,
  ORIGIN,
} from "../testing/fixtures.ts";
import { createLogJob } from "../log_job.ts";
import { checkOrigin } from "../mod.ts";
import { createSurfaces } from "../../../platform/surfaces/mod.ts";
import { openLogKeys } from "./keys.ts";
import { beginAgain, moveLog } from "./move.ts";
import { LogOriginError, noteOrigin } from "./origin.ts";
import { sequenceBatch } from "./sequence.ts";
import { createLogFiles } from "./serve.ts";
import { logChains, logCheckpoint, logDays, logHalted, logOrigin } from "./tables.ts";
import { storedTiles } from "./tree.ts";

const NEW = "new.example/log";

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  const jwk = await generatePrivateJwk();
  const signers = async (origin: string) => [await createSigner(origin, LOG_KEY, jwk)];
  const witness = await createTestWitness("other", Date.now);
  const publish = async (origin: string, witnessList = [witness]) => {
    while (await sequenceBatch(kv).then((batch) => batch.ok && batch.more)) { /* the next one */ }
    const publisher = await createTestPublisher(kv, {
      origin,
      signers: () => signers(origin),
      witnessList,
    });
    await publisher.publish();
    return parseCheckpoint((await logCheckpoint.get(kv)).value!.text)!;
  };
  await noteOrigin(kv, ORIGIN, 0);
  return { kv, signers, publish, [Symbol.dispose]: () => kv.close() };
}

Deno.test("a moved log begins with the entries of the old one, whose last checkpoint it extends", async () => {
  using log = await setup();
  const { kv, signers } = log;
  await addEntries(kv, range(0, 300).map(String));
  const old = await log.publish(ORIGIN);
  const moved = await moveLog({ kv, clock: Date.now, origin: NEW, signers });
  assertEquals(moved, { ok: true, from: ORIGIN, size: 300 });
  await addEntries(kv, ["later"]);
  const witness = await createTestWitness("new", Date.now);
  const first = await log.publish(NEW, [witness]);
  assertEquals([first.origin, first.size, witness.size], [NEW, 301, 301]);
  const proof = await readProof(consistencySteps(300, 301), 301, storedTiles(kv));
  assert(isConsistent({
    oldSize: 300,
    oldRoot: old.root,
    newSize: 301,
    newRoot: first.root,
    proof,
  }));
  const previous = (await createLogFiles({ kv, log: createTestLog(kv), url: "" }).previous())!;
  const [key] = await signers(ORIGIN);
  assertEquals(previous.split("\n").slice(0, 3), [
    `origin ${ORIGIN}`,
    `log ${ORIGIN}+${key.key.id}+${previous.split("+").slice(2).join("+").split("\n")[0]}`,
    "",
  ]);
  assertEquals(parseCheckpoint(previous.slice(previous.indexOf("\n\n") + 2))!.size, 300);
  const again = await moveLog({ kv, clock: Date.now, origin: NEW, signers });
  assertEquals(again.ok ? "" : again.error, "log_here");
});

Deno.test("a log that begins again has every size of every chain, with the earlier salts", async () => {
  using log = await setup();
  const { kv } = log;
  const hash = "c".repeat(64);
  const salt = newLogSalt();
  await writeChain(kv, { hash, publisher: PUBLISHER, length: 250 });
  await kv.set(logChains.key(hash), { salt });
  await addEntries(kv, ["lost"]);
  await log.publish(ORIGIN);
  let others = 0;
  const addOthers = () => Promise.resolve(void others++);
  await kv.set(logDays.key("2026-01-01"), 9_000);
  const moved = await beginAgain({ kv, clock: Date.now, origin: NEW }, addOthers);
  assertEquals([moved, others], [{ ok: true, from: ORIGIN, size: 250 }, 1]);
  const first = await log.publish(NEW, []);
  assertEquals([first.origin, first.size], [NEW, 250]);
  const days = await Array.fromAsync(logDays.list(kv, []), ({ value }) => value);
  assertEquals(days, [250], "the days of the lost log are not counted");
  const slots = await checkStored(kv);
  assert(slots.includes(encodeHex(eventSlot(hash, 250))));
  assertEquals((await logChains.get(kv, hash)).value, { salt });
});

Deno.test("a log that begins again and is killed before any of its writes stays halted under its old name until the next attempt", async () => {
  using log = await setup();
  const { kv } = log;
  const anchor = createTestAnchor();
  const restart = (origin: string) =>
    createTestPublisher(kv, { origin, signers: () => log.signers(origin), anchor });
  await addEntries(kv, ["a", "b"]);
  await sequenceBatch(kv);
  await (await restart(ORIGIN)).publish();
  const hash = "c".repeat(64);
  await writeChain(kv, { hash, publisher: PUBLISHER, length: 1 });
  await kv.set(logChains.key(hash), { salt: newLogSalt() });
  const options = { clock: Date.now, origin: NEW, anchor };
  const addOthers = () => addEntries(kv, ["document"]);
  for (let write = 0;; write++) {
    const began = await beginAgain({ ...options, kv: dyingKv(kv, write) }, addOthers)
      .catch((error) => {
        if (!(error instanceof DeathError)) throw error;
      });
    if (began) {
      assert(write > 3, `${write} writes`);
      break;
    }
    if (write === 0) continue;
    assertEquals(await sequenceBatch(kv), { ok: false, reason: "halted" });
    assertEquals((await logHalted.get(kv)).value!.by, "log:move");
  }
  assertEquals((await logHalted.get(kv)).value, null);
  const restarted = await restart(NEW);
  // The anchor had the size of the old log.
  assertEquals(await restarted.confirm(), "confirmed");
  await sequenceBatch(kv);
  await restarted.publish();
  assertEquals([(await logCheckpoint.get(kv)).value!.size, anchor.anchored!.size], [2, 2]);
  assertEquals((await checkStored(kv)).length, 2);
});

Deno.test("a log that is halted or behind its anchor is not moved with its entries", async () => {
  using log = await setup();
  const { kv, signers } = log;
  await addEntries(kv, ["a"]);
  await sequenceBatch(kv);
  const anchor = createTestAnchor();
  anchor.anchored = { size: 2, root: "" };
  const behind = await moveLog({ kv, clock: Date.now, origin: NEW, signers, anchor });
  assertEquals(behind.ok ? "" : behind.error, "log_halted");
  const row = { by: "anchor", at: "2026-01-01T00:00:00.000Z", checkpoint: "", response: "" };
  await kv.set(logHalted.key(), row);
  const moved = await moveLog({ kv, clock: Date.now, origin: NEW, signers });
  assertEquals(moved.ok ? "" : moved.error, "log_halted");
});

Deno.test("a start with another trust host stops in production, and moves the log in development", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const development = parseConfig({});
  const publicLog = { ...createTestLog(kv), origin: NEW };
  const requests: string[] = [];
  let served: string | null = null;
  const fetch: typeof globalThis.fetch = (input) => {
    requests.push(String(input));
    return served === null
      ? Promise.reject(new TypeError("nothing listens"))
      : Promise.resolve(new Response(served));
  };
  const surfaces = createSurfaces(development);
  const options = { kv, clock: Date.now, publicLog, surfaces, fetch };
  const production = { ...development, env: "production" as const };
  await checkOrigin({ ...options, config: production }); // it has not begun
  await noteOrigin(kv, ORIGIN, 0);
  await assertRejects(() => checkOrigin({ ...options, config: production }), LogOriginError);
  const { surfaceHosts: { trust: _, ...others } } = development;
  const elsewhere = createSurfaces({ ...development, surfaceHosts: others });
  await checkOrigin({ ...options, config: production, surfaces: elsewhere });
  assertEquals((await logOrigin.get(kv)).value!.origin, ORIGIN);
  // Another site is running with this store.
  const [signer] = await openLogKeys(kv, [], ORIGIN);
  served = `log ${formatVerifierKey(signer.key)} http://${ORIGIN}\nquorum none\n`;
  assertEquals(await checkOrigin({ ...options, config: development }), ORIGIN);
  assertEquals((await logOrigin.get(kv)).value!.origin, ORIGIN);
  assertEquals(requests, [`http://${ORIGIN}/policy`]);
  // The site there has another store, or none is running.
  for (served of ["quorum none\n", null]) {
    await kv.set(logOrigin.key(), { origin: ORIGIN, begun_at: "2026-01-01T00:00:00.000Z" });
    assertEquals(await checkOrigin({ ...options, config: development }), null);
    assertEquals((await logOrigin.get(kv)).value!.origin, NEW);
  }
});

Deno.test("a process that still runs after the log was moved adds and signs nothing under the old name", async () => {
  using log = await setup();
  const { kv, signers } = log;
  const job = createLogJob({
    kv,
    monotonic: () => 0,
    begin: () => noteOrigin(kv, ORIGIN, 0).then(() => null),
    complete: () => Promise.resolve(),
    publisher: await createTestPublisher(kv, { signers: () => signers(ORIGIN) }),
  });
  const run = () =>
    job.run({ cursor: null, signal: new AbortController().signal, save: () => Promise.resolve() });
  await addEntries(kv, ["a"]);
  await run();
  await moveLog({ kv, clock: Date.now, origin: NEW, signers });
  await addEntries(kv, ["b"]);
  await assertRejects(async () => await run(), LogOriginError);
  assertEquals([(await checkStored(kv)).length, (await logCheckpoint.get(kv)).value], [1, null]);
});
