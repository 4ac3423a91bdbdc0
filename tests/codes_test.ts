import { assert, assertEquals, assertMatch } from "@std/assert";
import { codeData } from "../lib/features/codes/mod.ts";
import { codeTables } from "../lib/features/codes/tables.ts";
import { recordRows } from "../lib/features/records/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { PERSON } from "./contact_site.ts";
import { codesFixture, NUMBER, wrongCode } from "./codes_site.ts";

const SIGN_IN = { method: "sms", purpose: "sign_in", mobile: NUMBER };
/** A correction as the browser posts it. */
const CORRECTION = {
  name: PERSON.name,
  organisation: PERSON.organisation,
  email: "ada@example.org",
  mobile_country: "AU",
  enquiry_type: PERSON.enquiry_type,
  message: PERSON.message,
};
const CONFIRM = { method: "sms", purpose: "confirm_number" };

Deno.test("a holder confirms the record's number with a code, and then signs in with one", async () => {
  await using fixture = await codesFixture();
  const { provider, client, site: { services } } = fixture;
  const hash = await fixture.register();
  const browser = client();
  await fixture.signIn(browser, hash);
  assertEquals(await browser.post("send", CONFIRM), {
    status: 200,
    body: {
      success: true,
      to: "+61 ••• ••• 006",
      method: "sms",
      retry_after_seconds: 60,
      page: "/my-record/number",
    },
  } as never);
  const [{ to, channel, text }] = provider.messages;
  assertEquals([to, channel], [NUMBER, "sms"]);
  assertMatch(text, /^(\d{6}) is your code for trust\.localhost\..*\n\n@trust\.localhost #\1$/s);
  const code = provider.code();
  const spaced = `${code.slice(0, 3)}-${code.slice(3)} `;
  assertEquals(
    (await browser.post("verify", { code: spaced, purpose: "confirm_number" })).status,
    200,
  );
  assertEquals(await fixture.kinds(hash), ["hash_generated", "email_confirmed", "sms_confirmed"]);
  const record = await services.records.read(hash);
  assertEquals(record!.row.mobile_confirmed_at, new Date(fixture.clock.now).toISOString());
  assertEquals((await fixture.mails())[0].subject.includes("mobile number was confirmed"), true);

  fixture.clock.now += 2 * MINUTE_MS;
  const phone = client("198.51.100.9");
  assertEquals((await phone.post("send", { ...SIGN_IN, method: "voice" })).status, 200);
  const [, call] = provider.messages;
  assertEquals(call.channel, "voice");
  assertMatch(call.text, /^Hello, this is .+\. Your code to sign in to your record is: (\d\. ){6}/);
  const signedIn = await phone.post("verify", { code: provider.code(), purpose: "sign_in" });
  assertEquals(signedIn.status, 200);
  const holder = await services.records.session(
    new Request("http://trust.localhost/", {
      headers: { cookie: `record_session=${phone.cookies.get("record_session")}` },
    }),
    "trust",
  );
  assertEquals([holder!.record, holder!.method], [hash, "code"]);
  assert((await fixture.mails())[0].subject.includes("opened with a code"));
  assertEquals((await phone.post("verify", { code: "000000" })).body.error, "code_expired");
});

Deno.test("strangers who ask for codes to 60 numbers with a common start block nobody with such a number", async () => {
  await using fixture = await codesFixture({ SIGN_IN_CLIENT_LIMIT: "30" });
  const { provider, client } = fixture;
  await fixture.confirmed("+61491570007", "known@example.org");
  const hash = await fixture.register();
  const sent = provider.messages.length;
  for (let i = 0; i < 60; i++) {
    const mobile = `+6149157${1000 + i}`;
    const response = await client(`198.51.100.${i}`).post("send", { ...SIGN_IN, mobile });
    assertEquals(response.status, 200);
  }
  // Also to the number itself.
  assertEquals((await client("192.0.2.77").post("send", SIGN_IN)).status, 200);
  const holder = client("192.0.2.1");
  await fixture.signIn(holder, hash);
  assertEquals((await holder.post("send", CONFIRM)).status, 200);
  fixture.clock.now += MINUTE_MS;
  const known = { ...SIGN_IN, mobile: "+61491570007" };
  assertEquals((await client("192.0.2.2").post("send", known)).status, 200);
  await fixture.site.services.codes.flush();
  assertEquals(provider.messages.slice(sent).map(({ to }) => to), [NUMBER, "+61491570007"]);
});

Deno.test("a holder who corrects the number again and again gets codes for three numbers a day", async () => {
  await using fixture = await codesFixture();
  const { provider, client } = fixture;
  const browser = client();
  await fixture.signIn(browser, await fixture.register());
  const statuses: number[] = [];
  for (let i = 0; i < 5; i++) {
    statuses.push((await browser.post("send", CONFIRM)).status);
    fixture.clock.now += MINUTE_MS;
    const form = new URLSearchParams({
      ...CORRECTION,
      mobile_number: `0491 570 ${110 + i}`,
    });
    const corrected = await browser.request("/my-record/correct", { method: "POST", body: form });
    assertEquals(corrected.status, 303, await corrected.text());
    const open = new URLSearchParams({ act: "open" });
    await browser.request("/my-record/correct", { method: "POST", body: open });
  }
  assertEquals([statuses, provider.messages.length], [[200, 200, 200, 429, 429], 3]);
});

Deno.test("after four wrong codes the right one works, and after five it fails", async () => {
  await using fixture = await codesFixture();
  const { provider, client, clock } = fixture;
  await fixture.confirmed();
  const browser = client();
  const enter = async (code: string) => (await browser.post("verify", { code })).body.error;
  await browser.post("send", SIGN_IN);
  for (let i = 0; i < 4; i++) assertEquals(await enter(wrongCode(provider.code())), "wrong_code");
  assertEquals(await enter(provider.code()), undefined);
  assertEquals(await enter(provider.code()), "code_expired"); // used twice

  clock.now += MINUTE_MS;
  await browser.post("send", SIGN_IN);
  for (let i = 0; i < 3; i++) assertEquals(await enter(wrongCode(provider.code())), "wrong_code");
  // Another code replaces the first one, but gives no more attempts.
  clock.now += MINUTE_MS;
  const first = provider.code();
  await browser.post("send", SIGN_IN);
  assertEquals(await enter(first), "wrong_code");
  assertEquals(await enter(wrongCode(provider.code())), "wrong_code");
  assertEquals(await enter(provider.code()), "code_expired");
  clock.now += MINUTE_MS;
  const sent = provider.messages.length;
  const refused = await browser.post("send", SIGN_IN);
  assertEquals([refused.status, provider.messages.length], [429, sent]);
  clock.now += 9 * MINUTE_MS;
  assertEquals((await browser.post("send", SIGN_IN)).status, 200);
  assertEquals(await enter(provider.code()), undefined);
});

Deno.test("a code is valid for ten minutes, in the browser that asked for it, until another browser asks", async () => {
  await using fixture = await codesFixture();
  const { provider, client, clock } = fixture;
  await fixture.confirmed();
  const [browser, other] = [client(), client()];
  const enter = async (from: typeof browser, code: string) =>
    (await from.post("verify", { code })).body.error;
  await browser.post("send", SIGN_IN);
  const code = provider.code();
  other.cookies.set("record_browser", "A".repeat(22));
  assertEquals(await enter(other, code), "code_expired");
  clock.now += 10 * MINUTE_MS - 1;
  assertEquals(await enter(browser, wrongCode(code)), "wrong_code");
  clock.now += 1;
  assertEquals(await enter(browser, code), "code_expired");

  await browser.post("send", SIGN_IN);
  clock.now += MINUTE_MS;
  await other.post("send", SIGN_IN);
  assertEquals(await enter(browser, provider.code()), "code_expired");
  assertEquals(await enter(other, provider.code()), undefined);
});

Deno.test("40 concurrent correct codes give one session, and one event", async () => {
  await using fixture = await codesFixture();
  const { provider, client, site: { services } } = fixture;
  const hash = await fixture.register();
  const browser = client();
  await fixture.signIn(browser, hash);
  const enterAll = async (purpose: string, from = browser) => {
    const code = provider.code();
    const all = await Promise.all(
      Array.from({ length: 40 }, () => from.post("verify", { code, purpose })),
    );
    return all.filter(({ status }) => status === 200).length;
  };
  await browser.post("send", CONFIRM);
  assertEquals(await enterAll("confirm_number"), 1);
  assertEquals(await fixture.kinds(hash), ["hash_generated", "email_confirmed", "sms_confirmed"]);

  fixture.clock.now += MINUTE_MS;
  const stranger = client();
  await stranger.post("send", SIGN_IN);
  const before = await sessions(services.kv);
  assertEquals(await enterAll("sign_in", stranger), 1);
  assertEquals(await sessions(services.kv), before + 1);
});

const sessions = async (kv: Deno.Kv) =>
  (await Array.fromAsync(kv.list({ prefix: ["record_sessions"] }))).length;

Deno.test("a code for one purpose is useless for the other", async () => {
  await using fixture = await codesFixture();
  const { provider, client, clock } = fixture;
  const hash = await fixture.confirmed();
  const second = await fixture.register(NUMBER, "grace@example.org");
  const browser = client();
  await fixture.signIn(browser, second);
  await browser.post("send", SIGN_IN);
  const confirm = { code: provider.code(), purpose: "confirm_number" };
  assertEquals((await browser.post("verify", confirm)).body.error, "code_expired");
  clock.now += MINUTE_MS;
  await browser.post("send", CONFIRM);
  const { body } = await browser.post("verify", { code: provider.code(), purpose: "sign_in" });
  assertEquals(body.error, "wrong_code");
  assertEquals((await fixture.kinds(second)).includes("sms_confirmed"), false);
  assertEquals((await fixture.kinds(hash)).includes("sms_confirmed"), true);
});

Deno.test("a number is confirmed only from a recent sign-in by passkey or link, for its own record", async () => {
  await using fixture = await codesFixture();
  const { provider, client, clock } = fixture;
  const [hash, other] = [
    await fixture.register(),
    await fixture.register(NUMBER, "grace@example.org"),
  ];
  const browser = client();
  const statusOf = async () => (await browser.post("send", CONFIRM)).body.error;
  assertEquals(await statusOf(), "unauthenticated");
  await fixture.signIn(browser, hash, "code");
  assertEquals(await statusOf(), "forbidden");
  await fixture.signIn(browser, hash);
  clock.now += 10 * MINUTE_MS;
  assertEquals(await statusOf(), "sign_in_again");
  assertEquals(provider.messages, []);

  await fixture.signIn(browser, hash, "passkey");
  assertEquals(await statusOf(), undefined);
  // The code belongs to the record whose session asked for it.
  await fixture.signIn(browser, other);
  const verify = { code: provider.code(), purpose: "confirm_number" };
  assertEquals((await browser.post("verify", verify)).body.error, "code_expired");
  await fixture.signIn(browser, hash, "code");
  assertEquals((await browser.post("verify", verify)).body.error, "forbidden");
  clock.now -= 3 * MINUTE_MS;
  await fixture.signIn(browser, hash);
  clock.now += 10 * MINUTE_MS;
  assertEquals((await browser.post("verify", verify)).body.error, "sign_in_again");
  await fixture.signIn(browser, hash);
  assertEquals((await browser.post("verify", verify)).status, 200);
  clock.now += MINUTE_MS;
  assertEquals(await statusOf(), "conflict");
});

Deno.test("known, unconfirmed and unknown numbers get the same responses, and only a known one a message", async () => {
  await using fixture = await codesFixture();
  const { provider, client, clock } = fixture;
  await fixture.confirmed();
  const grace = await fixture.register("+61491570156", "grace@example.org");
  // As if the number had been confirmed once, and the index was not cleaned up.
  const { kv, contactIndex } = fixture.site.services;
  const commit = kv.atomic();
  await contactIndex.add(commit, "mobile", "+61491570156", grace);
  await commit.commit();
  const run = async (mobile: string) => {
    const seen: unknown[] = [];
    const browser = client();
    for (const after of [0, MINUTE_MS, 10_000]) {
      clock.now += after;
      const { status, body } = await browser.post("send", { ...SIGN_IN, mobile });
      seen.push([status, { ...body, to: body.to?.slice(0, -3) }]);
    }
    for (const _ of Array(6)) seen.push(await browser.post("verify", { code: "000000" }));
    return seen;
  };
  const known = await run(NUMBER);
  assertEquals(known.length, 9);
  assertEquals(provider.messages.length, 2);
  for (const number of ["+61491570156", "+61491570157"]) assertEquals(await run(number), known);
  assertEquals(provider.messages.length, 2);
});

Deno.test("a correct code that opens no record fails like a wrong one, and a rejected number gets no code", async () => {
  await using fixture = await codesFixture();
  const { provider, client, site: { services } } = fixture;
  const hash = await fixture.confirmed();
  const browser = client();
  await browser.post("send", SIGN_IN);
  const session = client();
  await fixture.signIn(session, hash);
  const reader = { network: "", browser: "" };
  const code = provider.code();
  const { row } = (await services.records.read(hash))!;
  await services.kv.set(recordRows.key(hash), { ...row, mobile_confirmed_at: null });
  assertEquals((await browser.post("verify", { code })).body.error, "wrong_code");
  await services.kv.set(recordRows.key(hash), row);

  assert(await services.codes.rejectNumber(hash, reader));
  assertEquals((await browser.post("verify", { code })).body.error, "code_expired");

  // The number is rejected permanently, and the chain keeps its event.
  fixture.clock.now += MINUTE_MS;
  assertEquals((await session.post("send", CONFIRM)).body.error, "conflict");
  assertEquals((await client().post("send", SIGN_IN)).status, 200);
  assertEquals(provider.messages.length, 1);
  const record = await services.records.read(hash);
  assertEquals(record!.row.mobile_confirmed_at, null);
  assertEquals((await services.codes.numberOf(record!)).state, "rejected");

  // A record that corrects something else has the same number.
  const corrected = await fixture.register(NUMBER, "grace@example.org");
  await codeData({ kv: services.kv, index: services.contactIndex }).move!(hash, corrected);
  const after = await services.records.read(corrected);
  assertEquals((await services.codes.numberOf(after!)).state, "rejected");
});

Deno.test("a holder sees why the provider refused a message, which is not counted; a timeout is counted", async () => {
  await using fixture = await codesFixture({ CODE_DAILY_BUDGET: "4" });
  const { provider, client, clock, logs } = fixture;
  const hash = await fixture.register();
  const browser = client();
  await fixture.signIn(browser, hash);
  const send = async (method: string) => {
    const { status, body } = await browser.post("send", { ...CONFIRM, method });
    return [status, body.error];
  };
  provider.respond = () => ({ ok: false, error: "unreachable" });
  for (let i = 0; i < 6; i++) assertEquals(await send("sms"), [400, "unreachable"]);
  provider.respond = () => ({ ok: false, error: "rate_limited" });
  assertEquals(await send("sms"), [503, "unavailable"]);
  provider.respond = () => ({ ok: false, error: "unavailable" });
  assertEquals(await send("sms"), [503, "unavailable"]);
  assertEquals(await send("sms"), [429, "rate_limited"]);
  clock.now += MINUTE_MS;
  provider.respond = () => ({ ok: true, id: "m", status: "queued" });
  assertEquals(await send("sms"), [200, undefined]);
  assertEquals(logs, []); // the provider logs what it refuses
});

Deno.test("one client gets ten codes and thirty attempts an hour, whatever the numbers", async () => {
  await using fixture = await codesFixture({ SIGN_IN_CLIENT_LIMIT: "30" });
  const { client, clock } = fixture;
  const statuses: number[] = [];
  let attempts = 0;
  for (let i = 0; i < 11; i++) {
    const browser = client();
    const mobile = `+6149157${20 + i}06`;
    const { status } = await browser.post("send", { ...SIGN_IN, mobile });
    statuses.push(status);
    for (let n = 0; n < 4; n++) {
      const guess = await browser.post("verify", { code: "000000" });
      if (guess.status === 400) attempts++;
    }
  }
  assertEquals(statuses, [...Array(10).fill(200), 429]);
  assertEquals(attempts, 30);
  assertEquals((await client("198.51.100.9").post("send", SIGN_IN)).status, 200);
  clock.now += 60 * MINUTE_MS;
  assertEquals((await client().post("send", SIGN_IN)).status, 200);
});

Deno.test("bad input is refused before anything is counted", async () => {
  await using fixture = await codesFixture();
  const browser = fixture.client();
  const errorOf = async (path: "send" | "verify", body: unknown) => {
    const { status, body: { error, issues } } = await browser.post(path, body);
    return [status, error, ...Object.keys(issues ?? {})];
  };
  const bad: [body: unknown, ...issues: string[]][] = [
    [{}, "method"],
    [{ method: "email", mobile: NUMBER }, "method"],
    [{ method: "sms" }, "mobile"],
    [{ method: "sms", mobile: "0491570006" }, "mobile"],
    [{ method: "sms", mobile: { country: "AU", number: "12" } }, "mobile"],
    [{ method: "sms", mobile: { country: "AU", number: `0491${" ".repeat(31)}570006` } }, "mobile"],
    [{ ...SIGN_IN, purpose: "other" }, "purpose"],
  ];
  for (const [body, ...issues] of bad) {
    assertEquals(await errorOf("send", body), [400, "invalid_request", ...issues]);
  }
  assertEquals(await errorOf("verify", { code: "12345" }), [400, "invalid_request", "code"]);
  assertEquals(await errorOf("verify", { code: 747723 }), [400, "invalid_request", "code"]);
  assertEquals(await errorOf("verify", { code: "747723" }), [400, "code_expired", "code"]);
  assertEquals(fixture.provider.messages, []);
});

Deno.test("deleting a record's codes removes everything that codes stored for it", async () => {
  await using fixture = await codesFixture();
  const { site: { services: { kv, contactIndex } }, provider, client } = fixture;
  const hash = await fixture.confirmed();
  const browser = client();
  await browser.post("send", SIGN_IN);
  await codeData({ kv, index: contactIndex }).deleteOf!(hash);
  for (const table of codeTables) await table.deleteOf(kv, hash);
  assertEquals(
    (await browser.post("verify", { code: provider.code() })).body.error,
    "code_expired",
  );
  const left = await Array.fromAsync(kv.list({ prefix: [] }));
  const named = left.filter(({ key }) =>
    ["otp_codes_by_contact", "record_numbers"].includes(String(key[0]))
  );
  assertEquals(named, []);
  // Neither the number nor the code is readable anywhere.
  const text = Deno.inspect(left.filter(({ key }) => key[0] !== "contacts"), {
    depth: 20,
    strAbbreviateSize: Infinity,
    iterableLimit: Infinity,
  });
  assert(!text.includes("491570006") && !text.includes(provider.code()));
});

Deno.test("signing in with a code ends the session that the browser had before", async () => {
  await using fixture = await codesFixture();
  const { provider, client, site: { services: { kv } } } = fixture;
  const hash = await fixture.confirmed();
  const before = await sessions(kv);
  const browser = client();
  await fixture.signIn(browser, hash);
  await browser.post("send", SIGN_IN);
  assertEquals((await browser.post("verify", { code: provider.code() })).status, 200);
  assertEquals(await sessions(kv), before + 1);
});

Deno.test("a code never opens a record that was corrected, and does not confirm its number", async () => {
  await using fixture = await codesFixture();
  const { provider, client, site: { services: { kv, records } } } = fixture;
  const [hash, second] = [await fixture.confirmed(), await fixture.register("+61491570156")];
  const [browser, holder] = [client(), client()];
  await browser.post("send", SIGN_IN);
  await fixture.signIn(holder, second);
  await holder.post("send", CONFIRM);
  // The index and the confirmed number are still there, as after a crash in between.
  for (const each of [hash, second]) {
    const { row } = (await records.read(each))!;
    await kv.set(recordRows.key(each), { ...row, replaced_by: "f".repeat(64) });
  }
  const confirm = { code: provider.code("+61491570156"), purpose: "confirm_number" };
  assertEquals((await holder.post("verify", confirm)).body.error, "code_expired");
  assertEquals((await browser.post("verify", { code: provider.code() })).body.error, "wrong_code");
  fixture.clock.now += MINUTE_MS;
  const sent = provider.messages.length;
  assertEquals((await browser.post("send", SIGN_IN)).status, 200);
  assertEquals(provider.messages.length, sent);
});
