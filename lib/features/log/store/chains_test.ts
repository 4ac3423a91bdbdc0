import { assert, assertEquals, assertRejects } from "@std/assert";
import { encodeHex } from "../../../base/bytes.ts";
import { openKv } from "../../../platform/kv/mod.ts";
import { limitKv } from "../../../platform/kv/testing/limited_kv.ts";
import { holdKv, type KvCall } from "../../../platform/kv/testing/slow_kv.ts";
import {
  eventEntry,
  generatePrivateJwk,
  keySetEntry,
  type LogEntry,
} from "../../../../packages/proof/mod.ts";
import { createChains, withdrawKey } from "../../chain/mod.ts";
import { HASH, PUBLISHER } from "../../chain/testing/fixtures.ts";
import { ChainBehindLogError, LogHaltedError } from "./pending.ts";
import { createAddEvent } from "./chains.ts";
import { createAddKeys, logPublishedKeys } from "./key_sets.ts";
import { sequenceBatch } from "./sequence.ts";
import { logChains, logHalted, logIndex, logKeySets, logPending } from "./tables.ts";

const clock = () => Date.UTC(2026, 5, 1);

async function setup() {
  const kv = limitKv(await openKv(":memory:"));
  let commits = 0;
  const committed = () => void commits++;
  const options = { kv, clock, publisher: PUBLISHER, signingKey: await generatePrivateJwk() };
  return {
    kv,
    /** The chains of another process, whose calls of the store are held. */
    held: (hold: (call: KvCall) => Promise<void>) => {
      const held = holdKv(kv, hold);
      const addToEvent = createAddEvent({ kv: held, clock, committed });
      return createChains({ ...options, kv: held, addToEvent });
    },
    /** Chains as the build before wrote them. */
    unlogged: createChains(options),
    chains: createChains({
      ...options,
      addToEvent: createAddEvent({ kv, clock, committed }),
      addToKeys: createAddKeys({ kv, clock }),
    }),
    commits: () => commits,
    /** Returns the pending slots and commitments. */
    pending: () =>
      Array.fromAsync(
        logPending.list(kv, [0]),
        ({ key, value }): [string, string] => [String(key[3]), encodeHex(value)],
      ),
    [Symbol.dispose]: () => kv.close(),
  };
}

const shown = ({ slot, commitment }: LogEntry): [string, string] => [
  encodeHex(slot),
  encodeHex(commitment),
];

Deno.test("each event of a chain adds the entry of its size, with the salt of the first", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  await log.chains.append(HASH, "email_confirmed");
  const { events } = (await log.chains.page(HASH))!;
  const { salt } = (await logChains.get(log.kv, HASH)).value!;
  assertEquals([salt.length, log.commits()], [32, 2]);
  const expected = events.map(({ hash: tip, seq }) =>
    shown(eventEntry({ record: HASH, size: seq + 1, tip, salt }))
  );
  const slots = new Set(expected.map(([slot]) => slot));
  assertEquals(
    (await log.pending()).filter(([slot]) => slots.has(slot)),
    expected.sort(),
  );
});

Deno.test("a chain whose salt was lost accepts no event, also before its entries are in the log", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  await log.kv.delete(logChains.key(HASH));
  await assertRejects(() => log.chains.append(HASH, "email_confirmed"), ChainBehindLogError);
  assertEquals((await logChains.get(log.kv, HASH)).value, null);
});

Deno.test("a halted log refuses events, and so does a chain whose next size is in the log", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  const rows = await Array.fromAsync(log.kv.list({ prefix: [] }));
  await log.chains.append(HASH, "email_confirmed");
  await sequenceBatch(log.kv);
  // A restored backup: the chain is shorter than the log.
  for (const { key, value } of rows) {
    if (String(key[0]).startsWith("chain")) await log.kv.set(key, value);
  }
  await assertRejects(() => log.chains.append(HASH, "record_verified"), ChainBehindLogError);
  assertEquals((await log.chains.head(HASH))!.size, 1);
  const row = { by: "anchor", at: "2026-01-01T00:00:00.000Z", checkpoint: "", response: "" };
  await log.kv.set(logHalted.key(), row);
  await assertRejects(() => log.chains.append(HASH, "record_verified"), LogHaltedError);
});

Deno.test("an event whose size another process appends and logs at the same time comes after it", async () => {
  using log = await setup();
  await log.chains.start(HASH);
  let other: Promise<unknown> | undefined;
  const chains = log.held(async ({ keys }) => {
    if (!keys.some(([prefix]) => prefix === logIndex.prefix)) return;
    await (other ??= log.chains.append(HASH, "email_confirmed").then(() => sequenceBatch(log.kv)));
  });
  await chains.append(HASH, "record_verified");
  const { events } = (await log.chains.page(HASH))!;
  assertEquals(
    events.map(({ kind }) => kind),
    ["hash_generated", "email_confirmed", "record_verified"],
  );
});

Deno.test("each new set of published keys is logged in the commit that changes it", async () => {
  using log = await setup();
  const { kv, chains } = log;
  await chains.keys();
  const addToKeys = createAddKeys({ kv, clock });
  // Two processes that publish a key each, at the same time.
  const others = await Promise.all([1, 2].map(async () =>
    createChains({
      kv,
      clock,
      publisher: PUBLISHER,
      signingKey: await generatePrivateJwk(),
      addToKeys,
    })
  ));
  await Promise.all([...others, ...others].map((each) => each.keys()));
  await withdrawKey(kv, await chains.kid(), addToKeys);
  const rows = await Array.fromAsync(logKeySets.list(kv, []));
  const sets = rows.map(({ value }) => JSON.parse(new TextDecoder().decode(value)));
  const kid = await chains.kid();
  const kids = await Promise.all(others.map((each) => each.kid()));
  const logged = sets.map(({ keys }) => keys.map(({ kid }: { kid: string }) => kid));
  const [second] = logged[1].filter((each: string) => each !== kid);
  assert(kids.includes(second));
  assertEquals(logged, [[kid], [kid, second].sort(), [kid, ...kids].sort(), kids.sort()]);
  const entries = rows.map(({ key, value }) => shown(keySetEntry(Number(key[1]), value)));
  assertEquals(await log.pending(), entries.sort());
});

Deno.test("the keys that were published before the log are its first key set", async () => {
  using log = await setup();
  await log.unlogged.keys();
  const read = () => log.chains.keys();
  assertEquals(await logPublishedKeys(log.kv, clock, read), true);
  assertEquals(await logPublishedKeys(log.kv, clock, read), false);
  assertEquals((await log.pending()).length, 1);
});
