import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import {
  generatePrivateJwk,
  headSchema,
  linkedEventSchema,
  recordHash,
  thumbprint,
  verifyChain,
} from "../packages/proof/mod.ts";
import { HONEYPOT } from "../lib/features/contact/fields.ts";
import type { Registered } from "../lib/features/contact/receipt.ts";
import { readContact } from "../lib/features/contact/store.ts";
import { decodeBase64Url, decodeHex, encodeHex, utf8 } from "../lib/base/encoding.ts";
import { KvBusyError } from "../lib/platform/kv/mod.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import {
  type ContactFixture,
  contactFixture,
  errorOf,
  PERSON,
  type SendOptions,
  statusOf,
} from "./contact_site.ts";
import { confirmEmail } from "./record_site.ts";

async function register(
  { send }: ContactFixture,
  body: unknown,
  options?: SendOptions,
): Promise<Registered> {
  const response = await send(body, options);
  assertEquals(response.status, 201);
  return await response.json();
}

Deno.test("POST registers an enquiry and returns its hash, signed head, event, masked data and URLs", async () => {
  await using fixture = await contactFixture();
  const response = await fixture.send(PERSON);
  assertEquals(response.status, 201);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("content-type"), "application/json");
  const registered: Registered = await response.json();
  const { hash, organisation, head, events, masked, chain_url, verify_url, ...more } = registered;
  assertEquals(more, {});
  assertEquals(organisation, "Attest Systems");
  assertMatch(hash, /^[0-9a-f]{64}$/);
  assertEquals(masked, { email: "a•••@m•••.org", mobile: "+61 ••• ••• 678" });
  assertEquals(chain_url, `http://api.localhost:8000/api/chain/${hash}`);
  assertEquals(verify_url, `http://trust.localhost:8000/verify?hash=${hash}`);
  const [event] = events;
  assertEquals([event.seq, event.kind, event.prev], [0, "hash_generated", hash]);
  const publisher = "trust.localhost:8000";
  const { keys } = await fixture.site.services.chains.keys();
  const verified = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  assert(verified.ok, JSON.stringify(verified));
  assertEquals([head.size, head.origin], [1, `${publisher}/${hash}`]);
});

Deno.test("on the workbench, all URLs are on the workbench", async () => {
  await using fixture = await contactFixture();
  const { hash, chain_url, verify_url } = await register(fixture, PERSON, { on: "workbench" });
  assertEquals(chain_url, `http://localhost:8000/api/chain/${hash}`);
  assertEquals(verify_url, `http://localhost:8000/verify?hash=${hash}`);
  const [mail] = await fixture.mails();
  assertStringIncludes(mail.link!, "http://localhost:8000/confirm?token=");
  assertStringIncludes(mail.text, "http://localhost:8000/my-record");
});

Deno.test("the record contains the normalised fields, and its salt opens the commitment", async () => {
  await using fixture = await contactFixture();
  const { hash } = await register(fixture, {
    ...PERSON,
    name: "  Zoe\u0308 Müller ",
    organisation: " ",
    message: null,
    unknown: "field",
  });
  const contact = (await readContact(fixture.site.services.kv, hash))!;
  assertEquals(contact.record, {
    name: "Zoë Müller",
    email: "ada.q@mail.example.org",
    mobile: "+61412345678",
    enquiry_type: "Investor",
  });
  assertEquals(contact.registered_at, new Date(fixture.clock.now).toISOString());
  assertEquals(contact.confirmed_at, null);
  assertEquals(await recordHash(decodeHex(contact.salt), contact.record), hash);
});

Deno.test("optional fields may be missing, null or blank", async () => {
  await using fixture = await contactFixture();
  const { name, email } = PERSON;
  const blank = {
    organisation: "",
    mobile: { country: "ZZ", number: " " },
    enquiry_type: "",
    message: "\n",
  };
  const empty = { ...PERSON, mobile: null, enquiry_type: null };
  for (const body of [{ name, email }, { ...PERSON, ...blank }, empty]) {
    const { masked } = await register(fixture, { ...body, elapsed_ms: 2_000 });
    assertEquals(masked, { email: "a•••@m•••.org", mobile: null });
  }
});

Deno.test("sending the same enquiry twice creates two unrelated records", async () => {
  await using fixture = await contactFixture();
  const [one, other] = [await register(fixture, PERSON), await register(fixture, PERSON)];
  assert(one.hash !== other.hash);
});

const mobile = (country: string, number: string) => ({ mobile: { country, number } });

const INVALID: [title: string, change: Record<string, unknown>, fields: string[]][] = [
  ["no name", { name: undefined }, ["name"]],
  ["a blank name", { name: "  " }, ["name"]],
  ["an invisible name", { name: "\u200b\u200d" }, ["name"]],
  ["a name of two lines", { name: "Ada\r\nBcc: eve@example.org" }, ["name"]],
  ["a name with a control character", { name: "A\u0000da" }, ["name"]],
  ["a name with a bidirectional control", { name: "Ada\u202egro" }, ["name"]],
  ["a name with a lone surrogate", { name: "Ada \ud800" }, ["name"]],
  ["a name of 201 characters", { name: "a".repeat(201) }, ["name"]],
  ["a name that is not text", { name: ["Ada"] }, ["name"]],
  ["an organisation with a line separator", { organisation: "A\u2028B" }, ["organisation"]],
  ["no email", { email: undefined }, ["email"]],
  ["two emails", { email: "a@example.org, b@example.org" }, ["email"]],
  ["an email that contains a header", { email: "a@example.org\r\nBcc: b@example.org" }, ["email"]],
  ["a local part of 65 characters", { email: `${"a".repeat(65)}@example.org` }, ["email"]],
  ["a number that is too short", mobile("AU", "12"), ["mobile"]],
  ["a number with another dial code", mobile("AU", "+447911123456"), ["mobile"]],
  ["words instead of a number", mobile("AU", "call me"), ["mobile"]],
  ["a country without a dial code", mobile("ZZ", "0412345678"), ["mobile"]],
  ["a number without a country", { mobile: { number: "0412345678" } }, ["mobile"]],
  ["a mobile that is text", { mobile: "+61412345678" }, ["mobile"]],
  ["an unknown enquiry type", { enquiry_type: "investor" }, ["enquiry_type"]],
  ["a message of 5001 characters", { message: "a".repeat(5001) }, ["message"]],
  ["a message with an escape character", { message: "a\u001b[2J" }, ["message"]],
  ["no elapsed time", { elapsed_ms: undefined }, ["elapsed_ms"]],
  ["an elapsed time as text", { elapsed_ms: "8000" }, ["elapsed_ms"]],
  ["several", { name: "", email: "x", enquiry_type: 1 }, ["name", "email", "enquiry_type"]],
];

Deno.test("an invalid field returns 400 with its issue, and nothing is stored", async () => {
  await using fixture = await contactFixture();
  const before = await fixture.entries();
  for (const [title, change, fields] of INVALID) {
    const { status, error, issues } = await errorOf(await fixture.send({ ...PERSON, ...change }));
    assertEquals([status, error], [400, "invalid_request"], title);
    assertEquals(Object.keys(issues!), fields, title);
    for (const text of Object.values(issues!)) assertMatch(text, /^[A-Z].*\.$/, title);
  }
  assertEquals(await fixture.entries(), before);
});

Deno.test("a body that is not an object, not JSON, too large or of another type is refused", async () => {
  await using fixture = await contactFixture();
  for (const body of [null, [], "text", 7]) {
    const { status, issues } = await errorOf(await fixture.send(body));
    assertEquals([status, Object.keys(issues!)], [400, ["body"]]);
  }
  const raw = (body: string, type: string) =>
    fixture.site.request("api", "/api/ir/register", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
  assertEquals(await statusOf(raw("{", "application/json")), 400);
  assertEquals((await errorOf(await raw("{}", "text/plain"))).error, "unsupported_media_type");
  const large = await errorOf(await fixture.send({ ...PERSON, more: "x".repeat(64 * 1024) }));
  assertEquals([large.status, large.error], [413, "too_large"]);
});

Deno.test("a submission within two seconds returns 400 too_fast, and nothing is stored", async () => {
  await using fixture = await contactFixture();
  const before = await fixture.entries();
  for (const elapsed_ms of [0, 1_999, -5]) {
    const { status, error } = await errorOf(await fixture.send({ ...PERSON, elapsed_ms }));
    assertEquals([status, error], [400, "too_fast"]);
  }
  assertEquals(await fixture.entries(), before);
});

Deno.test("only the contact contains personal data, and guesses cannot be tested against the store", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "5" });
  const headers = { "idempotency-key": "a-key-of-this-opening" };
  const { hash } = await register(fixture, PERSON, { headers });
  const token = new URL((await fixture.mails())[0].link!).searchParams.get("token")!;
  await confirmEmail(fixture.site.services, token);
  const entries = await fixture.entries();
  const typed = ["Example", "Zephyrine", "ada.q", "mail.example", "412 345 678", "xylographic"];
  const secrets = [
    ...typed,
    "412345678",
    "Investor",
    "203.0.113.7",
    "a-key-of-this-opening",
    token,
  ];
  const revealing = entries.filter(({ key, text }) =>
    secrets.some((secret) => (key + text).toLowerCase().includes(secret.toLowerCase()))
  );
  const day = new Date(fixture.clock.now).toISOString().slice(0, 10);
  // The counter of the day contains the type of the enquiry, and nothing else.
  const counter = ["record_counts", "commercial", "day", day, "Investor", "none"];
  const contact = ["contacts", hash];
  const found = revealing.map(({ key }) => JSON.parse(key) as Deno.KvKey);
  // The lists of the filters contain the type, too.
  const lists = found.filter(([prefix]) => prefix === "contacts_by_filter");
  assertEquals(lists.map((key) => String(key[2])), [
    "*/*/Investor",
    "*/true/Investor",
    "1/*/Investor",
    "1/true/Investor",
  ]);
  assertEquals(found.filter((key) => !lists.includes(key)), [contact, counter]);
  const { email } = PERSON;
  for (const guess of [email, email.toLowerCase(), "+61412345678", JSON.stringify(PERSON)]) {
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(guess)));
    const forms = [
      encodeHex(digest),
      digest.toBase64(),
      digest.toBase64({ alphabet: "base64url" }),
    ];
    for (const { key, text } of entries) {
      for (const form of forms) assertFalse((key + text).includes(form));
    }
  }
});

Deno.test("the sender gets one mail with a link, without anything that was typed", async () => {
  await using fixture = await contactFixture();
  const { hash, verify_url } = await register(fixture, PERSON);
  const [mail, ...others] = await fixture.mails();
  assertEquals(others, []);
  assertEquals(mail.to, "ada.q@mail.example.org");
  assertMatch(
    mail.link!,
    /^http:\/\/trust\.localhost:8000\/confirm\?token=[\w-]{43}$/,
  );
  assertEquals(mail.replyTo, "contact@commercial.example");
  for (const body of [mail.text, mail.html.replaceAll("&amp;", "&")]) {
    assertStringIncludes(body, mail.link!);
    assertStringIncludes(body, "7 days");
    assertStringIncludes(body, verify_url);
    for (const typed of ["Example", "Zephyrine", "xylographic", "412"]) {
      assertFalse(body.replaceAll(hash, "").replaceAll(mail.link!, "").includes(typed));
    }
  }
});

Deno.test("a registration succeeds even if its mails fail", async () => {
  await using fixture = await contactFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
  }, { fetch: () => Promise.resolve(new Response(null, { status: 400 })) });
  assertEquals(await statusOf(fixture.send(PERSON)), 201);
  await fixture.site.services.mailer.flush();
});

Deno.test("a store that fails returns 500, stores nothing and sends no mail", async () => {
  await using fixture = await contactFixture();
  const { kv, chains } = fixture.site.services;
  await chains.keys();
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const commit = atomic();
    commit.commit = () => Promise.reject(new Error("disk full"));
    return commit;
  };
  assertEquals((await errorOf(await fixture.send(PERSON))).error, "internal");
  assertEquals((await fixture.mails()).length, 0);
  assertFalse((await fixture.entries()).some(({ key }) => key.includes("contact")));
});

Deno.test("a store that stays busy returns 503 with Retry-After and sends no mail", async () => {
  await using fixture = await contactFixture();
  fixture.site.services.chains.start = () => Promise.reject(new KvBusyError(100));
  const response = await fixture.send(PERSON);
  assertEquals(response.headers.get("retry-after"), "5");
  assertEquals((await errorOf(response)).error, "unavailable");
  assertEquals((await fixture.mails()).length, 0);
});

/** Returns the headers of a response that do not depend on when it was sent. */
const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== "request-id");

Deno.test("a filled-in honeypot gets a response like a real one, and nothing is stored", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "2" });
  const headers = { origin: "http://foundation.localhost:8000" };
  const real = await fixture.send(PERSON, { headers });
  const shown: Registered = await real.json();
  const mails = (await fixture.mails()).length;
  const before = await fixture.entries();
  fixture.clock.now += 1_000;
  const fakes: Registered[] = [];
  for (let i = 0; i < 3; i++) {
    const response = await fixture.send({ ...PERSON, [HONEYPOT]: "x" }, {
      headers: { ...headers, "idempotency-key": "one" },
    });
    assertEquals([response.status, headersOf(response)], [201, headersOf(real)]);
    fakes.push(await response.json());
  }
  assertEquals(await fixture.entries(), before);
  assertEquals((await fixture.mails()).length, mails);
  const { chains } = fixture.site.services;
  for (const fake of fakes) {
    assertEquals(Object.keys(fake), Object.keys(shown));
    assertEquals(fake.masked, shown.masked);
    const [head, event] = [headSchema.parse(fake.head), linkedEventSchema.parse(fake.events[0])];
    assertEquals(Object.keys(head), Object.keys(shown.head));
    const at = new Date(fixture.clock.now).toISOString();
    assertEquals([head.kid, head.size, head.at], [shown.head.kid, 1, at]);
    assertEquals(head.origin, `trust.localhost:8000/${fake.hash}`);
    assertEquals([event.at, event.prev, event.hash], [head.at, fake.hash, head.tip]);
    const verified = await verifyChain({
      recordHash: fake.hash,
      events: fake.events,
      head,
      publisher: "trust.localhost:8000",
      keys: (await chains.keys()).keys,
    });
    assert(!verified.ok, "the signature is not valid");
    // RFC 8032, 5.1.7: the signature's second half is a number below the group's order.
    assert(decodeBase64Url(head.signature)[63] <= 0x10, "no key produces such a signature");
    assertEquals(await chains.head(fake.hash), null);
  }
  assertEquals(new Set(fakes.map(({ hash }) => hash)).size, 3);
  assertEquals(new Set(fakes.map(({ head }) => head.signature)).size, 3);
});

Deno.test("a bot gets the same errors for invalid fields, speed and the limit as anyone else", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "4" });
  const filled = { ...PERSON, [HONEYPOT]: "x" };
  assertEquals((await errorOf(await fixture.send({ ...filled, email: "x" }))).issues, {
    email: "This is not an email address that can receive email.",
  });
  assertEquals((await errorOf(await fixture.send({ ...filled, elapsed_ms: 1 }))).error, "too_fast");
  for (const empty of ["", "  ", null, undefined]) {
    const { hash } = await register(fixture, { ...PERSON, [HONEYPOT]: empty });
    assert(
      await readContact(fixture.site.services.kv, hash),
      "a blank honeypot does not count as filled in",
    );
  }
  assertEquals(await statusOf(fixture.send(filled)), 429);
});

for (const configured of [true, false]) {
  const owner = configured ? "configuration" : "store";
  Deno.test(`a honeypot response names the key of the ${owner}, even if there are older keys`, async () => {
    const key = JSON.stringify(await generatePrivateJwk());
    await using fixture = await contactFixture(configured ? { CHAIN_SIGNING_KEY: key } : {});
    // One of these comes first among the published keys.
    for (let i = 0; i < 8; i++) {
      const { d: _, ...old } = await generatePrivateJwk();
      await fixture.site.services.kv.set(["chain_keys", await thumbprint(old)], old);
    }
    const fake = await register(fixture, { ...PERSON, [HONEYPOT]: "x" });
    const real = await register(fixture, PERSON);
    assertEquals(fake.head.kid, real.head.kid);
    if (configured) assertEquals(fake.head.kid, await thumbprint(JSON.parse(key)));
  });
}

Deno.test("the hourly limit applies per client address, and per /64 network for IPv6", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "2" });
  const status = (from: string) => statusOf(fixture.send(PERSON, { from }));
  assertEquals([await status("203.0.113.9"), await status("203.0.113.9")], [201, 201]);
  fixture.clock.now += 10 * MINUTE_MS;
  const refused = await fixture.send(PERSON, { from: "203.0.113.9" });
  assertEquals(refused.headers.get("retry-after"), "3000");
  assertEquals((await errorOf(refused)).error, "rate_limited");
  assertEquals(await status("203.0.113.10"), 201);
  assertEquals([await status("2001:db8::1"), await status("2001:db8:0:0:9::2")], [201, 201]);
  assertEquals([await status("2001:db8::3"), await status("2001:db8:0:1::3")], [429, 201]);
  assertEquals(await fixture.count("contacts"), 6, "refused requests are not counted");
  fixture.clock.now += 50 * MINUTE_MS;
  assertEquals(await status("203.0.113.9"), 201);
});

Deno.test("concurrent requests do not exceed the limit", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "5" });
  const statuses = await Promise.all(
    Array.from({ length: 20 }, () => statusOf(fixture.send(PERSON))),
  );
  assertEquals(statuses.filter((status) => status === 201).length, 5);
  assertEquals(statuses.filter((status) => status === 429).length, 15);
  assertEquals(await fixture.count("contacts"), 5);
});

Deno.test("a mailbox gets at most five links per hour from all clients", async () => {
  await using fixture = await contactFixture({ CONTACT_CLIENT_LIMIT: "2" });
  const getsLink = async (from: string, email: string) => {
    const before = (await fixture.mails()).length;
    assertEquals(await statusOf(fixture.send({ ...PERSON, email }, { from })), 201);
    const mails = await fixture.mails();
    return mails.slice(0, mails.length - before).some(({ to }) => to === email);
  };
  for (let i = 1; i <= 5; i++) {
    const email = i % 2 === 0 ? "ada+tag@example.org" : "ada@example.org";
    assertEquals(await getsLink(`203.0.113.${i}`, email), true);
  }
  assertEquals(await getsLink("203.0.113.6", "ada@example.org"), false);
  assertEquals(await getsLink("203.0.113.7", "ada+more@example.org"), false);
  assertEquals(await getsLink("203.0.113.8", "ada@other.example"), true);
  fixture.clock.now += HOUR_MS;
  assertEquals(await getsLink("203.0.113.9", "ada@example.org"), true);
});

Deno.test("our own surfaces, CONTACT_ORIGINS and programs may register; other origins get 403 and can read why", async () => {
  await using fixture = await contactFixture({ CONTACT_ORIGINS: "https://host.example" });
  const send = async (origin?: string) => {
    const response = await fixture.send(PERSON, { headers: origin ? { origin } : {} });
    return [await statusOf(response), response.headers.get("access-control-allow-origin")];
  };
  const allowed = [
    "https://host.example",
    "http://foundation.localhost:8000",
    "http://investor.localhost:8000",
    "http://localhost:8000",
  ];
  for (const origin of allowed) assertEquals(await send(origin), [201, origin]);
  assertEquals(await send(), [201, null]);
  const refused = [
    "null",
    "https://evil.example",
    "https://host.example:8443",
    "http://host.example",
    "https://host.example.evil.example",
    "http://foundation.localhost:8001",
  ];
  for (const origin of refused) assertEquals(await send(origin), [403, origin], origin);
  const reason = async (origin: string) =>
    (await (await fixture.send(PERSON, { headers: { origin } })).json()).message;
  assertEquals(
    await reason("https://evil.example"),
    "This site may not use the form yet. Its owner needs to ask us to allow https://evil.example.",
  );
  assertEquals(
    await reason("null"),
    "This page hides its origin, so it may not use the form.",
  );
});

Deno.test("a host page can send a preflight and read errors, without credentials", async () => {
  await using fixture = await contactFixture({
    CONTACT_ORIGINS: "https://host.example",
    CONTACT_CLIENT_LIMIT: "1",
  });
  const preflight = (origin: string) =>
    fixture.site.request("api", "/api/ir/register", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,idempotency-key",
      },
    });
  const { status, headers } = await preflight("https://host.example");
  assertEquals(status, 204);
  assertEquals(headers.get("access-control-allow-origin"), "https://host.example");
  assertStringIncludes(headers.get("access-control-allow-methods")!, "POST");
  assertStringIncludes(headers.get("access-control-allow-headers")!, "idempotency-key");
  assertEquals(headers.get("access-control-allow-credentials"), null);
  const stranger = await preflight("https://evil.example");
  assertEquals(stranger.headers.get("access-control-allow-origin"), "https://evil.example");

  const origin = { headers: { origin: "https://host.example" } };
  const statuses: number[] = [];
  for (const body of [{ ...PERSON, email: "" }, PERSON, PERSON]) {
    const response = await fixture.send(body, origin);
    statuses.push(await statusOf(response));
    assertEquals(response.headers.get("access-control-allow-origin"), "https://host.example");
    assertEquals(response.headers.get("access-control-allow-credentials"), null);
    assertStringIncludes(response.headers.get("vary")!, "Origin");
  }
  assertEquals(statuses, [400, 201, 429]);
});

Deno.test("methods other than POST return 405", async () => {
  await using fixture = await contactFixture();
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await fixture.site.request("api", "/api/ir/register", { method });
    assertEquals([await statusOf(response), response.headers.get("allow")], [405, "POST"]);
  }
});

Deno.test("fields of the maximum length, with any characters, are stored and mailed", async () => {
  await using fixture = await contactFixture();
  const name = "漢".repeat(200);
  const organisation = `A${"&".repeat(199)}`;
  const characters = ["漢", "é", "&", '"', "'", "<", "\\", "\n", "\t", "😀"];
  for (const [i, character] of characters.entries()) {
    const message = `a${character.repeat(4_998 / character.length)}b`;
    const email = `ada-${i}@example.org`;
    await register(fixture, { ...PERSON, email, name, organisation, message });
  }
  assertEquals((await fixture.mails()).length, characters.length);
});
