import { assert, assertEquals, assertRejects } from "@std/assert";
import { createRelay } from "../lib/features/relay/mod.ts";
import { startRelayProcess } from "../lib/features/relay/testing/relay_process.ts";
import { closed, send, startRawOrigin } from "../lib/features/relay/testing/raw_origin.ts";
import {
  CLIENT_ID,
  CLIENT_SECRET,
  serveRelay,
  SLUG,
} from "../lib/features/relay/testing/served_relay.ts";
import { HANG_MS } from "../lib/testing/times.ts";
import { startOriginSandbox } from "../sandbox/origin.ts";
import { sendRaw } from "./site.ts";

const MIB = 1 << 20;
const CHUNK = new Uint8Array(MIB).fill(0x2e);
const MEMORY = { ignore: Deno.build.os !== "linux" };

/** Sends a request and returns its connection, from which the response can be read. */
async function open(port: number, path: string): Promise<Deno.Conn> {
  const connection = await Deno.connect({ port, hostname: "127.0.0.1" });
  const request = `GET /${SLUG}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  await send(connection, request);
  return connection;
}

/** Reads at least `count` bytes, or to the end. Returns how many were read. */
async function read(connection: Deno.Conn, count: number): Promise<number> {
  const buffer = new Uint8Array(256 << 10);
  let total = 0;
  while (total < count) {
    const read = await connection.read(buffer);
    if (read === null) break;
    total += read;
  }
  return total;
}

/** Returns the current and peak resident memory of a process in bytes. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)![1]) * 1024;
  return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
}

function startProcess(origin: string, env: Record<string, string> = {}) {
  return startRelayProcess({
    RELAY_ORIGIN: origin,
    // This test is the origin, and may be slow on a busy machine.
    RELAY_TIMEOUT_MS: "600000",
    ...env,
  });
}

for (
  const [what, mebibytes, head] of [
    ["128 MiB and a known length", 128, `Content-Length: ${128 * MIB}\r\n`],
    ["192 MiB and an unknown length", 192, "Connection: close\r\n"],
  ] as const
) {
  Deno.test({
    name: `a body of ${what} takes less than 64 MiB of memory`,
    ...MEMORY,
    async fn() {
      await using origin = startRawOrigin(async (connection, request) => {
        if (request.startsWith("GET /small")) {
          return send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        }
        await send(connection, `HTTP/1.1 200 OK\r\n${head}\r\n`);
        for (let sent = 0; sent < mebibytes; sent++) await send(connection, CHUNK);
      });
      await using relay = await startProcess(origin.origin);
      using small = await open(relay.port, "/small");
      await read(small, 1);
      const before = memoryOf(relay.pid).now;
      using large = await open(relay.port, "/large");
      assert(await read(large, Infinity) > mebibytes * MIB, "the head and the whole body");
      const grown = memoryOf(relay.pid).peak - before;
      assert(grown < 64 * MIB, `${Math.round(grown / MIB)} MiB more`);
    },
  });
}

Deno.test({
  name: "rewriting takes the same memory for a page of any length",
  ...MEMORY,
  async fn() {
    const words = "Some words. ".repeat(80);
    const line = `<p>${words}<a class="x" href="/a/page.html">a link</a> and after.</p>\n`;
    const lines = Math.ceil(MIB / line.length);
    const part = new TextEncoder().encode(line.repeat(lines));
    const rewritten = line.replace('"/a/', `"/${SLUG}/a/`);
    await using origin = startRawOrigin(async (connection, request) => {
      await send(connection, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n");
      const parts = Number(/^GET \/(\d+)/.exec(request)![1]);
      for (let sent = 0; sent < parts; sent++) await send(connection, part);
    });
    await using relay = await startProcess(origin.origin, {
      RELAY_REWRITE_LINKS: "true",
      // Otherwise the engine doubles its room for new objects after some 50 MiB, which takes 26 MiB once.
      DENO_V8_FLAGS: "--max-semi-space-size=1",
    });
    async function lengthOf(parts: number) {
      const response = await fetch(`http://127.0.0.1:${relay.port}/${SLUG}/${parts}`);
      let total = 0;
      for await (const chunk of response.body!) total += chunk.length;
      return total;
    }
    // The first page lets the engine's memory grow to its normal size.
    assertEquals(await lengthOf(8), 8 * lines * rewritten.length);
    const before = memoryOf(relay.pid).peak;
    assertEquals(await lengthOf(32), 32 * lines * rewritten.length);
    const grown = memoryOf(relay.pid).peak - before;

    assert(grown < 12 * MIB, `${Math.round(grown / MIB)} MiB more`);
  },
});

Deno.test({
  name: "responses for 80 slow readers are not buffered, and arrive complete",
  ...MEMORY,
  async fn() {
    const READERS = 80;
    // Socket buffers hold up to 5 MiB of it.
    const SIZE = 6 * MIB;
    let sent = 0;
    await using origin = startRawOrigin(async (connection) => {
      await send(
        connection,
        `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${SIZE}\r\n\r\n`,
      );
      for (let left = SIZE; left > 0;) {
        const count = await connection.write(CHUNK.subarray(0, Math.min(left, 64 << 10)));
        left -= count;
        sent += count;
      }
    });
    await using relay = await startProcess(origin.origin);
    const readers = await Promise.all(
      Array.from({ length: READERS }, () => open(relay.port, "/large")),
    );
    // The readers pause until all socket buffers are full and the origin cannot send any more.
    const begun = await Promise.all(readers.map((reader) => read(reader, 1)));
    for (let before = -1; before < sent;) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const { peak } = memoryOf(relay.pid);
    const rest = await Promise.all(readers.map((reader) => read(reader, Infinity)));
    const short = rest.map((count, i) => begun[i] + count).filter((count) => count <= SIZE);
    assertEquals(short, [], `each gets the head and all of the body: ${await relay.stop()}`);
    for (const reader of readers) reader.close();
    assert(peak < 240 * MIB, `${Math.round(peak / MIB)} MiB`);
  },
});

Deno.test("a slow reader does not delay another reader", async () => {
  await using origin = startOriginSandbox();
  await using relay = serveRelay(origin);
  using slow = await open(relay.port, "/large?bytes=1000000000");
  await read(slow, 1);
  const response = await relay.get("/records.json");
  assertEquals((await response.json()).records, 1_284);
});

for (const rewriteLinks of [false, true]) {
  const how = rewriteLinks ? "that is rewritten" : "that is unchanged";
  Deno.test(`a body ${how} is cancelled when the client disconnects`, async () => {
    const ended = Promise.withResolvers<void>();
    await using origin = startRawOrigin(async (connection) => {
      const head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n";
      await send(connection, `${head}5\r\n<p>a \r\n`);
      await closed(connection);
      ended.resolve();
    });
    await using relay = serveRelay({ ...origin, rewriteLinks });
    const client = await open(relay.port, "/a");
    await read(client, 1);
    client.close();
    await ended.promise;
    assertEquals(relay.logged, []);
  });
}

Deno.test("a short body of a known length is cancelled when the client disconnects", async () => {
  const ended = Promise.withResolvers<void>();
  await using origin = startRawOrigin(async (connection) => {
    await send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nfirst");
    await closed(connection);
    ended.resolve();
  });
  await using relay = serveRelay(origin);
  const client = await open(relay.port, "/a");
  await read(client, 1);
  client.close();
  await ended.promise;
  assertEquals(relay.logged, []);
});

Deno.test("the request is cancelled, and nothing logged, if the client disconnects before the headers", async () => {
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<string>();
  const origin = startRawOrigin(async (connection) => {
    arrived.resolve();
    await closed(connection);
    ended.resolve("cancelled");
  });
  const relay = serveRelay(origin);
  const client = await open(relay.port, "/a");
  await arrived.promise;
  client.close();
  const tooLate = setTimeout(() => ended.resolve("too late"), HANG_MS);
  const how = await ended.promise;
  clearTimeout(tooLate);
  await origin[Symbol.asyncDispose]();
  await relay[Symbol.asyncDispose]();
  assertEquals(how, "cancelled");
  assertEquals(relay.logged, []);
});

Deno.test("nothing is requested for a client that has disconnected", async () => {
  await using origin = startRawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  const logged: unknown[] = [];
  const relay = createRelay({
    name: "docs",
    slug: SLUG,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    origin: origin.origin,
    rewriteLinks: false,
  }, { fetch, timeoutMs: HANG_MS, log: (entry) => logged.push(entry) });
  await relay(new Request(`http://a/${SLUG}/`, { signal: AbortSignal.abort() }));
  assertEquals([origin.heads, logged], [[], []]);
});

Deno.test("a fetch that ignores its signal becomes a 504, and its late response is cancelled", async () => {
  const late = Promise.withResolvers<Response>();
  const keepAlive = setTimeout(() => late.resolve(new Response("late")), HANG_MS);
  const relay = createRelay({
    name: "docs",
    slug: SLUG,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    origin: "http://origin.example",
    rewriteLinks: false,
  }, { fetch: () => late.promise, timeoutMs: 5, log() {} });
  const response = await relay(new Request(`http://a/${SLUG}/`));
  clearTimeout(keepAlive);
  assertEquals(response.status, 504);
  let cancelled = false;
  late.resolve(new Response(new ReadableStream({ cancel: () => void (cancelled = true) })));
  await new Promise((resolve) => setTimeout(resolve));
  assert(cancelled);
});

const BROKEN: [how: string, head: string, body: string][] = [
  ["short of its length", "Content-Length: 100000\r\n", "x".repeat(1000)],
  ["in the middle of its chunks", "Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n"],
  ["in the middle of a chunk", "Transfer-Encoding: chunked\r\n", "ffff\r\nhello"],
];

for (const [how, head, body] of BROKEN) {
  for (const rewriteLinks of [false, true]) {
    const also = rewriteLinks ? " that is rewritten and" : "";
    Deno.test(`a body${also} that ends ${how} is cut off for the client, and is logged`, async () => {
      await using origin = startRawOrigin(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${head}\r\n${body}`,
      );
      await using relay = serveRelay({ ...origin, rewriteLinks });
      const response = await relay.get("/a");
      assertEquals(response.status, 200);
      await assertRejects(() => response.text(), TypeError);
      assertEquals(relay.logged, [{ level: "warn", event: "relay_broke_off", relay: "docs" }]);
      const request = `GET /${SLUG}/a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const bytes = await sendRaw(relay.port, request);
      assert(!bytes.endsWith("\r\n0\r\n\r\n"), "no last chunk");
    });
  }
}

Deno.test("a body that ends short of a small length is cut off for the client", async () => {
  await using origin = startRawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nfirst");
  await using relay = serveRelay(origin);
  const response = await relay.get("/a");
  assertEquals(response.headers.get("content-length"), "1000");
  await assertRejects(() => response.text(), TypeError);
});

Deno.test("the sandbox's broken body is cut off", async () => {
  await using origin = startOriginSandbox();
  await using relay = serveRelay(origin);
  const response = await relay.get("/broken");
  assertEquals(response.status, 200);
  await assertRejects(() => response.text(), TypeError);
});

Deno.test("the first bytes are sent before the last ones arrive", async () => {
  const goOn = Promise.withResolvers<void>();
  await using origin = startRawOrigin(async (connection) => {
    await send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
    await goOn.promise;
    await send(connection, " last");
  });
  await using relay = serveRelay(origin);
  const response = await relay.get("/a");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  assertEquals((await reader.read()).value, "first");
  goOn.resolve();
  assertEquals((await reader.read()).value, " last");
  assert((await reader.read()).done);
});

Deno.test("a large body arrives unchanged", async () => {
  const body = crypto.getRandomValues(new Uint8Array(MIB / 16)).toHex().repeat(32);
  await using origin = startRawOrigin(async (connection) => {
    await send(connection, `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  });
  await using relay = serveRelay(origin);
  const bodies = await Promise.all([1, 2, 3].map(async () => (await relay.get("/a")).text()));
  assert(bodies.every((text) => text === body));
});
