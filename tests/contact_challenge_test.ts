import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { HONEYPOT } from "../lib/features/contact/fields.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import {
  CHALLENGE_ENV,
  type ContactFixture,
  contactFixture,
  errorOf,
  PERSON,
  statusOf,
} from "./contact_site.ts";

type Verdict = Record<string, unknown> | string | Error | Response;

interface ChallengeFixture extends ContactFixture {
  /** The requests to the provider. */
  asked: { url: string; init: RequestInit; body: Record<string, string> }[];
  /** Sets the provider's response to each token. */
  respond(next: (token: string) => Verdict): void;
  /** Returns a positive verdict. */
  passed(change?: Record<string, unknown>): Verdict;
}

/** A site with a bot challenge whose provider's responses the test sets. */
async function challengeFixture(env: Record<string, string> = {}): Promise<ChallengeFixture> {
  const asked: ChallengeFixture["asked"] = [];
  let verdictOf: (token: string) => Verdict = () => ({ success: false });
  const fetch = ((url: string, init: RequestInit) => {
    const body = Object.fromEntries(init.body as URLSearchParams);
    asked.push({ url, init, body });
    const verdict = verdictOf(body.response);
    if (verdict instanceof Error) return Promise.reject(verdict);
    if (verdict instanceof Response) return Promise.resolve(verdict);
    return Promise.resolve(
      new Response(typeof verdict === "string" ? verdict : JSON.stringify(verdict)),
    );
  }) as typeof globalThis.fetch;
  const fixture = await contactFixture({
    ...CHALLENGE_ENV,
    CONTACT_ORIGINS: "https://host.example:8443",
    ...env,
  }, { fetch });
  return {
    ...fixture,
    asked,
    respond: (next) => verdictOf = next,
    passed: (change = {}) => ({
      success: true,
      challenge_ts: new Date(fixture.clock.now - 1_000).toISOString(),
      hostname: "investor.localhost",
      action: "contact",
      ...change,
    }),
  };
}

async function assertRefused(fixture: ContactFixture, body: unknown, title = ""): Promise<void> {
  const before = await fixture.entries();
  const { status, error } = await errorOf(await fixture.send(body));
  assertEquals([status, error], [400, "challenge_failed"], title);
  assertEquals(await fixture.entries(), before, title);
  assertEquals((await fixture.mails()).length, 0, title);
}

Deno.test("a passed challenge registers, and the provider is asked once, with the secret", async () => {
  await using fixture = await challengeFixture();
  fixture.respond(() => fixture.passed());
  const sent = fixture.send({ ...PERSON, challenge: "token-1" }, { from: "203.0.113.5" });
  assertEquals(await statusOf(sent), 201);
  assertEquals(fixture.asked.length, 1);
  const [{ url, init, body }] = fixture.asked;
  const { CHALLENGE_VERIFY_URL: verifyUrl, CHALLENGE_SECRET: secret } = CHALLENGE_ENV;
  assertEquals([url, init.method, init.redirect], [verifyUrl, "POST", "error"]);
  assert(init.signal instanceof AbortSignal);
  assertEquals(body, { secret, response: "token-1", remoteip: "203.0.113.5" });
  for (const { key, text } of await fixture.entries()) {
    assertFalse(/token-1|the-secret/.test(key + text));
  }
});

Deno.test("challenges pass on our hosts and embedding hosts, and without an action", async () => {
  await using fixture = await challengeFixture();
  const changes = [
    { hostname: "foundation.localhost" },
    { hostname: "host.example" },
    { action: undefined },
    { more: "is ignored" },
    { challenge_ts: new Date(fixture.clock.now - 300_000).toISOString() },
    { challenge_ts: new Date(fixture.clock.now).toISOString().replace("Z", "+00:00") },
  ];
  for (const [i, change] of changes.entries()) {
    fixture.respond(() => fixture.passed(change));
    const sent = fixture.send({ ...PERSON, challenge: `token-${i}` });
    assertEquals(await statusOf(sent), 201, JSON.stringify(change));
  }
});

const FAILING: [
  title: string,
  verdict: (passed: ChallengeFixture["passed"], now: number) => Verdict,
][] = [
  ["refused", () => ({ success: false, "error-codes": ["invalid-input-response"] })],
  ["refused, otherwise valid", (passed) => passed({ success: false })],
  ["success is text", (passed) => passed({ success: "true" })],
  ["another host", (passed) => passed({ hostname: "evil.example" })],
  ["a host with the same suffix", (passed) => passed({ hostname: "xhost.example" })],
  ["no host", (passed) => passed({ hostname: undefined })],
  ["another action", (passed) => passed({ action: "login" })],
  [
    "older than 300 seconds",
    (passed, now) => passed({ challenge_ts: new Date(now - 300_001).toISOString() }),
  ],
  [
    "from the future",
    (passed, now) => passed({ challenge_ts: new Date(now + 61_000).toISOString() }),
  ],
  ["no time", (passed) => passed({ challenge_ts: undefined })],
  ["an invalid time", (passed) => passed({ challenge_ts: "now" })],
  ["not JSON", () => "<html>"],
  ["null", () => "null"],
  ["unreachable", () => new TypeError("connection refused")],
  ["status 500", () => new Response("oops", { status: 500 })],
];

Deno.test("any other response from the provider returns 400 challenge_failed, and nothing is stored", async () => {
  await using fixture = await challengeFixture();
  for (const [i, [title, verdict]] of FAILING.entries()) {
    fixture.respond(() => verdict(fixture.passed, fixture.clock.now));
    await assertRefused(fixture, { ...PERSON, challenge: "token" }, title);
    assertEquals(fixture.asked.length, i + 1, title);
  }
});

Deno.test("without a valid token, the provider is not asked", async () => {
  await using fixture = await challengeFixture();
  fixture.respond(() => fixture.passed());
  for (const challenge of [undefined, null, "", 7, "x".repeat(4097)]) {
    await assertRefused(fixture, { ...PERSON, challenge });
  }
  assertEquals(fixture.asked.length, 0);
});

Deno.test("a token is accepted once, even if the provider accepts it again", async () => {
  await using fixture = await challengeFixture();
  fixture.respond(() => fixture.passed());
  const send = () => statusOf(fixture.send({ ...PERSON, challenge: "same" }));
  const statuses = await Promise.all([send(), send(), send()]);
  assertEquals(statuses.toSorted(), [201, 400, 400]);
  assertEquals(await send(), 400);
  assertEquals((await fixture.mails()).length, 1);
});

Deno.test("a retry needs no new token, and concurrent requests with one key share a token", async () => {
  await using fixture = await challengeFixture();
  const spent = new Set<string>();
  fixture.respond((token) => {
    if (spent.has(token)) return { success: false, "error-codes": ["timeout-or-duplicate"] };
    spent.add(token);
    return fixture.passed();
  });
  const headers = { "idempotency-key": "k" };
  const hashes = await Promise.all(["a", "a", "a", "b", undefined].map(async (challenge) => {
    const response = await fixture.send({ ...PERSON, challenge }, { headers });
    assertEquals(response.status, 201);
    return (await response.json()).hash;
  }));
  assertEquals(new Set(hashes).size, 1);
  assertEquals(fixture.asked.length, 1);
});

Deno.test("a request whose token was used by the same request in another process gets its record", async () => {
  await using store = await tempKv();
  const fixtureOf = async (provider: () => Promise<Response>) =>
    await contactFixture(CHALLENGE_ENV, {
      kv: await openKv(store.path),
      fetch: provider as typeof globalThis.fetch,
    });
  const hashOf = async (fixture: ContactFixture): Promise<string> => {
    const headers = { "idempotency-key": "twin" };
    return (await (await fixture.send({ ...PERSON, challenge: "a" }, { headers })).json()).hash;
  };
  await using other = await fixtureOf(() => {
    const challenge_ts = new Date().toISOString();
    return Promise.resolve(
      Response.json({ success: true, challenge_ts, hostname: "investor.localhost" }),
    );
  });
  let twin = "";
  await using one = await fixtureOf(async () => {
    twin = await hashOf(other);
    return Response.json({ success: false, "error-codes": ["timeout-or-duplicate"] });
  });
  assertEquals(await hashOf(one), twin);
  assertMatch(twin, /^[0-9a-f]{64}$/);
  assertEquals([(await one.mails()).length, (await other.mails()).length], [0, 1]);
});

Deno.test("a client over its limit cannot trigger requests to the provider", async () => {
  await using fixture = await challengeFixture({ CONTACT_CLIENT_LIMIT: "1" });
  fixture.respond(() => fixture.passed());
  const status = (challenge: string) => statusOf(fixture.send({ ...PERSON, challenge }));
  assertEquals([await status("a"), await status("b")], [201, 429]);
  assertEquals(fixture.asked.length, 1);
});

Deno.test("a bot that fills in the honeypot must pass the challenge too", async () => {
  await using fixture = await challengeFixture();
  await assertRefused(fixture, { ...PERSON, [HONEYPOT]: "x" });
  await fixture.site.services.chains.keys();
  const before = await fixture.entries();
  fixture.respond(() => fixture.passed());
  const sent = fixture.send({ ...PERSON, [HONEYPOT]: "x", challenge: "a" });
  assertEquals(await statusOf(sent), 201);
  assertEquals(await fixture.entries(), before);
});

Deno.test("the form without scripts explains that scripts are needed, and keeps its values", async () => {
  await using fixture = await challengeFixture();
  const { name, email, enquiry_type } = PERSON;
  const rendered_at = new Date(fixture.clock.now - 9_000).toISOString();
  const response = await fixture.post({ name, email, enquiry_type, rendered_at });
  const html = await response.text();
  assertEquals(response.status, 400);
  assertStringIncludes(html, `value="${name}"`);
  assertStringIncludes(html, "Sending needs scripts");
  assertFalse(/<button/.test(html));
  assertEquals(fixture.asked.length, 0);
});

Deno.test("without a configured challenge, the provider is not asked", async () => {
  let asked = 0;
  await using fixture = await contactFixture({}, {
    fetch: () => Promise.reject(new Error(`request ${++asked}`)),
  });
  for (const challenge of [undefined, "whatever"]) {
    assertEquals(await statusOf(fixture.send({ ...PERSON, challenge })), 201);
  }
  assertEquals(asked, 0);
});
