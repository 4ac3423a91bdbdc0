import { documentPath } from "../lib/features/documents/mod.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import { DAY_MS } from "../lib/base/time.ts";
import { WAITING_MS } from "../lib/features/issuing/mod.ts";
import { MOST_READ } from "../lib/features/issuing/listed.ts";
import { inUnit, openKv } from "../lib/platform/kv/mod.ts";
import { countRoundTrips, describeTrip } from "../lib/platform/kv/testing/round_trips.ts";
import { PERSON } from "./contact_site.ts";
import {
  type Call,
  documentBody,
  documentIn,
  errorIn,
  type IssuerApiFixture,
  issuerApiFixture,
  RECIPIENT,
} from "./issuer_api_site.ts";

const PATH = "/api/documents";

/** Returns the id of a document as it is stored. */
const idOf = (id: string): string => id.replaceAll("-", "").toUpperCase();

/** Returns the issues of a refused request. */
async function issuesIn(responding: Promise<Response>): Promise<Record<string, string>> {
  const response = await responding;
  assertEquals(response.status, 400);
  return (await response.json()).issues;
}

/** Returns a form with the fields of a document, and a file at the end. */
function formOf(fields: Record<string, string>, file: File | null): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== null) form.append("file", file);
  return form;
}

/** Returns the fields of the link in the mail to a recipient. */
async function acceptFields(fixture: IssuerApiFixture): Promise<{ of: string; token: string }> {
  const { link } = (await fixture.mails()).find(({ link }) => link?.includes("/accept?"))!;
  const { searchParams } = new URL(link!);
  return { of: searchParams.get("of")!, token: searchParams.get("token")! };
}

const FIELDS = {
  "recipient.name": "Grace Student",
  "recipient.email": "grace@example.org",
  title: "Diploma",
  type: "Diploma",
};

Deno.test("a document that is issued as JSON is returned, mailed, and found in lists", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const response = await live(PATH, {
    json: documentBody({ date: "2026-11-20", external_id: "2026-0117", expires_on: "2030-12-31" }),
  });
  const document = await documentIn(response);
  const { id, created_at, url, versions: [version], ...rest } = document;
  assertMatch(id, /^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
  assertEquals(url, fixture.site.services.surfaces.url("trust", documentPath(idOf(id))));
  assertEquals(rest, {
    object: "document",
    test: false,
    external_id: "2026-0117",
    title: "Certificate III in Early Childhood",
    type: "Certificate",
    date: "2026-11-20",
    public: false,
    status: "current",
    withdrawn_reason: null,
    expires_on: "2030-12-31",
    recipient: { ...RECIPIENT, status: "waiting" },
    issuer: { name: "Harbour College", domain: null, domain_verified: false },
    mail: "queued",
  });
  assertEquals([version.number, version.state, version.at], [1, "current", created_at]);
  const [mail] = await fixture.mails();
  assertEquals(mail.to, RECIPIENT.email);
  assertEquals(await documentIn(live(`${PATH}/${id}`), 200), document);
  assertEquals(
    await documentIn(live(`${PATH}/${idOf(id)}`), 200),
    document,
  );
  const list = await (await live(PATH)).json();
  assertEquals(list, { object: "list", data: [document], next_cursor: null });
  const file = await live(`${PATH}/${id}/file`);
  assertEquals(await file.text(), "A certificate");
  assertStringIncludes(file.headers.get("content-disposition")!, "certificate.txt");
  fixture.clock.now = Date.parse("2031-01-01");
  assertEquals((await documentIn(live(`${PATH}/${id}`), 200)).status, "expired");
});

Deno.test("the fields of a form may be words that objects have as members", async () => {
  await using fixture = await issuerApiFixture();
  const file = new File(["A diploma"], "diploma.txt");
  const form = formOf({ ...FIELDS, title: "constructor", type: "valueOf" }, file);
  const { title, type } = await documentIn(fixture.test(PATH, { form }));
  assertEquals([title, type], ["constructor", "valueOf"]);
});

Deno.test("operations of unknown objects return 404 for ids of any length", async () => {
  await using fixture = await issuerApiFixture();
  const operations = OPERATIONS.filter(({ keyScope, path }) => keyScope && path.includes(":"));
  assert(operations.length > 15);
  for (const { id, path, method, example } of operations) {
    for (const unknown of ["unknown", "a".repeat(3_000)]) {
      const json = method === "post" ? example.body ?? {} : undefined;
      const sent = path.replaceAll(/:\w+/g, unknown);
      const response = await fixture.test(sent, { method: method.toUpperCase(), json });
      await response.body?.cancel();
      assertEquals([response.status, id], [404, id]);
    }
  }
});

Deno.test("a form with a file gives the same document as JSON with the file in base64", async () => {
  await using fixture = await issuerApiFixture();
  const file = new File(["A diploma"], "diploma.txt");
  const form = formOf({ ...FIELDS, public: "true", publish_hash: "publish" }, file);
  const sent = await documentIn(fixture.test(PATH, { form }));
  const json = documentBody({
    title: "Diploma",
    type: "Diploma",
    public: true,
    publish_hash: "publish",
    file: btoa("A diploma"),
    file_name: "diploma.txt",
  });
  const { id: _, url: __, created_at: ___, versions, ...rest } = await documentIn(
    fixture.test(PATH, { json }),
  );
  assertEquals({ ...sent, ...rest }, sent);
  assertEquals(versions[0].original_sha256, sent.versions[0].original_sha256);
  const inLines = { ...json, file: "QSBk\r\naXBs\n b21h\t\r\n" };
  const again = await documentIn(fixture.test(PATH, { json: inLines }));
  assertEquals(again.versions[0].original_sha256, versions[0].original_sha256);
  assertEquals((await errorIn(fixture.test(PATH, { form: formOf(FIELDS, null) })))[0], 400);
});

Deno.test("invalid requests name each field, and nothing is stored", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const post = (changes: Record<string, unknown>) =>
    issuesIn(live(PATH, { json: documentBody(changes), once: "key" }));
  assertEquals(
    Object.keys(
      await post({
        recipient: { name: " ", email: "grace", phone: "1" },
        title: "x".repeat(121),
        type: "x".repeat(61),
        external_id: "a\u0007",
        date: "2026-13-01",
        expires_on: "soon",
        public: "yes",
        publish_hash: "maybe",
        titel: "x",
      }),
    ).sort(),
    [
      "date",
      "expires_on",
      "external_id",
      "public",
      "publish_hash",
      "recipient.email",
      "recipient.name",
      "recipient.phone",
      "titel",
      "title",
      "type",
    ],
  );
  assertEquals(Object.keys(await post({ recipient: { ...RECIPIENT, name: "!!" } })), [
    "recipient.name",
  ]);
  assertEquals(Object.keys(await post({ file: "not base64" })), ["file"]);
  assertEquals(Object.keys(await post({ file: "" })), ["file"]);
  assertEquals(await post({ title: 7, public: "x", file_name: "" }), {
    title: "This should be text.",
    public: "Send true or false.",
    file_name: "Send the name of the file.",
  });
  assertEquals(Object.keys(await post({ file: undefined })), ["file"]);
  const template = { name: "certificate" };
  assertEquals(Object.keys(await post({ template, date: "2026-11-20" })), ["file"]);
  assertEquals(Object.keys(await post({ file: undefined, template: { name: "x" } })), [
    "template.name",
    "date",
  ]);
  const issues = await issuesIn(live(PATH, {
    json: documentBody({
      file: undefined,
      file_name: undefined,
      recipient: { ...RECIPIENT, name: "𓂀 Student" },
      template: { name: "certificate", fields: { grade: "🎓", date: "2026-11-20" } },
    }),
  }));
  assertEquals(Object.keys(issues).sort(), ["recipient.name", "template.fields.grade"]);
  const undated = { file: undefined, title: "", type: undefined, template };
  assertEquals(Object.keys(await post(undated)).sort(), ["date", "title", "type"]);
  const long = documentBody({ title: "x".repeat(70_000), file: undefined });
  assertEquals(await errorIn(live(PATH, { json: long })), [413, "too_large"]);
  const text = await live(PATH, { method: "POST", headers: { "content-type": "text/plain" } });
  assertEquals(text.status, 415);
  const withFile = { reason: "Wrong", file: btoa("A") };
  const { id } = await documentIn(fixture.test(PATH, { json: documentBody() }));
  const withdraw = fixture.test(`${PATH}/${id}/withdraw`, { json: withFile });
  assertEquals(Object.keys(await issuesIn(withdraw)), ["file"]);
  const { services } = fixture.site;
  await inUnit(services, async (unit) => ({
    outcome: await services.issuing.write.unissue(unit, idOf(id)),
  }));
  const file = "A".repeat(15 * 1024 * 1024);
  assertEquals(await errorIn(live(PATH, { json: documentBody({ file }) })), [413, "too_large"]);
  assertEquals(
    Object.keys(await issuesIn(live(PATH, { json: documentBody(), once: "x".repeat(256) }))),
    ["Idempotency-Key"],
  );
  for (
    const table of [
      "documents",
      "document_bytes",
      "document_uploads",
      "recipients",
      "outbox",
      "idempotency_keys",
    ]
  ) {
    assertEquals(await fixture.count(table), 0, table);
  }
});

Deno.test("a document that has expired already is refused", async () => {
  await using fixture = await issuerApiFixture();
  const response = await fixture.test(PATH, { json: documentBody({ expires_on: "2020-01-01" }) });
  assertEquals(response.status, 400);
  assertEquals(Object.keys((await response.json()).issues), ["expires_on"]);
});

Deno.test("an issuer sends a limited number of large JSON bodies at a time, from all of its keys", async () => {
  await using fixture = await issuerApiFixture({}, {
    bodyLimits: { all: 800_000, large: 800_000, caller: 500_000 },
  });
  const { test } = fixture;
  const big = "A".repeat(100_000);
  const bodies = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let read = 0;
  const slow = () => {
    const [start, end] = [JSON.stringify(documentBody({ file: big })).slice(0, -1), "}"];
    const body = async function* () {
      yield new TextEncoder().encode(start);
      if (++read === 4) begun.resolve();
      await bodies.promise;
      yield new TextEncoder().encode(end);
    };
    return test(PATH, {
      method: "POST",
      stream: ReadableStream.from(body()),
      headers: { "content-type": "application/json" },
    });
  };
  const waiting = [slow(), slow(), slow(), slow()];
  await begun.promise;
  const refused = await errorIn(test(PATH, { json: documentBody({ file: big }) }));
  assertEquals(refused, [429, "rate_limited"]);
  await documentIn(test(PATH, { json: documentBody() }));
  await documentIn((await fixture.addClient("Quay School")).test(PATH, {
    json: documentBody({ file: big }),
  }));
  bodies.resolve();
  for (const each of waiting) await documentIn(each);
  await documentIn(test(PATH, { json: documentBody({ file: big }) }));
});

Deno.test("a certificate is made from fields, and its file cannot be found by trying fields", async () => {
  await using fixture = await issuerApiFixture();
  const json = documentBody({
    file: undefined,
    file_name: undefined,
    date: "2026-11-20",
    template: { name: "certificate", fields: { grade: "Competent" } },
  });
  const hashes = new Set<string>();
  for (let i = 0; i < 2; i++) {
    const { id, versions: [{ original_sha256 }] } = await documentIn(fixture.test(PATH, { json }));
    hashes.add(original_sha256);
    const file = await fixture.test(`${PATH}/${id}/file?form=original`);
    assertEquals(file.headers.get("content-type"), "application/pdf");
    assertStringIncludes(new TextDecoder("latin1").decode(await file.bytes()), "%PDF-");
  }
  assertEquals(hashes.size, 2);
});

Deno.test("a document is replaced and withdrawn, and everybody sees why", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const { id } = await documentIn(live(PATH, { json: documentBody() }));
  const form = formOf({}, new File(["Corrected"], "corrected.txt"));
  const replaced = await documentIn(live(`${PATH}/${id}/versions`, { form }), 200);
  assertEquals(replaced.versions.map(({ state }) => state), ["replaced", "current"]);
  assertEquals(await (await live(`${PATH}/${id}/file?version=1`)).text(), "A certificate");
  assertEquals(await (await live(`${PATH}/${id}/file`)).text(), "Corrected");
  assertEquals(await errorIn(live(`${PATH}/${id}/file?version=3`)), [404, "not_found"]);
  const reason = "The assessment was annulled.";
  const withdrawn = await documentIn(live(`${PATH}/${id}/withdraw`, { json: { reason } }), 200);
  assertEquals([withdrawn.status, withdrawn.withdrawn_reason], ["withdrawn", reason]);
  const page = await (await fixture.fetch(new URL(withdrawn.url).pathname)).text();
  assertStringIncludes(page, reason);
  assertStringIncludes(page, `${withdrawn.issuer.name} withdrew this document on`);
  const again = await errorIn(live(`${PATH}/${id}/withdraw`, { json: { reason } }));
  assertEquals(again, [409, "conflict"]);
  const second = formOf({}, new File(["Third"], "third.txt"));
  const current = await documentIn(live(`${PATH}/${id}/versions`, { form: second }), 200);
  assertEquals([current.status, current.withdrawn_reason], ["current", null]);
});

Deno.test("the mail is sent again three times a day, and not to somebody who was forgotten", async () => {
  await using fixture = await issuerApiFixture();
  const { live, clock } = fixture;
  const { id } = await documentIn(live(PATH, { json: documentBody() }));
  const resend = () => live(`${PATH}/${id}/resend`, { method: "POST" });
  clock.now += DAY_MS;
  for (let i = 0; i < 3; i++) {
    clock.now += 1_000;
    assertEquals((await documentIn(resend(), 200)).mail, "queued");
  }
  const limited = await resend();
  assertEquals([limited.status, (await limited.json()).error], [429, "rate_limited"]);
  assert(Number(limited.headers.get("retry-after")) > 86_000);
  assertEquals((await fixture.mails()).length, 4);
  await fixture.site.services.issuing.forget(RECIPIENT.email);
  assertEquals(await errorIn(resend()), [409, "recipient_forgotten"]);
  assertEquals(await errorIn(live(`${PATH}/${id}/file`)), [410, "erased"]);
  const { recipient, mail } = await documentIn(live(`${PATH}/${id}`), 200);
  assertEquals(recipient, { name: null, email: null, status: "lapsed" });
  assertEquals(mail, "none");
});

Deno.test("a test key simulates what recipients do, without mail", async () => {
  await using fixture = await issuerApiFixture();
  const { test, live } = fixture;
  for (const as of ["accepted", "refused", "lapsed"] as const) {
    const json = documentBody({ recipient: { ...RECIPIENT, email: `${as}@example.org` } });
    const { id, mail } = await documentIn(test(PATH, { json }));
    assertEquals(mail, "none");
    const path = `${PATH}/${id}/simulate`;
    const { recipient } = await documentIn(test(path, { json: { as } }), 200);
    assertEquals([recipient.status, recipient.name], [
      as,
      as === "accepted" ? RECIPIENT.name : null,
    ]);
    assertEquals(await errorIn(live(path, { json: { as } })), [403, "forbidden"]);
    // Once the address is erased, nobody can find the document by it.
    const found = await test(`${PATH}?email=${encodeURIComponent(`${as}@example.org`)}`);
    assertEquals((await found.json()).data.length, as === "accepted" ? 1 : 0);
  }
  assertEquals(await fixture.mails(), []);
});

Deno.test("replacing a document that nobody can accept is a conflict, whatever is sent", async () => {
  await using fixture = await issuerApiFixture();
  const { live, test, clock, site: { services } } = fixture;
  const replace = (call: Call, id: string) =>
    Promise.all(
      [{}, { template: { name: "certificate" } }, { file: btoa("Second"), file_name: "b.txt" }]
        .map((json) => errorIn(call(`${PATH}/${id}/versions`, { json }))),
    );
  const refused = Array(3).fill([409, "recipient_refused"]);
  const forgotten = Array(3).fill([409, "recipient_forgotten"]);
  for (const [as, expected] of [["refused", refused], ["lapsed", forgotten]] as const) {
    const recipient = { ...RECIPIENT, email: `${as}@example.org` };
    const { id } = await documentIn(test(PATH, { json: documentBody({ recipient }) }));
    await documentIn(test(`${PATH}/${id}/simulate`, { json: { as } }), 200);
    assertEquals(await replace(test, id), expected);
  }
  const { id } = await documentIn(live(PATH, { json: documentBody() }));
  const { of, token } = await acceptFields(fixture);
  assert((await services.issuing.acceptance.refuse({ id: of, token })).ok);
  assertEquals(await replace(live, id), refused);
  const other = { recipient: { ...RECIPIENT, email: "zoe@example.org" } };
  const late = await documentIn(live(PATH, { json: documentBody(other) }));
  clock.now += WAITING_MS;
  assertEquals(await replace(live, late.id), forgotten);
});

Deno.test("a document is gone once its holder has deleted the record", async () => {
  await using fixture = await issuerApiFixture();
  const { live, site: { services } } = fixture;
  const { id } = await documentIn(live(PATH, { json: documentBody() }));
  await fixture.fetch("/accept", { form: { ...await acceptFields(fixture), act: "accept" } });
  assertEquals((await documentIn(live(`${PATH}/${id}`), 200)).recipient.status, "accepted");
  const { record } = (await services.documents.read(idOf(id)))!;
  assert((await services.records.deletion.deleteRecord(record!)).ok);
  for (const path of ["", "/file"]) {
    assertEquals(await errorIn(live(`${PATH}/${id}${path}`)), [404, "not_found"]);
  }
  assertEquals((await (await live(PATH)).json()).data, []);
});

/** Issues documents one second apart, and returns their ids, the newest first. */
async function issueMany({ test, clock }: IssuerApiFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    clock.now += 1_000;
    const json = documentBody({
      recipient: { ...RECIPIENT, email: `grace${i % 2}@example.org` },
      external_id: `E${i % 3}`,
      file: btoa(`File ${i}`),
    });
    ids.unshift((await documentIn(test(PATH, { json }))).id);
  }
  return ids;
}

Deno.test("lists are read page by page, with filters, and a cursor works with the same filters only", async () => {
  await using fixture = await issuerApiFixture();
  const { test, live } = fixture;
  const ids = await issueMany(fixture, 7);
  const page = async (query: string): Promise<{ ids: string[]; next: string | null }> => {
    const { data, next_cursor } = await (await test(`${PATH}?${query}`)).json();
    return { ids: data.map(({ id }: { id: string }) => id), next: next_cursor };
  };
  async function all(query: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor = "";;) {
      const { ids, next } = await page(`${query}${cursor}`);
      found.push(...ids);
      if (next === null) return found;
      cursor = `&cursor=${next}`;
    }
  }
  const numbered = (keep: (i: number) => boolean) => ids.filter((_, i) => keep(6 - i));
  assertEquals((await page("limit=3")).ids, ids.slice(0, 3));
  for (const limit of [1, 2, 3, 7, 100]) {
    assertEquals(await all(`limit=${limit}`), ids);
    assertEquals(await all(`limit=${limit}&external_id=E1`), numbered((i) => i % 3 === 1));
    assertEquals(
      await all(`limit=${limit}&email=GRACE0@example.org`),
      numbered((i) => i % 2 === 0),
    );
    assertEquals(
      await all(`limit=${limit}&email=grace0@example.org&external_id=E0`),
      numbered((i) => i % 6 === 0),
    );
  }
  assertEquals(await all("email=nobody@example.org"), []);
  await test(`${PATH}/${ids[1]}/withdraw`, { json: { reason: "Wrong" } });
  assertEquals(await all("limit=1&status=withdrawn"), [ids[1]]);
  await test(`${PATH}/${ids[0]}/simulate`, { json: { as: "accepted" } });
  assertEquals(await all("recipient_status=accepted"), numbered((i) => i % 2 === 0));
  const { created_at } = await documentIn(test(`${PATH}/${ids[3]}`), 200);
  assertEquals(await all(`created_after=${created_at}`), ids.slice(0, 3));
  assertEquals(await all(`created_before=${created_at}`), ids.slice(4));

  const { next } = await page("limit=2");
  const refused = (call: typeof test, query: string) =>
    issuesIn(call(`${PATH}?${query}cursor=${next}`)).then(Object.keys);
  assertEquals(await refused(test, "external_id=E1&"), ["cursor"]);
  assertEquals(await refused(live, ""), ["cursor"]);
  assertEquals(await refused((await fixture.addClient("Quay School")).test, ""), ["cursor"]);
  for (const cursor of ["x", "AAAA", `${next}A`, "%E2%82%AC"]) {
    assertEquals(Object.keys(await issuesIn(test(`${PATH}?cursor=${cursor}`))), ["cursor"]);
  }
  assertEquals(Object.keys(await issuesIn(test(`${PATH}?limit=1&limit=2`))), ["limit"]);
  assertEquals(Object.keys(await issuesIn(test(`${PATH}?color=red`))), ["color"]);
});

Deno.test("a request reads a limited number of rows, and then returns a cursor with an empty page", async () => {
  await using fixture = await issuerApiFixture();
  const { test, site: { services: { kv, documents } } } = fixture;
  const [id] = await issueMany(fixture, 1);
  const row = (await documents.read(idOf(id)))!;
  const created_at = "2026-01-01T00:00:00.000Z";
  for (let i = 0; i < MOST_READ + 50; i += 70) {
    const commit = kv.atomic();
    for (let n = i; n < i + 70; n++) {
      const copy = { ...row, id: String(n).padStart(16, "0"), created_at };
      commit.set(["documents", copy.id], copy)
        .set(["documents_by_issuer", row.issuer.id, "test", created_at, copy.id], null);
    }
    await commit.commit();
  }
  const first = await (await test(`${PATH}?status=withdrawn`)).json();
  assertEquals(first.data, []);
  assert(first.next_cursor !== null);
  const second = await (await test(`${PATH}?status=withdrawn&cursor=${first.next_cursor}`)).json();
  assertEquals([second.data, second.next_cursor], [[], null]);
});

Deno.test("issuing reads and writes the same, whether or not the address has other records", async () => {
  const counted = countRoundTrips(await openKv(":memory:"));
  await using fixture = await issuerApiFixture({}, { kv: counted.kv });
  const { live } = fixture;
  const quay = await fixture.addClient("Quay School");
  await fixture.holder({ ...PERSON, email: "holder@example.org" });
  const issue = (by: typeof live, email: string) =>
    documentIn(
      by(PATH, { json: documentBody({ recipient: { ...RECIPIENT, email } }), once: email }),
    );
  await issue(quay.live, "waiting@example.org");
  await issue(live, "first@example.org"); // notes that the key and the issuer are in use
  const seen: string[][] = [];
  for (const email of ["nobody@example.org", "holder@example.org", "waiting@example.org"]) {
    const { trips } = await counted.measure(() => issue(live, email));
    // The mail is sent meanwhile.
    const calls = trips.flat().filter(({ keys }) => keys.some(([first]) => first !== "outbox"));
    // Reads that run at once may end in any order, and so their rows are checked in any order.
    seen.push(calls.map((call) => describeTrip([call]).split(" ").sort().join(" ")).sort());
  }
  assertEquals(seen[1], seen[0]);
  assertEquals(seen[2], seen[0]);
  const text = seen.flat().join(" ");
  assert(text.includes("recipients") && !/contacts|records\b/.test(text), text);
});
