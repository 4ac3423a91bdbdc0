import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { createIssuers } from "../issuers/issuers.ts";
import { openKv, transact } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import {
  createRegistrants,
  MAX_REGISTRANTS,
  registrants as registrantRows,
  removeDocument,
  saveDocument,
} from "./registrants.ts";
import { documents as documentRows, type HashScope } from "./store.ts";
import {
  bodyOf,
  BY,
  type DocumentsFixture,
  documentsFixture,
  newDocument,
} from "./testing/fixture.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const NAMES = { foundation: { name: "Foundation" }, commercial: { name: "Commercial" } };
const SHOWN = { guessable: false };

/** Adds issuers, and returns their ids. */
async function addIssuers({ kv, clock }: DocumentsFixture, count: number): Promise<string[]> {
  const issuers = createIssuers({ kv, clock: () => clock.now, organisations: NAMES });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const added = await issuers.add({ organisation: "commercial", name: `College ${i}`, by: BY });
    if (!added.ok) throw new Error(added.error);
    ids.push(added.issuer.id);
  }
  return ids;
}

/** Returns the registrants and their numbers as they follow from the stored documents, and as they are stored. */
async function derivedAndStored({ kv }: DocumentsFixture) {
  const newest = new Map<string, { at: string; id: string }>();
  const counts = new Map<string, number>();
  for await (const { key } of kv.list({ prefix: ["documents_by_hash"] })) {
    const [, sha, scope, issuer, at, id] = key.map(String);
    const name = [sha, scope, issuer].join();
    if (!newest.has(name)) {
      const count = [sha, scope].join();
      counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    newest.set(name, { at, id }); // the list is in the order of the times
  }
  const rows: string[] = [];
  for await (const { value } of registrantRows.list(kv, [])) {
    for (const [scope, id] of Object.entries(value.newest)) {
      rows.push([value.sha256, scope, value.issuer, id].join());
    }
  }
  const inOrder = (await Array.fromAsync(kv.list({ prefix: ["registrants_in_order"] }))).length;
  const numbers = (await Array.fromAsync(kv.list<Deno.KvU64>({ prefix: ["registrant_counts"] })))
    .map(({ key, value }) => `${key.slice(1).join()}: ${value.value}`);
  return {
    derived: {
      rows: [...newest].map(([name, { id }]) => `${name},${id}`).sort(),
      inOrder: newest.size,
      numbers: [...counts].map(([name, count]) => `${name}: ${count}`).sort(),
      unsettled: 0,
    },
    stored: {
      rows: rows.sort(),
      inOrder,
      numbers: numbers.sort(),
      unsettled: (await Array.fromAsync(kv.list({ prefix: ["document_hashes_unsettled"] }))).length,
    },
  };
}

async function assertSettled(fixture: DocumentsFixture): Promise<void> {
  const { derived, stored } = await derivedAndStored(fixture);
  assertEquals(stored, derived);
}

Deno.test("a look-up returns one document of each of the first 15 issuers, and counts the others", async () => {
  using fixture = await documentsFixture();
  const { documents, clock } = fixture;
  const issuers = await addIssuers(fixture, 36);
  const add = async (issuer: string, details: { guessable: boolean }) => {
    clock.now += 1000;
    return await fixture.add("one", { issuer, ...details });
  };
  for (const issuer of issuers) await add(issuer, SHOWN);
  const found = await documents.findByHash(sha256("one"), "live");
  assertEquals(found.registrants.map(({ issuer }) => issuer), issuers.slice(0, MAX_REGISTRANTS));
  assertEquals(found.more, 36 - MAX_REGISTRANTS);

  // The last one keeps its place, and the first one its own, whatever they add.
  const [first, last] = [await add(issuers[0], SHOWN), await add(issuers[35], SHOWN)];
  await add(issuers[0], { guessable: true });
  const again = await documents.findByHash(sha256("one"), "live");
  assertEquals(again.registrants.map(({ issuer }) => issuer), issuers.slice(0, MAX_REGISTRANTS));
  assertEquals(again.registrants[0].first, found.registrants[0].first);
  assertEquals(again.registrants[0].match?.document.id, first.id);
  assertEquals(again.more, 36 - MAX_REGISTRANTS);
  const own = { sha256: sha256("one"), scope: "live", issuer: issuers[35] } as const;
  assertEquals((await documents.findByIssuer(own, 1))[0].document.id, last.id);
  await assertSettled(fixture);
});

Deno.test("an issuer keeps its public place while it has a public document with the bytes, and a hidden one takes none", async () => {
  using fixture = await documentsFixture();
  const { documents, clock } = fixture;
  const [one, two] = await addIssuers(fixture, 2);
  const add = async (issuer: string, record = fixture.records[0]) => {
    clock.now += 1000;
    return await fixture.add("one", { issuer, record, ...SHOWN });
  };
  const order = async (scope: HashScope = "live") =>
    (await documents.findByHash(sha256("one"), scope)).registrants.map(({ issuer }) => issuer);
  const edit = (id: string, guessable: boolean) => documents.edit(id, { guessable }, BY);
  const first = await add(one, fixture.records[1]);
  await add(two);
  assertEquals(await order(), [one, two]);
  await edit(first.id, true);
  assertEquals([await order(), await order("hidden")], [[two], [one]]);
  fixture.clock.now += 1000;
  await edit(first.id, false);
  assertEquals([await order(), await order("hidden")], [[two, one], []], "it counts from now");
  // A new version of a kind that can be guessed hides all of them.
  await documents.addVersion(first.id, { file_name: "a.txt", by: BY }, bodyOf("other"));
  await edit(first.id, true);
  await add(one);
  assertEquals(await order(), [two, one]);
  await documents.recordData.deleteOf!(fixture.records[1]);
  assertEquals(await order(), [two, one]);
  await documents.recordData.deleteOf!(fixture.records[0]);
  assertEquals(await order(), []);
  assertEquals(await fixture.keys(), []);
});

Deno.test("a document with 100 hashes is hidden, shown and removed within the limits of a commit", async () => {
  const kv = raceKv(limitKv(await openKv(":memory:")));
  using fixture = await documentsFixture({
    kv,
    issuePdf: (original) => {
      const bytes = new Uint8Array([...original, ...crypto.getRandomValues(new Uint8Array(8))]);
      return Promise.resolve({ ok: true, bytes, pages: 1 });
    },
  });
  const { documents, records: [record] } = fixture;
  const { id } = await fixture.add("%PDF-1.7 0", SHOWN);
  const version = { file_name: "a.pdf", by: BY, guessable: false };
  for (let i = 1; i < 50; i++) {
    const result = await documents.addVersion(id, version, bodyOf(`%PDF-1.7 ${i}`));
    if (!result.ok) throw new Error(result.message);
  }
  const steps = [
    () => documents.edit(id, { guessable: true }, BY),
    () => documents.edit(id, { guessable: false }, BY),
    () => documents.recordData.deleteOf!(record),
  ];
  for (const step of steps) {
    const checks = await kv.checksOf(step);
    assertEquals(checks.filter((each) => each.split(" ").length > 6), []);
    await assertSettled(fixture);
  }
  assertEquals(await fixture.count("registrants"), 0);
});

Deno.test("the job settles the hashes of documents whose process died after the commit", async () => {
  using fixture = await documentsFixture();
  const { kv, documents } = fixture;
  const document = await fixture.add("one", SHOWN);
  const { value: [other] } = await transact(async () => {
    const commit = kv.atomic();
    const other = {
      ...document,
      id: "1".padStart(16, "0"),
      created_at: "2026-03-01T11:00:00.000Z",
    };
    const [version] = document.versions;
    other.versions = [{ ...version, at: other.created_at }];
    saveDocument(commit, other, null);
    return await Promise.resolve({ result: { value: [other] }, commit });
  });
  const found = async () =>
    (await documents.findByHash(sha256("one"), "live")).registrants.map(({ match }) =>
      match?.document.id
    );
  assertEquals(await found(), [document.id]);
  const { job } = createRegistrants({ kv, log: () => {} });
  const run = () =>
    job.run({ cursor: null, signal: AbortSignal.any([]), save: () => Promise.resolve() });
  assertEquals(await run(), "1 settled");
  assertEquals(await found(), [other.id]);
  await assertSettled(fixture);

  const commit = kv.atomic();
  removeDocument(commit, other, fixture.clock.now);
  await commit.commit();
  assertEquals(await found(), [undefined], "a document that was removed is not reported");
  assertEquals(await run(), "1 settled");
  assertEquals(await found(), [document.id]);
  assertEquals(await run(), "0 settled");
  await assertSettled(fixture);
});

Deno.test("the registrants are exact after changes of several issuers at the same time", async () => {
  using fixture = await documentsFixture();
  const { kv, documents, records } = fixture;
  const issuers = await addIssuers(fixture, 3);
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 12 }, async (_, i) => {
      const details = { issuer: issuers[i % 3], guessable: i % 4 === 0 };
      const about = { ...newDocument(records[i % 2]), ...details };
      const added = await documents.add(about, bodyOf("one"));
      if (!added.ok) throw new Error(added.error);
      const { id } = added.document;
      if (i % 3 === 0) await documents.edit(id, { guessable: i % 4 !== 0 }, BY);
      if (i % 3 === 1) await documents.addVersion(id, { file_name: "a", by: BY }, bodyOf("two"));
      if (i % 5 === 0) await documents.remove(id);
    }));
    await assertSettled(fixture);
    await documents.recordData.deleteOf!(records[round % 2]);
    await assertSettled(fixture);
  }
  assertEquals((await Array.fromAsync(documentRows.list(kv, []))).length > 0, true);
});

Deno.test("a document that is removed while its hash is being settled leaves nothing", async () => {
  const kv = raceKv(limitKv(await openKv(":memory:")));
  using fixture = await documentsFixture({ kv });
  const { documents, records: [record] } = fixture;
  kv.meanwhile("registrants", () => documents.recordData.deleteOf!(record));
  await fixture.add("one", SHOWN);
  assertEquals(await fixture.keys(), []);
});
