import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { EVENT_KINDS } from "../packages/proof/mod.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import {
  LOOK_UPS_PER_MINUTE,
  NONCE_LIFETIME_MS,
  readAccessLog,
  readRecord,
  recordRows,
} from "../lib/features/records/mod.ts";
import { MINUTE_MS } from "../lib/base/time.ts";
import { errorOf, statusOf } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";

const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };
const STRANGER = "198.51.100.9";
const UNKNOWN = "7HQ01ZXC4V8B2N6M9KJHGFD5S3";

/** A site with a record at level 3, and its key. */
async function setUp() {
  const fixture = await recordFixture();
  const { services } = fixture.site;
  const { kv, chains, records } = services;
  const { hash, cookie } = await fixture.holder();
  const setLevel = async (level: 1 | 2 | 3 | 4) => {
    const { row } = (await readRecord(kv, hash))!;
    await kv.set(recordRows.key(hash), { ...row, level });
  };
  await setLevel(3);
  const { key } = unwrap(await records.keys.issue({ hash, reader: READER }));
  fixture.clock.now += MINUTE_MS; // later entries of the access log come first
  type Options = Parameters<typeof fixture.fetch>[1];
  /** Asks for a key as the page does. */
  const ask = (body: unknown = { key }, options: Options = {}) =>
    fixture.fetch("/k", { json: body, from: STRANGER, ...options });
  return {
    ...fixture,
    keys: records.keys,
    hash,
    cookie,
    key,
    setLevel,
    ask,
    nonce: async (options: Options = {}): Promise<string> =>
      (await (await ask({ key }, options)).json()).nonce,
    /** Reports a verified chain as the page does. */
    report: (nonce: unknown, options: Options = {}) =>
      fixture.fetch("/k/verified", { json: { nonce }, from: STRANGER, ...options }),
    /** The kinds of the events since the key was issued. */
    kinds: async () => (await chains.page(hash))!.events.slice(3).map(({ kind }) => kind),
    log: async () => (await readAccessLog(kv, hash, fixture.clock.now)).entries,
  };
}

/** Posts JSON as a program does, which sends no origin. */
function postAsProgram(
  { site }: { site: Awaited<ReturnType<typeof setUp>>["site"] },
  json: unknown,
) {
  const url = site.services.surfaces.url("trust", "/k")!;
  const headers = { "host": new URL(url).host, "content-type": "application/json" };
  const request = new Request(url, { method: "POST", body: JSON.stringify(json), headers });
  const remoteAddr = { transport: "tcp", hostname: STRANGER, port: 4711 } as const;
  return site.handler(request, { remoteAddr, completed: Promise.resolve() });
}

Deno.test("a program posts a key and gets what it needs to verify the chain itself", async () => {
  await using site = await setUp();
  const { hash, key } = site;
  for (const text of [key, `https://trust.example/k#${key.toLowerCase()}`]) {
    const response = await postAsProgram(site, { key: text });
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("cache-control"), "no-store");
    assertEquals(await response.json(), {
      state: "current",
      hash,
      level: 3,
      stated_by: "Attest Systems",
      publisher: "trust.localhost:8000",
      chain_url: `http://api.localhost:8000/api/chain/${hash}`,
      keys_url: "http://trust.localhost:8000/.well-known/chain-keys.json",
      verify_url: `http://trust.localhost:8000/verify?hash=${hash}`,
      levels_url: "http://trust.localhost:8000/levels",
    });
  }
  assertEquals(await site.count("reader_nonces"), 0);
  assertEquals(await site.kinds(), []);
});

Deno.test("a key reports the record's current level, also after a drop", async () => {
  await using site = await setUp();
  for (const level of [4, 2, 1] as const) {
    await site.setLevel(level);
    assertEquals((await (await site.ask()).json()).level, level);
  }
});

Deno.test("a replaced or revoked key reports only its state, and an unknown one is not found", async () => {
  await using site = await setUp();
  const { keys, hash, key, clock } = site;
  const at = new Date(clock.now).toISOString();
  const { id } = (await keys.read(hash)).current!;
  const next = unwrap(await keys.replace({ hash, reader: READER, id }));
  assertEquals(await (await site.ask({ key })).json(), { state: "replaced", at });
  const current = (await keys.read(hash)).current!;
  unwrap(await keys.revoke({ hash, reader: READER, id: current.id }));
  assertEquals(await (await site.ask({ key: next.key })).json(), { state: "revoked", at });
  const { status, error } = await errorOf(await site.ask({ key: UNKNOWN }));
  assertEquals([status, error], [404, "not_found"]);
  unwrap(await keys.revoke({ hash, reader: READER, id })); // the first key is now revoked too
  await site.site.services.kv.delete(["contacts", hash]);
  assertEquals(await (await site.ask({ key })).json(), { state: "revoked", at });
});

Deno.test("the key of a deleted record is unknown, even while the deletion can be cancelled", async () => {
  await using site = await setUp();
  const { kv } = site.site.services;
  const { row } = (await readRecord(kv, site.hash))!;
  const deletion_at = new Date(site.clock.now + MINUTE_MS).toISOString();
  await kv.set(recordRows.key(site.hash), { ...row, deletion_at });
  assertEquals(await statusOf(site.ask()), 404);
  await kv.set(recordRows.key(site.hash), { ...row, deletion_at: null });
  assertEquals(await statusOf(site.ask()), 200);
  await kv.delete(["contacts", site.hash]);
  assertEquals(await statusOf(site.ask()), 404);
});

Deno.test("text that is not a key gets 400, and a foreign origin 403", async () => {
  await using site = await setUp();
  const bodies = [{}, { key: 1 }, { key: "" }, { key: "abc" }, { key: "x".repeat(501) }, [], null];
  for (const body of bodies) {
    const { status, error, issues } = await errorOf(await site.ask(body));
    assertEquals([status, error], [400, "invalid_request"], JSON.stringify(body));
    assert(issues !== undefined);
  }
  const foreign = { headers: { origin: "https://evil.example" } };
  assertEquals(await statusOf(site.ask({ key: site.key }, foreign)), 403);
  assertEquals(await statusOf(site.fetch("/k", { method: "PUT", json: {} })), 405);
  assertEquals(
    await statusOf(site.fetch("/k", { headers: { accept: "application/json" } })),
    400,
  );
});

Deno.test("a client may look up 60 keys per minute", async () => {
  await using site = await setUp();
  for (let i = 0; i < LOOK_UPS_PER_MINUTE; i++) {
    assertEquals(await statusOf(site.ask({ key: UNKNOWN })), 404);
  }
  const limited = await site.ask();
  assertEquals(limited.headers.get("retry-after"), "60");
  assertEquals((await errorOf(limited)).error, "rate_limited");
  assertEquals(await statusOf(site.ask({ key: site.key }, { from: "198.51.100.10" })), 200);
  site.clock.now += MINUTE_MS;
  assertEquals(await statusOf(site.ask()), 200);
});

Deno.test("a page reports a verified chain once, and the reader is in the access log", async () => {
  await using site = await setUp();
  const agent = "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0";
  const nonce = await site.nonce();
  const response = await site.report(nonce, { headers: { "user-agent": agent } });
  assertEquals(response.status, 200);
  const { event } = await response.json();
  assertEquals([event.seq, event.kind], [3, "record_verified"]);
  const [entry] = await site.log();
  assertEquals(
    [entry.what, entry.seq, entry.network, entry.browser],
    ["record_verified", 3, "198.51.100.0/24", "Firefox on Windows"],
  );
  const { status, error } = await errorOf(await site.report(nonce, { from: "192.0.2.1" }));
  assertEquals([status, error], [400, "invalid_nonce"]);
  const again = await (await site.report(await site.nonce())).json();
  assertEquals(again, { event: null, suppressed: "recent" });
  assertEquals(await site.kinds(), ["record_verified"]);
});

Deno.test("40 concurrent reports with one nonce append one event", async () => {
  await using site = await setUp();
  const nonce = await site.nonce();
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => statusOf(site.report(nonce, { from: `192.0.${i}.1` }))),
  );
  assertEquals(statuses.toSorted(), [200, ...Array(39).fill(400)]);
  assertEquals(await site.kinds(), ["record_verified"]);
});

Deno.test("a report is accepted only from our page, with an unused nonce", async () => {
  await using site = await setUp();
  const nonce = await site.nonce();
  const { origin } = new URL(site.site.services.surfaces.url("trust")!);
  const others: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "http://api.localhost:8000" },
    { origin, "sec-fetch-site": "same-site" },
    { origin, "sec-fetch-site": "cross-site" },
  ];
  for (const headers of others) {
    const asked = await site.ask({ key: site.key }, { headers });
    assertEquals((await asked.json()).nonce, undefined, JSON.stringify(headers));
    assertEquals(await statusOf(site.report(nonce, { headers })), 403, JSON.stringify(headers));
  }
  const bare = new Request(`${origin}/k/verified`, {
    method: "POST",
    body: JSON.stringify({ nonce }),
    headers: { "host": new URL(origin).host, "content-type": "application/json" },
  });
  assertEquals(await statusOf(site.site.handler(bare)), 403);
  for (const wrong of [undefined, 1, "", "x".repeat(43), "x".repeat(101)]) {
    assertEquals(await statusOf(site.report(wrong)), 400);
  }
  assertEquals(await statusOf(site.fetch("/k/verified")), 405);
  site.clock.now += NONCE_LIFETIME_MS;
  assertEquals((await errorOf(await site.report(nonce))).error, "invalid_nonce");
  assertEquals(await site.kinds(), []);
});

Deno.test("the holder's own check is not added to the chain or the access log", async () => {
  await using site = await setUp();
  const { cookie } = site;
  const before = await site.log();
  const own = await (await site.ask({ key: site.key }, { cookie })).json();
  assertEquals([own.own, own.nonce], [true, undefined]);
  // The holder signs in between the two requests.
  const nonce = await site.nonce();
  const report = await (await site.report(nonce, { cookie })).json();
  assertEquals(report, { event: null, suppressed: "own" });
  assertEquals(await site.log(), before);
  assertEquals(await site.kinds(), []);
});

Deno.test("without scripts, the form shows the publisher's statement and that nothing was verified", async () => {
  await using site = await setUp();
  const { keys, hash, key } = site;
  const post = async (key: string) => {
    const response = await site.fetch("/k", {
      form: { key },
      from: STRANGER,
      headers: { accept: "text/html" },
    });
    return [response.status, await response.text()] as const;
  };
  const [status, html] = await post(key.match(/.{1,4}/g)!.join(" ").toLowerCase());
  assertEquals(status, 200);
  assertStringIncludes(html, "not verified yet");
  assertStringIncludes(html, "nothing was verified in your browser");
  assertMatch(html, /Attest Systems states that this record is at\s*<strong>level 3 of 4/);
  assertStringIncludes(html, `/verify?hash=${hash}`);
  const [unknown, page] = await post(UNKNOWN);
  assertEquals(unknown, 404);
  assertStringIncludes(page, "This key is not known here.");
  const [malformed, other] = await post("abc");
  assertEquals(malformed, 400);
  assertStringIncludes(other, "This is not a complete key.");
  const { id } = (await keys.read(hash)).current!;
  unwrap(await keys.revoke({ hash, reader: READER, id }));
  const [revoked, last] = await post(key);
  assertEquals(revoked, 200);
  assertStringIncludes(last, "This key was revoked on");
  assert(!last.includes(hash));
});

Deno.test("no page of the key service calls a level, a person or a record verified", async () => {
  await using site = await setUp();
  const pages = [
    await site.fetch("/k"),
    await site.fetch("/k", { form: { key: site.key }, headers: { accept: "text/html" } }),
    await site.fetch("/my-record/key", { cookie: site.cookie }),
  ];
  for (const page of pages) {
    const text = (await page.text()).replace(/<script.*?<\/script>/gs, "").replace(/<[^>]*>/g, " ");
    for (const [context] of text.matchAll(/.{0,20}\bverified\b.{0,10}/gs)) {
      assertMatch(context, /not verified yet|nothing was verified|has verified the chain/i);
    }
  }
});

Deno.test("only the response that creates a key contains it, with a card to print", async () => {
  await using site = await setUp();
  const { hash, cookie, keys } = site;
  const { id } = (await keys.read(hash)).current!;
  const post = (form: Record<string, string>, as = cookie) =>
    site.fetch("/my-record/key", { form, cookie: as, headers: { accept: "text/html" } });
  const replaced = await post({ act: "replace", id });
  assertEquals(replaced.status, 200);
  assertEquals(replaced.headers.get("cache-control"), "no-store");
  const html = await replaced.text();
  const address = /class="key-address">(.*?)<\/code>/.exec(html)![1].replace(/<[^>]*>/g, "");
  const [url, key] = address.split("#");
  assertEquals(url, "http://trust.localhost:8000/k");
  assertEquals(await keys.state(key), { state: "current", hash });

  const page = await (await site.fetch("/my-record/key", { cookie })).text();
  assertStringIncludes(page, "Replace the key");
  assert(!page.includes(key));
  // The form is sent again, as a reload does.
  assertEquals(await statusOf(post({ act: "replace", id })), 409);
  assertEquals(await statusOf(post({ act: "show" })), 409);
  const current = (await keys.read(hash)).current!.id;
  const revoked = await post({ act: "revoke", id: current });
  const result = revoked.headers.get("location")!;
  assertEquals([revoked.status, result.split("&")[0]], [303, "/my-record/key?done=revoked"]);
  assertEquals((await keys.state(key)).state, "revoked");

  const json = await site.fetch("/my-record/key", { cookie, json: { act: "show" } });
  const created = await json.json();
  assertEquals([json.status, created.url], [201, `${url}#${created.key}`]);
  assertEquals(created.hash, hash);
});

Deno.test("creating and replacing a key require a recent sign-in, and a valid action", async () => {
  await using site = await setUp();
  const { hash, cookie, keys } = site;
  const { id } = (await keys.read(hash)).current!;
  const old = await site.signIn([hash], { recent: false });
  const send = async (json: unknown, cookie?: string) =>
    await errorOf(await site.fetch("/my-record/key", { json, cookie }));
  for (const json of [{ act: "show" }, { act: "replace", id }]) {
    assertEquals((await send(json)).status, 401);
    assertEquals((await send(json, old)).error, "sign_in_again");
  }
  const page = await site.fetch("/my-record/key", { form: { act: "replace", id }, cookie: old });
  assertEquals([page.status, page.headers.get("location")], [303, "/my-record?again=key"]);
  const away = await site.fetch("/my-record/key");
  assertEquals([away.status, away.headers.get("location")], [303, "/my-record"]);
  for (const json of [{}, { act: "delete" }, { act: "replace" }, { act: "revoke", id: "x" }, []]) {
    assertEquals((await send(json, cookie)).status, 400);
  }
  assertEquals((await send({ act: "revoke", id: "d".repeat(64) }, cookie)).status, 404);
  assertEquals((await keys.read(hash)).current!.id, id);
  assertEquals(
    await statusOf(site.fetch("/my-record/key", { json: { act: "revoke", id }, cookie: old })),
    200,
  );
});

Deno.test("MCP's verify_chain verifies a chain with every kind of event", async () => {
  await using site = await setUp();
  const { hash } = site;
  const { chains, records: { readers } } = site.site.services;
  const reading = { hash, reader: READER, as: "anonymous" } as const;
  for (
    const kind of [
      "record_verified",
      "document_viewed",
      "document_downloaded",
      "document_printed",
      "document_verified",
      "access_requested",
    ] as const
  ) {
    unwrap(await readers.add({ ...reading, kind, object: "document-1" }));
  }
  const before = (await chains.page(hash))!.events.map(({ kind }) => kind);
  for (const { kind } of EVENT_KINDS) {
    if (!before.includes(kind)) await chains.append(hash, kind);
  }
  const { events } = (await chains.page(hash))!;
  assertEquals(
    new Set(events.map(({ kind }) => kind)),
    new Set(EVENT_KINDS.map(({ kind }) => kind)),
  );
  const response = await site.site.request("commercial-mcp", "/mcp", {
    method: "POST",
    headers: { accept: "*/*", "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "verify_chain", arguments: { record_hash: hash } },
    }),
  });
  const { result } = await response.json();
  const { ok, size, signedSize } = JSON.parse(result.content[0].text);
  assertEquals([ok, size, signedSize], [true, events.length, events.length]);
});
