import { assert, assertEquals, assertThrows } from "@std/assert";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { createHttpProvider } from "../lib/features/codes/providers/http.ts";
import type { CodeMessage } from "../lib/features/codes/provider.ts";
import { type Config, parseConfig } from "../lib/app/config.ts";
import { startSandboxes } from "./mod.ts";
import { startPhoneSandbox } from "./phone.ts";
import { parseTwiml } from "./phone_call.ts";
import { PHONE_NUMBERS } from "./phone_numbers.ts";

const SMS: CodeMessage = {
  to: "+61491570006",
  channel: "sms",
  text: "123456 is your code.",
  idempotencyKey: "1",
};

Deno.test("every number with a fixed behaviour is valid for libphonenumber", () => {
  const countries = new Set<string>();
  for (const { number } of PHONE_NUMBERS) {
    const parsed = parsePhoneNumberFromString(number);
    assertEquals([parsed?.isValid(), parsed?.number], [true, number]);
    countries.add(parsed?.country ?? "");
  }
  assertEquals([...countries].sort(), ["AU", "CA", "DE", "US"]);
});

Deno.test("each number behaves as described for a provider with the plain HTTP shape", async () => {
  await using phone = startPhoneSandbox();
  const provider = createHttpProvider({ ...phone.http, fetch, log: () => {} });
  const outcome = async (to: string, channel: "sms" | "voice") => {
    const result = await provider.send({ ...SMS, to, channel });
    await phone.settled();
    return result.ok ? phone.entries[0].status : result.error;
  };
  const cases: Record<string, [sms: string, voice: string]> = {
    "+61491570006": ["delivered", "completed"],
    "+61491234567": ["delivered", "completed"],
    "+61491570156": ["undelivered", "failed"],
    "+61491570157": ["delivered", "busy"],
    "+61491570110": ["delivered", "no-answer"],
    "+61491570158": ["blocked", "blocked"],
    "+61491570313": ["rate_limited", "rate_limited"],
    "+61491570737": ["invalid_number", "invalid_number"],
    "+15005550001": ["invalid_number", "invalid_number"],
    "+15005550009": ["unreachable", "completed"],
  };
  for (const [number, expected] of Object.entries(cases)) {
    const actual = [await outcome(number, "sms"), await outcome(number, "voice")];
    assertEquals([number, ...actual], [number, ...expected]);
  }
  phone.outage = true;
  assertEquals(await outcome(SMS.to, "sms"), "unavailable");
});

Deno.test("the slow number gets no response before our timeout", async () => {
  await using phone = startPhoneSandbox();
  const timeout = new AbortController();
  const provider = createHttpProvider({
    ...phone.http,
    async fetch(input, init) {
      const response = fetch(input, init);
      // The stand-in handles requests in order, so it has the slow one when this is answered.
      await (await fetch(`${phone.account.apiBase}/inbox`)).body?.cancel();
      timeout.abort();
      return await response;
    },
    timeoutSignal: () => timeout.signal,
    log: () => {},
  });
  const result = await provider.send({ ...SMS, to: "+61491570159" });
  assertEquals([result, phone.entries], [{ ok: false, error: "unavailable" }, []]);
});

Deno.test("a wrong key or password is rejected in both shapes", async () => {
  await using phone = startPhoneSandbox();
  const { apiBase, accountSid } = phone.account;
  const status = async (url: string, authorization: string) => {
    const response = await fetch(url, { method: "POST", headers: { authorization }, body: "{}" });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status(phone.http.url, "Bearer other"), 401);
  const messages = `${apiBase}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  assertEquals(await status(messages, `Basic ${btoa(`${accountSid}:other`)}`), 401);
  assertEquals(phone.entries, []);
});

Deno.test("the inbox keeps the latest 100 messages", async () => {
  await using phone = startPhoneSandbox();
  const provider = createHttpProvider({ ...phone.http, fetch, log: () => {} });
  for (let i = 0; i <= 100; i++) await provider.send({ ...SMS, text: String(i) });
  assertEquals(phone.entries.length, 100);
  assertEquals([phone.entries[0].body, phone.entries[99].body], ["100", "1"]);
});

Deno.test("startSandboxes() starts the phone only for CODE_PROVIDER=sandbox, never in production", async () => {
  const start = async (parsed: Config) => {
    const { configure, stop } = startSandboxes(parsed);
    await stop();
    return configure(parsed).codes.provider;
  };
  const provider = await start(parseConfig({}));
  assert(provider?.name === "sandbox" && provider.account !== undefined);
  assertEquals(await start(parseConfig({ CODE_PROVIDER: "off" })), undefined);
  assertThrows(
    () => startSandboxes({ ...parseConfig({}), env: "production" }),
    Error,
    "Production",
  );
});

Deno.test("parseTwiml() rejects what Twilio would not play", () => {
  const invalid = [
    "",
    "<Say>x</Say>",
    "<Response><Say>a & b</Say></Response>",
    "<Response><Say>a < b</Say></Response>",
    "<Response><Say>a</Response></Say>",
    "<Response><Say>a</Say>",
    "<Response><Sing>a</Sing></Response>",
    "<Response/><Response/>",
    `<Response><Say language=en>a</Say></Response>`,
  ];
  for (const xml of invalid) assertThrows(() => parseTwiml(xml), SyntaxError, undefined, xml);
});
