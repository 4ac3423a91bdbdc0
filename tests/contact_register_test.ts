import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { decodeBase64Url, decodeHex } from "../lib/encoding.ts";
import {
  generatePrivateJwk,
  headSchema,
  linkedEventSchema,
  recordHash,
  thumbprint,
  verifyChain,
} from "../lib/chain/mod.ts";
import { HONEYPOT } from "../lib/contact/fields.ts";
import type { Registered } from "../lib/contact/receipt.ts";
import { readContact } from "../lib/contact/store.ts";
import { type ContactFixture, contactFixture, PERSON } from "../lib/contact/testing/fixture.ts";

const fixture = await contactFixture({ CONTACT_NOTIFY: "team@example.org, lead@example.org" });
const { site, send } = fixture;
const { services } = site;

const registered = async (body: unknown, options?: Parameters<typeof send>[1]) => {
  const response = await send(body, options);
  assertEquals(response.status, 201);
  return await response.json() as Registered;
};
/** How many there are of a noun in a store. */
const countOf = async (of: ContactFixture, noun: string) =>
  (await of.entries()).filter(({ key }) => JSON.parse(key)[0] === noun).length;
const errorOf = async (response: Response) => {
  const { error, issues } = await response.json();
  return { status: response.status, error, issues };
};

Deno.test("an enquiry is answered with its hash, signed head, event, masked data and addresses", async () => {
  const response = await send(PERSON);
  assertEquals(response.status, 201);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertEquals(response.headers.get("content-type"), "application/json");
  const { hash, head, events, masked, chain_url, verify_url, ...more }: Registered = await response
    .json();
  assertEquals(more, {});
  assertMatch(hash, /^[0-9a-f]{64}$/);
  assertEquals(masked, { email: "a•••@m•••.org", mobile: "+61 ••• ••• 678" });
  assertEquals(chain_url, `http://api.localhost:8000/api/chain/${hash}`);
  assertEquals(verify_url, `http://trust.localhost:8000/verify?hash=${hash}`);
  assertEquals(events.map(({ seq, kind, prev }) => [seq, kind, prev]), [[
    0,
    "hash_generated",
    hash,
  ]]);
  const publisher = "trust.localhost:8000";
  const { keys } = await services.chains.keys();
  const verified = await verifyChain({ recordHash: hash, events, head, publisher, keys });
  assert(verified.ok, JSON.stringify(verified));
  assertEquals([head.size, head.origin], [1, `${publisher}/${hash}`]);
});

Deno.test("the record is what was entered, normalised, and opens the commitment with its salt", async () => {
  const { hash } = await registered({
    ...PERSON,
    name: "  Zoe\u0308 Müller ",
    organisation: " ",
    message: null,
    unknown: "field",
  });
  const contact = (await readContact(services.kv, hash))!;
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

Deno.test("the same person twice makes two records of which neither tells of the other", async () => {
  const [one, other] = [await registered(PERSON), await registered(PERSON)];
  assert(one.hash !== other.hash);
});

Deno.test("optional fields may be missing, null or blank", async () => {
  const { masked } = await registered({
    name: "Ada",
    email: "a@example.org",
    enquiry_type: "Other",
    elapsed_ms: 2_000,
  });
  assertEquals(masked, { email: "a•••@e•••.org", mobile: null });
  const blank = { organisation: "", mobile: { country: "ZZ", number: " " }, message: "\n" };
  assertEquals((await registered({ ...PERSON, ...blank })).masked.mobile, null);
  assertEquals((await registered({ ...PERSON, mobile: null })).masked.mobile, null);
});

const BAD: [title: string, change: Record<string, unknown>, fields: string[]][] = [
  ["no name", { name: undefined }, ["name"]],
  ["a blank name", { name: "  " }, ["name"]],
  ["a name that cannot be seen", { name: "\u200b\u200d" }, ["name"]],
  ["a name of two lines", { name: "Ada\r\nBcc: eve@example.org" }, ["name"]],
  ["a name with a control character", { name: "A\u0000da" }, ["name"]],
  ["a name that turns the writing around", { name: "Ada\u202egro" }, ["name"]],
  ["a name of half a character", { name: "Ada \ud800" }, ["name"]],
  ["a name of 201 characters", { name: "a".repeat(201) }, ["name"]],
  ["a name that is no text", { name: ["Ada"] }, ["name"]],
  ["an organisation with a line separator", { organisation: "A\u2028B" }, ["organisation"]],
  ["no email", { email: undefined }, ["email"]],
  ["two emails", { email: "a@example.org, b@example.org" }, ["email"]],
  ["an email with a header in it", { email: "a@example.org\r\nBcc: b@example.org" }, ["email"]],
  ["a local part too long for mail", { email: `${"a".repeat(65)}@example.org` }, ["email"]],
  ["a number too short", { mobile: { country: "AU", number: "12" } }, ["mobile"]],
  ["a number of another dial code", { mobile: { country: "AU", number: "+447911123456" } }, [
    "mobile",
  ]],
  ["words for a number", { mobile: { country: "AU", number: "call me" } }, ["mobile"]],
  ["a country without a dial code", { mobile: { country: "ZZ", number: "0412345678" } }, [
    "mobile",
  ]],
  ["a number without a country", { mobile: { number: "0412345678" } }, ["mobile"]],
  ["a mobile that is text", { mobile: "+61412345678" }, ["mobile"]],
  ["another enquiry type", { enquiry_type: "investor" }, ["enquiry_type"]],
  ["a message of 5001 characters", { message: "a".repeat(5001) }, ["message"]],
  ["a message with an escape", { message: "a\u001b[2J" }, ["message"]],
  ["no elapsed time", { elapsed_ms: undefined }, ["elapsed_ms"]],
  ["an elapsed time in words", { elapsed_ms: "8000" }, ["elapsed_ms"]],
  ["all at once", { name: "", email: "x", enquiry_type: 1 }, ["name", "email", "enquiry_type"]],
];

for (const [title, change, fields] of BAD) {
  Deno.test(`${title}: 400, with what is wrong by field, and nothing is kept`, async () => {
    const before = await fixture.entries();
    const { status, error, issues } = await errorOf(await send({ ...PERSON, ...change }));
    assertEquals([status, error], [400, "invalid_request"]);
    assertEquals(Object.keys(issues), fields);
    for (const text of Object.values<string>(issues)) assertMatch(text, /^[A-Z].*\.$/);
    assertEquals(await fixture.entries(), before);
  });
}

Deno.test("what is no object, no JSON, too large or of another type is told so", async () => {
  for (const body of [null, [], "text", 7]) {
    const { status, issues } = await errorOf(await send(body));
    assertEquals([status, Object.keys(issues)], [400, ["body"]]);
  }
  const raw = (body: string, type: string) =>
    site.request("api", "/api/ir/register", {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
  assertEquals((await raw("{", "application/json")).status, 400);
  assertEquals((await errorOf(await raw("{}", "text/plain"))).error, "unsupported_media_type");
  const large = await errorOf(await send({ ...PERSON, more: "x".repeat(64 * 1024) }));
  assertEquals([large.status, large.error], [413, "too_large"]);
});

Deno.test("who is faster than two seconds is told to wait, and nothing is kept", async () => {
  const before = await fixture.entries();
  for (const elapsed_ms of [0, 1_999, -5]) {
    const { status, error } = await errorOf(await send({ ...PERSON, elapsed_ms }));
    assertEquals([status, error], [400, "too_fast"]);
  }
  assertEquals(await fixture.entries(), before);
});

Deno.test("personal data is in the contact and nowhere else in the store, nor guessable from it", async () => {
  await using fresh = await contactFixture({ CONTACT_CLIENT_LIMIT: "5" });
  const headers = { "idempotency-key": "a-key-of-this-opening" };
  const { hash } = await (await fresh.send(PERSON, { headers })).json();
  const link = new URL((await fresh.mails())[0].link!);
  await fresh.site.services.contact.confirm(link.searchParams.get("token")!);
  const entries = await fresh.entries();
  assertEquals(
    new Set(entries.map(({ key }) => JSON.parse(key)[0])),
    new Set([
      "chain_events",
      "chain_keys",
      "chain_signing_key",
      "chains",
      "contact_confirmations",
      "contact_limits",
      "contact_requests",
      "contacts",
    ]),
  );
  const secrets = [
    "Example",
    "Zephyrine",
    "ada.q",
    "mail.example",
    "412345678",
    "412 345 678",
    "xylographic",
    "Investor",
    "203.0.113.7",
    "a-key-of-this-opening",
    link.searchParams.get("token")!,
  ];
  const told = entries.filter(({ key, text }) =>
    secrets.some((secret) => (key + text).toLowerCase().includes(secret.toLowerCase()))
  );
  assertEquals(told.map(({ key }) => key), [JSON.stringify(["contacts", hash])]);
  // What a guess could be tested against: unsalted hashes of what was entered.
  const guesses = [
    PERSON.email,
    PERSON.email.toLowerCase(),
    "+61412345678",
    JSON.stringify(PERSON),
  ];
  for (const guess of guesses) {
    const digest = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(guess)),
    );
    const forms = [digest.toHex(), digest.toBase64(), digest.toBase64({ alphabet: "base64url" })];
    for (const { key, text } of entries) {
      for (const form of forms) assertFalse((key + text).includes(form));
    }
  }
});

Deno.test("the enquirer gets one mail, with a link and nothing of what was typed", async () => {
  const { hash, verify_url } = await registered(PERSON);
  const [mail, ...others] = (await fixture.mails()).slice(0, 3)
    .toSorted(({ to }) => to.startsWith("ada.q") ? -1 : 1);
  assertEquals(mail.to, "ada.q@mail.example.org");
  assertMatch(mail.link!, /^http:\/\/trust\.localhost:8000\/confirm\?token=[\w-]{43}$/);
  assertEquals(mail.replyTo, undefined);
  for (const body of [mail.text, mail.html]) {
    assertStringIncludes(body, mail.link!);
    assertStringIncludes(body, "7 days");
    assertStringIncludes(body, verify_url);
    for (const typed of ["Example", "Zephyrine", "xylographic", "412"]) {
      assertFalse(body.replaceAll(hash, "").replaceAll(mail.link!, "").includes(typed));
    }
  }
  assertEquals(others.map(({ to }) => to).sort(), ["lead@example.org", "team@example.org"]);
});

Deno.test("the team gets every detail, escaped, and answers the enquirer", async () => {
  const name = `<b>Ada</b> & "Co"`;
  const { hash } = await registered({ ...PERSON, name, message: "Line 1\nBcc: eve@example.org" });
  const notices = (await fixture.mails()).slice(0, 3).filter(({ replyTo }) => replyTo);
  assertEquals(notices.length, 2);
  for (const { replyTo, subject, text, html } of notices) {
    assertEquals(replyTo, "ada.q@mail.example.org");
    assertEquals(subject, `New enquiry: Investor (${hash.slice(0, 8)})`);
    for (const detail of ["Zephyrine Holdings", "ada.q@mail.example.org", "+61412345678", hash]) {
      assertStringIncludes(text, detail);
      assertStringIncludes(html, detail);
    }
    assertStringIncludes(text, `Name: ${name}\n`);
    assertStringIncludes(text, "> Line 1\n> Bcc: eve@example.org\n");
    assertFalse(html.includes("<b>Ada"));
  }
});

Deno.test("mails that fail do not fail the registration", async () => {
  await using broken = await contactFixture({
    MAIL_TRANSPORT: "http",
    MAIL_API_URL: "https://mail.example/send",
    MAIL_API_KEY: "k",
    CONTACT_NOTIFY: "team@example.org",
  }, { fetch: () => Promise.resolve(new Response(null, { status: 400 })) });
  const response = await broken.send(PERSON);
  assertEquals(response.status, 201);
  await broken.site.services.mailer.flush();
});

Deno.test("a store that fails keeps nothing and mails nobody", async () => {
  await using broken = await contactFixture({}, {});
  const { kv, chains } = broken.site.services;
  await chains.keys();
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const commit = atomic();
    commit.commit = () => Promise.reject(new Error("disk full"));
    return commit;
  };
  const response = await broken.send(PERSON);
  assertEquals((await errorOf(response)).error, "internal");
  assertEquals((await broken.mails()).length, 0);
  assertFalse((await broken.entries()).some(({ key }) => key.includes("contact")));
});

Deno.test("a store that stays busy is 503, to be tried again, and mails nobody", async () => {
  await using busy = await contactFixture();
  const { kv, chains } = busy.site.services;
  await chains.keys();
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const commit = atomic();
    commit.commit = () => Promise.resolve({ ok: false });
    return commit;
  };
  const response = await busy.send(PERSON);
  const retryAfter = response.headers.get("retry-after");
  assertEquals([(await errorOf(response)).error, retryAfter], ["unavailable", "5"]);
  assertEquals((await busy.mails()).length, 0);
});

Deno.test("on the workbench every address is the workbench's", async () => {
  const { hash, chain_url, verify_url } = await registered(PERSON, { on: "workbench" });
  assertEquals(chain_url, `http://localhost:8000/api/chain/${hash}`);
  assertEquals(verify_url, `http://localhost:8000/verify?hash=${hash}`);
  const [mail] = (await fixture.mails()).filter(({ replyTo }) => !replyTo);
  assertStringIncludes(mail.link!, "http://localhost:8000/confirm?token=");
});

Deno.test("who fills the trap gets what looks like a registration, and leaves no trace", async () => {
  await using trap = await contactFixture({
    CONTACT_CLIENT_LIMIT: "2",
    CONTACT_NOTIFY: "t@x.example",
  });
  const real = await trap.send(PERSON, { headers: { origin: "http://foundation.localhost:8000" } });
  const shown: Registered = await real.json();
  const mails = (await trap.mails()).length;
  const before = await trap.entries();
  trap.clock.now += 1_000;
  const decoys: Registered[] = [];
  for (let i = 0; i < 3; i++) {
    const response = await trap.send({ ...PERSON, [HONEYPOT]: "x" }, {
      headers: { origin: "http://foundation.localhost:8000", "idempotency-key": "one" },
    });
    assertEquals([response.status, [...response.headers]], [201, [...real.headers]]);
    decoys.push(await response.json());
  }
  assertEquals(await trap.entries(), before);
  assertEquals((await trap.mails()).length, mails);
  for (const decoy of decoys) {
    assertEquals(Object.keys(decoy), Object.keys(shown));
    assertEquals(decoy.masked, shown.masked);
    const [head, event] = [headSchema.parse(decoy.head), linkedEventSchema.parse(decoy.events[0])];
    assertEquals(Object.keys(head), Object.keys(shown.head));
    assertEquals([head.kid, head.size, head.at], [
      shown.head.kid,
      1,
      new Date(trap.clock.now).toISOString(),
    ]);
    assertEquals(head.origin, `trust.localhost:8000/${decoy.hash}`);
    assertEquals([event.at, event.prev, event.hash], [head.at, decoy.hash, head.tip]);
    const { keys } = await trap.site.services.chains.keys();
    const verified = await verifyChain({
      recordHash: decoy.hash,
      events: decoy.events,
      head,
      publisher: "trust.localhost:8000",
      keys,
    });
    assert(!verified.ok, "nothing is signed for it");
    // RFC 8032, 5.1.7: the signature's second half is a number below the group's order.
    assert(decodeBase64Url(head.signature)[63] <= 0x10, "no key makes such a signature");
    assertEquals(await trap.site.services.chains.head(decoy.hash), null);
  }
  assertEquals(new Set(decoys.map(({ hash }) => hash)).size, 3);
  assertEquals(new Set(decoys.map(({ head }) => head.signature)).size, 3);
});

Deno.test("a robot is told of bad fields, haste and the limit like anybody", async () => {
  await using trap = await contactFixture({ CONTACT_CLIENT_LIMIT: "1" });
  const filled = { ...PERSON, [HONEYPOT]: "x" };
  assertEquals((await errorOf(await trap.send({ ...filled, email: "x" }))).issues, {
    email: "This is not an email address that can receive mail.",
  });
  assertEquals((await errorOf(await trap.send({ ...filled, elapsed_ms: 1 }))).error, "too_fast");
  assertEquals((await trap.send(PERSON)).status, 201);
  assertEquals((await trap.send(filled)).status, 429);
  for (const empty of ["", "  ", null]) {
    const { hash } = await registered({ ...PERSON, [HONEYPOT]: empty });
    assert(await readContact(services.kv, hash), "a field that is blank has not been filled");
  }
});

for (const configured of [true, false]) {
  Deno.test(`a decoy's kid is that of the ${configured ? "configured" : "store's own"} key, whatever signed before`, async () => {
    const key = JSON.stringify(await generatePrivateJwk());
    await using trap = await contactFixture(configured ? { CHAIN_SIGNING_KEY: key } : {});
    // One of these stands first among the published keys.
    for (let i = 0; i < 8; i++) {
      const { d: _, ...old } = await generatePrivateJwk();
      await trap.site.services.kv.set(["chain_keys", await thumbprint(old)], old);
    }
    const decoy: Registered = await (await trap.send({ ...PERSON, [HONEYPOT]: "x" })).json();
    const real: Registered = await (await trap.send(PERSON)).json();
    assertEquals(decoy.head.kid, real.head.kid);
    if (configured) assertEquals(decoy.head.kid, await thumbprint(JSON.parse(key)));
  });
}

Deno.test("one client has so many an hour, by its address, IPv6 by its network", async () => {
  await using limited = await contactFixture({ CONTACT_CLIENT_LIMIT: "2" });
  const status = async (from: string) => (await limited.send(PERSON, { from })).status;
  assertEquals([await status("203.0.113.9"), await status("203.0.113.9")], [201, 201]);
  limited.clock.now += 10 * 60_000;
  const refused = await limited.send(PERSON, { from: "203.0.113.9" });
  assertEquals(refused.headers.get("retry-after"), "3000");
  assertEquals((await errorOf(refused)).error, "rate_limited");
  assertEquals(await status("203.0.113.10"), 201);
  assertEquals([await status("2001:db8::1"), await status("2001:db8:0:0:9::2")], [201, 201]);
  assertEquals([await status("2001:db8::3"), await status("2001:db8:0:1::3")], [429, 201]);
  // What was refused does not count, and the hour passes.
  assertEquals(await countOf(limited, "contacts"), 6);
  limited.clock.now += 50 * 60_000;
  assertEquals(await status("203.0.113.9"), 201);
});

Deno.test("of many requests at once no more pass than the limit allows", async () => {
  await using limited = await contactFixture({ CONTACT_CLIENT_LIMIT: "5" });
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => (await limited.send(PERSON)).status),
  );
  assertEquals(statuses.filter((status) => status === 201).length, 5);
  assertEquals(statuses.filter((status) => status === 429).length, 15);
  assertEquals(await countOf(limited, "contacts"), 5);
});

Deno.test("a mailbox gets as many links an hour as one client may ask for, whoever asks; the team hears of all", async () => {
  await using limited = await contactFixture({
    CONTACT_CLIENT_LIMIT: "2",
    CONTACT_NOTIFY: "team@example.org",
  });
  const linked = async (from: string, email: string) => {
    const before = (await limited.mails()).length;
    assertEquals((await limited.send({ ...PERSON, email }, { from })).status, 201);
    const mails = await limited.mails();
    const sent = mails.slice(0, mails.length - before).map(({ to }) => to);
    assert(sent.includes("team@example.org"));
    return sent.includes(email);
  };
  assertEquals(await linked("203.0.113.1", "ada@example.org"), true);
  assertEquals(await linked("203.0.113.2", "ada+tag@example.org"), true);
  assertEquals(await linked("203.0.113.3", "ada@example.org"), false);
  assertEquals(await linked("203.0.113.4", "ada+more@example.org"), false);
  assertEquals(await linked("203.0.113.5", "ada@other.example"), true);
  limited.clock.now += 3_600_000;
  assertEquals(await linked("203.0.113.6", "ada@example.org"), true);
});

Deno.test("our own surfaces, embedding origins and programs may register; other origins may not", async () => {
  await using embedding = await contactFixture({ CONTACT_ORIGINS: "https://host.example" });
  const answer = async (origin?: string) => {
    const response = await embedding.send(PERSON, { headers: origin ? { origin } : {} });
    await response.body?.cancel();
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  for (
    const origin of [
      "https://host.example",
      "http://foundation.localhost:8000",
      "http://investor.localhost:8000",
      "http://localhost:8000",
    ]
  ) assertEquals(await answer(origin), [201, origin]);
  assertEquals(await answer(), [201, null]);
  for (
    const origin of [
      "null",
      "https://evil.example",
      "https://host.example:8443",
      "http://host.example",
      "https://host.example.evil.example",
      "http://foundation.localhost:8001",
    ]
  ) assertEquals(await answer(origin), [403, null], origin);
});

Deno.test("a host page can ask first, and read why it was refused; credentials are not asked for", async () => {
  await using embedding = await contactFixture({
    CONTACT_ORIGINS: "https://host.example",
    CONTACT_CLIENT_LIMIT: "1",
  });
  const options = (origin: string) =>
    embedding.site.request("api", "/api/ir/register", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,idempotency-key",
      },
    });
  const asked = await options("https://host.example");
  assertEquals(asked.status, 204);
  assertEquals(asked.headers.get("access-control-allow-origin"), "https://host.example");
  assertStringIncludes(asked.headers.get("access-control-allow-methods")!, "POST");
  assertStringIncludes(asked.headers.get("access-control-allow-headers")!, "idempotency-key");
  assertEquals(asked.headers.get("access-control-allow-credentials"), null);
  const stranger = await options("https://evil.example");
  assertEquals(stranger.headers.get("access-control-allow-origin"), null);

  const headers = { origin: "https://host.example" };
  const sent = [
    await embedding.send({ ...PERSON, email: "" }, { headers }),
    await embedding.send(PERSON, { headers }),
    await embedding.send(PERSON, { headers }),
  ];
  assertEquals(sent.map(({ status }) => status), [400, 201, 429]);
  for (const response of sent) {
    assertEquals(response.headers.get("access-control-allow-origin"), "https://host.example");
    assertEquals(response.headers.get("access-control-allow-credentials"), null);
    assertStringIncludes(response.headers.get("vary")!, "Origin");
    await response.body?.cancel();
  }
});

Deno.test("only POST registers", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const response = await site.request("api", "/api/ir/register", { method });
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("allow")], [405, "POST"]);
  }
});
