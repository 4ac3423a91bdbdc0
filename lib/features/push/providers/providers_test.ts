import { assert, assertEquals } from "@std/assert";
import { generateKeyPairSync } from "node:crypto";
import { HOUR_MS, MINUTE_MS } from "../../../base/time.ts";
import { PUSH_FAILURES } from "../failures.ts";
import type { PushMessage, PushOutcome, PushTarget } from "../provider.ts";
import type { StandInPhone } from "../stand_in.ts";
import { startPushServers } from "../testing/services/mod.ts";
import { createPushServices } from "./mod.ts";

const START = Date.now();

/** The services, with a clock, and timeouts that end when the test says so. */
function services({ timeoutSignal }: { timeoutSignal?: (ms: number) => AbortSignal } = {}) {
  const time = { now: START };
  const clock = () => time.now;
  const servers = startPushServers(clock);
  const requests: { url: string; headers: Headers; body: string; client?: Deno.HttpClient }[] = [];
  const recording: typeof fetch = (input, init?: RequestInit & { client?: Deno.HttpClient }) => {
    const body = init?.body instanceof Uint8Array ? "" : String(init?.body);
    const headers = new Headers(init?.headers);
    requests.push({ url: String(input), headers, body, client: init?.client });
    return servers.fetch(input, init);
  };
  const connect = (config = servers.config) =>
    createPushServices(config, { fetch: recording, clock, timeoutSignal });
  const { providers, close } = connect();
  return {
    servers,
    requests,
    time,
    connect,
    send: (target: PushTarget, message: Partial<PushMessage> = {}): Promise<PushOutcome> =>
      providers[target.platform]!.send(target, messageAt(time.now, message)),
    /** Returns the phone with a behaviour, by the beginning of its token. */
    phone(platform: StandInPhone["platform"], prefix = ""): PushTarget {
      const { token } = servers.phones.find((phone) =>
        phone.platform === platform && phone.token.startsWith(prefix)
      )!;
      return platform === "ios" ? { platform, token, environment: "sandbox" } : { platform, token };
    },
    browser(...given: Parameters<typeof servers.subscribe>): PushTarget {
      const { endpoint, keys } = servers.subscribe(...given);
      const vapid = given[1] ?? servers.config.web.keys[0].publicKey;
      return { platform: "web", endpoint, ...keys, vapid };
    },
    async [Symbol.asyncDispose]() {
      close();
      await servers.stop();
    },
  };
}

const messageAt = (now: number, message: Partial<PushMessage>): PushMessage => ({
  id: crypto.randomUUID(),
  text: "Email verified ✓",
  seq: 1,
  event: "ab".repeat(32),
  collapse: "c0llapse-".padEnd(32, "x"),
  expiresAt: now + HOUR_MS,
  url: "https://trust.example/my-record",
  ...message,
});

Deno.test("each service shows the text and seq of a message, and nothing else is sent", async () => {
  await using at = services();
  const targets = [at.phone("ios"), at.phone("android"), at.browser()];
  for (const target of targets) assertEquals(await at.send(target), { ok: true });
  assertEquals(
    at.servers.pushes.map(({ service, text, seq, response }) => [service, text, seq, response]),
    [
      ["Web Push", "Email verified ✓", 1, "201"],
      ["FCM", "Email verified ✓", 1, "200"],
      ["APNs", "Email verified ✓", 1, "200"],
    ],
  );
  const bodyOf = (part: string) =>
    JSON.parse(at.requests.find(({ url }) => url.includes(part))!.body);
  const event = "ab".repeat(32);
  const url = "https://trust.example/my-record";
  assertEquals(Object.keys(bodyOf("/3/device/")), ["aps", "seq", "event", "url"]);
  assertEquals(bodyOf("messages:send").message.data, { seq: "1", event, url });
});

Deno.test("a second message about a record replaces the first on the device", async () => {
  await using at = services();
  for (const target of [at.phone("ios"), at.phone("android"), at.browser()]) {
    await at.send(target, { seq: 1 });
    await at.send(target, { seq: 2 });
    const [second, first] = at.servers.pushes;
    assertEquals([first.seq, first.replaced, second.seq, second.replaced], [1, true, 2, false]);
  }
});

Deno.test("each rejection by a service becomes remove, retry or give up", async () => {
  await using at = services();
  const retry = (error: string, afterMs?: number): PushOutcome => ({
    ok: false,
    error,
    action: "retry",
    ...afterMs && { afterMs },
  });
  const cases: [PushTarget, PushOutcome][] = [
    [at.phone("ios", "a410"), {
      ok: false,
      error: "unregistered",
      action: "remove",
      since: at.time.now,
    }],
    [at.phone("ios", "a400"), { ok: false, error: "bad_device_token", action: "give_up" }],
    [at.phone("ios", "a429"), retry("rate_limited")],
    [at.phone("ios", "a500"), retry("unavailable")],
    [at.phone("ios", "a503"), retry("unavailable", 30_000)],
    [at.phone("android", "gone"), { ok: false, error: "unregistered", action: "remove" }],
    [at.phone("android", "bad"), { ok: false, error: "invalid_token", action: "remove" }],
    [
      { platform: "android", token: "mismatch-1" },
      { ok: false, error: "sender_id_mismatch", action: "give_up" },
    ],
    [at.phone("android", "busy"), retry("rate_limited", 60_000)],
    [at.phone("android", "error"), retry("unavailable")],
    [at.phone("android", "unavailable"), retry("unavailable", 30_000)],
    [at.browser("gone"), { ok: false, error: "unsubscribed", action: "remove" }],
    [at.browser("bad"), { ok: false, error: "unsubscribed", action: "remove" }],
    [at.browser("busy"), retry("rate_limited", 60_000)],
    [at.browser("unavailable"), retry("unavailable", 30_000)],
  ];
  for (const [target, outcome] of cases) assertEquals(await at.send(target), outcome);
  at.servers.outage = true;
  for (const target of [at.phone("ios"), at.browser()]) {
    assertEquals(await at.send(target), retry("unavailable"));
  }
});

Deno.test("the services reject HTTP/1.1 for iPhones, as Apple does", async () => {
  await using at = services();
  using client = Deno.createHttpClient({
    http2: false,
    caCerts: [at.servers.certificate],
  });
  const url = `${at.servers.config.apns.hosts.sandbox}/3/device/${"0".repeat(64)}`;
  const init = { client, method: "POST" };
  const response = await fetch(url, init);
  assertEquals([response.status, await response.json()], [505, {
    reason: "HttpVersionNotSupported",
  }]);
});

Deno.test("the services reject messages that are too long", async () => {
  await using at = services();
  const text = "x".repeat(4_000);
  const cases: [PushTarget, string][] = [
    [at.phone("ios"), "payload_too_large"],
    [at.phone("android"), "invalid_argument"],
    [at.browser(), "PayloadTooLarge"],
  ];
  for (const [target, error] of cases) {
    assertEquals(await at.send(target, { text }), { ok: false, error, action: "give_up" });
  }
});

Deno.test("APNs gets one token for 40 minutes, then a new one", async () => {
  await using at = services();
  const phone = at.phone("ios");
  for (const minutes of [0, 39, 41]) {
    at.time.now = START + minutes * MINUTE_MS;
    assertEquals(await at.send(phone), { ok: true });
  }
  const tokens = at.requests.map(({ headers }) => headers.get("authorization"));
  assertEquals([tokens[0] === tokens[1], tokens[1] === tokens[2]], [true, false]);

  // Another process with a token of its own has to wait.
  at.time.now += 1_000;
  const second = at.connect();
  assertEquals(await second.providers.ios!.send(phone, messageAt(at.time.now, {})), {
    ok: false,
    error: "rate_limited",
    action: "retry",
    afterMs: 20 * MINUTE_MS,
  });
  second.close();
});

Deno.test("100 messages to Android share one access token, which is renewed before it expires", async () => {
  await using at = services();
  const phone = at.phone("android");
  await Promise.all(Array.from({ length: 100 }, () => at.send(phone)));
  const tokenRequests = () => at.requests.filter(({ url }) => url.endsWith("/token")).length;
  assertEquals([tokenRequests(), at.servers.pushes.length], [1, 100]);
  at.time.now += 56 * MINUTE_MS;
  assertEquals(await at.send(phone), { ok: true });
  assertEquals(tokenRequests(), 2);
});

Deno.test("messages that are refused because Google withdrew the token renew it once", async () => {
  await using at = services();
  const phone = at.phone("android");
  const sendTen = () => Promise.all(Array.from({ length: 10 }, () => at.send(phone)));
  const tokenRequests = () => at.requests.filter(({ url }) => url.endsWith("/token")).length;
  await at.send(phone);
  at.servers.withdrawTokens();
  const refused: PushOutcome = { ok: false, error: "unauthenticated", action: "retry" };
  assertEquals(await sendTen(), Array(10).fill(refused));
  assertEquals(await sendTen(), Array(10).fill({ ok: true }));
  assertEquals(tokenRequests(), 2);
});

Deno.test("keys that the services reject are given up as our error, without removing the device", async () => {
  await using at = services();
  await using other = startPushServers();
  const { apns } = other.config;
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const { providers, close } = at.connect({
    ...at.servers.config,
    apns: { ...apns, hosts: at.servers.config.apns.hosts },
    fcm: { ...at.servers.config.fcm, privateKey },
  });
  const message = messageAt(at.time.now, {});
  const cases = [["ios", "invalid_provider_token"], ["android", "service_account_rejected"]];
  for (const [platform, error] of cases) {
    const outcome = await providers[platform as "ios"]!.send(at.phone(platform as "ios"), message);
    assertEquals(outcome, { ok: false, error, action: "give_up" });
    assert(error in PUSH_FAILURES, error);
  }
  close();
});

Deno.test("a subscription keeps working with its earlier key, and ends when the key is removed", async () => {
  await using at = services();
  await using other = startPushServers();
  const [current] = at.servers.config.web.keys;
  const [earlier] = other.config.web.keys;
  const browser = at.browser("accept", earlier.publicKey);
  const { providers, close } = at.connect({
    ...at.servers.config,
    web: { ...at.servers.config.web, keys: [current, earlier] },
  });
  const message = messageAt(at.time.now, {});
  assertEquals(await providers.web!.send(browser, message), { ok: true });
  assertEquals(await at.send(browser), {
    ok: false,
    error: "vapid_key_removed",
    action: "remove",
  });
  close();
});

Deno.test("the services reject a VAPID subject that nobody can reach, as Apple does", async () => {
  await using at = services();
  const web = { ...at.servers.config.web, subject: "mailto:push@localhost" };
  const { providers, close } = at.connect({ ...at.servers.config, web });
  const outcome = await providers.web!.send(at.browser(), messageAt(at.time.now, {}));
  assertEquals(outcome, { ok: false, error: "BadJwtToken", action: "give_up" });
  close();
});

Deno.test("a message on a broken connection is sent once more on a new connection", async () => {
  const timeouts: AbortController[] = [];
  await using at = services({
    timeoutSignal() {
      const timeout = new AbortController();
      timeouts.push(timeout);
      queueMicrotask(() => timeout.abort());
      return timeout.signal;
    },
  });
  const outcome = await at.send(at.phone("ios", "a000"));
  assertEquals(outcome, { ok: false, error: "unreachable", action: "retry" });
  const ids = at.requests.map(({ headers }) => headers.get("apns-id"));
  assertEquals([timeouts.length, ids.length, new Set(ids).size], [2, 2, 1]);
});

Deno.test("after a connection died, messages share the new one, and it is closed once", async () => {
  let timeouts = 0;
  await using at = services({
    timeoutSignal: () => timeouts++ < 2 ? AbortSignal.abort() : new AbortController().signal,
  });
  const send = () => at.send(at.phone("ios"));
  assertEquals(await Promise.all([send(), send()]), [{ ok: true }, { ok: true }]);
  for (let i = 0; i < 2; i++) assertEquals(await send(), { ok: true });
  const [died, alsoDied, ...others] = at.requests.map(({ client }) => client);
  assertEquals([alsoDied, others.includes(died), others.length], [died, false, 4]);
  assertEquals(others[3], others[2]);
});

Deno.test("a redirect is a failure, and its target gets no request", async () => {
  const paths: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (req) => {
    paths.push(new URL(req.url).pathname);
    return Response.redirect(new URL("/target", req.url), 307);
  });
  await using at = services();
  const endpoint = `http://127.0.0.1:${server.addr.port}/push`;
  const outcome = await at.send({ ...at.browser(), endpoint } as PushTarget);
  assertEquals(outcome, { ok: false, error: "status_307", action: "give_up" });
  assertEquals(paths, ["/push"]);
});

Deno.test("after GOAWAY, messages arrive on a new connection", async () => {
  await using at = services();
  assertEquals(await at.send(at.phone("ios", "a90a")), { ok: true });
  await at.servers.settled();
  for (let i = 0; i < 6; i++) assertEquals(await at.send(at.phone("ios")), { ok: true });
});

Deno.test("without configuration there is no provider, and errors contain no token", async () => {
  assertEquals(createPushServices({}, { fetch, clock: Date.now }).providers, {});
  await using at = services();
  const token = "bad-secret-token";
  const outcome = await at.send({ platform: "android", token });
  assert(!JSON.stringify(outcome).includes(token));
});
