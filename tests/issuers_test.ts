import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createPdf, readPdf, textOf } from "../lib/features/documents/testing/pdfs.ts";
import { statusOf } from "./contact_site.ts";
import { documentFixture } from "./document_site.ts";

const PHRASE = "Issued by Harbour College · registered with Attest Systems";

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

async function issuersFixture() {
  const fixture = await documentFixture({}, { issuePdf: undefined });
  const { origin } = new URL(fixture.site.services.surfaces.url("commercial-console", "/")!);
  const post = (path: string, body: BodyInit) =>
    fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  const page = async (path: string) => await (await fixture.asAdministrator(path)).text();
  return {
    ...fixture,
    page,
    change: (id: string, fields: Record<string, string>) =>
      post(`/console/issuers/${id}/settings`, new URLSearchParams(fields)),
    addIssuer: (name: string) => post("/console/issuers", new URLSearchParams({ name })),
    /** Adds a PDF with the console's form. A record has each file once. */
    async upload(issuer: string, pages: object[] = [{}, {}]): Promise<Response> {
      const form = new FormData();
      for (const [name, value] of Object.entries({ title: "Diploma", type: "Diploma", issuer })) {
        form.set(name, value);
      }
      const pdf = await (await createPdf(pages)).save();
      form.set("file", new File([new Uint8Array(pdf)], "diploma.pdf"));
      return await post(`/console/records/${fixture.hash}/documents`, form);
    },
  };
}

Deno.test("an administrator adds an issuer and chooses it for a document, which names both organisations", async () => {
  await using fixture = await issuersFixture();
  const { documents, kv } = fixture.site.services;
  const { hash, cookie } = fixture;
  const added = await fixture.addIssuer(" Harbour  College ");
  const location = added.headers.get("location")!;
  assertStringIncludes(wordsOf(await fixture.page(location)), "Harbour College is added.");
  const form = await fixture.page(`/console/records/${hash}`);
  const id = /<option +value="([\w-]+)"[^>]*>Harbour College<\/option>/.exec(form)![1];
  assertEquals([added.status, location.split("?")[0]], [303, `/console/issuers/${id}/settings`]);
  assertMatch(form, /<option +value="commercial"[^>]*>Attest Systems<\/option>/);

  assertEquals(await statusOf(fixture.upload(id)), 303);
  const [document] = await documents.list(hash);
  assertEquals(document.issuer, { id, name: "Harbour College" });
  const lockScreen = wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  assertStringIncludes(lockScreen, PHRASE);
  assertStringIncludes(lockScreen, "Attest Systems has registered this document.");
  assertFalse(lockScreen.includes("Harbour College has registered"));
  const [{ original, issued }] = document.versions;
  const path = `/check?sha256=${original.sha256}`;
  await documents.edit(document.id, { guessable: false }, "admin@example.org");
  const checked = wordsOf(await (await fixture.fetch(path)).text());
  assertStringIncludes(checked, PHRASE);
  assertStringIncludes(checked, "version 1, which Attest Systems registered on");
  const json = await fixture.fetch(path, { headers: { accept: "application/json" } });
  const [{ issuer, registrar }] = (await json.json()).matches;
  assertEquals([issuer, registrar], ["Harbour College", "Attest Systems"]);
  assertStringIncludes(
    wordsOf(await (await fixture.fetch("/my-record", { cookie })).text()),
    PHRASE,
  );

  const bytes = new Uint8Array(await new Response(documents.open(issued!)).arrayBuffer());
  const pages = (await readPdf(bytes)).map(textOf);
  assertEquals(pages.length, 3);
  for (const text of pages) {
    assertStringIncludes(text, "Harbour College");
    assertMatch(text, /[Rr]egistered with Attest Systems/);
  }
  assertStringIncludes(pages[2], PHRASE);

  const audit = await Array.fromAsync(
    kv.list<{ action: string; object: object }>({ prefix: ["audit"] }),
  );
  const entry = audit.find(({ value }) => value.action === "issuer_added")!.value;
  assertEquals(entry.object, { issuer: id });
  const log = await fixture.page("/console/audit");
  assertStringIncludes(log, "Added an issuer");
  assertStringIncludes(log, `href="/console/issuers/${id}">Harbour College<`);
});

Deno.test("a document for which no issuer is chosen names the own organisation once", async () => {
  await using fixture = await issuersFixture();
  assertEquals(await statusOf(fixture.upload("")), 303);
  const [document] = await fixture.site.services.documents.list(fixture.hash);
  assertEquals(document.issuer, { id: "commercial", name: "Attest Systems" });
  const html = wordsOf(await (await fixture.fetch(`/d/${document.id}`)).text());
  assertStringIncludes(html, "Issued and registered by Attest Systems");
  const { issued } = document.versions[0];
  const { documents } = fixture.site.services;
  const bytes = new Uint8Array(await new Response(documents.open(issued!)).arrayBuffer());
  for (const page of await readPdf(bytes)) assertFalse(textOf(page).includes("egistered with"));
});

Deno.test("the list says when documents last named an issuer, the own organisation too", async () => {
  await using fixture = await issuersFixture();
  await statusOf(fixture.addIssuer("Harbour College"));
  const [, harbour] = await fixture.site.services.issuers.list("commercial");
  const uses = async () =>
    [...wordsOf(await fixture.page("/console/issuers")).matchAll(/, (not|last) used (yet|on)/g)]
      .map(([, word]) => word);
  assertEquals(await uses(), ["not", "not"]);
  assertEquals(await statusOf(fixture.upload("")), 303);
  assertEquals(await uses(), ["last", "not"]);
  assertStringIncludes(wordsOf(await fixture.page("/console/issuers/commercial")), "Last used on");
  assertEquals(await statusOf(fixture.upload(harbour.id, [{}])), 303);
  assertEquals(await uses(), ["last", "last"]);
});

Deno.test("an issuer needs a name of its own, and documents only accept known issuers", async () => {
  await using fixture = await issuersFixture();
  const { issuers } = fixture.site.services;
  const refuse = async (name: string, problem: string) => {
    const response = await fixture.addIssuer(name);
    const html = await response.text();
    assertEquals(response.status, 400);
    assertStringIncludes(html, problem);
  };
  await refuse(" ", "Enter the name of the organisation.");
  await refuse("x".repeat(121), "at most 120 characters");
  await refuse("attest systems", "This is your own organisation");
  await refuse("Attest Sys\u200dtems", "This is your own organisation");
  const names = ["Harbour College", "HARBOUR COLLEGE", "Harbour  College"];
  const statuses = await Promise.all(names.map((name) => statusOf(fixture.addIssuer(name))));
  assertEquals(statuses.toSorted(), [303, 400, 400]);
  await refuse("harbour college", "There is already an issuer with this name.");
  await refuse("Harbour Col\u00adlege\ufe0f", "There is already an issuer with this name.");
  assertEquals((await issuers.list("commercial")).length, 2); // with the own organisation
  assertEquals(await fixture.count("issuers"), 1);

  const foreign = await issuers.add({ organisation: "foundation", name: "Elsewhere", by: "x@y.z" });
  for (const id of ["nothing", foreign.ok ? foreign.issuer.id : ""]) {
    const response = await fixture.upload(id);
    assertEquals(response.status, 400);
    assertStringIncludes(await response.text(), "Choose an issuer from the list.");
  }
  assertEquals(await fixture.site.services.documents.list(fixture.hash), []);
  assertEquals(await fixture.count("document_uploads"), 0);
});

Deno.test("an issuer is renamed, its documents keep its name, and only an unused one is removed", async () => {
  await using fixture = await issuersFixture();
  const { site: { services: { issuers, documents, audit } }, change, addIssuer } = fixture;
  for (const name of ["Harbour College", "Quay School"]) await statusOf(addIssuer(name));
  const [, harbour, quay] = await issuers.list("commercial");
  assertEquals(await statusOf(fixture.upload(harbour.id)), 303);
  const listed = async () => (await issuers.list("commercial")).map(({ name }) => name);

  const rename = (id: string, name: string) => change(id, { act: "rename", name });
  const taken = await rename(harbour.id, "QUAY school");
  assertEquals(taken.status, 400);
  assertStringIncludes(await taken.text(), "There is already an issuer with this name.");
  const renamed = await rename(harbour.id, "Harbour University");
  assertStringIncludes(
    wordsOf(await fixture.page(renamed.headers.get("location")!)),
    "The issuer is now called Harbour University.",
  );
  assertEquals(await statusOf(rename(harbour.id, "HARBOUR University")), 303); // its own name
  assertEquals(await listed(), ["Attest Systems", "HARBOUR University", "Quay School"]);
  assertEquals(await fixture.count("issuers_by_name"), 2);
  const [document] = await documents.list(fixture.hash);
  assertEquals(document.issuer.name, "Harbour College");
  await statusOf(addIssuer("Harbour College")); // free again

  const remove = (id: string) => change(id, { act: "remove" });
  const used = await remove(harbour.id);
  assertEquals(used.status, 409);
  assertStringIncludes(await used.text(), "A document names this issuer");
  const removed = await remove(quay.id);
  assertStringIncludes(
    await fixture.page(removed.headers.get("location")!),
    "The issuer is removed.",
  );
  assertEquals(await statusOf(remove(quay.id)), 404);
  assertEquals(await listed(), ["Attest Systems", "Harbour College", "HARBOUR University"]);
  const details = await Array.fromAsync(
    audit.all("commercial", {}),
    ({ action, detail }) => /^issuer_re/.test(action) ? detail : null,
  );
  assertEquals(details.filter((detail) => detail !== null).length, 3);
  assertEquals(details.includes("Harbour College → Harbour University"), true);
});

Deno.test("a document and the removal of its issuer at the same time leave no document of a removed issuer", async () => {
  await using fixture = await issuersFixture();
  const { issuers, documents } = fixture.site.services;
  for (let i = 0; i < 5; i++) {
    await statusOf(fixture.addIssuer(`School ${i}`));
    const { id } = (await issuers.list("commercial")).at(-1)!;
    await Promise.all([
      statusOf(fixture.upload(id)),
      statusOf(fixture.change(id, { act: "remove" })),
    ]);
    const known = await issuers.read("commercial", id) !== null;
    const named = (await documents.list(fixture.hash)).some(({ issuer }) => issuer?.id === id);
    assertEquals(known, named);
  }
});
