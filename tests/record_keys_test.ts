import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import {
  createRecordKeys,
  KEYS_PER_DAY,
  moveKeys,
  readAccessLog,
  readRecord,
  recordRows,
} from "../lib/features/records/mod.ts";
import { recordTables } from "../lib/features/records/tables.ts";
import { DAY_MS, MINUTE_MS } from "../lib/base/time.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

/** A site with a record at level 3. */
async function setUp() {
  const fixture = await recordFixture();
  const { services } = fixture.site;
  const { kv, chains, records: { keys } } = services;
  /** Sets the level of a record, whatever its conditions. */
  const setLevel = async (hash: string, level: 1 | 2 | 3 | 4) => {
    const { row } = (await readRecord(kv, hash))!;
    await kv.set(recordRows.key(hash), { ...row, level });
  };
  const holder = async (person?: Record<string, unknown>) => {
    const holder = await fixture.holder(person);
    await setLevel(holder.hash, 3);
    return holder;
  };
  return {
    ...fixture,
    ...await holder(),
    kv,
    keys,
    setLevel,
    anotherHolder: () => holder({ ...PERSON, email: "other@example.org" }),
    kinds: async (hash: string) => (await chains.page(hash))!.events.map(({ kind }) => kind),
    log: async (hash: string) =>
      (await readAccessLog(kv, hash, fixture.clock.now)).entries
        .filter(({ what }) => what.startsWith("key_")),
    /** The subjects of the security notices so far, newest first. */
    notices: async () =>
      (await fixture.mails()).map(({ subject }) => subject)
        .filter((subject) => subject.includes("The key of your record")),
  };
}

type Site = Awaited<ReturnType<typeof setUp>>;

async function issue({ keys, hash }: Site): Promise<string> {
  return unwrap(await keys.issue({ hash, reader: READER })).key;
}

async function replace({ keys, hash }: Site): Promise<string> {
  const { current } = await keys.read(hash);
  return unwrap(await keys.replace({ hash, reader: READER, id: current!.id })).key;
}

Deno.test("issue stores only a hash of the key, with an event and an entry in the access log", async () => {
  await using site = await setUp();
  const { hash, keys, clock } = site;
  const key = await issue(site);
  assertEquals(await keys.state(key), { state: "current", hash });
  const at = new Date(clock.now).toISOString();
  assertEquals(await keys.read(hash), {
    current: {
      id: sha256(key),
      hash,
      created_at: at,
      replaced_at: null,
      replaced_by: null,
      revoked_at: null,
    },
    past: [],
  });
  assertEquals(await site.kinds(hash), ["hash_generated", "email_confirmed", "k2_delivered"]);
  assertEquals((await site.log(hash)).map(({ what, seq }) => [what, seq]), [["key_shown", 2]]);
  assertEquals(await site.notices(), []);
  for (const { key: storeKey, text } of await site.entries()) {
    assert(!(storeKey + text).includes(key), storeKey);
  }
});

Deno.test("issue fails below level 3, for an unknown or corrected record, and while there is a key", async () => {
  await using site = await setUp();
  const { hash, keys, kv } = site;
  const failure = async (of = hash) => {
    const result = await keys.issue({ hash: of, reader: READER });
    return result.ok ? null : result.error;
  };
  await site.setLevel(hash, 2);
  assertEquals(await failure(), "forbidden");
  await site.setLevel(hash, 4);
  const { row } = (await readRecord(kv, hash))!;
  await kv.set(recordRows.key(hash), { ...row, replaced_by: "d".repeat(64) });
  assertEquals(await failure(), "conflict");
  await kv.set(recordRows.key(hash), row);
  assertEquals(await failure("d".repeat(64)), "not_found");
  assertEquals(await failure(), null);
  assertEquals(await failure(), "conflict");
  assertEquals((await site.kinds(hash)).length, 3);
});

Deno.test("a key survives a drop in level", async () => {
  await using site = await setUp();
  const { hash, keys } = site;
  const key = await issue(site);
  await site.setLevel(hash, 1);
  assertEquals(await keys.state(key), { state: "current", hash });
});

Deno.test("replace ends the old key, appends an event and notifies the holder", async () => {
  await using site = await setUp();
  const { hash, keys, clock } = site;
  const first = await issue(site);
  clock.now += MINUTE_MS;
  const second = await replace(site);
  assertNotEquals(first, second);
  const at = new Date(clock.now).toISOString();
  assertEquals(await keys.state(first), { state: "replaced", at });
  assertEquals(await keys.state(second), { state: "current", hash });
  const { current, past } = await keys.read(hash);
  assertEquals([current!.id, past.map(({ id, replaced_by }) => [id, replaced_by])], [
    sha256(second),
    [[sha256(first), sha256(second)]],
  ]);
  assertEquals((await site.kinds(hash)).slice(2), ["k2_delivered", "k2_delivered"]);
  assertEquals((await site.log(hash)).map(({ what, seq }) => [what, seq]), [
    ["key_replaced", 3],
    ["key_shown", 2],
  ]);
  assertEquals((await site.notices()).length, 1);
});

Deno.test("replace fails if the key changed since the page was opened", async () => {
  await using site = await setUp();
  const { hash, keys } = site;
  await issue(site);
  const old = (await keys.read(hash)).current!.id;
  await replace(site);
  for (const id of [old, "", "d".repeat(64)]) {
    const result = await keys.replace({ hash, reader: READER, id });
    assertEquals(result.ok ? null : result.error, "conflict");
  }
});

Deno.test("revoke ends the key without an event; the next key is a replacement for the holder", async () => {
  await using site = await setUp();
  const { hash, keys, clock } = site;
  const key = await issue(site);
  const id = sha256(key);
  const other = await site.anotherHolder();
  assertEquals((await keys.revoke({ hash: other.hash, reader: READER, id })).ok, false);
  clock.now += MINUTE_MS;
  assertEquals(await keys.revoke({ hash, reader: READER, id }), { ok: true });
  assertEquals(await keys.state(key), {
    state: "revoked",
    at: new Date(clock.now).toISOString(),
  });
  assertEquals((await keys.revoke({ hash, reader: READER, id })).ok, false);
  assertEquals((await site.kinds(hash)).length, 3);
  assertEquals((await site.log(hash)).map(({ what }) => what), ["key_revoked", "key_shown"]);
  assertEquals(await site.log(other.hash), []);
  await issue(site);
  assertEquals((await site.notices()).map((subject) => subject.replace(/ \(.*/, "")), [
    "The key of your record was replaced",
    "The key of your record was revoked",
  ]);
});

Deno.test("40 concurrent requests create one key, and 40 concurrent replacements one more", async () => {
  await using site = await setUp();
  const { hash, keys } = site;
  const reader = READER;
  const results = await Promise.all(Array.from({ length: 40 }, () => keys.issue({ hash, reader })));
  assertEquals(results.filter(({ ok }) => ok).length, 1);
  const { id } = (await keys.read(hash)).current!;
  const more = await Promise.all(
    Array.from({ length: 40 }, () => keys.replace({ hash, reader, id })),
  );
  assertEquals(more.filter(({ ok }) => ok).length, 1);
  const { current, past } = await keys.read(hash);
  assertEquals([current !== null, past.length], [true, 1]);
  assertEquals((await site.kinds(hash)).length, 4);
  assertEquals((await site.notices()).length, 1);
});

Deno.test("a key that is revoked while it is being replaced stays revoked", async () => {
  await using site = await setUp();
  const { hash, keys, kv } = site;
  const { services } = site.site;
  await issue(site);
  const { id } = (await keys.read(hash)).current!;
  // The notice is added after the keys were read and before the commit.
  const notices = {
    add: async () => {
      await keys.revoke({ hash, reader: READER, id });
      return [];
    },
  };
  const racing = createRecordKeys({ ...services, kv, notices });
  const result = await racing.replace({ hash, reader: READER, id });
  assertEquals(result.ok ? null : result.error, "conflict");
  const { current, past } = await keys.read(hash);
  assertEquals([current, past.map(({ replaced_at }) => replaced_at)], [null, [null]]);
});

Deno.test("a record gets 10 keys per day, and its 50 latest keys are remembered", async () => {
  await using site = await setUp();
  const { hash, keys, clock } = site;
  const first = await issue(site);
  for (let i = 1; i < KEYS_PER_DAY; i++) {
    clock.now += MINUTE_MS;
    await replace(site);
  }
  const { current } = await keys.read(hash);
  const result = await keys.replace({ hash, reader: READER, id: current!.id });
  assertEquals(result.ok ? null : result.error, "rate_limited");
  assertEquals((await keys.state(first)).state, "replaced");
  for (let i = KEYS_PER_DAY; i <= 51; i++) {
    clock.now += DAY_MS;
    await replace(site);
  }
  assertEquals((await keys.state(first)).state, "unknown");
  assertEquals((await keys.read(hash)).past.length, 50);
  assertEquals(await site.count("record_keys"), 51);
  assertEquals(await site.count("record_keys_by_contact"), 51);
});

Deno.test("after moveKeys, the cards of a corrected record lead to its new record", async () => {
  await using site = await setUp();
  const { hash, keys, kv, clock } = site;
  const first = await issue(site);
  const second = await replace(site);
  const { hash: to } = await site.anotherHolder();
  await moveKeys(kv, hash, to, clock.now);
  await moveKeys(kv, hash, to, clock.now); // again, as after a crash
  assertEquals(await keys.state(second), { state: "current", hash: to, card_hash: hash });
  assertEquals((await keys.state(first)).state, "replaced");
  assertEquals(await keys.read(hash), { current: null, past: [] });
  assertEquals((await keys.read(to)).past.length, 1);
});

Deno.test("moveKeys keeps the new record's own key current", async () => {
  await using site = await setUp();
  const { hash, keys, kv, clock } = site;
  const moved = await issue(site);
  const other = await site.anotherHolder();
  const own = await issue({ ...site, ...other });
  await moveKeys(kv, hash, other.hash, clock.now);
  assertEquals(await keys.state(own), { state: "current", hash: other.hash });
  assertEquals((await keys.state(moved)).state, "replaced");
});

Deno.test("the tables of records delete every row of a record's keys, and no other", async () => {
  await using site = await setUp();
  const { hash, keys, kv } = site;
  const key = await issue(site);
  await replace(site);
  const other = await site.anotherHolder();
  const kept = await issue({ ...site, ...other });
  for (const table of recordTables) await table.deleteOf(kv, hash);
  assertEquals(await keys.state(key), { state: "unknown" });
  assertEquals((await keys.state(kept)).state, "current");
  for (const { key } of await site.entries()) {
    assert(!key.includes("record_key") || !key.includes(hash), key);
  }
  assertEquals(await site.count("record_keys"), 1);
});
