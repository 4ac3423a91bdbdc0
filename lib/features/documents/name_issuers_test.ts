import { assertEquals } from "@std/assert";
import { completeIssuers } from "../issuers/complete_rows.ts";
import { createIssuers } from "../issuers/issuers.ts";
import { nameIssuers } from "./name_issuers.ts";
import { documents } from "./store.ts";
import { documentsFixture } from "./testing/fixture.ts";

const organisations = { foundation: { name: "Foundation" }, commercial: { name: "Company" } };

Deno.test("documents and issuers of format 9 get an issuer and a state, and are listed by issuer and time", async () => {
  using fixture = await documentsFixture();
  const { kv } = fixture;
  const keysOf = async (prefix: string) =>
    (await Array.fromAsync(kv.list({ prefix: [prefix] }))).map(({ key }) => key.slice(1));
  const made = [];
  for (let i = 0; i < 23; i++) made.push(await fixture.add(`file ${i}`));
  for await (const { key } of kv.list({ prefix: ["documents_by_issuer"] })) await kv.delete(key);
  const college = { id: "c1", organisation: "commercial", name: "Harbour College" };
  const created_at = "2026-01-01T00:00:00.000Z";
  await kv.set(["issuers", "commercial", "c1"], { ...college, created_at });
  // The first one has an issuer, the others were made by the own organisation.
  for (const [i, { issuer: _, ...row }] of made.entries()) {
    const issuer = { id: "c1", name: "Harbour College" };
    await kv.set(["documents", row.id], i === 0 ? { ...row, issuer } : row);
  }
  await kv.set(["documents_by_issuer", "c1", made[0].id], null);

  for (const { step } of [completeIssuers({ kv }), nameIssuers({ kv, organisations })]) {
    for (let cursor: string | null = ""; cursor !== null;) {
      if (!("batch" in step)) throw new TypeError("no step");
      const { addToCommit, next } = await step.batch(cursor);
      const commit = kv.atomic();
      addToCommit?.(commit);
      await commit.commit();
      cursor = next;
    }
  }
  const [own, issuer] = await createIssuers({ kv, clock: Date.now, organisations })
    .list("commercial");
  assertEquals([own.name, issuer.name, issuer.state, issuer.state_at, issuer.domain], [
    "Company",
    "Harbour College",
    "active",
    created_at,
    null,
  ]);
  const rows = await documents.getMany(kv, made.map(({ id }): [string] => [id]));
  assertEquals(rows.map(({ value }) => value.issuer.name), [
    "Harbour College",
    ...Array(22).fill("Company"),
  ]);
  const expected = rows.map(({ value: { issuer: { id }, created_at, ...row } }) =>
    [id, "live", created_at, row.id].join()
  );
  const listed = (await keysOf("documents_by_issuer")).map((key) => key.join());
  assertEquals(listed.toSorted(), expected.toSorted());
});
