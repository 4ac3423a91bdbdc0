import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { checkRelay } from "../lib/features/relay/check.ts";
import { relaysSchema } from "../lib/features/relay/config.ts";
import { newRelay } from "../lib/features/relay/new.ts";
import { startRelayProcess } from "../lib/features/relay/testing/relay_process.ts";
import { send, startRawOrigin } from "../lib/features/relay/testing/raw_origin.ts";
import { PREVIOUS_SLUG, serveRelay, SLUG } from "../lib/features/relay/testing/served_relay.ts";
import { BUSY_MS, HANG_MS } from "../lib/testing/times.ts";
import { until } from "../lib/testing/until.ts";
import { sandboxRelay, startOriginSandbox } from "../sandbox/origin.ts";
import { freePort, serve } from "./site.ts";

const ROOT = new URL("../", import.meta.url);

async function runTask(...args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr) };
}

Deno.test("a standalone relay needs permission only for its origin, port and variables", async () => {
  await using sandbox = startOriginSandbox();
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: sandbox.origin,
    RELAY_PREVIOUS_SLUG: PREVIOUS_SLUG,
    RELAY_CLIENT_ID: sandbox.clientId,
    RELAY_CLIENT_SECRET: sandbox.clientSecret,
    RELAY_REWRITE_LINKS: "true",
    RELAY_TIMEOUT_MS: "3000",
  });
  const base = `http://127.0.0.1:${relay.port}`;
  for (const slug of [SLUG, PREVIOUS_SLUG]) {
    const page = await fetch(`${base}/${slug}/`);
    assertEquals(page.status, 200);
    assertStringIncludes(await page.text(), `href="/${slug}/handbook/keeping"`);
  }
  const unpacked = await fetch(`${base}/${SLUG}/compressed`, {
    headers: { "accept-encoding": "identity" },
  });
  assertStringIncludes(await unpacked.text(), "The records office handbook");
  assertEquals(await statusOf(`${base}/${SLUG}/slow-headers`), 504);
  assertEquals(await statusOf(`${base}/${SLUG}/moved`), 502);
  assertEquals(await statusOf(`${base}/wrong/`), 403);
  const findings = await checkRelay(base, SLUG, { fetch });
  assert(findings.every(({ passed }) => passed), JSON.stringify(findings));

  const errors = await relay.stop();
  const lines = errors.split("\n").filter((line) => line.startsWith("{")).map((line) =>
    JSON.parse(line)
  );
  assertEquals(lines, [
    { level: "warn", event: "relay_timed_out", relay: "relay", status: 504 },
    { level: "warn", event: "relay_led_out", relay: "relay", status: 502 },
  ]);
  for (const secret of [SLUG, PREVIOUS_SLUG, sandbox.clientId, sandbox.clientSecret]) {
    assert(!errors.includes(secret), errors);
  }
});

Deno.test({
  name: "a relay keeps serving after idle connections have used up its file descriptors",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using origin = startRawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    await using relay = await startRelayProcess({
      RELAY_ORIGIN: origin.origin,
      PORT: String(freePort()),
    }, { on: (command) => ["bash", "-c", 'ulimit -n 64; exec "$@"', "bash", ...command] });
    const idle = await openIdle(relay.port, 100);
    assertEquals(await firstStatusOf(`http://127.0.0.1:${relay.port}/${SLUG}/`), 200);
    for (const connection of idle) connection.close();
    const log = await relay.stop();
    assertEquals(log.trim().split("\n").map((line) => JSON.parse(line)), [{
      level: "error",
      event: "accept_failed",
      reason: "Error: Too many open files (os error 24)",
    }]);
  },
});

Deno.test("slow readers of an origin with TLS do not delay others", async () => {
  const read = (name: string) =>
    Deno.readTextFileSync(new URL(`lib/platform/mail/testing/${name}`, ROOT));
  const origin = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    cert: read("cert.pem"),
    key: read("key.pem"),
    onListen: () => {},
  }, ({ url }) => {
    if (!url.endsWith("/endless")) return new Response("small");
    const chunk = new Uint8Array(1 << 16);
    return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));
  });
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: `https://localhost:${origin.addr.port}`,
    DENO_CERT: new URL("lib/platform/mail/testing/ca.pem", ROOT).pathname,
  });
  const base = `http://127.0.0.1:${relay.port}/${SLUG}`;
  const slow = await Promise.all(Array.from({ length: 8 }, () => fetch(`${base}/endless`)));
  for (let round = 0; round < 20; round++) {
    const quick = await fetch(`${base}/small`, { signal: AbortSignal.timeout(HANG_MS) });
    assertEquals([quick.status, await quick.text()], [200, "small"]);
    // Lets the unread responses fill their buffers.
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await Promise.all(slow.map(({ body }) => body?.cancel()));
  await origin.shutdown();
});

Deno.test("a standalone relay cannot connect to another origin", async () => {
  await using origin = startRawOrigin("");
  await using relay = await startRelayProcess({
    RELAY_ORIGIN: origin.origin,
  }, { netOrigin: "127.0.0.1:1" });
  assertEquals(await statusOf(`http://127.0.0.1:${relay.port}/${SLUG}/`), 502);
  assertEquals(origin.heads, []);
});

Deno.test("a relay finishes its responses after SIGTERM, and a second SIGTERM stops it at once", async () => {
  await Promise.all([false, true].map(async (twice) => {
    const proceed = Promise.withResolvers<void>();
    await using origin = startRawOrigin(async (connection) => {
      await send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
      await proceed.promise;
      await send(connection, " last");
    });
    using _ = { [Symbol.dispose]: proceed.resolve }; // otherwise a failed test would never end
    await using relay = await startRelayProcess({
      RELAY_ORIGIN: origin.origin,
    });
    const signal = AbortSignal.timeout(HANG_MS);
    const response = await fetch(`http://127.0.0.1:${relay.port}/${SLUG}/`, { signal });
    Deno.kill(relay.pid, "SIGTERM");
    await hasStoppedListening(relay.port);
    if (twice) {
      // Signals within 250 ms count as one.
      await new Promise((resolve) => setTimeout(resolve, 300));
      Deno.kill(relay.pid, "SIGTERM");
      const killed = performance.now();
      await assertRejects(() => response.text(), TypeError);
      assert(performance.now() - killed < BUSY_MS, "it waited for the response");
    }
    proceed.resolve();
    if (!twice) assertEquals(await response.text(), "first last");
    assertEquals(await relay.stop(), "");
  }));
});

Deno.test("the relay exits if its environment is invalid, without repeating a value", async () => {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "relay"],
    cwd: ROOT,
    env: {
      NO_COLOR: "1",
      RELAY_SLUG: "guessable-slug",
      RELAY_CLIENT_SECRET: "two words",
      PORT: "x",
    },
  }).output();
  const text = new TextDecoder().decode(stderr);
  assert(!success);
  const variables = text.trim().split("\n").slice(1).map((line) => line.trim().split(":")[0]);
  assertEquals(variables.sort(), [
    "PORT",
    "RELAY_CLIENT_ID",
    "RELAY_CLIENT_SECRET",
    "RELAY_ORIGIN",
    "RELAY_SLUG",
  ]);
  assert(!/guessable|two words/.test(text), text);
});

Deno.test("a standalone relay imports only lib/features/relay, a few shared files and packages", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--lock=deno.lock", "lib/features/relay/main.ts"],
    cwd: ROOT,
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout));
  const files: string[] = modules.map(({ specifier }: { specifier: string }) => specifier)
    .filter((specifier: string) => specifier.startsWith("file:"));
  assert(files.length > 5);
  const folder = new URL("lib/features/relay/", ROOT).href;
  const shared = [
    "base/pasted.ts",
    "base/schedule.ts",
    "base/sleep.ts",
    "base/time.ts",
    "platform/http/header.ts",
    "platform/http/schemas.ts",
    "platform/http/serve.ts",
    "platform/stop.ts",
  ].map((path) => new URL(`lib/${path}`, ROOT).href);
  assertEquals(files.filter((file) => !file.startsWith(folder)).sort(), shared);
});

Deno.test("during a rotation both slugs work, and afterwards only the new one", async () => {
  await using sandbox = startOriginSandbox();
  const before = serveRelay({ ...sandbox, slug: PREVIOUS_SLUG });
  await using during = serveRelay({ ...sandbox, slug: SLUG, previousSlug: PREVIOUS_SLUG });
  await using after = serveRelay({ ...sandbox, slug: SLUG });
  let current = before.port;
  // A proxy whose URL does not change.
  await using front = serve((request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(`http://127.0.0.1:${current}${pathname}${search}`, { redirect: "manual" });
  });
  const at = (slug: string, path: string) => `http://127.0.0.1:${front.port}/${slug}${path}`;

  const long = await fetch(at(PREVIOUS_SLUG, "/large?bytes=20000000"));
  assertEquals(await statusOf(at(SLUG, "/records.json")), 403);
  const stopped = before[Symbol.asyncDispose]();
  current = during.port;
  assertEquals(await statusOf(at(PREVIOUS_SLUG, "/records.json")), 200);
  assertEquals(await statusOf(at(SLUG, "/records.json")), 200);
  const moved = await fetch(at(PREVIOUS_SLUG, "/redirect"), { redirect: "manual" });
  await moved.body?.cancel();
  assertEquals(moved.headers.get("location"), `/${PREVIOUS_SLUG}/handbook/keeping`);
  assertEquals((await long.arrayBuffer()).byteLength, 20_000_000);
  await stopped;

  current = after.port;
  assertEquals(await statusOf(at(PREVIOUS_SLUG, "/records.json")), 403);
  assertEquals(await statusOf(at(SLUG, "/records.json")), 200);
});

Deno.test("relay:new prints a usable configuration", async () => {
  const { code, out } = await runTask("relay:new", "docs", "https://docs.example");
  assertEquals(code, 0);
  const [slug] = /^ {2}docs-[0-9a-f]{24}$/m.exec(out)!;
  const entry = /\{.*\}/.exec(out)![0].replace("<client id>", "id").replace("<client secret>", "s");
  const [relay] = relaysSchema.parse(`[${entry}]`);
  assertEquals([relay.slug, relay.origin], [slug.trim(), "https://docs.example"]);
  assertStringIncludes(out, "--allow-net=docs.example:443,127.0.0.1:8000 ");
  assertStringIncludes(out, "--no-prompt");
  assert(!/--allow-(?:read|write|run|sys|ffi|all)|-A\b/.test(out));
  assert(newRelay("docs") !== newRelay("docs"));
  const invalid = [[], ["my docs"], ["docs", "https://docs.example/path"]];
  const results = await Promise.all(invalid.map((args) => runTask("relay:new", ...args)));
  assertEquals(results.map(({ code }) => code), [2, 2, 2]);
});

Deno.test("relay:check passes a relay and fails a wrong slug", async () => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay(sandboxRelay(sandbox));
  const base = `http://docs.relay.localhost:${relay.port}`;
  const right = await runTask("relay:check", base, sandboxRelay(sandbox).slug);
  assertEquals([right.code, right.err], [0, ""], right.out);
  assertEquals(right.out.match(/^pass {2}/gm)?.length, 7);
  const wrong = await runTask("relay:check", base, SLUG);
  assertEquals(wrong.code, 1);
  assertStringIncludes(wrong.out, "FAIL  the right slug returns 200 (403)");
  const invalid = [[base], ["docs.relay.localhost", SLUG]];
  const results = await Promise.all(invalid.map((args) => runTask("relay:check", ...args)));
  assertEquals(results.map(({ code }) => code), [2, 2]);
});

Deno.test("relay:check reads only the beginning of a body", async () => {
  await using sandbox = startOriginSandbox();
  await using relay = serveRelay(sandbox);
  const path = "/large?bytes=9000000000";
  const findings = await checkRelay(`http://127.0.0.1:${relay.port}`, SLUG, { path, fetch });
  assertEquals(findings.filter(({ passed }) => !passed), []);
});

const FAULTS: [fault: string, failing: string, handler: (request: Request) => Response][] = [
  ["allows caching", "no-store", () => new Response("x")],
  [
    "sets a cookie",
    "access headers or cookies",
    () => new Response("x", { headers: { "set-cookie": "a=b" } }),
  ],
  [
    "sends an access header",
    "access headers or cookies",
    () => new Response("x", { headers: { "edge-access-client-id": "x" } }),
  ],
  ["accepts POST", "POST", () => new Response("x")],
  ["accepts any slug", "a wrong slug", () => new Response("x")],
  ["accepts a path without a slug", "without a slug", () => new Response("x")],
  ["sends no content", "returns content", () => new Response("")],
  ["redirects elsewhere", "returns 200", () => Response.redirect("https://login.access.example/")],
];

for (const [fault, failing, handler] of FAULTS) {
  Deno.test(`relay:check fails a relay that ${fault}`, async () => {
    await using server = serve(handler);
    const findings = await checkRelay(`http://127.0.0.1:${server.port}`, SLUG, { fetch });
    const finding = findings.find(({ title }) => title.includes(failing));
    assertEquals(finding?.passed, false);
  });
}

Deno.test("relay:check fails a relay that does not respond", async () => {
  const origin = startRawOrigin("");
  await origin[Symbol.asyncDispose]();
  const findings = await checkRelay(origin.origin, SLUG, { fetch });
  assertEquals(findings[0].actual, "no response");
  assertEquals(findings.filter(({ passed }) => passed), []);
});

/** Opens up to `count` connections and sends nothing. */
async function openIdle(port: number, count: number): Promise<Deno.Conn[]> {
  const attempts = Array.from(
    { length: count },
    () => Deno.connect({ port, hostname: "127.0.0.1" }),
  );
  const settled = await Promise.allSettled(attempts);
  return settled.flatMap((result) => result.status === "fulfilled" ? [result.value] : []);
}

/** Repeats a request until it gets a response. */
const firstStatusOf = (url: string): Promise<number> =>
  until(() => statusOf(url).catch(() => null), `${url} responded`);

/** Waits until connecting fails. */
async function hasStoppedListening(port: number): Promise<void> {
  const refused = () =>
    Deno.connect({ port, hostname: "127.0.0.1" }).then((one) => one.close(), () => true);
  await until(refused, `port ${port} refused a connection`);
}

async function statusOf(url: string): Promise<number> {
  const { status, body } = await fetch(url);
  await body?.cancel();
  return status;
}
