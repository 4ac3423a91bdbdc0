import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { HONEYPOT } from "../lib/contact/fields.ts";
import { type ContactFixture, contactFixture, PERSON } from "./contact_site.ts";
import { openKv } from "../lib/kv/mod.ts";
import { tempKv } from "../lib/kv/testing/temp_kv.ts";

const VERIFY = "https://challenge.example/siteverify";
const ENV = {
  CHALLENGE_SITE_KEY: "site-key",
  CHALLENGE_SECRET: "the-secret",
  CHALLENGE_VERIFY_URL: VERIFY,
  CHALLENGE_SCRIPT_URL: "https://challenge.example/api.js",
  CONTACT_ORIGINS: "https://host.example:8443",
};

type Verdict = Record<string, unknown> | string | Error | Response;

/** A provider that answers what the test says, once with each answer it was asked for. */
function provider() {
  const asked: { url: string; init: RequestInit; body: Record<string, string> }[] = [];
  let verdict: (response: string) => Verdict = () => ({ success: false });
  const fetch = ((url: string, init: RequestInit) => {
    const body = Object.fromEntries(init.body as URLSearchParams);
    asked.push({ url, init, body });
    const said = verdict(body.response);
    if (said instanceof Error) return Promise.reject(said);
    if (said instanceof Response) return Promise.resolve(said);
    return Promise.resolve(
      new Response(typeof said === "string" ? said : JSON.stringify(said)),
    );
  }) as typeof globalThis.fetch;
  return { asked, fetch, says: (next: typeof verdict) => verdict = next };
}

async function stageWithChallenge(env: Record<string, string> = {}) {
  const challenge = provider();
  const fixture = await contactFixture({ ...ENV, ...env }, { fetch: challenge.fetch });
  const passed = (more: Record<string, unknown> = {}) => ({
    success: true,
    challenge_ts: new Date(fixture.clock.now - 1_000).toISOString(),
    hostname: "investor.localhost",
    action: "contact",
    ...more,
  });
  return { fixture, challenge, passed };
}

async function refused(fixture: ContactFixture, body: unknown): Promise<void> {
  const before = await fixture.entries();
  const response = await fixture.send(body);
  assertEquals([response.status, (await response.json()).error], [400, "challenge_failed"]);
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, 0);
}

Deno.test("who passed the challenge is registered; the provider is asked once, with the secret", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  challenge.says(() => passed());
  const response = await fixture.send({ ...PERSON, challenge: "answer-1" }, {
    from: "203.0.113.5",
  });
  await response.body?.cancel();
  assertEquals(response.status, 201);
  assertEquals(challenge.asked.length, 1);
  const [{ url, init, body }] = challenge.asked;
  assertEquals([url, init.method, init.redirect], [VERIFY, "POST", "error"]);
  assert(init.signal instanceof AbortSignal);
  assertEquals(body, {
    secret: "the-secret",
    response: "answer-1",
    remoteip: "203.0.113.5",
  });
  for (const { key, text } of await fixture.entries()) {
    assertFalse(/answer-1|the-secret/.test(key + text));
  }
});

Deno.test("hosts of ours and of embedding pages pass, as does a provider without actions", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  const verdicts = [
    { hostname: "foundation.localhost" },
    { hostname: "host.example" },
    { action: undefined },
    { more: "is passed over" },
    { challenge_ts: new Date(fixture.clock.now - 300_000).toISOString() },
    { challenge_ts: new Date(fixture.clock.now).toISOString().replace("Z", "+00:00") },
  ];
  for (const [i, verdict] of verdicts.entries()) {
    challenge.says(() => passed(verdict));
    const response = await fixture.send({ ...PERSON, challenge: `answer-${i}` });
    await response.body?.cancel();
    assertEquals(response.status, 201, JSON.stringify(verdict));
  }
});

const FAILING: [
  title: string,
  verdict: (passed: (more?: Record<string, unknown>) => Verdict, now: number) => Verdict,
][] = [
  ["the provider says no", () => ({ success: false, "error-codes": ["invalid-input-response"] })],
  ["the provider says no with all else", (passed) => passed({ success: false })],
  ["the provider's yes is a word", (passed) => passed({ success: "true" })],
  ["it is for another host", (passed) => passed({ hostname: "evil.example" })],
  ["it is for a host that ends alike", (passed) => passed({ hostname: "xhost.example" })],
  ["it names no host", (passed) => passed({ hostname: undefined })],
  ["it is for another action", (passed) => passed({ action: "login" })],
  [
    "it is older than 300 seconds",
    (passed, now) => passed({ challenge_ts: new Date(now - 300_001).toISOString() }),
  ],
  [
    "it is from the future",
    (passed, now) => passed({ challenge_ts: new Date(now + 61_000).toISOString() }),
  ],
  ["it has no time", (passed) => passed({ challenge_ts: undefined })],
  ["its time is no time", (passed) => passed({ challenge_ts: "now" })],
  ["the answer is no JSON", () => "<html>"],
  ["the answer is null", () => "null"],
  ["the provider is unreachable", () => new TypeError("connection refused")],
  ["the provider is too slow", () => new DOMException("late", "TimeoutError") as unknown as Error],
  ["the provider fails", () => new Response("oops", { status: 500 })],
];

const shared = await stageWithChallenge();

for (const [title, verdict] of FAILING) {
  Deno.test(`${title}: 400 challenge_failed, and nothing is kept`, async () => {
    const { fixture, challenge, passed } = shared;
    const asked = challenge.asked.length;
    challenge.says(() => verdict(passed, fixture.clock.now));
    await refused(fixture, { ...PERSON, challenge: "answer" });
    assertEquals(challenge.asked.length, asked + 1);
  });
}

Deno.test("without an answer the provider is not even asked", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  challenge.says(() => passed());
  for (const answer of [undefined, null, "", 7, "x".repeat(4097)]) {
    await refused(fixture, { ...PERSON, challenge: answer });
  }
  assertEquals(challenge.asked.length, 0);
});

Deno.test("an answer is good once, also where the provider would take it again", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  challenge.says(() => passed());
  const send = async () => {
    const response = await fixture.send({ ...PERSON, challenge: "same" });
    await response.body?.cancel();
    return response.status;
  };
  const statuses = await Promise.all([send(), send(), send()]);
  assertEquals(statuses.toSorted(), [201, 400, 400]);
  assertEquals(await send(), 400);
  assertEquals((await fixture.mails()).length, 1);
});

Deno.test("a retry needs no new answer, and twins share one", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  const spent = new Set<string>();
  challenge.says((answer) => {
    if (spent.has(answer)) return { success: false, "error-codes": ["timeout-or-duplicate"] };
    spent.add(answer);
    return passed();
  });
  const headers = { "idempotency-key": "k" };
  const hashes = await Promise.all(["a", "a", "a", "b", undefined].map(async (answer) => {
    const response = await fixture.send({ ...PERSON, challenge: answer }, { headers });
    assertEquals(response.status, 201);
    return (await response.json()).hash;
  }));
  assertEquals(new Set(hashes).size, 1);
  assertEquals(challenge.asked.length, 1);
});

Deno.test("who is told that an answer is spent, and a twin spent it in another process, gets the twin's record", async () => {
  await using store = await tempKv();
  const stageOf = async (provider: () => Promise<Response>) =>
    await contactFixture(ENV, {
      kv: await openKv(store.path),
      fetch: provider as typeof globalThis.fetch,
    });
  const hashOf = async (fixture: ContactFixture): Promise<string> => {
    const headers = { "idempotency-key": "twin" };
    return (await (await fixture.send({ ...PERSON, challenge: "a" }, { headers })).json()).hash;
  };
  await using other = await stageOf(() => {
    const challenge_ts = new Date().toISOString();
    return Promise.resolve(
      Response.json({ success: true, challenge_ts, hostname: "investor.localhost" }),
    );
  });
  let twin = "";
  await using one = await stageOf(async () => {
    twin = await hashOf(other);
    return Response.json({ success: false, "error-codes": ["timeout-or-duplicate"] });
  });
  assertEquals(await hashOf(one), twin);
  assertMatch(twin, /^[0-9a-f]{64}$/);
  assertEquals([(await one.mails()).length, (await other.mails()).length], [0, 1]);
});

Deno.test("who is over the limit cannot make us ask the provider", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge({ CONTACT_CLIENT_LIMIT: "1" });
  await using _ = fixture;
  challenge.says(() => passed());
  const status = async (answer: string) => {
    const response = await fixture.send({ ...PERSON, challenge: answer });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals([await status("a"), await status("b")], [201, 429]);
  assertEquals(challenge.asked.length, 1);
});

Deno.test("a robot that fills the trap has to pass the challenge like anybody", async () => {
  const { fixture, challenge, passed } = await stageWithChallenge();
  await using _ = fixture;
  await refused(fixture, { ...PERSON, [HONEYPOT]: "x" });
  await fixture.site.services.chains.keys();
  const before = await fixture.entries();
  challenge.says(() => passed());
  const response = await fixture.send({ ...PERSON, [HONEYPOT]: "x", challenge: "a" });
  assertEquals(response.status, 201);
  await response.body?.cancel();
  assertEquals(await fixture.entries(), before);
});

Deno.test("the form without scripts says that it needs them, and keeps what was typed", async () => {
  const { fixture, challenge } = await stageWithChallenge();
  await using _ = fixture;
  const { name, email, enquiry_type } = PERSON;
  const rendered_at = new Date(fixture.clock.now - 9_000).toISOString();
  const response = await fixture.post({ name, email, enquiry_type, rendered_at });
  const html = await response.text();
  assertEquals(response.status, 400);
  assertStringIncludes(html, `value="${name}"`);
  assertStringIncludes(html, "Sending needs scripts");
  assertFalse(/<button/.test(html));
  assertEquals(challenge.asked.length, 0);
});

Deno.test("without the configuration no challenge is asked for", async () => {
  const { fetch, asked } = provider();
  await using fixture = await contactFixture({}, { fetch });
  for (const challenge of [undefined, "whatever"]) {
    const response = await fixture.send({ ...PERSON, challenge });
    await response.body?.cancel();
    assertEquals(response.status, 201);
  }
  assertEquals(asked.length, 0);
});
