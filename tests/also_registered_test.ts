import { assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { encodeBase64 } from "../lib/base/encoding.ts";
import { DAY_MS, HOUR_MS } from "../lib/base/time.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { type ApiClient, documentBody, documentIn, issuerApiFixture } from "./issuer_api_site.ts";
import { BY } from "./key_site.ts";

const CONTACT = "registry@harbour.example";

/** Bytes that begin like a PDF, and that nobody could guess. */
function someFile(): Uint8Array<ArrayBuffer> {
  const bytes = crypto.getRandomValues(new Uint8Array(3000));
  bytes.set(new TextEncoder().encode("%PDF-1.7\n"));
  return bytes;
}

/** A site where Harbour College has a contact and a server for events, and has registered a file. */
async function setUp() {
  const received: { type: string; data: Record<string, unknown> }[] = [];
  const server = openHttpsServer(async (request) => {
    received.push(await request.json());
    return new Response();
  });
  const fixture = await issuerApiFixture({}, { network: server.network });
  const { site: { services }, clock, live, issuer } = fixture;
  const { issuers, jobs, webhooks, alerts } = services;
  const owner = { issuer: issuer.id, mode: "live", key: "none" } as const;
  unwrap(
    await webhooks.create(
      owner,
      { url: "https://localhost/", description: null, events: ["document.also_registered"] },
    ),
  );
  const harbour = { organisation: "commercial", id: issuer.id, by: BY } as const;
  unwrap(await issuers.setContact({ ...harbour, contact: CONTACT }));
  const file = someFile();
  let count = 0;
  const issue = async (call: ApiClient["live"], changes: Record<string, unknown> = {}) => {
    clock.now += 1000;
    const json = documentBody({
      recipient: { name: "Grace Student", email: `grace${count++ % 10}@example.org` },
      file: encodeBase64(file),
      file_name: "certificate.pdf",
      ...changes,
    });
    return await documentIn(call("/api/documents", { json }));
  };
  return {
    ...fixture,
    harbour,
    services,
    file,
    issue,
    genuine: await issue(live, { external_id: "2026-0117", title: "Diploma of Grace" }),
    beta: await fixture.addClient("Beta College"),
    received,
    /** Runs both jobs, and returns the mails to the contact. */
    async notify() {
      await jobs.run("also-registered");
      await jobs.run("also-registered-mails");
      await webhooks.flush();
      const mails = await fixture.mails();
      return mails.filter(({ to }) => to === CONTACT).toReversed(); // oldest first
    },
    async alerts(console: "commercial" | "foundation" = "commercial") {
      const { alerts: found } = await alerts.list(console, { kind: "also_registered" });
      return found.map(({ count, state, reports: [{ details: { first, other } }] }) => ({
        count,
        state,
        pair: `${other} > ${first}`,
      })).sort((a, b) => a.pair < b.pair ? -1 : 1);
    },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("an issuer whose file another one registers gets an event and a mail, and administrators an alert", async () => {
  await using site = await setUp();
  const other = await site.issue(site.beta.live, { title: "Forged", external_id: "beta-1" });
  assertEquals(await site.notify(), [], "the mail waits for more files");
  const { id, external_id, test, url } = site.genuine;
  const time = other.created_at;
  assertEquals(site.received.map(({ type, data }) => ({ type, data })), [{
    type: "document.also_registered",
    data: {
      ...{ id, external_id, test, state: "current", version: 1, url },
      also_registered_by: {
        issuer: "Beta College",
        issuer_domain: null,
        issuer_domain_verified_at: null,
        registered_at: time,
      },
    },
  }]);
  assertEquals(await site.alerts(), [
    { count: 1, state: "unread", pair: "Beta College > Harbour College" },
  ]);

  site.clock.now += HOUR_MS;
  const [mail, ...more] = await site.notify();
  assertEquals([mail.subject, more], [
    "Another organisation has registered a file of Harbour College",
    [],
  ]);
  assertStringIncludes(mail.text, "Beta College: 1 file");
  assertStringIncludes(mail.text.toUpperCase(), `YOUR DOCUMENT: ${id.toUpperCase()} (2026-0117)`);
  const told = JSON.stringify([site.received, mail, await site.alerts()]);
  for (const text of ["Grace", "grace", "Forged", "Diploma", "beta-1", other.id]) {
    assertFalse(told.includes(text), text);
  }
  site.clock.now += 3 * DAY_MS;
  assertEquals((await site.notify()).length, 1);
  assertEquals(site.received.length, 1);
});

Deno.test("an issuer that registers a public file of another one is notified, too, and of a hidden one it is not", async () => {
  await using site = await setUp();
  const [shown, hidden] = [someFile(), someFile()].map((file) => ({ file: encodeBase64(file) }));
  await site.issue(site.beta.live, shown);
  await site.issue(site.beta.live, { ...hidden, publish_hash: "hide" });
  const { id } = await site.issue(site.live, shown);
  await site.issue(site.live, hidden);
  await site.notify();
  site.clock.now += HOUR_MS;
  const [mail] = await site.notify();
  assertStringIncludes(mail.text, "Beta College: 1 file\n");
  assertEquals(site.received.map(({ data }) => data.id), [id]);
  assertEquals(await site.alerts(), [
    { count: 1, state: "unread", pair: "Harbour College > Beta College" },
  ]);
});

Deno.test("300 copies by another issuer are one event, one alert and one file in the mail", async () => {
  await using site = await setUp();
  for (let i = 0; i < 300; i++) await site.issue(site.beta.live);
  site.clock.now += HOUR_MS;
  await site.notify();
  site.clock.now += HOUR_MS;
  const mails = await site.notify();
  assertEquals([site.received.length, mails.length], [1, 1]);
  assertStringIncludes(mails[0].text, "Beta College: 1 file\n");
  assertEquals((await site.alerts()).map(({ count }) => count), [1]);
});

Deno.test("of 30 issuers that register a file, the first issuer gets one mail a day with their number", async () => {
  await using site = await setUp();
  for (let i = 0; i < 30; i++) await site.issue((await site.addClient(`College ${i}`)).live);
  await site.notify();
  site.clock.now += HOUR_MS;
  const [mail] = await site.notify();
  assertEquals(site.received.length, 30);
  assertStringIncludes(mail.text, "other organisations have registered these files of yours, too:");
  assertEquals(mail.text.match(/^College \d+: 1 file$/gm)?.length, 10);
  assertStringIncludes(mail.text, "Others: 20 more organisations");
  const { services: { alerts } } = site;
  const { alerts: all } = await alerts.list("commercial", { kind: "also_registered", limit: 50 });
  assertEquals(all.map(({ count, reports: [{ details }] }) => [count, details.first]), [
    ...Array.from({ length: 30 }, () => [1, "Harbour College"]),
  ]);

  // Two more files within a day are in the mail of the next day.
  for (let i = 0; i < 2; i++) {
    const json = { file: encodeBase64(someFile()) };
    await site.issue(site.live, json);
    await site.issue(site.beta.live, json);
    site.clock.now += HOUR_MS;
    assertEquals((await site.notify()).length, 1);
  }
  assertEquals(site.received.length, 32);
  site.clock.now += DAY_MS;
  const [, second] = await site.notify();
  assertStringIncludes(second.text, "Beta College: 2 files");
  const ofBeta = (await site.alerts()).filter(({ pair }) => pair.startsWith("Beta"));
  assertEquals(ofBeta.map(({ count }) => count), [1], "both are in one mail");
});

Deno.test("tests and hidden documents of another issuer notify nobody", async () => {
  await using site = await setUp();
  await site.issue(site.beta.test);
  await site.issue(site.beta.live, { publish_hash: "hide" });
  site.clock.now += HOUR_MS;
  assertEquals([await site.notify(), site.received, await site.alerts()], [[], [], []]);
  // A test of the first issuer learns of nothing either.
  const json = { file: encodeBase64(someFile()) };
  await site.issue(site.test, json);
  await site.issue(site.beta.live, json);
  assertEquals([await site.notify(), site.received, await site.alerts()], [[], [], []]);
});

Deno.test("a document that is hidden before the issuer is notified stays unknown to it", async () => {
  await using site = await setUp();
  const { id } = await site.issue(site.beta.live);
  const key = id.replaceAll("-", "").toUpperCase();
  unwrap(await site.services.documents.edit(key, { guessable: true }, BY));
  assertEquals([await site.notify(), site.received, await site.alerts()], [[], [], []]);
  unwrap(await site.services.documents.edit(key, { guessable: false }, BY));
  await site.notify();
  assertEquals(site.received.length, 1, "it is public again");
});

Deno.test("the first issuer with a hidden document is notified beside the first with a public one", async () => {
  await using site = await setUp();
  const json = { file: encodeBase64(someFile()) };
  await site.issue(site.live, { ...json, publish_hash: "hide" });
  await site.issue(site.beta.live, json);
  await site.notify();
  assertEquals(site.received.length, 1);
  const third = await site.addClient("Third College");
  await site.issue(third.live, json);
  await site.notify();
  assertEquals(site.received.length, 2);
  assertEquals((await site.alerts()).map(({ pair }) => pair), [
    "Beta College > Harbour College",
    "Third College > Beta College",
    "Third College > Harbour College",
  ]);
});

Deno.test("the alert about two issuers counts a file of the next day, and an event comes for each file", async () => {
  await using site = await setUp();
  for (let day = 0; day < 3; day++) {
    const json = { file: encodeBase64(someFile()) };
    await site.issue(site.live, json);
    await site.issue(site.beta.live, json);
    await site.notify();
    site.clock.now += 2 * DAY_MS;
    await site.notify();
  }
  assertEquals((await site.alerts()).map(({ count }) => count), [3]);
  assertEquals(site.received.length, 3);
});

Deno.test("an issuer that is suspended is notified, and one that has ended is not mailed", async () => {
  await using site = await setUp();
  const { issuers } = site.services;
  const change = { ...site.harbour, reason: "A question" };
  unwrap(await issuers.setState({ ...change, state: "suspended" }));
  await site.issue(site.beta.live);
  await site.notify();
  site.clock.now += HOUR_MS;
  assertEquals([(await site.notify()).length, site.received.length], [1, 1]);
  unwrap(await issuers.setState({ ...change, state: "ended" }));
  site.clock.now += 2 * DAY_MS;
  const third = await site.addClient("Third College");
  await site.issue(third.live);
  await site.notify();
  site.clock.now += DAY_MS;
  assertEquals([(await site.notify()).length, site.received.length], [1, 1]);
  assertEquals((await site.alerts()).length, 2);
});

Deno.test("the site's own organisation is named as the other one, and gets an alert as the first one", async () => {
  await using site = await setUp();
  const { services } = site;
  const record = await site.register();
  const add = async (bytes: Uint8Array<ArrayBuffer>, organisation: "commercial" | "foundation") =>
    unwrap(
      await services.documents.add({
        record,
        organisation,
        title: "Diploma",
        kind: "Diploma",
        public: false,
        file_name: "diploma.pdf",
        by: BY,
      }, new Blob([bytes]).stream()),
    ).document;
  await add(site.file, "foundation");
  await site.notify();
  const foundation = services.config.organisations.foundation.name;
  const [{ data: { also_registered_by } }] = site.received;
  assertEquals((also_registered_by as { issuer: string }).issuer, foundation);
  assertEquals((await site.alerts()).map(({ pair }) => pair), [
    `${foundation} > Harbour College`,
  ]);
  assertEquals(await site.alerts("foundation"), await site.alerts());

  const own = someFile();
  await add(own, "commercial");
  await site.issue(site.beta.live, { file: encodeBase64(own) });
  await site.notify();
  assertEquals((await site.alerts()).map(({ pair }) => pair), [
    `Beta College > ${services.config.organisations.commercial.name}`,
    `${foundation} > Harbour College`,
  ]);
});

Deno.test("an issuer learns no number of a document that administrators have added in its name", async () => {
  await using site = await setUp();
  const record = await site.register();
  const bytes = someFile();
  const { document } = unwrap(
    await site.services.documents.add({
      record,
      organisation: "commercial",
      issuer: site.issuer.id,
      title: "Diploma",
      kind: "Diploma",
      public: false,
      file_name: "diploma.pdf",
      by: BY,
    }, new Blob([bytes]).stream()),
  );
  await site.issue(site.beta.live, { file: encodeBase64(bytes) });
  await site.notify();
  site.clock.now += HOUR_MS;
  const [mail] = await site.notify();
  assertEquals(site.received, []);
  assertStringIncludes(mail.text, "Beta College: 1 file");
  assertFalse(mail.text.replaceAll("-", "").includes(document.id));
});
