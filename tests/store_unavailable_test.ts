import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openKv, rulesOf } from "../lib/platform/kv/mod.ts";
import { hangingKv } from "../lib/platform/kv/testing/hanging_kv.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { contactFixture, PERSON } from "./contact_site.ts";
import { routeExamples } from "./route_examples.ts";
import { CASES } from "./separation_cases.ts";
import { CONSOLES, PEOPLE, separationSite } from "./separation_site.ts";
import { createSite } from "./site.ts";

/**
 * Returns a store in front of another one. Once a call is held, it is overdue, because it would get no
 * response however long it waits. So is every other call from then on.
 */
function impatientKv(kv: Deno.Kv) {
  const store = hangingKv(kv);
  rulesOf(store.kv).deadlines.schedule = (run) => {
    let timer = setTimeout(function check() {
      if (store.held > 0) run();
      else timer = setTimeout(check, 1);
    }, 0);
    return () => clearTimeout(timer);
  };
  return store;
}

const filled = await separationSite();
const ids = await filled.fill("commercial", "tamarind");
const cookies = await Promise.all([
  filled.cookie(PEOPLE.L1, "workbench"),
  filled.signIn([ids.record], { on: "workbench" }),
]);
const admin = await filled.cookie(PEOPLE.L1, CONSOLES.commercial);
await Promise.all([filled.site.services.mailer.flush(), filled.site.services.push.flush()]);

const store = impatientKv(filled.site.services.kv);
const lines: Record<string, unknown>[] = [];
const site = await createSite({}, {
  kv: store.kv,
  clock: () => filled.clock.now,
  pause: () => Promise.resolve(),
  log: (line) => void lines.push(line),
  configure: () => filled.site.services.config,
});

const MESSAGE = "Our database d"; // does not respond, or did not respond in time

const send = (
  surface: SurfaceName,
  path: string,
  { cookie = "", body, headers = {} }: {
    cookie?: string;
    body?: BodyInit;
    headers?: Record<string, string>;
  } = {},
) =>
  site.request(surface, path, {
    method: body === undefined ? "GET" : "POST",
    body,
    redirect: "manual",
    headers: {
      accept: "text/html",
      cookie,
      origin: site.services.surfaces.url(surface)!,
      ...headers,
    },
  });

const statusOf = async (sent: Promise<Response>): Promise<number> => {
  const response = await sent;
  await response.body?.cancel();
  return response.status;
};
const ready = async () => {
  const response = await site.handler(new Request("http://10.0.0.7/readyz"));
  return [response.status, (await response.json()).checks.store];
};

Deno.test("while the store hangs, requests that need it get 503 store_unavailable, and then succeed again", async () => {
  const holder = cookies.join("; ");
  const paths = routeExamples(site.services, ids);
  store.hang();
  const unavailable = new Set<string>();
  for (const cookie of [holder, ""]) {
    for (const path of paths) {
      const response = await send("workbench", path, { cookie });
      const text = await response.text();
      assert(response.status !== 500, path);
      if (response.status !== 503) continue;
      unavailable.add(path);
      assertEquals(response.headers.get("retry-after"), "5", path);
      if (text.startsWith("<!DOCTYPE html>")) assertStringIncludes(text, MESSAGE, path);
      else assertEquals(JSON.parse(text).error, "store_unavailable", path);
    }
  }
  for (const each of Object.values(CASES).flat()) {
    const form = each.form?.(ids, ids);
    const body = form && new URLSearchParams(form);
    const path = each.path(ids, ids);
    const sent = send(CONSOLES.commercial, path, { cookie: admin, body });
    assertEquals(await statusOf(sent), 503, path);
  }
  await store.release();
  for (const path of ["/my-record", "/console", `/d/${ids.document}`]) {
    assert(unavailable.has(path), path);
    assertEquals(await statusOf(send("workbench", path, { cookie: holder })), 200, path);
  }
});

Deno.test("a page for people says that the database does not respond, and its log line names the operation", async () => {
  store.hang();
  lines.length = 0;
  // The error page does not try to read the session again.
  const response = await send(CONSOLES.commercial, "/console", { cookie: admin });
  const text = await response.text();
  await store.release();
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertStringIncludes(text, '<h1 class="below-3">Temporarily unavailable</h1>');
  assertStringIncludes(text, "You can try again in 5 seconds.");
  assertEquals(lines, [{
    level: "error",
    event: "store_overdue",
    operation: "get sessions",
    ms: 5_000,
    overdue: 1,
  }]);
});

Deno.test("/readyz, jobs and the end of the process do not wait for a store that hangs", async () => {
  assertEquals(await ready(), [200, "ok"]);
  store.hang();
  assertEquals(await ready(), [503, "no_response"]);
  lines.length = 0;
  await site.services.jobs.tick();
  const [failure, ...others] = lines.filter(({ event }) => event === "job_failed");
  const { job, ...line } = failure;
  assertEquals([line, others], [
    { level: "error", event: "job_failed", reason: "store_unavailable" },
    [],
  ]);
  assert(String(job).split(", ").includes("mail"));
  await store.release();
  assertEquals(await ready(), [200, "ok"]);
  const { services } = await createSite({}, { kv: store.kv, log: () => {} });
  store.hang();
  services.jobs.tick().catch(() => {});
  await services.close(100);
  await store.release();
});

Deno.test("a registration whose commit is overdue says that its outcome is unknown, and is found by its key", async () => {
  using memory = await openKv(":memory:");
  const store = impatientKv(memory);
  await using fixture = await contactFixture({}, { kv: store.kv });
  const register = () => fixture.send(PERSON, { headers: { "idempotency-key": "k" } });
  store.hang("commit");
  const overdue = await register();
  const { error, outcome, message } = await overdue.json();
  assertEquals([overdue.status, overdue.headers.get("retry-after")], [503, "5"]);
  assertEquals([error, outcome], ["store_unavailable", "unknown"]);
  assertStringIncludes(message, "we do not know whether your change was saved");
  const stored = await Array.fromAsync(memory.list({ prefix: ["contacts"] }));
  assertEquals(stored.length, 0);
  await store.release(); // the attempt lands
  const again = await register();
  const { hash } = await again.json();
  assertEquals(again.status, 201);
  assertEquals([await fixture.count("contacts"), await fixture.count("chain_events")], [1, 1]);
  assertEquals((await fixture.site.services.chains.page(hash))!.events.length, 1);
  await fixture.site.services.jobs.run("mail");
  assertEquals((await fixture.mails()).length, 1);
});

Deno.test("a refused request says that nothing was changed", async () => {
  using memory = await openKv(":memory:");
  const store = impatientKv(memory);
  await using fixture = await contactFixture({}, { kv: store.kv });
  store.hang();
  const { outcome, message } = await (await fixture.send(PERSON)).json();
  assertEquals(outcome, "unchanged");
  assertStringIncludes(message, "nothing was changed");
  await store.release();
  assertEquals(await fixture.count("contacts"), 0);
});
