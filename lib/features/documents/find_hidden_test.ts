import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { createIssuers } from "../issuers/issuers.ts";
import { BY, documentsFixture } from "./testing/fixture.ts";

const NAMES = { foundation: { name: "Foundation" }, commercial: { name: "Commercial" } };

Deno.test("a holder finds the document of each issuer, however often another one registers the file", async () => {
  using fixture = await documentsFixture();
  const { kv, clock, documents, records: [record] } = fixture;
  const issuers = createIssuers({ kv, clock: () => clock.now, organisations: NAMES });
  const added = await issuers.add({ organisation: "commercial", name: "Beta College", by: BY });
  if (!added.ok) throw new Error(added.error);
  const text = "A short certificate";
  const own = await fixture.add(text);
  let newest = "";
  for (let i = 0; i < 60; i++) {
    clock.now++;
    newest = (await fixture.add(text, { issuer: added.issuer.id })).id;
  }
  const hash = createHash("sha256").update(text).digest("hex");
  const found = await documents.findHidden(hash, record);
  assertEquals(found.map(({ issuer, match }) => [issuer, match?.document.id]), [
    ["commercial", own.id],
    [added.issuer.id, newest],
  ]);
  assertEquals(found[1].first, new Date(clock.now - 59).toISOString());
});
