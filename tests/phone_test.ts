import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { twilioSignature } from "../lib/features/codes/providers/signature.ts";
import type { CodeMessage } from "../lib/features/codes/provider.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { startTestPhone, type TestPhone } from "./phone_site.ts";
import { createSite, type Site } from "./site.ts";

const TO = "+61491570006";
const SMS = "123456 is your code for Attest Systems.";
const SPOKEN = "Your code is 1. 2. 3. 4. 5. 6.";

/** A site with a stand-in for the provider of codes. */
async function setUp(clock?: () => number) {
  const phone = startTestPhone(clock);
  const site = await createSite({}, { ...phone.overrides, ...clock && { clock } });
  phone.connect(site);
  return {
    phone,
    site,
    async [Symbol.asyncDispose]() {
      await phone.stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

/** Sends a message, waits until it was delivered or waits for a key, and returns its id. */
async function send(site: Site, phone: TestPhone, message: Partial<CodeMessage>): Promise<string> {
  const result = await site.services.phone.provider!.send({
    to: TO,
    channel: "sms",
    text: message.channel === "voice" ? SPOKEN : SMS,
    idempotencyKey: crypto.randomUUID(),
    ...message,
  });
  if (!result.ok) throw new Error(result.error);
  await phone.settled();
  return result.id;
}

Deno.test("an SMS reaches the phone, and the site knows that it was delivered", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  const id = await send(site, phone, {});
  const [entry] = phone.entries;
  assertEquals([entry.id, entry.to, entry.body, entry.status], [id, TO, SMS, "delivered"]);
  assertEquals(entry.callbacks, ["sent: 204", "delivered: 204"]);
  assertEquals(await site.services.phone.deliveries.read(id), {
    state: "delivered",
    failure: null,
  });
});

Deno.test("an SMS that is not delivered is reported as failed and counted", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  const { deliveries } = site.services.phone;
  const id = await send(site, phone, { to: "+61491570156" });
  assertEquals(await deliveries.read(id), { state: "failed", failure: "unreachable" });
  assertEquals(await deliveries.failures(), 1);
});

Deno.test("a call asks for a key, then says the code twice and hangs up", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  const id = await send(site, phone, { channel: "voice" });
  assertEquals(phone.entries[0].transcript, [
    "This is Attest Systems, with the code that you requested. To hear it, press any key.",
  ]);
  assert(await phone.answer(id, "press"));
  const [{ transcript, status, callbacks }] = phone.entries;
  assertEquals(transcript.slice(1), ["(pressed 1)", SPOKEN, SPOKEN]);
  assertEquals([status, callbacks], ["completed", ["key: 200", "completed: 204"]]);
  const delivered = { state: "delivered", failure: null } as const;
  assertEquals(await site.services.phone.deliveries.read(id), delivered);
});

Deno.test("the code that a call reads aloud confirms the number of a record", async () => {
  await using phone = startTestPhone();
  await using fixture = await recordFixture({}, phone.overrides);
  phone.connect(fixture.site);
  const mobile = { country: "AU", number: "0491570006" };
  const { cookie } = await fixture.holder({ ...PERSON, mobile });
  const post = async (path: string, cookie: string, json: unknown) => {
    const response = await fixture.fetch(`/api/auth/otp/${path}`, { cookie, json });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const purpose = "confirm_number";
  const sent = await post("send", cookie, { method: "voice", purpose });
  assertEquals([sent.status, sent.body.error], [200, undefined]);
  await phone.settled();
  await phone.answer(phone.entries[0].id, "press");
  const code = /(\d\. ){5}\d/.exec(phone.entries[0].transcript.at(-1)!)![0].replaceAll(". ", "");
  const [browser] = sent.headers.getSetCookie().map((value) => value.split(";")[0]);
  const verified = await post("verify", `${cookie}; ${browser}`, { code, purpose });
  assertEquals([verified.status, verified.body.error], [200, undefined]);
});

Deno.test("a holder sees that a code was not delivered, and nobody else does", async () => {
  await using phone = startTestPhone();
  await using fixture = await recordFixture({}, phone.overrides);
  phone.connect(fixture.site);
  const mobile = { country: "AU", number: "0491570156" };
  const { cookie } = await fixture.holder({ ...PERSON, mobile });
  const send = async (json: unknown) => {
    const response = await fixture.fetch("/api/auth/otp/send", { cookie, json });
    assertEquals(response.status, 200);
    await phone.settled();
    return `${cookie}; ${response.headers.getSetCookie()[0].split(";")[0]}`;
  };
  const headers = { accept: "application/json" };
  const progress = async (cookie: string) =>
    await (await fixture.fetch("/my-record/number", { cookie, headers })).json();
  const browser = await send({ method: "sms", purpose: "confirm_number" });
  assertEquals((await progress(browser)).state, "failed");
  const page = await (await fixture.fetch("/my-record/number", { cookie: browser })).text();
  assertStringIncludes(page, "The text message was not delivered");
  assertEquals(await progress(cookie), null);
  fixture.clock.now += MINUTE_MS;
  const other = await send({ method: "sms", purpose: "sign_in", mobile: "+61491570156" });
  assertEquals(await progress(other), null);
});

Deno.test("a call to an answering machine asks twice, never says the code and counts as unanswered", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  const id = await send(site, phone, { channel: "voice" });
  assert(await phone.answer(id, "ignore"));
  assert(await phone.answer(id, "ignore"));
  const [{ transcript, status }] = phone.entries;
  assertEquals([transcript.at(-1), status], ["No key was pressed. Goodbye.", "completed"]);
  assert(!transcript.join().includes("1. 2."));
  const failed = { state: "failed", failure: "unanswered" } as const;
  assertEquals(await site.services.phone.deliveries.read(id), failed);
});

Deno.test("a busy number and one that nobody answers are reported as such", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  for (const [to, failure] of [["+61491570157", "busy"], ["+61491570110", "unanswered"]]) {
    const id = await send(site, phone, { to, channel: "voice" });
    const delivery = await site.services.phone.deliveries.read(id);
    assertEquals<unknown>(delivery, { state: "failed", failure });
  }
});

Deno.test("a key that is pressed after ten minutes plays that the code has expired", async () => {
  let now = Date.parse("2026-03-01T20:00:00.000Z");
  await using setup = await setUp(() => now);
  const { phone, site } = setup;
  const id = await send(site, phone, { channel: "voice" });
  now += 10 * 60_000;
  await phone.answer(id, "press");
  assertStringIncludes(phone.entries[0].transcript.at(-1)!, "This code has expired.");
});

Deno.test("neither code nor number is readable in the store or in a callback's URL", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  await send(site, phone, { channel: "voice" });
  const rows: string[] = [];
  for await (const { key, value } of site.services.kv.list({ prefix: [] })) {
    rows.push(Deno.inspect([key, value], { iterableLimit: 1e6 }));
    const { sealed } = value as { sealed?: Uint8Array };
    if (sealed !== undefined) rows.push(new TextDecoder().decode(sealed));
  }
  assert(rows.some((row) => row.includes("code_calls")));
  for (const text of [TO, TO.slice(3), "1. 2. 3.", "123456"]) assert(!rows.join().includes(text));
});

/** Posts a callback to the trust surface. `url` is what is signed. */
async function callBack(
  site: Site,
  path: string,
  { signed = path, host = "trust.localhost:8000", token = "", surface = "trust", ...fields }:
    Record<
      string,
      string
    >,
) {
  const { provider } = site.services.config.codes;
  const authToken = token || (provider?.name === "sandbox" && provider.account?.authToken || "");
  const url = `http://${host}${signed}`;
  const response = await site.request(surface as "trust", path, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "origin": "https://provider.example",
      ...signed !== "" && { "x-twilio-signature": twilioSignature(authToken, url, fields) },
    },
    body: new URLSearchParams(fields),
  });
  return { status: response.status, body: await response.text() };
}

const SID = `SM${"0".repeat(32)}`;
const CALL = { CallSid: `CA${"0".repeat(32)}`, CallStatus: "in-progress", Digits: "1" };

Deno.test("a callback without the right signature gets 403 and changes nothing", async () => {
  await using setup = await setUp();
  const { site } = setup;
  const form = { MessageSid: SID, MessageStatus: "delivered" };
  const cases = {
    "none": { signed: "" },
    "another token": { token: "other" },
    "another path": { signed: "/api/codes/voice" },
    "another query": { signed: "/api/codes/status?x=1" },
    "another host": { host: "evil.example:8000" },
    "another surface's host": { host: "localhost:8000", surface: "workbench" },
  };
  for (const [title, change] of Object.entries(cases)) {
    const { status, body } = await callBack(site, "/api/codes/status", { ...form, ...change });
    assertEquals([title, status, JSON.parse(body).error], [title, 403, "forbidden"]);
  }
  assertEquals((await callBack(site, "/api/codes/voice", { ...CALL, signed: "" })).status, 403);
  assertEquals(await site.services.phone.deliveries.read(SID), null);
  for (const host of ["trust.localhost:8000", "trust.localhost"]) {
    assertEquals((await callBack(site, "/api/codes/status", { ...form, host })).status, 204);
  }
  assertEquals(await site.services.phone.deliveries.read(SID), {
    state: "delivered",
    failure: null,
  });
});

Deno.test("a signed body whose field was changed gets 403", async () => {
  await using setup = await setUp();
  const { site } = setup;
  const { provider } = site.services.config.codes;
  const token = provider?.name === "sandbox" ? provider.account!.authToken : "";
  const form = { MessageSid: SID, MessageStatus: "failed" };
  const response = await site.request("trust", "/api/codes/status", {
    method: "POST",
    headers: {
      "x-twilio-signature": twilioSignature(
        token,
        "http://trust.localhost:8000/api/codes/status",
        form,
      ),
    },
    body: new URLSearchParams({ ...form, MessageStatus: "delivered" }),
  });
  await response.body?.cancel();
  assertEquals(response.status, 403);
});

Deno.test("a signed key press for an unknown call plays that the code has expired", async () => {
  await using setup = await setUp();
  for (const search of ["", "?call=", "?call=AAAAAAAAAAAAAAAAAAAAAA", "?call=..%2F..%2F"]) {
    const { status, body } = await callBack(setup.site, `/api/codes/voice${search}`, CALL);
    assertEquals(status, 200);
    assertStringIncludes(body, "This code has expired.");
  }
});

Deno.test("signed callbacks without the fields of Twilio get 400", async () => {
  await using setup = await setUp();
  for (const path of ["/api/codes/status", "/api/codes/voice"]) {
    const { status, body } = await callBack(setup.site, path, { CallSid: "CA1", MessageSid: "x" });
    assertEquals([status, JSON.parse(body).error], [400, "invalid_request"]);
  }
});

Deno.test("only the two callbacks accept requests from another origin", async () => {
  await using setup = await setUp();
  assertEquals((await callBack(setup.site, "/api/codes/voice", CALL)).status, 200);
  for (const path of ["/api/codes/voice/x", "/api/codes/other"]) {
    assertEquals((await callBack(setup.site, path, CALL)).status, 403);
  }
});

Deno.test("without Twilio, the callbacks return 404", async () => {
  const http = {
    CODE_PROVIDER: "http",
    CODE_HTTP_URL: "https://codes.example",
    CODE_HTTP_KEY: "k",
  };
  for (const env of [http, { CODE_PROVIDER: "off" }]) {
    await using site = await createSite(env as Record<string, string>);
    for (const path of ["/api/codes/status", "/api/codes/voice"]) {
      assertEquals((await callBack(site, path, CALL)).status, 404);
    }
    assertEquals((await site.request("workbench", "/dev/phone")).status, 404);
    const workbench = await (await site.request("workbench", "/")).text();
    assert(!workbench.includes("/dev/phone"), "no link to a page that is not there");
  }
});

Deno.test("the privacy page names the telephone provider only if codes are sent", async () => {
  for (const [env, named] of [[{}, true], [{ CODE_PROVIDER: "off" }, false]] as const) {
    await using site = await createSite(env);
    const html = await (await site.request("trust", "/privacy")).text();
    assertEquals(html.includes("telephone provider"), named);
  }
});

Deno.test("/dev/phone shows messages and calls as a page and as JSON", async () => {
  await using setup = await setUp();
  const { phone, site } = setup;
  await send(site, phone, {});
  const call = await send(site, phone, { channel: "voice" });
  const headers = { accept: "application/json" };
  const json = await site.request("workbench", "/dev/phone", { headers });
  const { entries, numbers, outage } = await json.json();
  assertEquals([entries, outage], [phone.entries, false]);
  const workbench = await (await site.request("workbench", "/")).text();
  assertStringIncludes(workbench, "/dev/phone");
  const html = await (await site.request("workbench", "/dev/phone")).text();
  assertStringIncludes(html, SMS);
  assertStringIncludes(html, "To hear it, press any key.");
  for (const { number, behaviour } of numbers) {
    assertStringIncludes(html, number);
    assertStringIncludes(html, behaviour);
  }

  const post = async (form: Record<string, string>) => {
    const body = new URLSearchParams(form);
    const init = { method: "POST", body, headers: { origin: "http://localhost:8000" } };
    const response = await site.request("workbench", "/dev/phone", init);
    await response.body?.cancel();
    return [response.status, response.headers.get("location")];
  };
  assertEquals(await post({ act: "press", call }), [303, "/dev/phone"]);
  assertEquals(phone.entries[0].transcript.slice(-2), [SPOKEN, SPOKEN]);
  assertEquals(await post({ act: "press", call }), [409, null]);
  assertEquals(await post({ act: "dial", call }), [400, null]);
  assertEquals(await post({ act: "outage-on" }), [303, "/dev/phone"]);
  assert(phone.outage);
  assertStringIncludes(
    await (await site.request("workbench", "/dev/phone")).text(),
    "End the outage",
  );
  assertEquals((await site.request("trust", "/dev/phone")).status, 404);
});
