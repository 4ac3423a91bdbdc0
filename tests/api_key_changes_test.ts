import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { type ApiKeyRow, MAX_KEYS, type UsedKey } from "../lib/features/issuers/mod.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { Failure } from "../lib/base/result.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { tempKv, valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../lib/base/time.ts";
import { addIssuer, BY, type KeyFixture, keyFixture, keyForm } from "./key_site.ts";
import { createSite } from "./site.ts";

const statusOf = async (fixture: Pick<KeyFixture, "outcome">, key: string) =>
  (await fixture.outcome(key))[0];

const errorOf = (result: { ok: true } | Failure) => result.ok ? null : result.error;
const messageOf = (result: { ok: true } | Failure) => result.ok ? "" : String(result.message);

const rowOf = async ({ site, issuer }: KeyFixture, id: string): Promise<UsedKey> =>
  (await site.services.issuerKeys.list(issuer.id)).find((row) => row.id === id)!;

Deno.test("a revoked key is refused at once by every process", async () => {
  await using store = await tempKv();
  await using fixture = await keyFixture({}, { kv: await openKv(store.path) });
  await using other = await createSite({}, { kv: await openKv(store.path) });
  const { key, row } = await fixture.create();
  const statuses = async () => [
    await statusOf(fixture, key),
    (await fixture.outcome(key, { on: other }))[0],
  ];
  assertEquals(await statuses(), [200, 200]);
  const change = { issuer: fixture.issuer.id, key: row.id, by: BY };
  const { issuerKeys } = fixture.site.services;
  assert((await issuerKeys.revoke(change)).ok);
  assertEquals(await statuses(), [401, 401]);
  assertEquals(errorOf(await issuerKeys.revoke(change)), "conflict");
});

Deno.test("a use that is stored after a revocation does not undo it", async () => {
  const kv = await openKv(":memory:");
  const atomic = kv.atomic.bind(kv);
  let held: Promise<void> | undefined;
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = async () => {
      const before = held;
      held = undefined;
      await before;
      return await commit();
    };
    return operation;
  };
  await using fixture = await keyFixture({}, { kv });
  const { issuer, site: { services: { issuerKeys } } } = fixture;
  const { key, row } = await fixture.create();
  const { promise, resolve } = Promise.withResolvers<void>();
  held = promise;
  assertEquals(await statusOf(fixture, key), 200);
  assertEquals(held, undefined, "the use is being stored");
  assert((await issuerKeys.revoke({ issuer: issuer.id, key: row.id, by: BY })).ok);
  resolve();
  await issuerKeys.settled();
  assertEquals(await statusOf(fixture, key), 401);
});

Deno.test("the last use of a key is stored at most once a minute", async () => {
  await using fixture = await keyFixture();
  const { clock, site: { services: { issuerKeys } } } = fixture;
  const { key, row } = await fixture.create();
  const lastUse = async () => {
    await Promise.all([1, 2, 3].map(() => statusOf(fixture, key)));
    await issuerKeys.settled();
    return (await rowOf(fixture, row.id)).last_used_at;
  };
  const first = new Date(clock.now).toISOString();
  assertEquals(await lastUse(), first);
  clock.now += MINUTE_MS - 1;
  assertEquals(await lastUse(), first);
  clock.now += 1;
  assertEquals(await lastUse(), new Date(clock.now).toISOString());
});

Deno.test("while the store is read-only, keys work and no use is stored", async () => {
  await using store = await tempKv();
  let key = "";
  {
    await using fixture = await keyFixture({}, { kv: await openKv(store.path) });
    key = await fixture.key();
  }
  const lines: string[] = [];
  await using site = await createSite({ READ_ONLY: "1" }, {
    kv: await openKv(store.path),
    print: (line) => lines.push(line),
  });
  const url = site.services.surfaces.url("api", "/api/documents/issuer")!;
  const headers = { host: new URL(url).host, authorization: `Bearer ${key}` };
  const response = await site.handler(new Request(url, { headers }));
  await response.body?.cancel();
  await site.services.issuerKeys.settled();
  assertEquals(response.status, 200);
  assertEquals(await valuesOf(site.services.kv, "api_key_uses"), []);
  assertFalse(lines.join().includes("key_use_not_stored"));
});

Deno.test("a replaced key works until the overlap is over, and its successor has the same rights", async () => {
  await using fixture = await keyFixture();
  const { clock, issuer, site: { services: { issuerKeys } } } = fixture;
  const old = await fixture.create({ mode: "test", name: "CRM", lifetime_days: 90 });
  clock.now += 80 * DAY_MS;
  const change = { issuer: issuer.id, key: old.row.id, by: BY };
  const next = unwrap(await issuerKeys.rotate({ ...change, overlap_hours: 24 }));
  const { row } = next;
  assertEquals([row.mode, row.name, row.scopes], ["test", "CRM", old.row.scopes]);
  assertEquals(row.expires_at, new Date(clock.now + 90 * DAY_MS).toISOString());
  assertEquals(errorOf(await issuerKeys.rotate({ ...change, overlap_hours: 168 })), "conflict");
  const both = async () => [await statusOf(fixture, old.key), await statusOf(fixture, next.key)];
  clock.now += 24 * HOUR_MS - 1;
  assertEquals(await both(), [200, 200]);
  clock.now += 1;
  assertEquals(await both(), [401, 200]);

  // The overlap does not extend the life of a key that expires earlier.
  clock.now += 88 * DAY_MS;
  const last = unwrap(await issuerKeys.rotate({ ...change, key: row.id, overlap_hours: 168 }));
  assertEquals((await rowOf(fixture, row.id)).expires_at, row.expires_at);
  const replaced = unwrap(
    await issuerKeys.rotate({ ...change, key: last.row.id, overlap_hours: 0 }),
  );
  assertEquals(await statusOf(fixture, last.key), 401);
  assertEquals(await statusOf(fixture, replaced.key), 200);
  // A key that was replaced at once counts as revoked. One that has expired can still be revoked.
  assertEquals(
    errorOf(await issuerKeys.revoke({ ...change, key: last.row.id })),
    "conflict",
  );
  assert((await issuerKeys.revoke({ ...change, key: old.row.id })).ok);
  assert((await rowOf(fixture, old.row.id)).revoked_at !== null);
});

Deno.test("an issuer has at most 20 keys that work, even if they are created at the same time", async () => {
  await using fixture = await keyFixture();
  const { clock, issuer, site: { services: { issuerKeys } } } = fixture;
  const change = { issuer: issuer.id, by: BY };
  const first = await fixture.create({ lifetime_days: 1 });
  clock.now += SECOND_MS;
  const created = await Promise.all(
    Array.from({ length: MAX_KEYS + 3 }, () => issuerKeys.create({ ...change, ...keyForm() })),
  );
  assertEquals(created.filter(({ ok }) => ok).length, MAX_KEYS - 1);
  const refused = await issuerKeys.rotate({ ...change, key: first.row.id, overlap_hours: 1 });
  assertStringIncludes(messageOf(refused), "let the old key stop at once");
  assert((await issuerKeys.rotate({ ...change, key: first.row.id, overlap_hours: 0 })).ok);
  clock.now += 1;
  assertFalse((await issuerKeys.create({ ...change, ...keyForm() })).ok);
  const rows = await issuerKeys.list(issuer.id);
  const { id } = rows.find(({ expires_at }) => expires_at === null)!;
  assert((await issuerKeys.revoke({ ...change, key: id })).ok);
  assert((await issuerKeys.create({ ...change, ...keyForm() })).ok);
});

Deno.test("a form that is sent twice creates one key", async () => {
  await using fixture = await keyFixture();
  const { issuerKeys } = fixture.site.services;
  const form = { issuer: fixture.issuer.id, by: BY, ...keyForm() };
  const results = await Promise.all([1, 2, 3].map(() => issuerKeys.create(form)));
  assertEquals(results.filter(({ ok }) => ok).length, 1);
  const refused = results.find(({ ok }) => !ok)!;
  assertStringIncludes(messageOf(refused), "was already sent");
  assertEquals((await issuerKeys.list(fixture.issuer.id)).length, 1);
});

Deno.test("only the commercial organisation's issuers have keys, and each changes only its own", async () => {
  await using fixture = await keyFixture();
  const { issuers, issuerKeys } = fixture.site.services;
  const other = await addIssuer(fixture.site, "Inland College");
  const { key, row } = await fixture.create();
  const foreign = unwrap(
    await issuers.add({ organisation: "foundation", name: "Steward", by: BY }),
  );
  for (const issuer of [foreign.issuer.id, "foundation", "nothing"]) {
    const created = await issuerKeys.create({ issuer, by: BY, ...keyForm() });
    assertEquals(errorOf(created), "not_found", issuer);
  }
  for (const issuer of [other.issuer.id, foreign.issuer.id]) {
    const change = { issuer, by: BY, key: row.id };
    const results = [
      await issuerKeys.revoke(change),
      await issuerKeys.rotate({ ...change, overlap_hours: 0 }),
    ];
    for (const result of results) assertEquals(errorOf(result), "not_found");
    assertEquals(await issuerKeys.list(issuer), []);
  }
  assertEquals(await statusOf(fixture, key), 200);
  // The organisation itself is an issuer, too, of which nothing need be stored.
  const own = unwrap(await issuerKeys.create({ issuer: "commercial", by: BY, ...keyForm() }));
  assertEquals((await (await fixture.call(own.key)).json()).name, "Attest Systems");
});

Deno.test("changes of keys are in the audit log and mailed to the contact, and nothing stored has a key", async () => {
  await using fixture = await keyFixture();
  const { clock, issuer, site: { services: { issuerKeys, kv, mailer, devOutbox } } } = fixture;
  const silent = await fixture.create();
  clock.now += SECOND_MS;
  const place = ["issuers", "commercial", issuer.id];
  await kv.set(place, {
    ...(await kv.get<object>(place)).value,
    contact: "registrar@harbour.example",
  });
  const { key, row } = await fixture.create({ mode: "test", name: "CRM" });
  const change = { issuer: issuer.id, by: BY, key: row.id };
  clock.now += SECOND_MS;
  const next = unwrap(await issuerKeys.rotate({ ...change, overlap_hours: 24 }));
  clock.now += SECOND_MS;
  assert((await issuerKeys.revoke({ ...change, key: next.row.id })).ok);
  await mailer.flush();
  const mails = devOutbox!.list().toReversed();
  assertEquals(
    mails.map(({ to, subject }) => [to, subject]),
    ["created", "replaced", "revoked"].map((what) => [
      "registrar@harbour.example",
      `An API key of Harbour College was ${what}`,
    ]),
  );
  const [created, replaced, revoked] = mails.map(({ text }) => text);
  assertStringIncludes(created, `CRM (gh_test_…${row.last4})`);
  assertStringIncludes(replaced, `CRM (gh_test_…${row.last4})`);
  assertStringIncludes(replaced, "2 Mar 2026");
  assertStringIncludes(revoked, `CRM (gh_test_…${next.row.last4})`);
  for (const text of [created, replaced, revoked]) assertFalse(text.includes(BY));

  const entries =
    (await valuesOf<{ at: string; by: string; action: string; object: object; detail: string }>(
      kv,
      "audit",
    ))
      .filter(({ action }) => action.startsWith("api_key"));
  assertEquals(
    entries.map(({ by, action, object, detail }) => ({ by, action, object, detail })),
    [
      { action: "api_key_created", detail: `gh_live_…${silent.row.last4}` },
      { action: "api_key_created", detail: `gh_test_…${row.last4}` },
      { action: "api_key_replaced", detail: `gh_test_…${row.last4}` },
      { action: "api_key_revoked", detail: `gh_test_…${next.row.last4}` },
    ].map((entry) => ({ by: BY, object: { issuer: issuer.id }, ...entry })),
  );
  for await (const entry of kv.list({ prefix: [] })) {
    const text = JSON.stringify([entry.key, entry.value]);
    for (const secret of [silent.key, key, next.key]) assertFalse(text.includes(secret), text);
  }
});

Deno.test("keys that ended 90 days ago are removed, and those of an issuer with it", async () => {
  await using fixture = await keyFixture();
  const { clock, issuer, site: { services: { issuers, issuerKeys, jobs, kv } } } = fixture;
  const expiring = await fixture.create({ lifetime_days: 30 });
  const revoked = await fixture.create();
  const kept = await fixture.create();
  await issuerKeys.revoke({ issuer: issuer.id, key: revoked.row.id, by: BY });
  const left = async () => {
    await jobs.run("due-nightly");
    return (await issuerKeys.list(issuer.id)).map(({ id }) => id).toSorted();
  };
  const ids = (...created: { row: ApiKeyRow }[]) => created.map(({ row }) => row.id).toSorted();
  clock.now += 90 * DAY_MS;
  assertEquals(await left(), ids(expiring, revoked, kept));
  clock.now += 1;
  assertEquals(await left(), ids(expiring, kept));
  clock.now += 30 * DAY_MS;
  assertEquals(await left(), ids(kept));
  assertEquals(await statusOf(fixture, kept.key), 200);
  await issuerKeys.settled();
  assert((await issuers.remove({ organisation: "commercial", id: issuer.id, by: BY })).ok);
  assertEquals(await statusOf(fixture, kept.key), 401);
  for (const prefix of ["api_keys", "api_keys_by_issuer", "api_key_uses"]) {
    assertEquals(await valuesOf(kv, prefix), []);
  }
});

Deno.test("a use of a key whose issuer is removed at the same time is not stored", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using fixture = await keyFixture({}, { kv });
  const { issuer, site: { services: { issuers, issuerKeys } } } = fixture;
  const { key } = await fixture.create({ mode: "test" }); // its networks are not stored
  let removed = false;
  kv.meanwhile("api_key_uses", async () => {
    ({ ok: removed } = await issuers.remove({ organisation: "commercial", id: issuer.id, by: BY }));
  });
  await statusOf(fixture, key);
  await issuerKeys.settled();
  assert(removed);
  assertEquals(await valuesOf(kv, "api_key_uses"), []);
});
