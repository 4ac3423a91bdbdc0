import { assert, assertEquals } from "@std/assert";
import { fail } from "../lib/base/result.ts";
import { createHash } from "node:crypto";
import { MINUTE_MS } from "../lib/base/time.ts";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import { secretsOf } from "../lib/base/secrets.ts";
import { createIdempotency, type Idempotency } from "../lib/features/issuing/http/idempotency.ts";
import { resealResponses } from "../lib/features/issuing/http/idempotency_rows.ts";
import { callOf, LEASE_MS, newDocumentSchema, REPLAY_MS } from "../lib/features/issuing/mod.ts";
import { sha256 as hashOf } from "../lib/platform/kv/hash.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import type { Step } from "../lib/platform/store/migration.ts";
import {
  documentBody,
  documentIn,
  errorIn,
  type IssuerApiFixture,
  issuerApiFixture,
  RECIPIENT,
} from "./issuer_api_site.ts";

const PATH = "/api/documents";

type Execute = Parameters<Idempotency["run"]>[1];

/** Returns what identifies a response: its status, its body, and whether it is a repeated one. */
async function contentOf(responding: Promise<Response>): Promise<[number, string, string | null]> {
  const response = await responding;
  return [response.status, await response.text(), response.headers.get("idempotent-replayed")];
}

/** Runs something as a request of the issuer with a key. */
function run(
  { issuer, site: { services } }: IssuerApiFixture,
  execute: Execute,
  content: unknown = "content",
): Promise<Response> {
  return services.idempotency.run({ issuer, test: false, key: "key", content }, execute);
}

Deno.test("a repeated request gets the same bytes for 24 hours, and issues nothing", async () => {
  await using fixture = await issuerApiFixture();
  const { live, clock } = fixture;
  const send = () => live(PATH, { json: documentBody(), once: "key" });
  const [status, text, replayed] = await contentOf(send());
  assertEquals([status, replayed], [201, null]);
  await live(`${PATH}/${JSON.parse(text).id}/withdraw`, { json: { reason: "Wrong" } });
  clock.now += REPLAY_MS - 1;
  // The order of members does not matter.
  const { title, ...rest } = documentBody();
  const same = () => live(PATH, { json: { ...rest, title }, once: "key" });
  assertEquals(await contentOf(same()), [201, text, "true"]);
  assertEquals([await fixture.count("documents"), await fixture.count("document_uploads")], [1, 0]);
  assertEquals((await fixture.mails()).length, 1);
  clock.now += 1;
  assert(JSON.parse((await contentOf(send()))[1]).id !== JSON.parse(text).id);
});

Deno.test("another request with a key is refused; other keys, modes and issuers have their own", async () => {
  await using fixture = await issuerApiFixture();
  const { live, test } = fixture;
  const json = documentBody();
  const { id } = await documentIn(live(PATH, { json, once: "key" }));
  const others = [
    live(PATH, { json: { ...json, title: "Another" }, once: "key" }),
    live(PATH, { json: { ...json, file: btoa("Another") }, once: "key" }),
    live(PATH, { json: { ...json, file_name: "another.txt" }, once: "key" }),
    live(`${PATH}/${id}/resend`, { json: {}, once: "key" }),
  ];
  for (const other of others) assertEquals(await errorIn(other), [409, "idempotency_mismatch"]);
  assertEquals([await fixture.count("documents"), await fixture.count("document_uploads")], [1, 0]);
  const quay = await fixture.addClient("Quay School");
  const ids = new Set([id]);
  for (const call of [test, quay.live, quay.test]) {
    ids.add((await documentIn(call(PATH, { json, once: "key" }))).id);
  }
  ids.add((await documentIn(live(PATH, { json, once: "Key" }))).id);
  assertEquals(ids.size, 5);
});

Deno.test("every change of a document runs once for its key", async () => {
  await using fixture = await issuerApiFixture();
  const { live, test } = fixture;
  const { id } = await documentIn(live(PATH, { json: documentBody() }));
  const tested = await documentIn(test(PATH, { json: documentBody() }));
  const requests = [
    () => live(`${PATH}/${id}/versions`, { json: { file: btoa("Second") }, once: "versions" }),
    () => live(`${PATH}/${id}/resend`, { method: "POST", once: "resend" }),
    () => live(`${PATH}/${id}/withdraw`, { json: { reason: "Wrong" }, once: "withdraw" }),
    () => test(`${PATH}/${tested.id}/simulate`, { json: { as: "accepted" }, once: "simulate" }),
  ];
  for (const request of requests) {
    const [status, text] = await contentOf(request());
    assertEquals(status, 200, text);
    assertEquals(await contentOf(request()), [200, text, "true"]);
  }
  assertEquals((await fixture.mails()).length, 2);
});

Deno.test("every POST with a key gets its saved response before anything is found or validated", async () => {
  await using fixture = await issuerApiFixture();
  const { issuer, live, site: { services: { idempotency } } } = fixture;
  const posts = OPERATIONS.filter(({ keyScope, method }) => keyScope && method === "post");
  assert(posts.length > 10);
  for (const { id, path, bodyType } of posts) {
    const isCsv = bodyType === "text/csv";
    const pathname = path.replaceAll(/:\w+/g, "unknown");
    const content = isCsv
      ? [pathname, { unknown: "1" }, [null, createHash("sha256").update("nonsense").digest("hex")]]
      : [pathname, { unknown: "1" }, null];
    const request = { issuer, test: false, key: id, content };
    const saved = await idempotency.run(
      request,
      () => Promise.resolve({ status: 200, body: { saved: id } }),
    );
    assertEquals(await saved.json(), { saved: id });
    const send = (query: string, json: unknown) =>
      isCsv
        ? live(pathname + query, {
          stream: new Blob(["nonsense"]).stream(),
          once: id,
          headers: { "content-type": "text/csv" },
        })
        : live(pathname, { json, once: id });
    const repeated = await contentOf(send("?unknown=1", { unknown: "1" }));
    assertEquals(repeated, [200, JSON.stringify({ saved: id }), "true"]);
    const other = await errorIn(send("?unknown=2", { unknown: "2" }));
    assertEquals([id, ...other], [id, 409, "idempotency_mismatch"]);
  }
});

Deno.test("a repeated request gets its response after midnight, and after the issuer was renamed", async () => {
  await using fixture = await issuerApiFixture();
  const { issuer, live, clock, site: { services: { issuers } } } = fixture;
  clock.now = Date.parse("2026-11-20T23:59:00Z");
  const { file: _, file_name: __, ...rest } = documentBody({ expires_on: "2026-11-20" });
  const json = { ...rest, date: "2026-11-20", template: { name: "certificate" } };
  const issue = () => live(PATH, { json, once: "document" });
  const batch = () =>
    live(`${PATH}/batches?title=Diploma&date=2026-11-20&expires_on=2026-11-20`, {
      stream: new Blob(["name,email\nGrace,grace@example.org"]).stream(),
      once: "batch",
      headers: { "content-type": "text/csv" },
    });
  const first = [await contentOf(issue()), await contentOf(batch())];
  assertEquals(first.map(([status]) => status), [201, 201], first.join());
  clock.now += 2 * MINUTE_MS;
  // The fonts of certificates cannot show this name.
  const renamed = await issuers.rename({
    organisation: "commercial",
    id: issuer.id,
    name: "𓂀",
    by: "a@example.org",
  });
  assert(renamed.ok);
  for (const [i, send] of [issue, batch].entries()) {
    assertEquals(await contentOf(send()), [first[i][0], first[i][1], "true"]);
  }
  const { issues } = await (await live(PATH, { json, once: "another" })).json();
  assertEquals(Object.keys(issues), ["expires_on"]);
});

Deno.test("a request that was refused before it ran can be sent again with its key", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const send = (title?: string) => live(PATH, { json: documentBody({ title }), once: "key" });
  assertEquals(await errorIn(send()), [400, "invalid_request"]);
  assertEquals(await fixture.count("idempotency_keys"), 0);
  assertEquals(await fixture.count("document_uploads"), 0);
  assertEquals((await send("Diploma")).status, 201);
});

Deno.test("while a request runs, the same one is refused; its lease ends if its process has died", async () => {
  await using fixture = await issuerApiFixture();
  const { issuer, clock, site: { services } } = fixture;
  const { issuerApi, documents } = services;
  const { file: _, file_name: __, ...input } = documentBody();
  const caller = { issuer: issuer as never, test: false, key: { id: "k" } };
  const receive = async (text: string) => {
    const received = await documents.receive(new Blob([text]).stream(), "a.txt");
    if (!received.ok) throw new Error(received.error);
    return received.file;
  };
  const prepare = async (): Promise<Execute> => {
    const file = await receive("A");
    const request = { caller, schema: newDocumentSchema, fields: { ...input, file: "" }, file };
    return (save) => issuerApi.issue(callOf(services, { ...request, save }));
  };
  const gate = Promise.withResolvers<void>();
  const [slow, quick] = [await prepare(), await prepare()];
  const first = run(fixture, async (save) => {
    await gate.promise;
    return await slow(save);
  });
  while (await fixture.count("idempotency_keys") === 0) await Promise.resolve();
  const refused = async () => {
    const error = await run(fixture, quick).catch((error) => error);
    return [error.status, error.code, error.headers?.["retry-after"]];
  };
  assertEquals(await refused(), [409, "idempotency_in_progress", "2"]);
  clock.now += LEASE_MS - 1;
  assertEquals(await refused(), [409, "idempotency_in_progress", "2"]);
  clock.now += 1;
  const second = await run(fixture, quick);
  assertEquals(second.status, 201);
  // The first one was only slow. It finds that another one ran instead.
  gate.resolve();
  assertEquals(await errorIn(first), [409, "idempotency_in_progress"]);
  assertEquals(await fixture.count("documents"), 1);
  const text = await second.text();
  assertEquals(await contentOf(run(fixture, quick)), [201, text, "true"]);
});

Deno.test("of requests with one key at the same time, one runs, and the others are refused or get its response", async () => {
  await using fixture = await issuerApiFixture();
  const { live } = fixture;
  const send = () => contentOf(live(PATH, { json: documentBody(), once: "key" }));
  const responses = await Promise.all(Array.from({ length: 8 }, send));
  const issued = responses.filter(([status]) => status === 201);
  assertEquals(issued.filter(([, , replayed]) => replayed === null).length, 1);
  assertEquals(new Set(issued.map(([, text]) => text)).size, 1);
  for (const [status, text] of responses.filter(([status]) => status !== 201)) {
    assertEquals([status, JSON.parse(text).error], [409, "idempotency_in_progress"]);
  }
  assertEquals([await fixture.count("documents"), await fixture.count("document_uploads")], [1, 0]);
});

Deno.test("a refusal is saved, but not one that may pass, and not an unexpected error", async () => {
  await using fixture = await issuerApiFixture();
  let count = 0;
  const refuse = () => {
    count++;
    return Promise.resolve(fail("recipient_refused"));
  };
  const [status, text] = await contentOf(run(fixture, refuse));
  assertEquals(status, 409);
  assertEquals(await contentOf(run(fixture, refuse)), [409, text, "true"]);
  assertEquals(count, 1);
  for (const error of ["rate_limited", "unavailable"]) {
    for (let i = 0; i < 2; i++) {
      const passing = { issuer: fixture.issuer, test: false, key: error, content: 1 };
      const execute = () => Promise.resolve(fail(error, { retryAfterSeconds: ++count }));
      const response = await fixture.site.services.idempotency.run(passing, execute);
      assertEquals(response.headers.get("retry-after"), String(count));
    }
  }
  const failing = { issuer: fixture.issuer, test: false, key: "failing", content: 1 };
  const { idempotency } = fixture.site.services;
  for (let i = 0; i < 2; i++) {
    const thrown = await idempotency.run(failing, () => Promise.reject(new Error(`failed ${i}`)))
      .catch(({ message }) => message);
    assertEquals(thrown, `failed ${i}`);
  }
  assertEquals(await fixture.count("idempotency_keys"), 1);
});

Deno.test("the response is erased with the name and the address, and the request does not run again", async () => {
  await using fixture = await issuerApiFixture();
  const { live, site: { services } } = fixture;
  const send = () => live(PATH, { json: documentBody(), once: "key" });
  await documentIn(send());
  assertEquals((await send()).status, 201);
  assertEquals(await services.issuing.forget(RECIPIENT.email), 1);
  assertEquals(await errorIn(send()), [410, "erased"]);
  assertEquals(await fixture.count("documents"), 1);
});

Deno.test("the response survives the replacement of APP_SECRET, and opens for its own key only", async () => {
  using kv = await openKv(":memory:");
  const clock = () => Date.now();
  const secret = (byte: number) => new Uint8Array(32).fill(byte);
  const withSecrets = (...bytes: number[]) => ({
    kv,
    clock,
    secrets: secretsOf(() => Promise.resolve(bytes.map(secret))),
  });
  const request = { issuer: { id: "harbour" }, test: false, key: "key", content: "content" };
  const sent = (...bytes: number[]) =>
    contentOf(
      createIdempotency(withSecrets(...bytes)).run(request, () =>
        Promise.resolve({ status: 201, body: bytes })),
    );
  assertEquals(await sent(1), [201, "[1]", null]);
  const { step } = resealResponses(withSecrets(2, 1));
  await (step as Step).batch("");
  assertEquals(await sent(2), [201, "[1]", "true"]);
  const [{ key, value }] = await Array.fromAsync(kv.list<object>({ prefix: ["idempotency_keys"] }));
  await kv.set([...key.slice(0, -1), hashOf("other")], { ...value, key: hashOf("other") });
  const moved = createIdempotency(withSecrets(2))
    .run({ ...request, key: "other" }, () => Promise.resolve({ status: 201, body: 3 }));
  assertEquals((await moved.catch((error) => error)).code, "erased");
});

Deno.test("the response is erased with the record of a recipient who accepted within a day", async () => {
  await using fixture = await issuerApiFixture();
  const { live, site: { services } } = fixture;
  const send = () => live(PATH, { json: documentBody(), once: "key" });
  const { id } = await documentIn(send());
  const { link } = (await fixture.mails()).find(({ link }) => link?.includes("/accept?"))!;
  const { searchParams } = new URL(link!);
  const fields = { of: searchParams.get("of")!, token: searchParams.get("token")! };
  await fixture.fetch("/accept", { form: { ...fields, act: "accept" } });
  const { record } = (await services.documents.read(id.replaceAll("-", "").toUpperCase()))!;
  assert((await services.records.deletion.deleteRecord(record!)).ok);
  assertEquals(await errorIn(send()), [410, "erased"]);
});
