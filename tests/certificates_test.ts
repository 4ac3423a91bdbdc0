import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PNG } from "pngjs";
import { readPdf, readTags, textOf } from "../lib/features/documents/testing/pdfs.ts";
import { issuerRows } from "../lib/features/issuers/mod.ts";
import { issuerApiFixture, RECIPIENT } from "./issuer_api_site.ts";

Deno.test("a certificate that an issuer tests has its logo and verified domain, and says TEST on each page, and has the signature of its signatory only", async () => {
  await using fixture = await issuerApiFixture({}, { issuePdf: undefined });
  const { issuer, test, site: { services } } = fixture;
  const at = { organisation: "commercial" as const, id: issuer.id, by: "admin@example.org" };
  const bytes = new Uint8Array(PNG.sync.write(new PNG({ width: 30, height: 20 })));
  const signature = { bytes, signatory: "Ruth Harbour" };
  const signed = await services.issuers.setSignature({ ...at, signature });
  assert(signed.ok);
  const changed = await services.issuers.setLogo({ ...at, bytes });
  if (!changed.ok) throw new Error(changed.error);
  const verified_at = new Date(services.clock()).toISOString();
  const commit = services.kv.atomic();
  issuerRows.set(commit, {
    ...changed.issuer,
    domain: {
      ...{ name: "harbour.example", token: "t", method: "dns", failing_since: null, warnings: 0 },
      ...{ added_at: verified_at, verified_at, checked_at: verified_at, outcome: null },
    },
  });
  await commit.commit();

  const issue = async (fields: Record<string, string>, once: string) => {
    const issued = await test("/api/documents", {
      json: {
        recipient: RECIPIENT,
        title: "Certificate III in Early Childhood",
        type: "Certificate",
        date: "2026-11-20",
        template: { name: "certificate", fields },
      },
      once,
    });
    assertEquals(issued.status, 201, await issued.clone().text());
    const { id } = await issued.json();
    const file = await test(`/api/documents/${id}/file?form=issued`);
    assertEquals(file.status, 200);
    return new Uint8Array(await file.arrayBuffer());
  };
  const tagsOf = async (signatory: string, once: string): Promise<string> => {
    const copy = await issue({ grade: "With distinction", signatory }, once);
    return (await readTags(copy))[0];
  };
  const copy = await issue({ grade: "With distinction" }, "1");
  const pages = (await readPdf(copy)).map(textOf);
  assertEquals(pages.length, 2);
  for (const page of pages) assertStringIncludes(page, " TEST ");
  assertStringIncludes(pages[0], "TEST · This certificate proves nothing");
  for (const part of ["Grace Student", "20 November 2026", "With distinction", "harbour.example"]) {
    assertStringIncludes(pages[0], part);
  }
  assertStringIncludes(pages[1], "harbour.example, verified");
  const [tags] = await readTags(copy);
  assert(tags.includes("Figure[Logo of Harbour College]"), tags);
  // Nobody else may have the signature.
  const figure = "Figure[Signature of";
  assert(!tags.includes(figure) && !(await tagsOf("Ruth Harbourne", "2")).includes(figure));
  assertStringIncludes(await tagsOf(" Ruth  Harbour", "3"), `${figure} Ruth Harbour]`);
});
