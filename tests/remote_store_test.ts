import { assert, assertEquals } from "@std/assert";
import { openKv, rulesOf } from "../lib/platform/kv/mod.ts";
import { serveConnect } from "../lib/platform/kv/testing/connect_server.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { until } from "../lib/testing/until.ts";
import { contactFixture, PERSON } from "./contact_site.ts";

/**
 * A site on a server, with what visitors see of its store.
 *
 * @param waitMs how long it waits for a call
 */
async function remoteSite(waitMs = 1_000) {
  const server = serveConnect();
  Deno.env.set("DENO_KV_ACCESS_TOKEN", server.token);
  const kv = await openKv(server.url);
  const plain = await Deno.openKv(server.url);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  const { deadlines } = rulesOf(kv);
  deadlines.callMs = waitMs;
  deadlines.requestMs = Math.max(waitMs, deadlines.requestMs);
  const lines: string[] = [];
  const fixture = await contactFixture({}, { kv, log: ({ event }) => lines.push(String(event)) });
  const { services, handler } = fixture.site;
  await services.store.claim();
  let person = 0;
  return {
    server,
    lines,
    rows: () => Array.fromAsync(plain.list({ prefix: [] }), ({ key }) => key.join("/")),
    tick: () => services.jobs.tick(),
    async register() {
      const began = performance.now();
      const response = await fixture.send({ ...PERSON, email: `p${person++}@example.org` });
      const { error, outcome } = await response.json();
      const wait = response.headers.get("retry-after");
      return { answer: [response.status, error, wait], outcome, ms: performance.now() - began };
    },
    async look(path: string) {
      const url = services.surfaces.url("api", path)!;
      const response = await handler(new Request(url, { headers: { host: new URL(url).host } }));
      return [response.status, (await response.json()).error];
    },
    async ready() {
      const response = await handler(new Request("http://10.0.0.7/readyz"));
      const { status, checks } = await response.json();
      return `${response.status} ${status} ${checks.store}`;
    },
    async [Symbol.asyncDispose]() {
      server.condition.state = "well";
      await fixture[Symbol.asyncDispose]();
      plain.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a server whose disk is full is found by one small write, and writes are refused at once until it has space", async () => {
  await using site = await remoteSite();
  const { server, register, ready, lines } = site;
  assertEquals((await register()).answer, [201, undefined, null]);
  server.condition.state = "full";
  const overdue = await register();
  assertEquals([overdue.answer, overdue.outcome], [[503, "store_unavailable", "5"], "unknown"]);
  await until(
    async () => await ready() === "200 read_only disk_full",
    "the disk is known to be full",
    10_000,
  );
  const refused = await register();
  assertEquals(refused.answer, [503, "read_only", "60"]);
  assert(refused.ms < 900, `${refused.ms}`);
  server.condition.state = "well";
  await until(async () => await ready() === "200 ready ok", "the store accepts writes", 10_000);
  assertEquals((await register()).answer, [201, undefined, null]);
  assertEquals(lines.filter((event) => event === "disk_full" || event === "store_writable"), [
    "disk_full",
    "store_writable",
  ]);
});

Deno.test("a server whose commits take longer than they may is not said to be full, and writes go on", async () => {
  await using site = await remoteSite();
  const { server, register, ready, lines } = site;
  server.condition.largeCommitMs = 3_000;
  const asked = server.exchanges;
  const late = await register();
  assertEquals([late.answer, late.outcome], [[503, "store_unavailable", "5"], "unknown"]);
  await until(() => server.exchanges > asked, "the server was asked why", 10_000);
  assertEquals(await ready(), "200 ready ok");
  server.condition.largeCommitMs = 0;
  assertEquals((await register()).answer, [201, undefined, null]);
  assertEquals(lines.filter((event) => /^disk_|^store_/.test(event)), ["store_overdue"]);
});

Deno.test("while the server refuses the token or all writes, visitors get 503 with the code, and the process is not ready", async () => {
  await using site = await remoteSite();
  const { server, register, ready } = site;
  for (
    const [state, code] of [["refusing", "store_refused"], ["readOnly", "store_read_only"]] as const
  ) {
    server.condition.state = state;
    assertEquals((await register()).answer, [503, code, "60"]);
    await until(async () => await ready() === `503 not_ready ${code}`, code, 10_000);
    server.condition.state = "well";
    // Deno's client asks for the metadata again only after some seconds.
    await until(async () => await ready() === "200 ready ok", "the server accepts all", 20_000);
    assertEquals((await register()).answer, [201, undefined, null]);
  }
});

Deno.test("an empty store in place of the site's own gets no registration and no signature, and the process is not ready", async () => {
  // No call hangs, so only a busy machine would take longer.
  await using site = await remoteSite(HANG_MS);
  const { server, register, ready, rows } = site;
  assertEquals((await register()).answer, [201, undefined, null]);
  server.replaceStores();
  // A read may notice it before the commit does. Only then is it known that nothing was stored.
  const { answer: [status, error], outcome } = await register();
  assertEquals(status, 503);
  assert(outcome !== "unchanged" || error === "store_unavailable", `${error} ${outcome}`);
  assertEquals((await register()).answer, [503, "read_only", "60"]);
  assertEquals(await ready(), "503 not_ready changed");
  assertEquals(await rows(), []);
  // Otherwise a reader would learn that a record of ours does not exist.
  assertEquals(await site.look(`/api/chain/${"a".repeat(64)}`), [503, "store_unavailable"]);
});

Deno.test("jobs of a process that its server refuses are due again, and do not end the process", async () => {
  await using site = await remoteSite();
  site.server.condition.state = "refusing";
  await site.tick();
  assert(site.lines.includes("job_failed"));
});
