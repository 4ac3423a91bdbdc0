import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { type Counter, REQUESTS } from "../lib/platform/telemetry/mod.ts";
import { keyDigest, openKv } from "../lib/platform/kv/mod.ts";
import { never } from "../lib/testing/held_timers.ts";
import { samplesOf } from "./metric_samples.ts";
import { createSite, type Site, type SiteOverrides } from "./site.ts";

const TOKEN = "metrics-token-0123";
const UUID = /^[\da-f]{8}-[\da-f-]{27}$/;

const get = (site: Site, authorization?: string) =>
  site.handler(
    new Request("http://10.0.0.7/metrics", {
      headers: authorization === undefined ? {} : { authorization },
    }),
  );

Deno.test("/metrics returns 404 without METRICS_TOKEN, and 401 for a wrong token", async () => {
  await using off = await createSite();
  assertEquals((await get(off, `Bearer ${TOKEN}`)).status, 404);
  await using site = await createSite({ METRICS_TOKEN: TOKEN });
  for (const wrong of [undefined, TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`]) {
    const response = await get(site, wrong);
    assertEquals([response.status, response.headers.get("www-authenticate")], [401, "Bearer"]);
  }
});

/** Returns the values by name and labels. */
async function read(site: Site): Promise<Map<string, number>> {
  const response = await get(site, `Bearer ${TOKEN}`);
  assertEquals(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return samplesOf(await response.text());
}

Deno.test("/metrics counts requests by surface, route and status, never by path", async () => {
  await using site = await createSite({ METRICS_TOKEN: TOKEN });
  const hash = "ab".repeat(32);
  for (
    const path of ["/terms", `/api/chain/${hash}`, "/secret-path?token=s3cret", "/styles/pages/x"]
  ) {
    await (await site.request("trust", path)).body?.cancel();
  }
  const values = await read(site);
  const count = (route: string, status: string) =>
    values.get(`${REQUESTS}_count{surface="trust",route="${route}",status="${status}"}`);
  assertEquals(count("/terms", "2xx"), 1);
  assertEquals(count("/api/chain/:hash", "4xx"), 1);
  assertEquals(count("none", "4xx"), 2);
  const text = [...values.keys()].join("\n");
  for (const secret of [hash, "secret-path", "s3cret"]) assert(!text.includes(secret), secret);
  const inf = `${REQUESTS}_bucket{le="+Inf",surface="trust",route="/terms",status="2xx"}`;
  assertEquals(values.get(inf), 1);
});

Deno.test("/metrics has every metric, and reports the jobs, the store and waiting mail", async () => {
  const path = await Deno.makeTempFile();
  const kv = await Deno.openKv(path);
  const now = Date.UTC(2026, 10, 28, 12);
  await using site = await createSite({
    METRICS_TOKEN: TOKEN,
    KV_PATH: path,
    REVISION: "1a2b3c",
  }, { kv, clock: () => now, schedule: never });
  const { jobs, metrics } = site.services;
  await jobs.run("mail");
  await jobs.run("log");
  const at = new Date(now).toISOString();
  const kinds = { backup_old: 60, clock_off: -0.5, certificate_ends: 29 };
  const readings = Object.entries(kinds).map(([kind, value]) => ({
    ...{ id: kind, kind, name: kind, state: "ok", text: "", at: null, organisation: null, value },
  }));
  await kv.set(["health"], { at, process: "a", certificates_at: at, readings });
  const count = (name: string, labels: Record<string, string>, by?: number) =>
    metrics.count([...metrics.all].find((each) => each.name === name) as Counter, labels, by);
  count("gatehouse_appends_total", { kind: "hash_generated" });
  count("gatehouse_mcp_calls_total", { organisation: "foundation", tool: "about" });
  count("gatehouse_relay_bytes_total", { relay: "docs" }, 512);
  await kv.set(["outbox", "mail", now + 1_000, "1"], {
    created_at: new Date(now - 60_000).toISOString(),
    expires_at: new Date(now + 60_000).toISOString(),
  });
  const values = await read(site);
  const present = new Set([...values.keys()].map((key) => key.replace(/\{.*/, "")));
  const missing = [...metrics.all].map(({ name }) => name).filter((name) => !present.has(name));
  assertEquals(missing, []);
  assertEquals(values.get("gatehouse_gauges_missing"), 0);
  assertEquals(values.get("gatehouse_ready"), 1);
  assertEquals(values.get("gatehouse_read_only"), 0);
  assertEquals(values.get('gatehouse_job_ok{task="mail"}'), 1);
  assertEquals(values.get("gatehouse_certificate_days"), 29);
  assertEquals(values.get('gatehouse_outbox_waiting{channel="mail"}'), 1);
  assertEquals(values.get('gatehouse_outbox_oldest_seconds{channel="mail"}'), 60);
  assertEquals(values.get('gatehouse_relay_bytes_total{relay="docs"}'), 512);
  assertEquals(values.get('gatehouse_mails_total{outcome="failed"}'), 0);
  // The set of published keys, and the completion.
  assertEquals(values.get("gatehouse_log_entries"), 2);
  assertEquals([values.get("gatehouse_log_pending"), values.get("gatehouse_log_halted")], [0, 0]);
  const ages = [...values].filter(([name]) => /_log_\w+_age_seconds/.test(name));
  assertEquals(ages.map(([, age]) => age), [0, 0]);
  assert(values.get("gatehouse_store_bytes")! > 0);
  assert([...values.keys()].some((key) => key.includes('revision="1a2b3c"')));
  await Deno.remove(path);
});

Deno.test("/metrics reports with READ_ONLY=1 that the process is ready, but read-only", async () => {
  const env = { METRICS_TOKEN: TOKEN, READ_ONLY: "1" };
  await using site = await createSite(env, { schedule: never });
  const values = await read(site);
  assertEquals(values.get("gatehouse_ready"), 1);
  assertEquals(values.get("gatehouse_read_only"), 1);
});

Deno.test("/metrics responds while the store does not, and says what is missing", async () => {
  await using site = await createSite({ METRICS_TOKEN: TOKEN });
  const { kv } = site.services;
  const locked = () => new Error("database is locked");
  Object.assign(kv, {
    get: () => Promise.reject(locked()),
    list: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(locked()) }) }),
  });
  const values = await read(site);
  assertEquals(values.get("gatehouse_ready"), 0);
  assertEquals(values.get("gatehouse_kv_read_seconds"), undefined);
  assert(values.get("gatehouse_gauges_missing")! >= 2);
  assert(values.has("gatehouse_uptime_seconds"));
});

/** Makes every page of a site fail, and returns its log lines. */
async function failingSite(env: Record<string, string>) {
  const lines: Record<string, unknown>[] = [];
  const writeLine: SiteOverrides["writeLine"] = (_, line) => lines.push(JSON.parse(line));
  const site = await createSite(env, { writeLine });
  site.services.catalogue = new Proxy(site.services.catalogue, {
    get() {
      throw new Error("broken by ada@mail.example");
    },
  });
  const request = (headers: Record<string, string> = {}) =>
    site.request("site", "/", { headers: { "sec-fetch-dest": "document", ...headers } });
  return { site, lines, request };
}

Deno.test("a failed request returns the id of its log line, on the page and as JSON", async () => {
  const { site, lines, request } = await failingSite({});
  await using _ = site;
  const page = await (await request({ accept: "text/html" })).text();
  const json = await (await request({ accept: "application/json", "sec-fetch-dest": "empty" }))
    .json();
  const [first, second] = lines;
  assertMatch(String(first.request_id), UUID);
  assert(page.includes(`<code>${first.request_id}</code>`));
  assertEquals(json.request_id, second.request_id);
  assertNotEquals(first.request_id, second.request_id);
  assertEquals(String(first.stack).split("\n")[0], "Error: broken by (address)");
});

Deno.test("a request that a damaged row makes fail names the table and the digest of the key in its log line", async () => {
  const lines: { read: string[] }[] = [];
  const kv = await openKv(":memory:");
  const key = ["chains", "ab".repeat(32)];
  await kv.set(key, 5);
  const writeLine: SiteOverrides["writeLine"] = (_, line) => lines.push(JSON.parse(line));
  await using site = await createSite({}, { kv, writeLine });
  const response = await site.request("trust", `/verify?hash=${key[1]}`);
  await response.body?.cancel();
  assertEquals(response.status, 500);
  assert(
    lines[0].read.includes(`chains ${await keyDigest(site.services.secrets, key)}`),
    lines[0].read.join(),
  );
});

Deno.test("X-Request-Id is the request's id only behind a proxy and if it is well formed", async () => {
  const cases: [proxies: string, given: string, used: boolean][] = [
    ["1", "f00.ba:r_1-2", true],
    ["0", "f00.ba:r_1-2", false],
    ["1", "short", false],
    ["1", 'a"b c<script>', false],
    ["1", "a".repeat(65), false],
  ];
  for (const [proxies, given, used] of cases) {
    const { site, lines, request } = await failingSite({ TRUST_PROXY: proxies });
    await using _ = site;
    await (await request({ "x-request-id": given })).body?.cancel();
    assertEquals(lines[0].request_id === given, used, given);
    if (!used) assertMatch(String(lines[0].request_id), UUID);
  }
});

Deno.test("only the first request from a proxy that is not trusted logs a warning", async () => {
  for (const [TRUST_PROXY, expected] of [["0", 1], ["1", 0]] as const) {
    const lines: Record<string, unknown>[] = [];
    const writeLine: SiteOverrides["writeLine"] = (_, line) => lines.push(JSON.parse(line));
    await using site = await createSite({ TRUST_PROXY }, { writeLine });
    for (const headers of [{}, ...Array(2).fill({ "x-forwarded-for": "203.0.113.7" })]) {
      await (await site.request("trust", "/terms", { headers })).body?.cancel();
      if (Object.keys(headers).length === 0) assertEquals(lines, []);
    }
    assertEquals(
      lines.map(({ level, event }) => [level, event]),
      [
        ["warn", "proxy_not_trusted"],
      ].slice(0, expected),
    );
    assert(!JSON.stringify(lines).includes("203.0.113.7"));
  }
});

Deno.test("LOG_LEVEL=debug has one line per request, with the route and without the path", async () => {
  const lines: Record<string, unknown>[] = [];
  const writeLine: SiteOverrides["writeLine"] = (_, line) => lines.push(JSON.parse(line));
  await using site = await createSite({ LOG_LEVEL: "debug" }, { writeLine });
  await (await site.request("trust", "/terms?token=s3cret")).body?.cancel();
  const { event, method, surface, route, status } = lines[0];
  assertEquals([event, method, surface, route, status], ["request", "GET", "trust", "/terms", 200]);
  assertEquals(lines.length, 1);
  assert(!JSON.stringify(lines).includes("s3cret"));
});
