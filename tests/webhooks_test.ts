import { assert, assertEquals } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import { issuingFixture, RECIPIENT } from "./issuing_site.ts";
import { addIssuer } from "./key_site.ts";

const PATH = "/api/documents/webhooks";

/** A site whose issuer has a server for events, and keys of both modes. */
async function webhookSite() {
  const received: { path: string; headers: Record<string, string>; body: string }[] = [];
  const server = openHttpsServer(async (req) => {
    const headers = Object.fromEntries(req.headers);
    received.push({ path: new URL(req.url).pathname, headers, body: await req.text() });
    return new Response();
  });
  const fixture = await issuingFixture({}, { network: server.network });
  const issuer = await addIssuer(fixture.site, "Lakeside College");
  const keys = { live: await issuer.key("live"), test: await issuer.key("test") };
  const call = async (
    key: string,
    method: string,
    path = "",
    body?: unknown,
  ): Promise<{ status: number; json: Record<string, unknown> }> => {
    const response = await issuer.call(key, {
      path: PATH + path,
      method,
      ...body !== undefined && {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      },
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? {} : JSON.parse(text) };
  };
  return {
    ...fixture,
    caller: issuer.issuer,
    received,
    keys,
    call,
    /** Adds a webhook at a path of the server. */
    async create(key: string, path: string) {
      const { json } = await call(key, "POST", "", { url: `https://localhost${path}` });
      return json as { id: string; secret: string };
    },
    async [Symbol.asyncDispose]() {
      await fixture.site.services.webhooks.flush();
      await fixture[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("an issuer adds a webhook, and its server receives signed events without names and addresses", async () => {
  await using fixture = await webhookSite();
  const { webhooks, documents } = fixture.site.services;
  const { id, secret } = await fixture.create(fixture.keys.live, "/live");
  await fixture.create(fixture.keys.test, "/test");
  const { json } = await fixture.call(fixture.keys.live, "GET", `/${id}`);
  assert(secret.startsWith("whsec_") && !JSON.stringify(json).includes("whsec_"));

  const issuer = fixture.caller;
  const { document } = unwrap(await fixture.issue({ external_id: "2026-0117" }, { issuer }));
  await fixture.issue({ recipient: { name: "Ada", email: "ada@example.org" } });
  await documents.withdraw(document.id, "Issued by mistake.", "admin@example.org");
  await webhooks.flush();

  assertEquals(fixture.received.map(({ path }) => path), ["/live", "/live"]);
  const events = fixture.received.map(({ body, headers }) => {
    // The package compares the time with that of the computer.
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const signature = new Webhook(secret).sign(headers["webhook-id"], at, body);
    assertEquals(headers["webhook-signature"], signature);
    return JSON.parse(body);
  });
  const data = {
    id: document.id.toLowerCase().match(/.{4}/g)!.join("-"),
    external_id: "2026-0117",
    test: false,
    state: "current",
    version: 1,
    url: fixture.site.services.surfaces.url("trust", `/d/${document.id.toLowerCase()}`),
  };
  assertEquals(events.map(({ type, data }) => ({ type, data })), [
    { type: "document.issued", data },
    { type: "document.withdrawn", data: { ...data, state: "withdrawn" } },
  ]);
  const everything = JSON.stringify(fixture.received);
  for (const text of [RECIPIENT.name, RECIPIENT.email, "Certificate III", "mistake"]) {
    assertEquals([text, everything.includes(text)], [text, false]);
  }
  const { json: list } = await fixture.call(fixture.keys.live, "GET", `/${id}/deliveries`);
  const [last] = list.data as { type: string; state: string; payload: unknown }[];
  assertEquals([last.type, last.state], ["document.withdrawn", "delivered"]);
});

Deno.test("events of tests reach only webhooks for tests", async () => {
  await using fixture = await webhookSite();
  await fixture.create(fixture.keys.live, "/live");
  await fixture.create(fixture.keys.test, "/test");
  const issuer = fixture.caller;
  assert((await fixture.issue({}, { issuer, test: true })).ok);
  await fixture.site.services.webhooks.flush();
  const received = fixture.received.map(({ path, body }) => [path, JSON.parse(body).data.test]);
  assertEquals(received, [["/test", true]]);
});

Deno.test("the operations on a webhook return 404 for keys of other issuers and modes, and for malformed ids", async () => {
  await using fixture = await webhookSite();
  const { id } = await fixture.create(fixture.keys.live, "/live");
  await fixture.call(fixture.keys.live, "POST", `/${id}/test`);
  await fixture.site.services.webhooks.flush();
  const { json } = await fixture.call(fixture.keys.live, "GET", `/${id}/deliveries`);
  const [{ id: delivery }] = json.data as { id: string }[];
  const other = await (await addIssuer(fixture.site, "Hillside College")).key("live");
  const operations = OPERATIONS.filter(({ path }) => path.startsWith(`${PATH}/:id`));
  assertEquals(operations.length, 10);
  for (const { path, method, example: { body } } of operations) {
    const at = (webhook: string, event = delivery) =>
      path.slice(PATH.length).replace(":id", webhook).replace(":delivery", event);
    const outcome = async (key: string, webhook: string) =>
      (await fixture.call(key, method.toUpperCase(), at(webhook), body)).status;
    const statuses = [
      await outcome(other, id),
      await outcome(fixture.keys.test, id),
      await outcome(fixture.keys.live, "x"),
      await outcome(fixture.keys.live, "a".repeat(4_000)),
    ];
    assertEquals([path, method, ...statuses], [path, method, 404, 404, 404, 404]);
  }
  for (const event of ["x", "a".repeat(4_000), `msg_${"0".repeat(26)}`]) {
    const path = `/${id}/deliveries/${event}/replay`;
    assertEquals((await fixture.call(fixture.keys.live, "POST", path)).status, 404);
  }
  const { json: left } = await fixture.call(fixture.keys.live, "GET");
  assertEquals((left.data as { id: string }[]).map(({ id }) => id), [id]);
  assertEquals(fixture.received.length, 1);
});
