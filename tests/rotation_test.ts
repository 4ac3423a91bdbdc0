import { assert, assertEquals } from "@std/assert";
import {
  type ChainEvent,
  generatePrivateJwk,
  type Head,
  verifyChain,
} from "../packages/proof/mod.ts";
import { twilioSignature } from "../lib/features/codes/providers/signature.ts";
import { someBytes } from "../lib/features/documents/testing/fixture.ts";
import { startBucket } from "../lib/features/documents/testing/s3_server.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { sandboxRelay } from "../sandbox/origin.ts";
import { startPushServers } from "../lib/features/push/testing/services/mod.ts";
import { type Client, type CodesFixture, codesFixture, NUMBER } from "./codes_site.ts";
import { CHALLENGE_ENV, contactFixture, PERSON, statusOf } from "./contact_site.ts";
import { documentFixture } from "./document_site.ts";
import { confirmEmail, recordFixture } from "./record_site.ts";
import { createSite, serve, type Site } from "./site.ts";

Deno.test("replacing APP_SECRET and CHAIN_SIGNING_KEY interrupts nobody", async () => {
  const kv = await openKv(":memory:");
  const secrets = [1, 2].map((byte) => new Uint8Array(32).fill(byte));
  const keys = await Promise.all([generatePrivateJwk(), generatePrivateJwk()]);
  /** A process of the site with some of the secrets, the current one first. */
  const start = (appSecrets: Uint8Array<ArrayBuffer>[], signingKey: typeof keys[0]) =>
    recordFixture({}, {
      kv,
      configure: (config) => ({
        ...config,
        appSecrets,
        chain: { ...config.chain, signingKey },
      }),
    });
  const [old, current] = secrets;

  await using before = await start([old], keys[0]);
  const { hash, cookie } = await before.holder();
  const waiting = await before.register(personOf(2));
  const [{ link }] = await before.mails();
  const headBefore = await chainOf(before, hash);

  // The processes are restarted one after another, so both run for a while.
  const during = await start([current, old], keys[1]);
  await during.site.services.migrate();
  for (const process of [before, during]) {
    assertEquals(await statusOf(process.fetch("/my-record", { cookie })), 200);
  }
  const token = new URL(link!).searchParams.get("token")!;
  assert(await confirmEmail(during.site.services, token));
  const inFlight = await during.holder(personOf(3));
  assertEquals(await statusOf(before.fetch("/my-record", { cookie: inFlight.cookie })), 200);

  const after = await start([current], keys[1]);
  assertEquals(await statusOf(after.fetch("/my-record", { cookie })), 200);
  for (const record of [hash, waiting, inFlight.hash]) {
    const { head, events } = await chainOf(after, record);
    assertEquals(await verifies(record, head, events), true, record);
  }
  // A head that somebody saved before.
  assertEquals(await verifies(hash, headBefore.head, headBefore.events), true);

  async function chainOf({ site }: typeof before, record: string) {
    return await (await site.request("api", `/api/chain/${record}`)).json();
  }

  async function verifies(recordHash: string, head: Head, events: ChainEvent[]): Promise<boolean> {
    const keySet = await after.site.request("trust", "/.well-known/chain-keys.json");
    const { keys } = await keySet.json();
    const publisher = new URL(after.site.services.surfaces.url("trust")!).host;
    const result = await verifyChain({ recordHash, head, events, publisher, keys });
    return result.ok && result.signedSize === result.size;
  }
});

const personOf = (n: number) => ({
  ...PERSON,
  email: `person${n}@example.org`,
  mobile: { country: "AU", number: `0412 345 67${n}` },
});

/** A service that accepts some secrets. `used` has those of the requests it has accepted. */
function service(secretOf: (req: Request) => string | Promise<string>, reply: () => unknown) {
  const accepted = new Set(["first"]);
  const used: string[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const secret = await secretOf(new Request(input, init));
    if (!accepted.has(secret)) return Response.json({ error: "unavailable" }, { status: 401 });
    used.push(secret);
    return Response.json(reply(), { status: 201 });
  };
  return { accepted, used, fetch };
}

const bearerOf = (req: Request) => req.headers.get("authorization")!.slice("Bearer ".length);

Deno.test("a relay's readers get pages while its service token is replaced", async () => {
  const { accepted, used, fetch } = service(
    (req) => req.headers.get("edge-access-client-secret")!,
    () => "page",
  );
  await using origin = serve((req) => fetch(req));
  const start = (clientSecret: string) => {
    const relay = sandboxRelay({
      origin: `http://127.0.0.1:${origin.port}`,
      clientId: `${clientSecret}.access`,
      clientSecret,
    });
    const host = `${relay.host}:8000`;
    const read = (site: Site) =>
      statusOf(site.handler(new Request(`http://${host}/${relay.slug}/`, { headers: { host } })));
    return { relay, read, site: createSite({ RELAYS: JSON.stringify([relay]) }) };
  };
  const old = start("first");
  await using before = await old.site;
  accepted.add("second");
  const current = start("second");
  await using after = await current.site;
  assertEquals([await old.read(before), await current.read(after)], [201, 201]);
  accepted.delete("first");
  assertEquals(await current.read(after), 201);
  assertEquals(used, ["first", "second", "second"]);
});

Deno.test("notifications that waited with the old push keys are sent with the new ones", async () => {
  const kv = await openKv(":memory:");
  let clock = { now: Date.now() };
  await using push = startPushServers(() => clock.now);
  /** A process with the keys that the services accept, except for the changes. */
  const start = async (changes: { apns?: object; fcm?: object } = {}) => {
    const apns = { ...push.config.apns, ...changes.apns };
    const fcm = { ...push.config.fcm, ...changes.fcm };
    const fixture = await recordFixture({}, {
      kv,
      fetch: push.fetch,
      configure: (config) => ({ ...config, push: { ...push.config, apns, fcm } }),
    });
    clock = fixture.clock;
    return fixture;
  };
  await using before = await start({
    apns: { keyId: "FIRSTKEY00" },
    fcm: { clientEmail: "first" },
  });
  const { hash, cookie } = await before.holder();
  for (const { platform, token } of push.phones.slice(0, 2)) {
    const json = { platform, token };
    assertEquals(await statusOf(before.fetch("/api/push/register", { cookie, json })), 201);
  }
  push.outage = true;
  await before.site.services.chains.append(hash, "record_verified");
  await before.site.services.push.flush();
  push.outage = false;
  const seen = push.pushes.length;

  const after = await start();
  after.clock.now = before.clock.now + HOUR_MS; // when they are sent again
  await after.site.services.push.drain();
  assertEquals(
    push.pushes.slice(0, push.pushes.length - seen).map(({ service, response }) =>
      `${service} ${response}`
    ).sort(),
    ["APNs 200", "FCM 200"],
  );
});

Deno.test("the contact form can be sent while CHALLENGE_SECRET is replaced", async () => {
  const kv = await openKv(":memory:");
  const { accepted, used, fetch } = service(
    async (req) => String((await req.formData()).get("secret")),
    () => ({
      success: true,
      challenge_ts: new Date().toISOString(),
      hostname: "investor.localhost",
      action: "contact",
    }),
  );
  const start = (CHALLENGE_SECRET: string) =>
    contactFixture({ ...CHALLENGE_ENV, CHALLENGE_SECRET }, { kv, fetch });
  await using before = await start("first");
  assertEquals(await statusOf(before.send({ ...PERSON, challenge: "token-1" })), 201);
  accepted.add("second");
  const after = await start("second");
  assertEquals(await statusOf(after.send({ ...personOf(2), challenge: "token-2" })), 201);
  accepted.delete("first");
  assertEquals(await statusOf(after.send({ ...personOf(3), challenge: "token-3" })), 201);
  assertEquals(used, ["first", "second", "second"]);
});

/** Returns a browser with another one's cookies, whose requests reach another process. */
function moveTo({ client }: CodesFixture, { cookies }: Client): Client {
  const moved = client();
  for (const [name, value] of cookies) moved.cookies.set(name, value);
  return moved;
}

Deno.test("a code that was sent with the old CODE_HTTP_KEY is valid, and the new key sends the next", async () => {
  const kv = await openKv(":memory:");
  const texts: string[] = [];
  const { accepted, used, fetch } = service(async (req) => {
    texts.push((await req.clone().json()).text);
    return bearerOf(req);
  }, () => ({ id: "m1" }));
  const start = (CODE_HTTP_KEY: string) =>
    codesFixture({
      CODE_PROVIDER: "http",
      CODE_HTTP_URL: "https://codes.example/send",
      CODE_HTTP_KEY,
    }, { kv, fetch, codeProvider: undefined });
  await using before = await start("first");
  const hash = await before.register();
  const browser = before.client();
  await before.signIn(browser, hash);
  const ask = { method: "sms", purpose: "confirm_number" };
  assertEquals((await browser.post("send", ask)).status, 200);

  accepted.add("second");
  const after = await start("second");
  accepted.delete("first");
  const moved = moveTo(after, browser);
  const code = /#(\d{6})$/.exec(texts[0])![1];
  const entered = await moved.post("verify", { code, purpose: "confirm_number" });
  assertEquals(entered.status, 200);
  after.clock.now += 120_000;
  assertEquals(
    (await after.client().post("send", {
      method: "sms",
      purpose: "sign_in",
      mobile: NUMBER,
    })).status,
    200,
  );
  assertEquals(used, ["first", "second"]);
});

Deno.test("codes are sent and callbacks accepted while TWILIO_AUTH_TOKEN is replaced", async () => {
  const kv = await openKv(":memory:");
  const sid = `SM${"0".repeat(32)}`;
  const { accepted, used, fetch } = service(
    (req) => atob(req.headers.get("authorization")!.slice("Basic ".length)).split(":")[1],
    () => ({ sid, status: "queued" }),
  );
  const start = (TWILIO_AUTH_TOKEN: string) =>
    codesFixture({
      CODE_PROVIDER: "twilio",
      TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
      TWILIO_FROM: "+61491570006",
      TWILIO_AUTH_TOKEN,
    }, { kv, fetch, codeProvider: undefined });
  /** Reports a message as delivered. `primary` signs, which the other token replaces at last. */
  const report = async ({ site }: typeof before, primary: string) => {
    const form = { MessageSid: sid, MessageStatus: "delivered" };
    const url = site.services.surfaces.url("trust", "/api/codes/status")!;
    return await statusOf(site.request("trust", "/api/codes/status", {
      method: "POST",
      headers: { "x-twilio-signature": twilioSignature(primary, url, form) },
      body: new URLSearchParams(form),
    }));
  };
  await using before = await start("first");
  const hash = await before.register();
  const browser = before.client();
  await before.signIn(browser, hash);
  const ask = { method: "sms", purpose: "confirm_number" };
  assertEquals((await browser.post("send", ask)).status, 200);

  accepted.add("second");
  const during = await start("second,first");
  assertEquals([await report(before, "first"), await report(during, "first")], [204, 204]);
  assertEquals([await report(before, "second"), await report(during, "second")], [403, 204]);
  const moved = moveTo(during, browser);
  during.clock.now += 120_000;
  assertEquals((await moved.post("send", ask)).status, 200);
  accepted.delete("first");
  const after = await start("second");
  assertEquals([await report(after, "first"), await report(after, "second")], [403, 204]);
  assertEquals(used, ["first", "second"]);
});

Deno.test("a document that was stored with the old S3 key is read with the new one", async () => {
  const kv = await openKv(":memory:");
  await using bucket = startBucket();
  const start = () =>
    documentFixture({}, {
      kv,
      configure: (config) => ({
        ...config,
        documents: { ...config.documents, store: "s3", s3: { ...bucket.config } },
      }),
    });
  await using before = await start();
  const bytes = someBytes(70_000);
  const { versions: [{ original }] } = await before.add(bytes);
  Object.assign(bucket.config, { accessKeyId: "SECONDKEY", secretAccessKey: "second" });
  const after = await start();
  const read = new Response(after.site.services.documents.open(original));
  assertEquals(await read.bytes(), bytes);
  assertEquals(bucket.log, ["PUT 200", "GET 206"]);
});

Deno.test("after METRICS_TOKEN was replaced, only the new token reads /metrics", async () => {
  const tokens = ["metrics-token-first", "metrics-token-second"];
  const statuses = (site: Site) =>
    Promise.all(tokens.map((token) =>
      statusOf(site.handler(
        new Request("http://10.0.0.7/metrics", { headers: { authorization: `Bearer ${token}` } }),
      ))
    ));
  await using before = await createSite({ METRICS_TOKEN: tokens[0] });
  assertEquals(await statuses(before), [200, 401]);
  await using after = await createSite({ METRICS_TOKEN: tokens[1] });
  assertEquals(await statuses(after), [401, 200]);
});
