import { assertEquals } from "@std/assert";
import { createIssuers } from "../issuers/issuers.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { raceKv } from "../../platform/kv/testing/race_kv.ts";
import { alsoRegistered } from "./also_registered.ts";
import { createRegistrants, saveDocument } from "./registrants.ts";
import { BY, documentsFixture } from "./testing/fixture.ts";

const NAMES = { foundation: { name: "Foundation" }, commercial: { name: "Commercial" } };

/** A store with two issuers, in which something can happen before a commit. */
async function setUp() {
  const kv = raceKv(limitKv(await openKv(":memory:")));
  const fixture = await documentsFixture({ kv });
  const issuers = createIssuers({ kv, clock: () => fixture.clock.now, organisations: NAMES });
  const ids: string[] = [];
  for (const name of ["Harbour College", "Beta College"]) {
    const added = await issuers.add({ organisation: "commercial", name, by: BY });
    if (!added.ok) throw new Error(added.error);
    ids.push(added.issuer.id);
  }
  return {
    ...fixture,
    kv,
    ids,
    add: (issuer: string, guessable = false) => fixture.add("The same", { issuer, guessable }),
    /** The documents whose issuers must learn of another one, those that were first before the others. */
    notices: async () => {
      const all = await Array.fromAsync(alsoRegistered.list(kv, []), ({ value }) => value);
      return all.toSorted((a, b) => Number(b.first) - Number(a.first))
        .map(({ document, other }) => [document, other]);
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

Deno.test("of two issuers that register a file at the same time, both are notified, and one if the other hides it", async () => {
  for (const hidden of [false, true]) {
    using store = await setUp();
    const { kv, ids: [first, other], add, notices } = store;
    let meanwhile = "";
    kv.meanwhile("registrants", async () => {
      meanwhile = (await add(first, hidden)).id;
    });
    const { id } = await add(other);
    assertEquals(await notices(), hidden ? [[meanwhile, id]] : [[meanwhile, id], [id, meanwhile]]);
  }
});

Deno.test("an issuer with the first hidden document finds the next one when its own becomes public", async () => {
  using store = await setUp();
  const { ids: [first, other], add, notices, documents } = store;
  const { id } = await add(first, true);
  store.clock.now++;
  const { id: next } = await add(other, true);
  assertEquals(await notices(), []);
  await documents.edit(id, { guessable: false }, BY);
  assertEquals(await notices(), [[next, id]]);
});

Deno.test("a registration whose look-up is repeated adds one notice for each issuer", async () => {
  using store = await setUp();
  const { kv, ids: [first, other], add, notices } = store;
  const { id } = await add(first);
  // The process dies before the hashes are settled, and two others then do it.
  const document = await add(other, true);
  const commit = kv.atomic();
  const changed = { ...document, guessable: false };
  const unsettled = saveDocument(commit, changed, { before: document, now: store.clock.now });
  await commit.commit();
  const { settle } = createRegistrants({ kv, log: () => {} });
  kv.meanwhile("registrants", () => settle(unsettled));
  await settle(unsettled);
  await settle(unsettled);
  assertEquals(await notices(), [[id, document.id], [document.id, id]]);
});

Deno.test("a commit that settles a public hash checks at most seven rows, whatever was registered", async () => {
  using store = await setUp();
  const { kv, ids: [first, other], add } = store;
  await add(first);
  await add(first, true);
  const document = await add(other, true);
  const checks = await kv.checksOf(async () => {
    await add(other);
    await store.documents.edit(document.id, { guessable: false }, BY);
  });
  const most = Math.max(...checks.map((tables) => tables.split(" ").length));
  assertEquals(most <= 7, true, checks.join("\n"));
});
