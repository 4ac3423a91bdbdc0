import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { createSecrets } from "../../../platform/secrets.ts";
import { parseTwiml } from "../../../../sandbox/phone_call.ts";
import type { CodeMessage } from "../provider.ts";
import { createPendingCalls } from "./pending_calls.ts";
import { type Responder, startCodeApi } from "./testing/code_api.ts";
import { createTwilioProvider } from "./twilio.ts";
import { sayTwice } from "./twiml.ts";

const ACCOUNT = {
  accountSid: `AC${"1".repeat(32)}`,
  authToken: "s3cret",
  from: "+15005550006",
  messagingServiceSid: undefined as string | undefined,
};
const MESSAGE: CodeMessage = {
  to: "+61491570006",
  channel: "sms",
  text: "123456 is your code.\n@trust.example #123456",
  idempotencyKey: "5f1c",
};
const CALL: CodeMessage = { ...MESSAGE, channel: "voice", text: "Your code is 1. 2. 3. 4. 5. 6." };
const SID = `SM${"2".repeat(32)}`;
const ACCEPTED: Responder = () => Response.json({ sid: SID, status: "queued" }, { status: 201 });

/** An error of Twilio's API, whose message repeats the number. */
const rejects = (status: number, code?: number): Responder => () =>
  Response.json({ code, message: `The number ${MESSAGE.to} …`, status }, { status });

/** Sends one message, and returns everything observable. */
async function send(
  message: CodeMessage,
  responder: Responder = ACCEPTED,
  account: Partial<typeof ACCOUNT> = {},
  site = "Attest & <Systems>",
) {
  using kv = await openKv(":memory:");
  await using api = startCodeApi(responder);
  const secrets = createSecrets({ kv, given: [] });
  const calls = createPendingCalls({ kv, clock: Date.now, secrets });
  const logged: string[] = [];
  const provider = createTwilioProvider({
    name: "twilio",
    account: { ...ACCOUNT, ...account, apiBase: api.url },
    callbacks: {
      status: "https://trust.example/api/codes/status",
      voice: (call) => `https://trust.example/api/codes/voice?call=${call}`,
    },
    calls,
    site,
    fetch,
    log: (entry) => logged.push(JSON.stringify(entry)),
  });
  const result = await provider.send(message);
  const log = logged.join("\n");
  for (const secret of [MESSAGE.to, "123456", ACCOUNT.authToken, "The number"]) {
    assert(!log.includes(secret), log);
  }
  const [request] = api.received;
  const form = new URLSearchParams(request?.body);
  const [, call = ""] = /\?call=([\w-]+)/.exec(form.get("Twiml") ?? "") ?? [];
  const pending = await calls.find(call);
  return { result, request, form: Object.fromEntries(form), log, pending, call };
}

Deno.test("an SMS is a form posted to Messages.json with basic authentication", async () => {
  const { result, request, form, log } = await send(MESSAGE);
  assertEquals(result, { ok: true, id: SID, status: "queued" });
  const { accountSid, authToken } = ACCOUNT;
  assertEquals(request.path, `/2010-04-01/Accounts/${accountSid}/Messages.json`);
  assertEquals(request.headers.get("authorization"), `Basic ${btoa(`${accountSid}:${authToken}`)}`);
  assertMatch(request.headers.get("content-type")!, /^application\/x-www-form-urlencoded/);
  assertEquals(form, {
    To: MESSAGE.to,
    From: ACCOUNT.from,
    Body: MESSAGE.text,
    ValidityPeriod: "600",
    StatusCallback: "https://trust.example/api/codes/status",
  });
  assertEquals(log, "");
});

Deno.test("a messaging service replaces the sender of an SMS, not of a call", async () => {
  const messagingServiceSid = `MG${"3".repeat(32)}`;
  const sms = await send(MESSAGE, ACCEPTED, { messagingServiceSid });
  assertEquals([sms.form.From, sms.form.MessagingServiceSid], [undefined, messagingServiceSid]);
  const call = await send(CALL, ACCEPTED, { messagingServiceSid });
  assertEquals([call.form.From, call.form.MessagingServiceSid], [ACCOUNT.from, undefined]);
});

Deno.test("a call asks for a key, and contains neither the code nor a URL with it", async () => {
  const { request, form, pending, call } = await send(CALL);
  assertEquals(request.path, `/2010-04-01/Accounts/${ACCOUNT.accountSid}/Calls.json`);
  const { Twiml, ...others } = form;
  assertEquals(others, {
    To: CALL.to,
    From: ACCOUNT.from,
    Timeout: "25",
    StatusCallback: "https://trust.example/api/codes/status",
  });
  assert(Twiml.length <= 4_000);
  const question = "This is Attest & <Systems>, with the code that you requested. " +
    "To hear it, press any key.";
  const action = `https://trust.example/api/codes/voice?call=${call}`;
  const gather = { name: "Gather", action, verbs: [{ name: "Say", text: question }] };
  assertEquals<unknown[]>(parseTwiml(Twiml), [
    gather,
    gather,
    { name: "Say", text: "No key was pressed. Goodbye." },
    { name: "Hangup" },
  ]);
  assert(!request.body.includes("1.+2.") && !request.body.includes("123456"));
  assertEquals(pending, sayTwice(CALL.text));
});

Deno.test("a message's own TwiML is what the call plays after the key", async () => {
  const twiml = "<Response><Say>1. 2.</Say></Response>";
  assertEquals((await send({ ...CALL, twiml })).pending, twiml);
});

Deno.test("a very long site name does not make the greeting too long for Twilio", async () => {
  const { result, form } = await send(CALL, ACCEPTED, {}, `<&"'>`.repeat(1_000));
  assert(result.ok && form.Twiml.length <= 4_000);
});

Deno.test("without a number to call from, a call fails without a request", async () => {
  const { result, request, log } = await send(CALL, ACCEPTED, { from: undefined });
  assertEquals([result, request], [{ ok: false, error: "unavailable" }, undefined]);
  assertStringIncludes(log, "no_from");
});

Deno.test("Twilio's error codes map to our errors", async () => {
  const cases: [status: number, code: number | undefined, error: string][] = [
    [400, 21211, "invalid_number"],
    [400, 21217, "invalid_number"],
    [400, 21614, "unreachable"],
    [400, 21612, "unreachable"],
    [400, 21610, "blocked"],
    [400, 21408, "blocked"],
    [400, 21215, "blocked"],
    [429, 20429, "rate_limited"],
    [429, undefined, "rate_limited"],
    [400, 21611, "rate_limited"],
    [400, 21606, "unavailable"],
    [401, 20003, "unavailable"],
    [404, 20404, "unavailable"],
    [500, 21211, "unavailable"],
    [503, undefined, "unavailable"],
  ];
  for (const [status, code, error] of cases) {
    const { result, log } = await send(MESSAGE, rejects(status, code));
    assertEquals<unknown>([status, code, result], [status, code, { ok: false, error }]);
    const entry = { provider: "twilio", channel: "sms", reason: error, status };
    const logged = { level: "warn", event: "code_not_sent", ...entry, ...code && { code } };
    assertEquals(JSON.parse(log), logged);
  }
});

Deno.test("201 without a readable body means that the message was accepted", async () => {
  for (const body of ["", "<html>", `{"sid": "../x", "status": "queued"}`]) {
    const { result } = await send(MESSAGE, () => new Response(body, { status: 201 }));
    assertEquals(result, { ok: true, id: MESSAGE.idempotencyKey, status: "accepted" });
  }
});

Deno.test("texts are escaped in XML, without characters that XML forbids", () => {
  const hostile = `</Say><Dial>+1900</Dial>&amp; "quotes" 'apostrophes' \u0000\u001b\uffff\ud800 ü`;
  const clean = `</Say><Dial>+1900</Dial>&amp; "quotes" 'apostrophes'  ü`;
  assertEquals(parseTwiml(sayTwice(hostile)), [
    { name: "Say", text: clean },
    { name: "Pause" },
    { name: "Say", text: clean },
    { name: "Hangup" },
  ]);
});
