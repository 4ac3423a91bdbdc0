import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { createECDH } from "node:crypto";
import { type NewHolderSession, startSession } from "../lib/features/records/mod.ts";
import { MAX_DEVICES } from "../lib/features/push/mod.ts";
import type { PushSettings } from "../lib/features/push/rows.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { raceKv } from "../lib/platform/kv/testing/race_kv.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import { errorOf, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import type { SiteOverrides } from "./site.ts";

const HEX = "0123456789abcdef".repeat(4);
const phone = (name: string) => ({ platform: "android", token: name });
const point = () => createECDH("prime256v1").generateKeys().toString("base64url");
const AUTH = "A".repeat(22);

/** The JSON of a browser's subscription. */
const subscription = (endpoint = "https://fcm.googleapis.com/fcm/send/abc") => ({
  endpoint,
  expirationTime: null,
  keys: { p256dh: point(), auth: AUTH },
  vapid: point(),
});

async function pushSite(overrides: SiteOverrides = {}) {
  const service = fakePush();
  const fixture = await recordFixture({}, {
    ...overrides,
    pushProviders: { ios: service, android: service, web: service },
  });
  const { push, chains } = fixture.site.services;
  return {
    ...fixture,
    service,
    push: (path: string, json: unknown, cookie: string, method = "POST") =>
      fixture.fetch(`/api/push/${path}`, { json, cookie, method }),
    /** Appends an event and returns the tokens that it was pushed to. */
    async pushed(hash: string) {
      service.sent = [];
      await chains.append(hash, "record_verified");
      await push.flush();
      return service.sent.map(({ target }) => "token" in target ? target.token : "browser").sort();
    },
    /** Sends a request to a console as an operator, by default an administrator. */
    async console(
      path: string,
      json?: unknown,
      { as = "admin@example.org", on = "commercial-console" }: {
        as?: string;
        on?: "commercial-console" | "foundation-console";
      } = {},
    ) {
      const { auth, surfaces } = fixture.site.services;
      fixture.clock.now += 1;
      const { token } = await auth.issueLink({ email: as, surface: on });
      const { sessionId } = (await auth.verify(token, on))!;
      const { origin } = new URL(surfaces.url(on, "/")!);
      return await fixture.site.request(on, path, {
        method: json === undefined ? "GET" : "POST",
        body: json === undefined ? undefined : JSON.stringify(json),
        headers: {
          cookie: `app_session=${sessionId}`,
          ...json === undefined ? {} : { "content-type": "application/json", origin },
        },
      });
    },
    devices: async (hash: string) => (await push.overview(hash)).devices.length,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

Deno.test("a phone that another record takes over while its record is corrected stays there", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using site = await pushSite({ kv });
  const [from, to, other] = [await site.holder(), await site.holder(), await site.holder()];
  await statusOf(site.push("register", phone("a"), from.cookie));
  kv.meanwhile("device_tokens", () => statusOf(site.push("register", phone("a"), other.cookie)));
  await site.site.services.push.recordData.move!(from.hash, to.hash);
  const counts = [];
  for (const { hash } of [from, to, other]) counts.push(await site.devices(hash));
  assertEquals(counts, [0, 0, 1]);
});

Deno.test("a holder registers a phone once, and the response does not repeat its token", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  const ios = { platform: "ios", token: HEX.toUpperCase(), environment: "sandbox" };
  const response = await site.push("register", ios, cookie);
  assertEquals(response.status, 201);
  const { device } = await response.json();
  assertEquals([device.platform, device.name], ["ios", "iPhone or iPad"]);
  assertFalse(JSON.stringify(device).includes(HEX));
  site.clock.now += 1000;
  const again = await site.push("register", { ...ios, token: HEX }, cookie);
  assertEquals([again.status, (await again.json()).device.id], [200, device.id]);
  assertEquals(await site.pushed(hash), [HEX]);
  assertEquals((site.service.sent[0].target as { environment: string }).environment, "sandbox");
  for (const { key, text } of await site.entries()) assertFalse((key + text).includes(HEX), key);
  assertEquals(await statusOf(site.push("register", ios, cookie, "DELETE")), 200);
  assertEquals(await site.pushed(hash), []);
});

Deno.test("malformed devices and subscriptions return 400, large bodies 413, and no session 401", async () => {
  await using site = await pushSite();
  const { cookie } = await site.holder();
  const issueOf = async (path: string, json: unknown) => {
    const { status, issues = {} } = await errorOf(await site.push(path, json, cookie));
    assertEquals(status, 400, JSON.stringify(json));
    return Object.keys(issues).join();
  };
  for (const platform of ["web", "", 1, undefined]) {
    assertEquals(await issueOf("register", { platform, token: HEX }), "platform");
  }
  for (const token of [HEX.slice(2), HEX.slice(1) + "g", HEX.repeat(4), HEX + "a", 7, undefined]) {
    assertEquals(await issueOf("register", { platform: "ios", token }), "token");
  }
  for (const token of ["", "a b", "ü", "a".repeat(4097)]) {
    assertEquals(await issueOf("register", { platform: "android", token }), "token");
  }
  const ios = { platform: "ios", token: HEX };
  assertEquals(await issueOf("register", { ...ios, environment: "test" }), "environment");

  for (
    const endpoint of [
      "http://fcm.googleapis.com/fcm/send/a",
      "https://fcm.googleapis.com:8443/a",
      "https://user@fcm.googleapis.com/a",
      "https://fcm.googleapis.com.evil.example/a",
      "https://evilpush.apple.com/a",
      "https://127.0.0.1/a",
      "nothing",
      `https://fcm.googleapis.com/${"a".repeat(2048)}`,
    ]
  ) assertEquals(await issueOf("subscribe", subscription(endpoint)), "endpoint", endpoint);
  const whole = subscription();
  const flipped = point().slice(0, -2) + "AA"; // not on the curve
  for (
    const keys of [undefined, {}, { ...whole.keys, p256dh: flipped }, { ...whole.keys, auth: "A" }]
  ) {
    assertEquals(await issueOf("subscribe", { ...whole, keys }), "keys");
  }
  assertEquals(await issueOf("subscribe", { ...whole, vapid: AUTH }), "vapid");

  const large = { ...phone("a"), padding: "a".repeat(8192) };
  assertEquals(await statusOf(site.push("register", large, cookie)), 413);
  assertEquals(await statusOf(site.push("register", phone("a"), "")), 401);
  assertEquals(await statusOf(site.push("subscribe", whole, "")), 401);
  assertEquals(await site.count("device_tokens") + await site.count("push_subscriptions"), 0);
});

Deno.test("browsers of every known push service subscribe and unsubscribe", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  const endpoints = [
    "https://fcm.googleapis.com/fcm/send/abc",
    "https://updates.push.services.mozilla.com/wpush/v2/abc",
    "https://web.push.apple.com/abc",
    "https://wns2-par02p.notify.windows.com/w/?token=abc",
  ];
  for (const endpoint of endpoints) {
    assertEquals(await statusOf(site.push("subscribe", subscription(endpoint), cookie)), 201);
  }
  assertEquals([await site.count("push_subscriptions"), await site.count("device_tokens")], [4, 0]);
  assertEquals((await site.pushed(hash)).length, 4);
  const [endpoint] = endpoints;
  for (let i = 0; i < 2; i++) {
    assertEquals(await statusOf(site.push("subscribe", { endpoint }, cookie, "DELETE")), 200);
  }
  assertEquals(await site.devices(hash), 3);
});

Deno.test("without a push service, registering returns 503 and the page has no section", async () => {
  await using fixture = await recordFixture();
  const { cookie } = await fixture.holder();
  const refused = await fixture.fetch("/api/push/register", { cookie, json: phone("a") });
  assertEquals((await errorOf(refused)).error, "unavailable");
  const page = await (await fixture.fetch("/my-record", { cookie })).text();
  assertFalse(page.includes('id="notifications"'));
});

Deno.test("a phone moves to the record of the last holder who registers it", async () => {
  await using site = await pushSite();
  const [first, second] = [await site.holder(), await site.holder()];
  await statusOf(site.push("register", phone("a"), first.cookie));
  await statusOf(site.push("register", phone("b"), first.cookie));
  assertEquals(await statusOf(site.push("register", phone("a"), second.cookie)), 201);
  assertEquals(await site.pushed(first.hash), ["b"]);
  assertEquals(await site.pushed(second.hash), ["a"]);
  // The earlier holder can no longer remove it.
  await statusOf(site.push("register", phone("a"), first.cookie, "DELETE"));
  assertEquals(await site.pushed(second.hash), ["a"]);
});

Deno.test("the 11th device is refused, until one is removed, also with 30 requests at once", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => site.push("register", phone(`p${i}`), cookie)),
  );
  const statuses = responses.map(({ status }) => status);
  assertEquals(statuses.filter((status) => status === 201).length, MAX_DEVICES);
  const { error } = await errorOf(responses.find(({ status }) => status !== 201)!);
  assertEquals(error, "too_many_devices");
  assertEquals(await site.devices(hash), MAX_DEVICES);
  assertEquals(await statusOf(site.push("subscribe", subscription(), cookie)), 409);
  const { devices: [{ id }] } = await site.site.services.push.overview(hash);
  const form = { act: "remove", id };
  assertEquals(await statusOf(site.fetch("/my-record/notifications", { cookie, form })), 303);
  assertEquals(await statusOf(site.push("subscribe", subscription(), cookie)), 201);
});

Deno.test("signing out removes the devices of that session, and signing out everywhere all of them", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  const other = await site.signIn([hash]);
  const stranger = await site.holder();
  await statusOf(site.push("register", phone("a"), cookie));
  await statusOf(site.push("register", phone("b"), other));
  await statusOf(site.push("subscribe", subscription(), other));
  await statusOf(site.push("register", phone("c"), stranger.cookie));
  await statusOf(site.fetch("/my-record/sign-out", { cookie, form: {} }));
  assertEquals(await site.pushed(hash), ["b", "browser"]);
  await statusOf(site.fetch("/my-record/sign-out", { cookie: other, form: { everywhere: "1" } }));
  assertEquals(await site.devices(hash), 0);
  assertEquals(await site.pushed(stranger.hash), ["c"]);
});

Deno.test("a device stays when its holder signs in again, until that session is signed out", async () => {
  await using site = await pushSite();
  const { kv } = site.site.services;
  const [first, second] = [await site.holder(), await site.holder()];
  await statusOf(site.push("register", phone("a"), first.cookie));
  const sessionsOf = async (hash: string) =>
    (await Array.fromAsync(kv.list({ prefix: ["record_sessions_by_record", hash] })))
      .map(({ key }) => String(key[2]));
  const signInAgain = async (hash: string, previous: string) => {
    const commit = kv.atomic();
    const session: NewHolderSession = {
      surface: "trust",
      choices: [hash],
      method: "link",
      previous,
      reader: { network: "203.0.113.0/24", browser: "Firefox on Linux" },
    };
    const { cookie } = (await startSession(kv, commit, session, site.clock.now))!;
    assert((await commit.commit()).ok);
    return cookie.split(";")[0];
  };
  let [id] = await sessionsOf(first.hash);
  let cookie = "";
  for (let i = 0; i < 2; i++) {
    cookie = await signInAgain(first.hash, id);
    [id] = await sessionsOf(first.hash);
    assertEquals(await site.pushed(first.hash), ["a"]);
  }
  await statusOf(site.fetch("/my-record/sign-out", { cookie, form: {} }));
  assertEquals(await site.count("device_tokens"), 0);

  // Somebody else signs in with the same browser.
  cookie = await site.signIn([first.hash]);
  await statusOf(site.push("register", phone("a"), cookie));
  [id] = await sessionsOf(first.hash);
  await signInAgain(second.hash, id);
  assertEquals(await site.pushed(first.hash), []);
  assertEquals(await site.count("device_tokens"), 0);
});

Deno.test("devices and choices move with a correction, and undoing it removes the devices", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  await statusOf(site.push("register", phone("a"), cookie));
  const form = { act: "choose", record_verified: "1" };
  await statusOf(site.fetch("/my-record/notifications", { cookie, form }));
  site.clock.now += 1000;
  const fields = { name: "New Name", email: "ada.q@mail.example.org", enquiry_type: "Investor" };
  await statusOf(site.fetch("/my-record/correct", { cookie, form: fields }));
  const { records, push } = site.site.services;
  const to = (await records.read(hash))!.row.replaced_by!;
  assertEquals([await site.devices(hash), await site.devices(to)], [0, 1]);
  assertEquals((await push.overview(to)).choices.off.length, 3);
  assertEquals(await site.pushed(to), ["a"]);
  assertEquals(await site.pushed(hash), []);

  site.clock.now += 1000;
  await statusOf(site.push("register", phone("b"), cookie));
  const mails = await site.mails();
  const { link } = mails.find(({ subject }) => subject.includes("correction"))!;
  const token = new URL(link!).searchParams.get("token")!;
  await statusOf(site.fetch("/my-record/undo", { form: { token } }));
  assertEquals(await site.count("device_tokens"), 0); // all sessions have ended
  assertEquals((await push.overview(hash)).choices.off.length, 3);
});

Deno.test("the page lists devices, stores choices, and explains what is wrong with quiet hours", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  await statusOf(site.push("subscribe", subscription(), cookie));
  const record = await (await site.fetch("/my-record", { cookie })).text();
  assertStringIncludes(record, 'id="notifications"');
  const post = (form: Record<string, string>) =>
    site.fetch("/my-record/notifications", { cookie, form: { act: "choose", ...form } });
  const quiet = { quiet: "1", from: "22:00", to: "07:00", zone: "Australia/Melbourne" };
  for (
    const [field, value] of [["from", "25:00"], ["to", "22:00"], ["zone", ""], ["zone", "Mars"]]
  ) {
    const refused = await post({ ...quiet, k2_delivered: "1", [field]: value });
    assertEquals(refused.status, 400);
    const page = await refused.text();
    assertStringIncludes(page, `id="field-${field}-problem"`);
    assert(/name="k2_delivered"[^>]*checked/.test(page), "the ticked kind stays ticked");
  }
  // Its length is checked before anything else.
  const long = await (await post({ ...quiet, from: "25:00", zone: "A".repeat(65) })).text();
  assertStringIncludes(long, 'id="field-zone-problem"');
  assertFalse(long.includes('id="field-from-problem"'));
  assertEquals(await statusOf(post({ ...quiet, k2_delivered: "1" })), 303);
  const { choices } = await site.site.services.push.overview(hash);
  assertEquals(choices, {
    off: ["email_confirmed", "record_verified", "document_viewed"],
    quiet: { from: "22:00", to: "07:00", zone: "Australia/Melbourne" },
  });
  const page = await (await site.fetch("/my-record/notifications", { cookie })).text();
  assert(/<option[^>]*selected[^>]*>Australia\/Melbourne/.test(page));
  assertEquals(await statusOf(site.fetch("/my-record/notifications")), 303);
});

Deno.test("choices that are made while a device is added or the record deleted keep its device, or nothing", async () => {
  const kv = raceKv(await openKv(":memory:"));
  await using site = await pushSite({ kv });
  const { hash, cookie } = await site.holder();
  const choose = () =>
    statusOf(site.fetch("/my-record/notifications", { cookie, form: { act: "choose" } }));
  const settings = async () => (await kv.get<PushSettings>(["push_settings", hash])).value;

  kv.meanwhile("push_settings", () => statusOf(site.push("register", phone("a"), cookie)));
  assertEquals(await choose(), 303);
  assertEquals((await settings())?.devices, 1);

  kv.meanwhile("push_settings", () => site.site.services.records.deletion.deleteRecord(hash));
  assertEquals(await choose(), 404);
  assertEquals(await settings(), null);
});

Deno.test("a test reaches every device at once, at most five times per hour", async () => {
  await using site = await pushSite();
  const { cookie } = await site.holder();
  const test = () => site.fetch("/my-record/notifications", { cookie, form: { act: "test" } });
  assertEquals(await statusOf(test()), 409);
  await statusOf(site.push("register", phone("a"), cookie));
  await statusOf(site.push("register", phone("b"), cookie));
  site.service.answer = (target) =>
    "token" in target && target.token === "b"
      ? { ok: false, error: "unavailable", action: "retry" }
      : { ok: true };
  const page = await (await test()).text();
  assertStringIncludes(page, "Android device: accepted by its push service");
  assertStringIncludes(page, "Android device: not accepted by its push service. Try again later.");
  assertEquals(site.service.sent.map(({ message }) => message.text), [
    "This is a test notification",
  ]);
  for (let i = 0; i < 4; i++) assertEquals(await statusOf(test()), 200);
  assertEquals(await statusOf(test()), 429);
});

Deno.test("L1 sends an event or a test to a record's devices, with the result of each device", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder(); // at level 1
  const { services } = site.site;
  const send = (json: unknown, options?: Parameters<typeof site.console>[2]) =>
    site.console("/api/push/send", json, options);
  await statusOf(site.push("register", phone("a"), cookie));
  await statusOf(site.push("register", phone("b"), cookie));
  await services.chains.append(hash, "document_viewed");
  await services.chains.append(hash, "sms_confirmed");
  const { events } = (await services.chains.page(hash))!;
  const [viewed, other] = events.slice(-2).map(({ seq }) => seq);
  await services.push.flush();
  site.service.sent = [];
  site.service.answer = (target) =>
    "token" in target && target.token === "b"
      ? { ok: false, error: "unregistered", action: "remove" }
      : { ok: true };
  const resultsOf = async (json: unknown) => {
    const response = await send(json);
    assertEquals(response.status, 200, await response.clone().text());
    const { results, ...rest } = await response.json();
    return { ...rest, results: results.map(({ result }: { result: string }) => result).sort() };
  };
  const test = { text: "This is a test notification", held: null };
  assertEquals(await resultsOf({ record: hash, dry_run: true }), {
    ...test,
    dry_run: true,
    sent: 0,
    results: ["would_send", "would_send"],
  });
  assertEquals(await resultsOf({ record: hash, seq: viewed }), {
    text: "Your compliance record was accessed",
    held: "level",
    dry_run: false,
    sent: 0,
    results: ["level", "level"],
  });
  assertEquals(site.service.sent, []);
  assertEquals(await resultsOf({ record: hash }), {
    ...test,
    dry_run: false,
    sent: 1,
    results: ["sent", "unregistered"],
  });
  assertEquals(await site.devices(hash), 1);

  const [from, to] = [0, HOUR_MS].map((ms) =>
    new Date(site.clock.now + ms).toISOString().slice(11, 16)
  );
  const reader = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
  await services.push.choose(hash, { off: [], quiet: { from, to, zone: "UTC" } }, reader);
  const seq = other + 1;
  await services.chains.append(hash, "record_verified");
  const { held, results } = await resultsOf({ record: hash, seq });
  assertEquals([held, results], ["quiet_hours", ["quiet_hours"]]);

  assertEquals(await statusOf(send({ record: hash, seq: other })), 400);
  assertEquals(await statusOf(send({ record: hash, seq: 99 })), 404);
  assertEquals(await statusOf(send({ record: hash, dry_run: "yes" })), 400);
  assertEquals(await statusOf(send({ record: hash }, { as: "board@example.org" })), 403);
  assertEquals(await statusOf(send({ record: hash }, { on: "foundation-console" })), 404);
  const json = { record: hash };
  assertEquals(await statusOf(site.fetch("/api/push/send", { cookie, json })), 404);
  const { entries } = await services.audit.list("commercial", { action: "push_sent" });
  assertEquals(
    entries.map(({ by, object, detail }) => [by, object.record === hash, detail]).reverse(),
    [
      ["admin@example.org", true, "dry run"],
      ["admin@example.org", true, "sent to 0 of 2"],
      ["admin@example.org", true, "sent to 1 of 2"],
      ["admin@example.org", true, "sent to 0 of 1"],
    ],
  );
});

Deno.test("a push that cannot be delivered is one alert of its organisation, with the reason", async () => {
  await using site = await pushSite();
  const { hash, cookie } = await site.holder();
  await statusOf(site.push("register", phone("a"), cookie));
  site.service.answer = () => ({ ok: false, error: "sender_id_mismatch", action: "give_up" });
  await site.pushed(hash);
  await site.pushed(hash);
  const { alerts } = site.site.services;
  const [alert, ...more] = (await alerts.list("commercial", { kind: "push_failed" })).alerts;
  assertEquals([more, alert.count], [[], 2]);
  assertEquals(alert.reports[0].links, { record: hash });
  assertEquals(alert.reports[0].details, {
    reason: "sender_id_mismatch",
    kind: "record_verified",
    platform: "android",
  });
  assertEquals((await alerts.list("foundation", { kind: "push_failed" })).alerts, []);
  const page = await (await site.console("/console/alerts")).text();
  assertStringIncludes(page, "Google (FCM)");
  assertStringIncludes(page, "The token belongs to another Firebase project.");
  assertStringIncludes(page, "“Your record was just verified”");

  site.service.answer = () => ({ ok: false, error: "unregistered", action: "remove" });
  await site.pushed(hash);
  assertEquals((await alerts.list("commercial", { kind: "push_failed" })).alerts[0].count, 2);
  assertEquals(await site.devices(hash), 0);
});
