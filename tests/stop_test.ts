import { assert, assertEquals, AssertionError, assertMatch } from "@std/assert";
import { parseConfig } from "../lib/app/config.ts";
import { createLocalFetch } from "../lib/platform/http/local_fetch.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { createServices } from "../lib/app/services.ts";
import { fakePush } from "../lib/features/push/testing/fake_provider.ts";
import { BUSY_MS } from "../lib/testing/times.ts";
import { until } from "../lib/testing/until.ts";
import { PERSON } from "./contact_site.ts";
import { recordFixture } from "./record_site.ts";
import { createSite, freePort, sendRaw } from "./site.ts";

Deno.test("close() waits until responses have been sent before it closes the store", async () => {
  const site = await createSite();
  const sent = Promise.withResolvers<void>();
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 };
  const host = new URL(site.services.surfaces.url("trust")!).host;
  const request = new Request(`http://${host}/terms`, { headers: { host } });
  const response = await site.handler(request, { remoteAddr, completed: sent.promise });
  await response.body?.cancel();
  let closed = false;
  const closing = site.services.close().then(() => closed = true);
  await site.services.kv.get(["anything"]);
  await new Promise((done) => setTimeout(done));
  assertEquals(closed, false);
  sent.resolve();
  await closing;
});

const MAIL_API = { MAIL_API_URL: "https://mail.example/send", MAIL_API_KEY: "key" };

Deno.test("close() ends in time although a push service and a mail API hang, and keeps their messages", async () => {
  await using store = await tempKv();
  const hanging = new Promise<never>(() => {});
  const reached = Promise.withResolvers<void>();
  const pushed = Promise.withResolvers<void>();
  const fixture = await recordFixture({ MAIL_TRANSPORT: "http", ...MAIL_API }, {
    kv: await openKv(store.path),
    fetch: () => (reached.resolve(), hanging),
    pushProviders: { ios: { ...fakePush(), send: () => (pushed.resolve(), hanging) } },
  });
  const { services } = fixture.site;
  const hash = await fixture.register();
  const json = { platform: "ios", token: "ab".repeat(32), environment: "production" };
  const registered = await fixture.fetch("/api/push/register", {
    cookie: await fixture.signIn([hash]),
    json,
  });
  assertEquals(registered.status, 201, await registered.text());
  await services.chains.append(hash, "record_verified");
  await Promise.all([reached.promise, pushed.promise]);
  const begun = performance.now();
  await services.close(100);
  assert(performance.now() - begun < 100 + BUSY_MS);
  const channels = await Array.fromAsync(
    store.kv.list({ prefix: ["outbox"] }),
    ({ key }) => key[1],
  );
  assertEquals([...new Set(channels)].sort(), ["mail", "push"]);
});

Deno.test("while the process stops, new requests get 503 and end their connection", async () => {
  const site = await createSite();
  const closed = site.services.close();
  for (const [surface, path] of [["site", "/"], ["commercial-mcp", "/mcp"]] as const) {
    const response = await site.request(surface, path, { method: path === "/" ? "GET" : "POST" });
    assertEquals([response.status, (await response.json()).error], [503, "unavailable"]);
    assertEquals(response.headers.get("connection"), "close");
  }
  await closed;
});

/** A server that accepts connections, and never responds. */
function silentServer(): { port: number } & Disposable {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.TcpConn[] = [];
  (async () => {
    for await (const connection of listener) open.push(connection);
  })().catch(() => {});
  return {
    port: (listener.addr as Deno.NetAddr).port,
    [Symbol.dispose]() {
      listener.close();
      for (const connection of open) connection.close();
    },
  };
}

/** Variables of a process whose mail server, bank and relayed origin never respond. */
function hangingEnv(store: string, port: number, silent: number): Record<string, string> {
  const relay = {
    name: "docs",
    host: "docs.relay.localhost",
    slug: "docs-5a7d0b0c0f11a5ed2b1c9e44",
    clientId: "id",
    clientSecret: "secret",
    origin: `http://127.0.0.1:${silent}`,
  };
  return {
    PORT: String(port),
    KV_PATH: store,
    MAIL_TRANSPORT: "smtp",
    SMTP_URL: `smtp://127.0.0.1:${silent}`,
    BANK_API_BASE: `http://127.0.0.1:${silent}`,
    BANK_API_TOKEN: "token",
    CODE_PROVIDER: "off",
    CONTACT_CLIENT_LIMIT: "0",
    RELAYS: JSON.stringify([relay]),
  };
}

/** Serves the site in a process of its own until it is disposed of. Resolves once it listens. */
async function startProcess(env: Record<string, string>) {
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--quiet",
      "--frozen",
      "--lock=dev.lock",
      "tests/stop_child.ts",
    ],
    cwd: new URL("..", import.meta.url),
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (let printed = ""; !printed.includes(" is listening on ");) {
    const { value, done } = await reader.read();
    if (done) throw new Error("The process did not start.");
    printed += value;
  }
  return {
    process,
    printed: reader,
    async [Symbol.asyncDispose]() {
      try {
        process.kill("SIGKILL");
      } catch {
        // It has ended.
      }
      await process.status;
    },
  };
}

/** Registers a person. Returns the hash of the record; null if the site is too busy, or stops. */
async function register(port: number, person: typeof PERSON): Promise<string | null> {
  const response = await createLocalFetch()(`http://localhost:${port}/api/ir/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person),
  });
  const body = await response.json();
  if (response.status === 503) return null;
  assertEquals(response.status, 201, JSON.stringify(body));
  return body.hash;
}

Deno.test("SIGINT under load loses no acknowledged event, ends streams and connections, and exits within 4 seconds although everything else hangs", async () => {
  await using store = await tempKv();
  using silent = silentServer();
  const port = freePort();
  const env = hangingEnv(store.path, port, silent.port);
  await using started = await startProcess(env);
  const { process, printed } = started;
  const base = `http://localhost:${port}`;
  const fetch = createLocalFetch();

  const acknowledged: string[] = [];
  let stopping = false;
  /** Registers people one after another until the site stops. */
  async function registerAll(client: number): Promise<void> {
    for (let i = 0;; i++) {
      const person = { ...PERSON, email: `p${client}.${i}@example.org` };
      try {
        const hash = await register(port, person);
        if (hash !== null) acknowledged.push(hash);
        else if (stopping) return;
      } catch (error) {
        if (stopping && !(error instanceof AssertionError)) return;
        throw error;
      }
    }
  }
  const clients = Promise.all([0, 1, 2, 3].map(registerAll));
  const acknowledges = (count: number) =>
    Promise.race([
      clients,
      until(() => acknowledged.length >= count, `${count} registrations were acknowledged`),
    ]);
  await acknowledges(8);
  const streams = await Promise.all([0, 1].map(async () => {
    const headers = { accept: "text/event-stream" };
    return await fetch(`${base}/api/chain/${acknowledged[0]}?after=0`, { headers });
  }));
  const ended = streams.map((stream) => stream.text());
  const relayed = fetch(`http://docs.relay.localhost:${port}/docs-5a7d0b0c0f11a5ed2b1c9e44/page`)
    .then((response) => response.text(), () => "cut off");
  await acknowledges(20);
  const connectionsEnd = await openConnections(port, acknowledged[0]);

  const begun = performance.now();
  stopping = true;
  process.kill("SIGINT");
  for (const text of await Promise.all(ended)) assert(text.startsWith("retry: "), text);
  const streamsMs = performance.now() - begun;
  const ends = await connectionsEnd();
  assertEquals(ends, ends.map(() => "closed after a response"));
  const { code, signal } = await process.status;
  const ms = performance.now() - begun;
  await printed.cancel();
  await Promise.all([clients, relayed]);
  assertEquals({ code, signal }, { code: 0, signal: null });
  // A process that does not end by itself exits after 3.75 s, and cuts its streams off.
  assert(
    streamsMs < 3_500 && ms < 4_000 + BUSY_MS,
    `streams ended after ${streamsMs} ms, exit after ${ms} ms`,
  );

  const services = createServices(parseConfig(env), await openKv(store.path), { log: () => {} });
  for (const hash of acknowledged) assertEquals((await services.chains.page(hash))?.head.size, 1);
  const run = await services.jobs.run("chains");
  assertMatch(run!.detail!, /checked, 0 not valid/);
  await services.close(0);
});

/** Sends requests on one connection, each after the response to the last, until the site ends it. */
async function keepBusy(port: number): Promise<string> {
  using connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  const request = new TextEncoder().encode(
    `GET /terms HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
  );
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (;;) {
      await connection.write(request);
      let text = "";
      while (!isComplete(text)) {
        const length = await connection.read(buffer);
        if (length === null) return text === "" ? "no response" : "cut off";
        text += new TextDecoder("latin1").decode(buffer.subarray(0, length));
      }
      if (!/^HTTP\/1.1 200 /.test(text)) return text.slice(0, 12);
      if (/^connection: close\r$/im.test(text)) {
        return await connection.read(buffer) === null ? "closed after a response" : "not closed";
      }
    }
  } catch (error) {
    return String(error);
  }
}

function isComplete(response: string): boolean {
  const end = response.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /^content-length: (\d+)\r$/im.exec(response.slice(0, end + 2))?.[1];
  return length === undefined
    ? response.endsWith("\r\n0\r\n\r\n")
    : response.length >= end + 4 + Number(length);
}

const READY = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

/**
 * Opens 16 connections that send requests all the time, and two streams of a chain. Resolves once all are busy.
 *
 * @returns a function that checks that each stream ends with its last chunk, and returns how the connections end
 */
async function openConnections(port: number, hash: string): Promise<() => Promise<string[]>> {
  const streams = [0, 1].map(() =>
    sendRaw(
      port,
      `GET /api/chain/${hash}?after=0 HTTP/1.1\r\nHost: localhost:${port}\r\n` +
        "Accept: text/event-stream\r\n\r\n",
    )
  );
  const busy = Array.from({ length: 16 }, () => keepBusy(port));
  // Late enough that every connection is busy.
  await sendRaw(
    port,
    `GET /terms HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`,
  );
  return async () => {
    for (const text of await Promise.all(streams)) assertMatch(text, /\r\n0\r\n\r\n$/);
    return await Promise.all(busy);
  };
}

Deno.test("SIGTERM closes 16 busy connections after a response, and ends streams with their last chunk", async () => {
  await using store = await tempKv();
  const port = freePort();
  const env = { PORT: String(port), KV_PATH: store.path, CONTACT_CLIENT_LIMIT: "0" };
  await using started = await startProcess(env);
  const { process, printed } = started;
  // On a busy machine, the store may be too slow at first.
  const hash = await until(() => register(port, PERSON), "a registration is acknowledged");
  const connectionsEnd = await openConnections(port, hash);
  process.kill("SIGTERM");
  const isReady = async () => (await sendRaw(port, READY)).startsWith("HTTP/1.1 200 ");
  await until(async () => !await isReady(), "/readyz reports that the process stops");
  const late = await sendRaw(port, `GET /terms HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  assertMatch(late, /^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i);
  const ends = await connectionsEnd();
  assertEquals(ends, ends.map(() => "closed after a response"));
  assertEquals((await process.status).code, 0);
  await printed.cancel();
});

Deno.test("a second signal exits at once with status 1", async () => {
  const script = `
    import { onStop } from "${import.meta.resolve("../lib/platform/stop.ts")}";
    onStop(() => (console.log("stopping"), new Promise(() => {})));
    setInterval(() => {}, 1_000);
    console.log("started");`;
  const process = new Deno.Command(Deno.execPath(), {
    args: ["eval", "--quiet", script],
    stdout: "piped",
  }).spawn();
  for await (const text of process.stdout.pipeThrough(new TextDecoderStream())) {
    process.kill(text.includes("started") ? "SIGTERM" : "SIGINT");
  }
  assertEquals((await process.status).code, 1);
});
