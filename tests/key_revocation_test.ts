import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { newKey } from "../lib/features/issuers/mod.ts";
import { FOUND_PER_MINUTE } from "../lib/features/issuers/revocation.ts";
import { unwrap } from "../lib/platform/http/errors.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { conflictsKv } from "../lib/platform/kv/testing/conflicts_kv.ts";
import { countRoundTrips } from "../lib/platform/kv/testing/round_trips.ts";
import { valuesOf } from "../lib/platform/kv/testing/temp_kv.ts";
import { openHttpsServer } from "../lib/platform/http/testing/https_server.ts";
import { DAY_MS, HOUR_MS } from "../lib/base/time.ts";
import { BY, keyFixture } from "./key_site.ts";
import type { SiteOverrides } from "./site.ts";

const PATH = "/api/keys/revoke";
const CONTACT = "registry@harbour.example";

/** A site whose issuer has a contact, with what its mails lead to. */
async function revocationFixture(overrides: SiteOverrides = {}) {
  const fixture = await keyFixture({}, overrides);
  const { site, issuer } = fixture;
  const { services } = site;
  const about = { organisation: "commercial", id: issuer.id, by: BY } as const;
  unwrap(await services.issuers.setContact({ ...about, contact: CONTACT }));
  return {
    ...fixture,
    /** Sends a request to revoke keys, without authentication. */
    report: (body: unknown, init: { key?: string; from?: string } = {}) =>
      fixture.call(init.key ?? null, {
        path: PATH,
        method: "POST",
        from: init.from,
        ...body !== undefined && {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        },
      }),
    statusOf: async (key: string) => (await fixture.outcome(key))[0],
    mails: async () => {
      await services.mailer.flush();
      return services.devOutbox!.list();
    },
    /** Returns the paths of the links to revoke keys in the newest mail. */
    async links(): Promise<string[]> {
      const [{ text }] = await this.mails();
      return [...text.matchAll(/https?:\/\/[^/]+(\/keys\/revoke\S+)/g)].map(([, path]) => path);
    },
    /** Returns the path of the link to stop everything in the newest mail. */
    async stopLinks(): Promise<string[]> {
      const [{ text }] = await this.mails();
      return [...text.matchAll(/https?:\/\/[^/]+(\/keys\/stop\S+)/g)].map(([, path]) => path);
    },
    /** Opens a page of the trust surface, or posts its form. */
    async page(path: string, form?: Record<string, string>, method = form ? "POST" : "GET") {
      const { origin, searchParams, pathname } = new URL(path, services.surfaces.url("trust")!);
      const fields = { ...Object.fromEntries(searchParams), ...form };
      const response = await site.request("trust", form ? pathname : path, {
        method,
        headers: { accept: "text/html", origin },
        ...form && { body: new URLSearchParams(fields) },
      });
      return { status: response.status, headers: response.headers, html: await response.text() };
    },
    alerts: async () =>
      (await services.alerts.list("commercial")).alerts
        .map(({ kind, reports: [{ details }] }) => [kind, details.how]),
  };
}

Deno.test("anyone who has a key revokes it at once, sent as bearer token, in JSON or in a form", async () => {
  await using fixture = await revocationFixture();
  const form = (key: string) =>
    fixture.call(null, { path: PATH, method: "POST", body: new URLSearchParams({ key }) });
  const ways: ((key: string) => Promise<Response>)[] = [
    (key) => fixture.report(undefined, { key }),
    (key) => fixture.report({}, { key }),
    (key) => fixture.report({ key }),
    form,
  ];
  for (const [i, way] of ways.entries()) {
    const key = await fixture.key();
    assertEquals(await fixture.statusOf(key), 200);
    const response = await way(key);
    assertEquals([response.status, await response.json()], [200, { revoked: true }], String(i));
    assertEquals(await fixture.statusOf(key), 401);
  }
});

Deno.test("a key in the body is revoked instead of the one in the header, which clients always send", async () => {
  await using fixture = await revocationFixture();
  const [own, leaked] = [await fixture.key(), await fixture.key()];
  for (const body of [{ key: leaked }, [{ token: leaked }]]) {
    assertEquals((await fixture.report(body, { key: own })).status, 200);
  }
  assertEquals([await fixture.statusOf(own), await fixture.statusOf(leaked)], [200, 401]);
});

Deno.test("a replaced, an expired and a test key are revoked, and their batches stop", async () => {
  await using fixture = await revocationFixture();
  const { clock, issuer, site: { services: { issuerKeys } } } = fixture;
  const old = await fixture.create();
  const expired = await fixture.create({ lifetime_days: 30 });
  const change = { issuer: issuer.id, key: old.row.id, by: BY };
  clock.now += 30 * DAY_MS + 1;
  const next = unwrap(await issuerKeys.rotate({ ...change, overlap_hours: 24 }));
  const test = await fixture.key("test");
  assertEquals(await fixture.statusOf(old.key), 200);
  for (const key of [old.key, expired.key, test]) {
    assertEquals((await fixture.report({ key })).status, 200);
  }
  const rows = await issuerKeys.list(issuer.id);
  assertEquals(rows.filter(({ revoked_at }) => revoked_at === null).map(({ id }) => id), [
    next.row.id,
  ]);
  assertEquals([await fixture.statusOf(old.key), await fixture.statusOf(next.key)], [401, 200]);
});

Deno.test("the report of a code host's scanner revokes each key in it", async () => {
  await using fixture = await revocationFixture();
  const keys = [await fixture.key(), await fixture.key("test")];
  const found = [...keys, newKey("live"), "gh_live_nonsense"].map((token) => ({
    token,
    type: "gatehouse_api_key",
    url: "https://code.example/harbour/records/blob/main/.env",
    source: "content",
  }));
  const response = await fixture.report(found);
  assertEquals([response.status, await response.json()], [200, { revoked: true }]);
  for (const key of keys) assertEquals(await fixture.statusOf(key), 401);
  for (
    const body of [[], Array(101).fill(found[0]), [{}], { key: 1 }, { key: "a".repeat(300) }, {}]
  ) {
    assertEquals((await fixture.report(body)).status, 400);
  }
});

Deno.test("nothing in a response shows whether there was such a key, and a mistyped one costs no read", async () => {
  const kv = await openKv(":memory:");
  let reads = 0;
  const get = kv.get.bind(kv);
  kv.get = ((...[key, ...options]: Parameters<typeof get>) => {
    if (key[0] === "api_keys") reads++;
    return get(key, ...options);
  }) as typeof kv.get;
  await using fixture = await revocationFixture({ kv });
  const key = await fixture.key();
  const other = await fixture.create({ lifetime_days: 30 });
  fixture.clock.now += 31 * DAY_MS;
  const seen = async (body: unknown) => {
    const response = await fixture.report(body);
    const { "request-id": _id, ...headers } = Object.fromEntries(response.headers);
    return JSON.stringify([response.status, headers, await response.text()]);
  };
  const works = await seen({ key });
  for (const each of [key, newKey("live"), newKey("test"), other.key]) {
    assertEquals(await seen({ key: each }), works);
  }
  assert(reads > 0);
  reads = 0;
  const wrong = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
  const refused = await fixture.report({ key: wrong });
  assertEquals([refused.status, (await refused.json()).issues.key !== undefined, reads], [
    400,
    true,
    0,
  ]);
});

Deno.test("one address reports at most 120 keys in a minute, and locks nobody else out", async () => {
  await using fixture = await revocationFixture();
  const many = Array.from({ length: 60 }, () => ({ token: newKey("live") }));
  for (let sent = 0; sent < FOUND_PER_MINUTE; sent += many.length) {
    assertEquals((await fixture.report(many)).status, 200);
  }
  const key = await fixture.key();
  const limited = await fixture.report({ key });
  assertEquals([limited.status, (await limited.json()).error], [429, "rate_limited"]);
  assert(Number(limited.headers.get("retry-after")) > 0);
  assertEquals((await fixture.report({ key }, { from: "198.51.100.9" })).status, 200);
  assertEquals(await fixture.statusOf(key), 401);
});

Deno.test("a key that somebody reports is mailed to the contact once, and raises an alert", async () => {
  await using fixture = await revocationFixture();
  const { key } = await fixture.create();
  const before = (await fixture.mails()).length;
  for (let i = 0; i < 3; i++) await fixture.report({ key });
  const mails = await fixture.mails();
  assertEquals(mails.length, before + 1);
  assertEquals([mails[0].to, mails[0].subject], [
    CONTACT,
    "An API key of Harbour College was revoked",
  ]);
  assertStringIncludes(mails[0].text, "Others may have it");
  assertEquals(await fixture.alerts(), [["api_key_revoked", "key"]]);
});

Deno.test("the link in the mail about a new key revokes it in two steps, and a scanner that opens it does nothing", async () => {
  await using fixture = await revocationFixture();
  const { key, row } = await fixture.create();
  const [link] = await fixture.links();
  for (const method of ["GET", "HEAD", "GET"]) {
    const opened = await fixture.page(link, undefined, method);
    assertEquals([opened.status, opened.headers.get("cache-control")], [200, "no-store"]);
    assertEquals(opened.headers.get("referrer-policy"), "no-referrer");
    assertEquals(await fixture.statusOf(key), 200);
    if (method === "HEAD") continue;
    assertStringIncludes(opened.html, "Revoke this API key?");
    assertStringIncludes(opened.html, `gh_live_…${row.last4}`);
    assertFalse(/<script(?! type="application\/json")/.test(opened.html), "works without scripts");
    assertFalse(opened.html.includes(row.hash));
  }
  const revoked = await fixture.page(link, {});
  assertEquals(revoked.status, 200);
  assertStringIncludes(revoked.html, "The API key is revoked");
  assertEquals(await fixture.statusOf(key), 401);
  assertStringIncludes((await fixture.mails())[0].text, "The link in one of our emails");
  const count = (await fixture.mails()).length;
  assertStringIncludes((await fixture.page(link, {})).html, "The API key is revoked");
  assertEquals((await fixture.mails()).length, count);
  assertEquals(await fixture.alerts(), [["api_key_revoked", "link"]]);
  // The link leads nowhere once the key is no longer listed.
  fixture.clock.now += 91 * DAY_MS;
  await fixture.site.services.jobs.run("due-nightly");
  for (const form of [undefined, {}]) assertEquals((await fixture.page(link, form)).status, 404);
});

Deno.test("a link that was not mailed leads to no key", async () => {
  await using fixture = await revocationFixture();
  const { key } = await fixture.create();
  const { key: other, row } = await fixture.create();
  const [link] = await fixture.links();
  const forged = [
    link.replace(row.id, "0".repeat(16)),
    link.replace(/of=[^.]+/, "of=commercial"),
    link.slice(0, -1) + (link.endsWith("A") ? "B" : "A"),
    link.replace(/token=.*/, `token=${row.hash}`),
  ];
  for (const path of forged) {
    assertEquals((await fixture.page(path)).status, 404, path);
    assertEquals((await fixture.page(path, {})).status, 404, path);
  }
  for (
    const path of ["/keys/revoke", link.replace(/token=.*/, ""), link.replace(/of=/, "of=a/b")]
  ) {
    assertEquals((await fixture.page(path)).status, 400, path);
  }
  for (const each of [key, other]) assertEquals(await fixture.statusOf(each), 200);
  // Other sites cannot post the form.
  const fields = new URLSearchParams(link.split("?")[1]);
  const crossSite = await fixture.site.request("trust", "/keys/revoke", {
    method: "POST",
    headers: { origin: "https://other.example", "sec-fetch-site": "cross-site" },
    body: fields,
  });
  assertEquals(crossSite.status, 403);
  assertEquals(await fixture.statusOf(other), 200);
});

Deno.test("the mail about a replaced key has a link for the new one and for the old one", async () => {
  await using fixture = await revocationFixture();
  const { issuer, site: { services: { issuerKeys } } } = fixture;
  const old = await fixture.create();
  const change = { issuer: issuer.id, key: old.row.id, by: BY };
  const next = unwrap(await issuerKeys.rotate({ ...change, overlap_hours: 168 }));
  const [first, second] = await fixture.links();
  await fixture.page(second, {});
  assertEquals([await fixture.statusOf(old.key), await fixture.statusOf(next.key)], [401, 200]);
  await fixture.page(first, {});
  assertEquals(await fixture.statusOf(next.key), 401);
});

/** A fixture whose keys can add webhooks. */
async function withWebhooks() {
  const server = openHttpsServer(() => Promise.resolve(new Response()));
  const fixture = await revocationFixture({ network: server.network });
  const api = async (key: string, path: string, body?: unknown, method = "POST") => {
    const response = await fixture.call(key, {
      path: `/api/documents/webhooks${path}`,
      method,
      headers: { "content-type": "application/json" },
      ...body !== undefined && { body: JSON.stringify(body) },
    });
    return await response.json();
  };
  return {
    ...fixture,
    add: async (key: string, path: string): Promise<string> =>
      (await api(key, "", { url: `https://localhost${path}` })).id,
    api,
    places: async () =>
      (await valuesOf<{ url: string }>(fixture.site.services.kv, "webhook_endpoints"))
        .map(({ url }) => new URL(url).pathname).sort(),
    async [Symbol.asyncDispose]() {
      await fixture.site.services.webhooks.flush();
      await fixture[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("revoking by the link asks whether the webhooks go that the key has added or changed, and only those", async () => {
  await using fixture = await withWebhooks();
  const own = await fixture.key();
  const kept = await fixture.add(own, "/records");
  const moved = await fixture.add(own, "/moved");
  const opened = await fixture.add(own, "/opened");
  const leaked = await fixture.key();
  const [link] = await fixture.links();
  await fixture.add(leaked, "/thief");
  await fixture.api(leaked, `/${moved}`, { url: "https://localhost/elsewhere" });
  await fixture.api(leaked, `/${opened}/rotate`, {});
  await fixture.api(leaked, `/${kept}`, { description: "Only described" });
  const { html } = await fixture.page(link);
  for (const path of ["/thief", "/elsewhere", "/opened"]) {
    assertStringIncludes(html, `localhost${path}`);
  }
  assertFalse(html.includes("localhost/records"));
  const unasked = await fixture.page(link, {});
  assertEquals(unasked.status, 400);
  assertStringIncludes(unasked.html, "Choose whether to remove its webhooks.");
  assertEquals(await fixture.statusOf(leaked), 200);
  const keep = await fixture.page(link, { webhooks: "keep" });
  assertEquals(await fixture.statusOf(leaked), 401);
  assertEquals(await fixture.places(), ["/elsewhere", "/opened", "/records", "/thief"]);
  assertStringIncludes(keep.html, "Remove them if you do not recognise every address.");
  const [mail] = await fixture.mails();
  assertMatch(mail.text, /which still receive the events.*\n\nWebhook: localhost/);
  assertFalse(mail.text.includes("/thief"), "the path may be a secret");
  const [later] = await fixture.links();
  const removed = await fixture.page(later, { webhooks: "remove" });
  assertFalse(removed.html.includes("localhost/"));
  assertEquals(await fixture.places(), ["/records"]);
});

Deno.test("the API removes the webhooks of a key that works if the request says so, and none with a key that has ended", async () => {
  await using fixture = await withWebhooks();
  const first = await fixture.key();
  await fixture.add(first, "/first");
  const second = await fixture.key();
  await fixture.add(second, "/second");
  await fixture.report({ key: first });
  assertEquals(await fixture.places(), ["/first", "/second"]);
  await fixture.report({ key: first, remove_webhooks: true });
  assertEquals(await fixture.places(), ["/first", "/second"]);
  await fixture.report({ remove_webhooks: true }, { key: second });
  assertEquals(await fixture.places(), ["/first"]);
  assertEquals(await fixture.statusOf(second), 401);
  const { create, clock } = fixture;
  const expiring = await create.call(fixture, { scopes: ["webhooks:write"], lifetime_days: 30 });
  await fixture.add(expiring.key, "/expiring");
  clock.now += 30 * DAY_MS + HOUR_MS;
  await fixture.report({ key: expiring.key, remove_webhooks: true });
  assertEquals(await fixture.places(), ["/expiring", "/first"]);
  assertStringIncludes((await fixture.mails())[0].text, "which still receive the events");
});

Deno.test("the contact stops everything with one link: no key works, nothing is issued, webhooks are paused, and administrators learn of it", async () => {
  await using fixture = await withWebhooks();
  const { site: { services }, issuer } = fixture;
  const keys = [await fixture.key(), await fixture.key("test"), await fixture.key()];
  await fixture.add(keys[0], "/live");
  await fixture.add(keys[1], "/test");
  const before = (await fixture.mails()).length;
  const [link] = await fixture.stopLinks();
  for (const method of ["GET", "HEAD", "GET"]) {
    const opened = await fixture.page(link, undefined, method);
    assertEquals([opened.status, opened.headers.get("cache-control")], [200, "no-store"]);
    if (method === "GET") {
      for (const text of ["Stop everything for Harbour College?", "localhost/live", "gh_test_…"]) {
        assertStringIncludes(opened.html, text);
      }
    }
    assertEquals(await fixture.statusOf(keys[0]), 200);
  }
  const stopped = await fixture.page(link, {});
  assertEquals(stopped.status, 200);
  assertStringIncludes(stopped.html, "Everything is stopped for Harbour College");
  for (const key of keys) assertEquals(await fixture.statusOf(key), 401);
  const states = async (table: string) =>
    (await valuesOf<{ state: string }>(services.kv, table)).map(({ state }) => state);
  assertEquals(await states("webhook_endpoints"), ["paused", "paused"]);
  const { state, state_reason } = (await services.issuers.read("commercial", issuer.id))!;
  assertEquals(state, "suspended");
  assertStringIncludes(state_reason!, "Its contact");
  assertEquals((await fixture.alerts()).map(([kind]) => kind), ["issuer_stopped"]);
  const [mail, ...earlier] = await fixture.mails();
  assertEquals([mail.to, mail.subject, earlier.length], [
    CONTACT,
    "Everything is stopped for Harbour College",
    before,
  ]);
  // Repeating it, or opening the link again, changes nothing.
  for (const form of [{}, undefined]) {
    assertStringIncludes((await fixture.page(link, form)).html, "is stopped");
  }
  assertEquals((await fixture.mails()).length, before + 1);
});

Deno.test("a link that stops an issuer works for its present contact only, and nobody can make one from another link", async () => {
  await using fixture = await revocationFixture();
  const { site: { services }, issuer, create } = fixture;
  const { key } = await create.call(fixture);
  const [[link], [revoke]] = [await fixture.stopLinks(), await fixture.links()];
  const other = (await services.issuers.list("commercial")).find(({ id }) => id === "commercial")!;
  const forged = [
    link.replace(/of=[^&]+/, `of=${other.id}`),
    link.replace(/token=.*/, "token=x"),
    link.replace(/token=.*/, revoke.match(/token=.*/)![0]),
  ];
  const isRefused = async (path: string) => {
    for (const form of [undefined, {}]) assertEquals((await fixture.page(path, form)).status, 404);
  };
  for (const path of forged) await isRefused(path);
  assertEquals((await fixture.page(link.replace("of=", "of=a.b"))).status, 400);
  const change = { organisation: "commercial", id: issuer.id, by: BY } as const;
  for (const contact of ["other@harbour.example", null]) {
    unwrap(await services.issuers.setContact({ ...change, contact }));
    await isRefused(link);
  }
  assertEquals(await fixture.statusOf(key), 200);
  unwrap(await services.issuers.setContact({ ...change, contact: CONTACT }));
  assertEquals((await fixture.page(link, {})).status, 200);
  assertEquals(await fixture.statusOf(key), 401);
});

Deno.test("a key that is created for an issuer that is stopped ends when its contact stops it again, and so do webhooks that were resumed", async () => {
  await using fixture = await withWebhooks();
  const { site: { services }, issuer } = fixture;
  await fixture.add(await fixture.key(), "/one");
  const [link] = await fixture.stopLinks();
  await fixture.page(link, {});
  const [{ id }] = await services.webhooks.list({ issuer: issuer.id, mode: "live" });
  unwrap(await services.webhooks.resume({ issuer: issuer.id, mode: "live", id }, BY));
  const later = await fixture.key();
  assertEquals(await fixture.statusOf(later), 200);
  assertStringIncludes((await fixture.page(link)).html, "Stop everything for Harbour College?");
  await fixture.page(link, {});
  assertEquals(await fixture.statusOf(later), 401);
  const [{ state }] = await services.webhooks.list({ issuer: issuer.id, mode: "live" });
  assertEquals(state, "paused");
});

Deno.test("a report of 100 keys, 20 of which exist, takes at most 60 consecutive calls of the store, and has few conflicts", async () => {
  const { kv: counted, conflicts } = conflictsKv(await openKv(":memory:"));
  const { kv, measure } = countRoundTrips(counted);
  await using fixture = await revocationFixture({ kv });
  const found: string[] = [];
  for (let i = 0; i < 20; i++) found.push(await fixture.key());
  const all = [...found, ...Array.from({ length: 80 }, () => newKey("live"))];
  const before = conflicts();
  const { result, trips } = await measure(async () => {
    const response = await fixture.report(all.map((token) => ({ token })));
    await response.body?.cancel();
    return response.status;
  }, 10);
  assertEquals(result, 200);
  for (const key of found) assertEquals(await fixture.statusOf(key), 401);
  assert(trips.length <= 60, `${trips.length} calls`);
  assert(conflicts() - before <= 10, `${conflicts() - before} conflicts`);
});
