import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { HOUR_MS } from "../lib/base/time.ts";
import {
  type EventOptions,
  paymentEvent,
  type SignedEvent,
  signStandard,
  signStripe,
} from "../sandbox/payment_events.ts";
import { startPaymentSandbox } from "../sandbox/payments.ts";
import { ADMIN, type BankSite, BOARD, createBankSite } from "./bank_site.ts";
import { PERSON } from "./contact_site.ts";

const CONSOLE = "commercial-console";
const WEBHOOK = "/api/payments/webhook";
const PAGE = "/console/payments";
const [SECRET, PREVIOUS, FOUNDATION] = ["commercial", "previous", "foundation"].map((name) =>
  `whsec_${btoa(`the secret of ${name} payments`)}`
);
const ENV = {
  COMMERCIAL_PAYMENT_WEBHOOK_SECRET: `${SECRET},${PREVIOUS}`,
  FOUNDATION_PAYMENT_WEBHOOK_SECRET: FOUNDATION,
};

const createPaymentSite = (env: Record<string, string> = {}) => createBankSite({ ...ENV, ...env });

const seconds = ({ time }: BankSite) => Math.floor(time.now / 1000);

interface SendOptions {
  surface?: SurfaceName;
  secret?: string;
  headers?: Record<string, string>;
}

/** Signs an event in Stripe's scheme, sends it and returns the status. */
async function send(fixture: BankSite, event: EventOptions = {}, options: SendOptions = {}) {
  const { secret = SECRET } = options;
  const made = paymentEvent({ created: seconds(fixture), ...event });
  const signed = signStripe(JSON.stringify(made), secret, seconds(fixture));
  return await post(fixture, signed, options);
}

async function post(fixture: BankSite, event: SignedEvent, options: SendOptions = {}) {
  const { surface = CONSOLE, headers } = options;
  const response = await fixture.site.request(surface, WEBHOOK, {
    method: "POST",
    body: event.body,
    headers: { "content-type": "application/json; charset=utf-8", ...event.headers, ...headers },
  });
  await response.body?.cancel();
  return response.status;
}

const list = ({ site }: BankSite, organisation: "foundation" | "commercial" = "commercial") =>
  site.services.payments.list(organisation, {});

/** Reads a page as an administrator. `words` is its text. */
async function read(fixture: BankSite, path: string, surface: SurfaceName = CONSOLE) {
  const response = await fixture.request(surface, path, ADMIN, {
    headers: { accept: "text/html" },
  });
  const html = await response.text();
  const words = html.replaceAll(/<(script|style)[^]*?<\/\1>/g, "").replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
  return { status: response.status, html, words };
}

Deno.test("an event with a valid signature is stored, in both schemes and with each secret", async () => {
  await using fixture = await createPaymentSite();
  assertEquals(await send(fixture, { id: "a", payment: "pi_a" }), 200);
  assertEquals(await send(fixture, { id: "b", payment: "pi_b" }, { secret: PREVIOUS }), 200);
  const data = { id: "pay_c", amount: 5, currency: "eur", status: "paid" };
  const timestamp = new Date(fixture.time.now).toISOString();
  const body = JSON.stringify({ type: "payment.paid", timestamp, data });
  const signed = signStandard(body, SECRET, { id: "msg_1", time: seconds(fixture) });
  assertEquals(await post(fixture, signed), 200);
  const { payments } = await list(fixture);
  assertEquals(payments.map(({ id }) => id).sort(), ["pay_c", "pi_a", "pi_b"]);
});

Deno.test("forged, late and early events get the same response, and change nothing", async () => {
  await using fixture = await createPaymentSite();
  const body = JSON.stringify(paymentEvent({ created: seconds(fixture) }));
  const good = signStripe(body, SECRET, seconds(fixture));
  const v0 = good.headers["stripe-signature"].replace("v1=", "v0=");
  const events: Record<string, SignedEvent> = {
    missing: { headers: {}, body },
    "another secret": signStripe(body, "whsec_of_somebody_else", seconds(fixture)),
    "the other console's secret": signStripe(body, FOUNDATION, seconds(fixture)),
    changed: { ...good, body: body.replace("12500", "12501") },
    "not UTF-8": { ...good, body: new Uint8Array([0xff, 0xfe, 0x7b]) },
    old: signStripe(body, SECRET, seconds(fixture) - 301),
    future: signStripe(body, SECRET, seconds(fixture) + 301),
    "only v0": { headers: { "stripe-signature": v0 }, body },
  };
  const responses = new Set<string>();
  for (const [name, event] of Object.entries(events)) {
    const response = await fixture.site.request(CONSOLE, WEBHOOK, {
      method: "POST",
      body: event.body,
      headers: event.headers,
    });
    assertEquals(response.status, 400, name);
    responses.add(await response.text());
  }
  assertEquals([...responses].map((text) => JSON.parse(text)), [
    { error: "invalid_request", message: "This request cannot be processed." },
  ]);
  assertEquals((await list(fixture)).any, false);
});

Deno.test("a signed body that is not an event is refused, and one of an unknown type is accepted", async () => {
  await using fixture = await createPaymentSite();
  const invalid = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]); // not UTF-8
  const key = await crypto.subtle.importKey(
    "raw",
    new TextEncoder().encode(SECRET),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const prefix = new TextEncoder().encode(`${seconds(fixture)}.`);
  const mac = await crypto.subtle.sign("HMAC", key, new Uint8Array([...prefix, ...invalid]));
  const header = `t=${seconds(fixture)},v1=${new Uint8Array(mac).toHex()}`;
  assertEquals(
    await post(fixture, { headers: { "stripe-signature": header }, body: invalid }),
    400,
  );
  assertEquals(await send(fixture, { type: "customer.created" }), 200);
  assertEquals(await send(fixture, { amount: -1 }), 400);
  assertEquals((await list(fixture)).any, false);
});

Deno.test("20 concurrent deliveries of one event change the payment once", async () => {
  await using fixture = await createPaymentSite();
  const statuses = await Promise.all(Array.from({ length: 20 }, () => send(fixture, { id: "a" })));
  assertEquals(new Set(statuses), new Set([200]));
  const { payments: [payment], count } = await list(fixture);
  assertEquals([count, payment.amount], [1, 12_500]);
  // A repeated event has no effect, even with other content.
  const later = seconds(fixture) + 10;
  assertEquals(await send(fixture, { id: "a", amount: 1, created: later }), 200);
  assertEquals((await list(fixture)).payments[0].amount, 12_500);
});

Deno.test("20 concurrent events of one payment result in its newest state", async () => {
  await using fixture = await createPaymentSite();
  const now = seconds(fixture);
  await Promise.all(Array.from({ length: 20 }, (_, i) =>
    send(fixture, {
      id: `e${i}`,
      type: i === 7 ? "payment_intent.succeeded" : "payment_intent.processing",
      status: i === 7 ? "succeeded" : "processing",
      created: now + i,
      since: now - i, // so that the key in the list changes as well
      amount: 100 + i,
    })));
  const { payments, count } = await list(fixture);
  assertEquals([count, payments[0].state, payments[0].amount], [1, "succeeded", 107]);
  assertEquals(payments[0].created_at, new Date((now - 19) * 1000).toISOString());
});

Deno.test("events of one console never appear on the other", async () => {
  await using fixture = await createPaymentSite();
  const record = "cd".repeat(32);
  assertEquals(await send(fixture, { id: "a", record, description: "Commercial fee" }), 200);
  const foreign = { surface: "foundation-console" } as const;
  assertEquals(await send(fixture, { id: "b" }, foreign), 400);
  assertEquals((await list(fixture, "foundation")).any, false);
  const { payments } = fixture.site.services;
  assertEquals(await payments.ofRecord("foundation", record), []);
  assertEquals((await payments.ofRecord("commercial", record)).length, 1);
  for (const path of [PAGE, `${PAGE}?format=csv`, `${PAGE}?status=succeeded`]) {
    assert(
      !(await read(fixture, path, "foundation-console")).html.includes("Commercial fee"),
      path,
    );
    assertStringIncludes((await read(fixture, path)).html, "Commercial fee");
  }
  // The same ids at the other provider are other payments.
  assertEquals(
    await send(fixture, { id: "a", amount: 7 }, { ...foreign, secret: FOUNDATION }),
    200,
  );
  assertEquals((await list(fixture, "foundation")).payments[0].amount, 7);
  assertEquals((await list(fixture)).payments[0].amount, 12_500);
});

Deno.test("a payment that fails is one alert, which is done once the payment succeeds", async () => {
  await using fixture = await createPaymentSite();
  const { alerts } = fixture.site.services;
  const states = async () =>
    (await alerts.list("commercial")).alerts.map(({ problem, state, count, by }) => [
      problem,
      state,
      count,
      by,
    ]);
  const now = seconds(fixture);
  const failed = {
    type: "payment_intent.payment_failed",
    status: "requires_payment_method",
    amount: 12_500,
  };
  await Promise.all(Array.from({ length: 5 }, () => send(fixture, { ...failed, id: "e1" })));
  assertEquals(await states(), [["pi_1", "unread", 1, null]]);
  await send(fixture, { ...failed, id: "e2", created: now + 5 });
  await send(fixture, { ...failed, id: "e0", created: now - 5 });
  assertEquals(await states(), [["pi_1", "unread", 2, null]]);
  const page = await read(fixture, "/console/alerts");
  assertStringIncludes(page.words, "A payment of $125.00 failed.");
  assertStringIncludes(page.html, `href="/console/payments/pi_1"`);
  const dashboard = await read(fixture, "/console");
  assertMatch(dashboard.words, /Open alerts All alerts Payment failed New \$125\.00, 2 times/);

  const retried = { type: "payment_intent.processing", status: "processing" };
  await send(fixture, { ...retried, id: "e3", created: now + 6 });
  assertEquals(await states(), [["pi_1", "unread", 2, null]]);
  await send(fixture, { id: "e5", created: now + 7 });
  assertEquals(await states(), [["pi_1", "done", 2, null]]);
  await send(fixture, { ...failed, id: "e4", created: now + 9 });
  await send(fixture, { ...failed, id: "f1", payment: "pi_2" }, {
    surface: "foundation-console",
    secret: FOUNDATION,
  });
  assertEquals(await states(), [["pi_1", "done", 2, null]]);
  const done = await read(fixture, "/console/alerts?state=done");
  assertStringIncludes(done.words, "Its status is now “Succeeded”.");
});

Deno.test("the webhook accepts POST only, with any type, origin or cookie, up to 256 KiB", async () => {
  await using fixture = await createPaymentSite();
  for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
    const response = await fixture.site.request(CONSOLE, WEBHOOK, { method });
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("allow")], [405, "POST"], method);
  }
  const form = { "content-type": "application/x-www-form-urlencoded", "accept": "text/html" };
  const refused = await fixture.site.request(CONSOLE, WEBHOOK, { method: "POST", headers: form });
  assertEquals((await refused.json()).error, "invalid_request");
  const types = ["text/plain", "application/x-www-form-urlencoded", "application/json", "x"];
  for (const [i, type] of types.entries()) {
    const headers = {
      "content-type": type,
      "origin": "https://evil.example",
      "cookie": "app_session=x",
    };
    assertEquals(await send(fixture, { id: `e${i}` }, { headers }), 200, type);
  }
  const large = (bytes: number) =>
    send(fixture, { id: "large", object: { padding: "x".repeat(bytes) } });
  assertEquals(await large(256 * 1024), 413);
  assertEquals(await large(255 * 1024), 200);
  const chunks = ReadableStream.from(Array(300).fill(new Uint8Array(1024)));
  const chunked = await fixture.site.request(CONSOLE, WEBHOOK, { method: "POST", body: chunks });
  await chunked.body?.cancel();
  assertEquals(chunked.status, 413);
  // The exemption is for this method and path alone.
  for (const [path, method] of [[WEBHOOK, "PUT"], [`${WEBHOOK}/x`, "POST"], [PAGE, "POST"]]) {
    const headers = { origin: "https://evil.example" };
    const response = await fixture.site.request(CONSOLE, path, { method, headers });
    await response.body?.cancel();
    assertEquals(response.status, 403, `${method} ${path}`);
  }
});

Deno.test("without a secret the webhook returns 503, whatever the signature", async () => {
  await using fixture = await createBankSite();
  for (const secret of ["", "undefined", SECRET]) {
    const body = JSON.stringify(paymentEvent());
    const event = secret === ""
      ? { headers: {}, body }
      : signStripe(body, secret, seconds(fixture));
    assertEquals(await post(fixture, event), 503);
  }
  const { words } = await read(fixture, PAGE);
  assertMatch(
    words,
    /No payments yet The payment provider is not connected yet\. .*_WEBHOOK_SECRET/,
  );
  assertStringIncludes(words, "/api/payments/webhook");
});

/** Sends payments that differ in everything that can be filtered. */
async function fillSite(fixture: BankSite) {
  const day = (text: string) => Date.parse(text) / 1000;
  const events: EventOptions[] = [
    { payment: "pi_a", created: day("2026-01-05"), amount: 10_000, description: "January" },
    { payment: "pi_b", created: day("2026-02-28T23:59:59Z"), amount: 5_001, description: "=1+1" },
    {
      payment: "pi_c",
      created: day("2026-03-01"),
      amount: 700,
      currency: "jpy",
      description: "@x",
    },
    {
      payment: "pi_d",
      created: day("2026-03-01T10:00:00Z"),
      amount: 2_500,
      type: "payment_intent.payment_failed",
      status: "requires_payment_method",
      description: "+49",
    },
    {
      payment: "ch_e",
      created: day("2026-02-02"),
      amount: 4_000,
      type: "charge.refunded",
      description: "-2",
      object: { captured: true, amount_refunded: 4_000 },
    },
  ];
  for (const [i, event] of events.entries()) await send(fixture, { id: `e${i}`, ...event });
}

Deno.test("filters select payments for the page and the CSV file", async () => {
  await using fixture = await createPaymentSite();
  await fillSite(fixture);
  const cases: [query: string, ids: string][] = [
    ["", "pi_d pi_c pi_b ch_e pi_a"],
    ["status=succeeded", "pi_c pi_b pi_a"],
    ["status=failed", "pi_d"],
    ["status=refunded", "ch_e"],
    ["from=2026-02-28", "pi_d pi_c pi_b"],
    ["to=2026-02-28", "pi_b ch_e pi_a"],
    ["from=2026-03-01&to=2026-03-01", "pi_d pi_c"],
    ["min=50.01&max=100", "pi_b pi_a"],
    ["min=700", "pi_c"],
    ["currency=JPY", "pi_c"],
    ["currency=EUR", ""],
  ];
  for (const [query, ids] of cases) {
    const csv = (await read(fixture, `${PAGE}?${query}&format=csv`)).html;
    const found = csv.trim().split("\r\n").slice(1)
      .map((line) => line.split(",").at(-3)!.replaceAll('"', ""));
    assertEquals(found.join(" "), ids, query);
    const { words } = await read(fixture, `${PAGE}?${query}`);
    const count = ids === ""
      ? /No payments/
      : new RegExp(`1 to ${found.length} of ${found.length}`);
    assertMatch(words, count, query);
  }
  const invalid = `${PAGE}?status=x&from=2026-02-30&to=y&min=-1&max=1e3&currency=usd&after=0`;
  for (const path of [invalid, `${invalid}&format=csv`]) {
    const { status, html } = await read(fixture, path);
    assertEquals(status, 400);
    assertEquals([...html.matchAll(/class="problem"/g)].length, 7);
  }
});

Deno.test("the CSV file has exact amounts, and no cell that a spreadsheet would run", async () => {
  await using fixture = await createPaymentSite();
  await fillSite(fixture);
  const response = await fixture.request(CONSOLE, `${PAGE}?format=csv`, ADMIN);
  assertEquals(response.headers.get("content-disposition"), 'attachment; filename="payments.csv"');
  const bytes = new Uint8Array(await response.arrayBuffer());
  assertEquals([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).trim().split("\r\n");
  assertEquals(lines, [
    `"created_at","amount","refunded","currency","status","description","record","event_type","id","payer_name","payer_email"`,
    `"2026-03-01T10:00:00.000Z","25.00","0.00","USD","failed","'+49","","payment_intent.payment_failed","pi_d","",""`,
    `"2026-03-01T00:00:00.000Z","700","0","JPY","succeeded","'@x","","payment_intent.succeeded","pi_c","",""`,
    `"2026-02-28T23:59:59.000Z","50.01","0.00","USD","succeeded","'=1+1","","payment_intent.succeeded","pi_b","",""`,
    `"2026-02-02T00:00:00.000Z","40.00","40.00","USD","refunded","'-2","","charge.refunded","ch_e","",""`,
    `"2026-01-05T00:00:00.000Z","100.00","0.00","USD","succeeded","January","","payment_intent.succeeded","pi_a","",""`,
  ]);
});

Deno.test("the page shows totals and a chart by day, and pages of 50 with links", async () => {
  await using fixture = await createPaymentSite();
  await fillSite(fixture);
  const { words, html } = await read(fixture, PAGE);
  assertMatch(words, /Received \$190\.01 .*Refunded \$40\.00 .*Net \$150\.01/);
  assertMatch(words, /In JPY: 1 payment, ¥700 net\./);
  assertMatch(words, /2 Feb 2026 \$40\.00 \$40\.00 .*28 Feb 2026 \$50\.01 \$0\.00/);
  assertMatch(words, /Chart options 7D 30D 90D From to Cumulative/);
  assert(!html.includes('aria-label="Pages of payments"'));
  for (let i = 0; i < 100; i++) {
    await send(fixture, { id: `p${i}`, payment: `pi_${i}`, description: `Number ${i}.` });
  }
  const nextOf = ({ html }: { html: string }) =>
    /rel="next" href="([^"#]*)#list"/.exec(html)![1].replaceAll("&amp;", "&");
  const second = await read(fixture, nextOf(await read(fixture, `${PAGE}?status=succeeded`)));
  assertMatch(second.words, /51 to 100 of 103, newest first/);
  assertMatch(second.html, /<a [^>]*rel="prev" href="\/console\/payments\?status=succeeded#list"/);
  assertMatch(second.words, /Page 2 of 3/);
  const third = await read(fixture, nextOf(second));
  assertMatch(third.words, /101 to 103 of 103, newest first .*Page 3 of 3/);
  const [, back] = /rel="prev" href="([^"#]*before=[^"#]*)#list"/.exec(third.html)!;
  const again = await read(fixture, back.replaceAll("&amp;", "&"));
  assertMatch(again.words, /51 to 100 of 103, newest first .*Page 2 of 3/);
  const beyond = `${PAGE}?after=2000-01-01T00:00:00.000Z~pi_1`;
  assertMatch((await read(fixture, beyond)).words, /Nothing on this page/);
  const csv = await read(fixture, `${PAGE}?format=csv`);
  assertEquals(csv.html.trim().split("\r\n").length, 106);
});

Deno.test("only full administrators see the payments", async () => {
  await using fixture = await createPaymentSite();
  await send(fixture);
  for (const path of [PAGE, `${PAGE}?format=csv`, `${PAGE}/pi_1`]) {
    const board = await fixture.request(CONSOLE, path, BOARD);
    await board.body?.cancel();
    assertEquals(board.status, 403);
    const nobody = await fixture.request(CONSOLE, path, null);
    await nobody.body?.cancel();
    assertEquals(nobody.status, 302);
  }
});

Deno.test("a payment's timeline has each event once, in the provider's order, with those that came late", async () => {
  await using fixture = await createPaymentSite();
  const begun = seconds(fixture);
  const events: EventOptions[] = [
    { id: "c", type: "payment_intent.succeeded", created: begun + 20 },
    { id: "a", type: "payment_intent.created", status: "requires_payment_method", created: begun },
    {
      id: "d",
      type: "charge.refunded",
      payment: "ch_1",
      created: begun + 60,
      object: { payment_intent: "pi_1", captured: true, amount_refunded: 2_500 },
    },
  ];
  for (const event of [...events, events[0]]) {
    fixture.time.now += 30_000;
    assertEquals(await send(fixture, { since: begun, ...event }), 200);
  }
  const { status, words } = await read(fixture, `${PAGE}/pi_1`);
  assertEquals(status, 200);
  assertMatch(words, /Payment of \$125\.00 Partly refunded .* Refunded \$25\.00 Net \$100\.00/);
  const [, timeline] = words.split("Timeline ");
  assertMatch(
    timeline,
    /Refunded \$25\.00 of \$125\.00 .*charge\.refunded Succeeded, \$125\.00 .*payment_intent\.succeeded Pending, \$125\.00 Arrived late Changed nothing .*, received 1 Mar .*payment_intent\.created/,
  );
  assertEquals(timeline.match(/received 1 Mar/g)?.length, 1);
  assertEquals((await read(fixture, `${PAGE}/pi_2`)).status, 404);
  assertEquals((await read(fixture, `${PAGE}/${"a".repeat(3_000)}`)).status, 404);
  assertEquals((await read(fixture, `${PAGE}/pi_1`, "foundation-console")).status, 404);
});

Deno.test("a payment appears on its record's page until the record is deleted", async () => {
  await using fixture = await createPaymentSite();
  const registered = await fixture.site.request("api", "/api/ir/register?organisation=commercial", {
    method: "POST",
    body: JSON.stringify(PERSON),
    headers: { "content-type": "application/json" },
  });
  const { hash } = await registered.json();
  const description = "Fee of Ada Lovelace";
  assertEquals(await send(fixture, { id: "a", record: hash, description }), 200);
  // The payment is found once, although an earlier event changes when it was created.
  const since = seconds(fixture) - HOUR_MS / 1000;
  assertEquals(await send(fixture, { id: "0", record: hash, description, since }), 200);
  const { payments, kv } = fixture.site.services;
  const indexed = () => Array.fromAsync(kv.list({ prefix: ["payments_by_record"] }));
  assertEquals((await indexed()).length, 1);
  const { words } = await read(fixture, `/console/records/${hash}`);
  assertMatch(words, /Payments \$125\.00 Succeeded 1 Mar 2026 · Fee of Ada Lovelace/);
  const object = { billing_details: { name: "Ada Lovelace", email: "ada@payer.example" } };
  assertEquals(await send(fixture, { id: "c", type: "charge.succeeded", object }), 200);
  const opened = await read(fixture, `${PAGE}/pi_1`);
  assertMatch(opened.words, /Payer Ada Lovelace \(ada@payer\.example\) Record Record [0-9a-f]{8}…/);
  assertStringIncludes(opened.html, `href="/console/records/${hash}"`);
  assertEquals(
    (await read(fixture, `${PAGE}?format=csv`)).html.includes("ada@payer.example"),
    true,
  );
  await payments.recordData.deleteOf!(hash);
  fixture.time.now += HOUR_MS;
  // Events that arrive later do not bring the data back.
  assertEquals(await send(fixture, { id: "b", record: hash, description, object }), 200);
  const [payment] = (await list(fixture)).payments;
  assertEquals([payment.description, payment.record, payment.amount], [null, null, 12_500]);
  assertMatch((await read(fixture, `${PAGE}/pi_1`)).words, /Payer Erased with the record/);
  const stored = await Array.fromAsync(kv.list({ prefix: [] }));
  const found = stored.filter(({ value }) =>
    Deno.inspect(value, { depth: 9 }).includes("payer.example")
  );
  assertEquals(found.map(({ key }) => key), []);
  assertEquals((await indexed()).length, 0);
});

Deno.test("the stand-in's valid events are accepted, and its forged ones are refused", async () => {
  await using fixture = await createBankSite();
  await using payments = startPaymentSandbox({
    clock: () => fixture.time.now,
    fetch: (url, init) => {
      const { pathname } = new URL(String(url));
      return fixture.site.request(CONSOLE, pathname, init);
    },
  });
  Object.assign(fixture.site.services.config.payments.secrets, payments.secrets);
  const send = async (action: string) => {
    const request = {
      act: action,
      organisation: "commercial",
      url: `http://x${WEBHOOK}`,
      record: "",
    };
    const response = await fetch(`${payments.url}/send`, {
      method: "POST",
      body: JSON.stringify(request),
    });
    assertEquals(response.status, 204);
    const before = sent.length;
    sent = await (await fetch(`${payments.url}/sent`)).json();
    return sent.slice(0, sent.length - before).map(({ status }) => status);
  };
  let sent: { status: number }[] = [];
  assertEquals(await send("payment"), [200, 200, 200]);
  assertEquals(await send("refund"), [200]);
  assertEquals(await send("duplicate"), Array(5).fill(200));
  assertEquals(await send("reorder"), [200, 200, 200]);
  assertEquals(await send("standard"), [200]);
  assertEquals(await send("failed"), [200, 200, 200]);
  assertEquals(await send("forge"), Array(6).fill(400));
  const { payments: stored } = await list(fixture);
  assertEquals(stored.map(({ state, refunded }) => [state, refunded > 0]).sort(), [
    ["failed", false],
    ["succeeded", false],
    ["succeeded", false],
    ["succeeded", true],
  ]);
});
