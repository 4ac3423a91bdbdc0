import { assertEquals, assertStringIncludes } from "@std/assert";
import { batchDefaults } from "../lib/features/issuing/batches/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { until } from "../lib/testing/until.ts";
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

Deno.test("an upload that stalls keeps no other file of the issuer waiting, and is issued once it is complete", async () => {
  await using fixture = await consoleFixture();
  const { batches, bodies, surfaces } = fixture.site.services;
  const shared = { title: "Diploma", date: "2026-11-20" };
  const fields = Object.entries({ mode: "live", ...shared }).map(([name, value]) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  );
  const file = 'Content-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const uploaded = fixture.asAdministrator(`${fixture.path}/batches`, {
    method: "POST",
    body: readable,
    headers: { origin, "content-type": "multipart/form-data; boundary=x" },
  });
  const write = (text: string) => writer.write(new TextEncoder().encode(text));
  await write(`${fields.join("")}--x\r\n${file}name,email\n`);
  await write("Grace,grace@example.org\n");
  await until(() => bodies.used > 20, "the beginning of the file is kept");
  const other = new TextEncoder().encode("name,email\nAda,ada@example.org\n");
  const checked = await batches.check(fixture.owner.issuer, [other], batchDefaults.parse(shared));
  assertEquals(unwrap(checked).rows.length, 1);
  await write("\r\n--x--\r\n");
  await writer.close();
  assertEquals((await uploaded).status, 303);
  assertEquals((await batches.list(fixture.owner)).map(({ rows }) => rows), [1]);
});
