import { documentPath } from "../lib/features/documents/mod.ts";
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { Webhook } from "standardwebhooks";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { OPERATIONS } from "../lib/features/api/mod.ts";
import { issuingFixture, RECIPIENT } from "./issuing_site.ts";
import { addIssuer } from "./key_site.ts";
import { statusOf } from "./contact_site.ts";

const PATH = "/api/documents/webhooks";

/** A site whose issuer has a server for events, and keys of both modes. */
async function webhookSite() {
  const received: { path: string; headers: Record<string, string>; body: string }[] = [];
  const server = openHttpsServer(async (req) => {
    const headers = Object.fromEntries(req.headers);
    received.push({ path: new URL(req.url).pathname, headers, body: await req.text() });
    return site.respond();
  });
  const logged: string[] = [];
  const fixture = await issuingFixture({}, {
    network: server.network,
    log: (line) => void logged.push(JSON.stringify(line)),
  });
  const issuer = await addIssuer(fixture.site, "Lakeside College");
  const keys = { live: await issuer.key("live"), test: await issuer.key("test") };
  const { site: { services, request } } = fixture;
  const operator = { email: "admin@example.org", surface: "commercial-console" } as const;
  let session: string | undefined;
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
  const site = {
    ...fixture,
    /** The response of the server. */
    respond: () => new Response(),
    caller: issuer.issuer,
    received,
    logged,
    keys,
    call,
    send: issuer.call,
    /** Sends a request of an administrator to the console. */
    async asAdministrator(path: string, init: RequestInit = {}): Promise<Response> {
      session ??= await (async () => {
        const { token } = await services.auth.issueLink(operator);
        return (await services.auth.verify(token, operator.surface))!.sessionId;
      })();
      const headers = { cookie: `app_session=${session}`, accept: "text/html", ...init.headers };
      return await request(operator.surface, path, { ...init, headers });
    },
    /** Adds a webhook at a path of the server. */
    async create(key: string, path: string) {
      const { json } = await call(key, "POST", "", { url: `https://localhost${path}` });
      return json as { id: string; secret: string };
    },
    async [Symbol.asyncDispose]() {
      await services.webhooks.flush();
      await fixture[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  return site;
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
    url: fixture.site.services.surfaces.url("trust", documentPath(document.id)),
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

Deno.test("the issuer's page shows its webhooks without secrets, and an administrator pauses, resumes and removes one", async () => {
  await using fixture = await webhookSite();
  const { webhooks, surfaces } = fixture.site.services;
  const { id, secret } = await fixture.create(fixture.keys.live, "/hook?token=of-the-issuer");
  await fixture.call(fixture.keys.live, "POST", `/${id}/test`);
  await webhooks.flush();
  const page = `/console/issuers/${fixture.caller.id}/keys`;
  const { origin } = new URL(surfaces.url("commercial-console", "/")!);
  const act = (act: string) =>
    fixture.asAdministrator(page, {
      method: "POST",
      headers: { origin },
      body: new URLSearchParams({ act, webhook: id, mode: "live" }),
    });
  const shown = async () => await (await fixture.asAdministrator(page)).text();
  const html = await shown();
  for (const text of ["localhost/hook", "webhook.test", "Delivered"]) {
    assertStringIncludes(html, text);
  }
  for (const text of [secret, "of-the-issuer"]) assertFalse(html.includes(text), text);
  const { issuer, mode } = { issuer: fixture.caller.id, mode: "live" as const };
  const state = async () => {
    const read = await webhooks.read({ issuer, mode, id });
    return read.ok ? [read.endpoint.state, read.endpoint.reason] : [read.error];
  };
  assertEquals(await statusOf(act("pause_webhook")), 303);
  assertEquals(await state(), ["paused", "administrator"]);
  assertStringIncludes(await shown(), "An administrator has paused it.");
  assertEquals(await statusOf(act("resume_webhook")), 303);
  assertEquals(await state(), ["active", null]);
  assertEquals(await statusOf(act("remove_webhook")), 303);
  assertEquals(await state(), ["not_found"]);
  assertEquals(await statusOf(act("remove_webhook")), 404);
  const log = await (await fixture.asAdministrator("/console/audit")).text();
  for (const text of ["Paused", "Resumed", "Removed"]) {
    assertStringIncludes(log, `${text} a webhook`);
  }
});

Deno.test("a paused webhook is logged without its URL, its alert links to it, and an issuer that is removed leaves no webhooks", async () => {
  await using fixture = await webhookSite();
  const { webhooks, issuers, kv } = fixture.site.services;
  const { id, secret } = await fixture.create(fixture.keys.live, "/hook?token=of-the-issuer");
  fixture.respond = () => new Response("", { status: 410 });
  await fixture.call(fixture.keys.live, "POST", `/${id}/test`);
  await webhooks.flush();
  const log = fixture.logged.join("\n");
  assertStringIncludes(log, `"event":"webhook_paused","webhook":"${id}","reason":"gone"`);
  for (const text of [secret, "of-the-issuer", "localhost"]) assertFalse(log.includes(text), text);
  const alerts = await (await fixture.asAdministrator("/console/alerts")).text();
  assertStringIncludes(
    alerts,
    "The server of Lakeside College has asked us to stop sending it events",
  );
  assertStringIncludes(alerts, `href="/console/issuers/${fixture.caller.id}/keys#webhook-${id}"`);
  const page = await (await fixture.asAdministrator(`/console/issuers/${fixture.caller.id}/keys`))
    .text();
  assertStringIncludes(page, `id="webhook-${id}"`);
  const of = {
    organisation: "commercial",
    id: fixture.caller.id,
    by: "admin@example.org",
  } as const;
  unwrap(await issuers.remove(of));
  for (const prefix of ["webhook_endpoints", "webhook_deliveries", "webhook_held"]) {
    assertEquals([prefix, await Array.fromAsync(kv.list({ prefix: [prefix] }))], [prefix, []]);
  }
});

Deno.test("a request to add a webhook that is repeated with its Idempotency-Key adds it once, and gets the same secret", async () => {
  await using fixture = await webhookSite();
  const headers = { "idempotency-key": "first-webhook", "content-type": "application/json" };
  const body = JSON.stringify({ url: "https://localhost/hook" });
  const send = () => fixture.send(fixture.keys.live, { path: PATH, method: "POST", headers, body });
  const [first, second] = [await send(), await send()];
  assertEquals([first.status, second.status], [201, 201]);
  assertEquals(await first.text(), await second.text());
  assertEquals(second.headers.get("idempotent-replayed"), "true");
  const { json } = await fixture.call(fixture.keys.live, "GET");
  assertEquals((json.data as unknown[]).length, 1);
});
