import { assertEquals, assertStringIncludes } from "@std/assert";
import { unwrap } from "../lib/platform/http/errors.ts";
import { documentFixture } from "./document_site.ts";

const wordsOf = (html: string) =>
  html.replaceAll(/<script.*?<\/script>/gs, "").replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function consoleFixture() {
  const fixture = await documentFixture();
  const { issuers, surfaces, jobs, audit } = fixture.site.services;
  const about = { organisation: "commercial", name: "Harbour College", by: "admin@example.org" };
  const { issuer } = unwrap(await issuers.add({ ...about, organisation: "commercial" }));
  const path = `/console/issuers/${issuer.id}`;
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const post = (path: string, body: BodyInit) =>
    fixture.asAdministrator(path, { method: "POST", body, headers: { origin } });
  return {
    ...fixture,
    owner: { issuer, test: false },
    path,
    post,
    page: async (path: string) => wordsOf(await (await fixture.asAdministrator(path)).text()),
    upload(file: string) {
      const form = new FormData();
      const fields = { mode: "live", title: "Diploma", date: "2026-11-20", subtitle: "" };
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      form.set("file", new File([file], "students.csv"));
      return post(`${path}/batches`, form);
    },
    run: () => jobs.run("batches"),
    actions: async () =>
      (await audit.list("commercial", {})).entries.map(({ action }) => action)
        .filter((action) => action.startsWith("batch_")),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("an administrator sends a file, sees its problems, and undoes the batch or sends its mails", async () => {
  await using fixture = await consoleFixture();
  const { batches } = fixture.site.services;
  const refused = await fixture.upload("name,email\nGrace,grace\n");
  assertEquals(refused.status, 400);
  const problems = wordsOf(await refused.text());
  assertStringIncludes(problems, "1 row of 1 has a problem, so nothing was issued.");
  assertStringIncludes(problems, "2 email “grace” This is not an email address");
  assertEquals(await batches.list(fixture.owner), []);

  const begin = async () => {
    const added = await fixture.upload(
      "name,email\nGrace,grace@example.org\nAda,ada@example.org\n",
    );
    assertEquals(added.status, 303);
    await fixture.run();
    return added.headers.get("location")!;
  };
  const first = await begin();
  assertStringIncludes(await fixture.page(fixture.path), "students.csv Mails wait");
  assertStringIncludes(await fixture.page(first), "The documents are issued and can be checked.");
  const csv = await (await fixture.asAdministrator(`${first}/results`)).text();
  assertEquals(csv.trim().split("\r\n").length, 3);
  assertEquals((await fixture.post(first, new URLSearchParams({ act: "cancel" }))).status, 303);
  await fixture.run();
  assertStringIncludes(await fixture.page(first), "The documents are erased.");

  const second = await begin();
  const before = (await fixture.mails()).length;
  assertEquals((await fixture.post(second, new URLSearchParams({ act: "send" }))).status, 303);
  await fixture.run();
  assertStringIncludes(await fixture.page(second), "Everything is done.");
  assertEquals((await fixture.mails()).length, before + 2);
  const late = await fixture.post(second, new URLSearchParams({ act: "cancel" }));
  assertEquals(late.status, 409);
  assertStringIncludes(wordsOf(await late.text()), "so it cannot be undone");
  assertEquals((await fixture.actions()).toSorted(), [
    "batch_added",
    "batch_added",
    "batch_sent",
    "batch_undone",
  ]);
});
