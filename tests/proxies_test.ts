/**
 * The proxies' configuration files in docs/ops, with nginx and Caddy if they are installed. Only paths,
 * ports, hosts and certificates are replaced, and the timeouts are shortened.
 */
import { once } from "node:events";
import { connect } from "node:http2";
import { assert, assertEquals, assertLess } from "@std/assert";
import { SECOND_MS } from "../lib/base/time.ts";
import { proxyFiles } from "../lib/app/commands/setup/files.ts";
import { UPLOAD_LIMIT } from "../lib/features/documents/mod.ts";
import { JSON_LIMIT } from "../lib/features/issuing/mod.ts";
import { TEST_CA } from "../lib/platform/mail/testing/smtp_server.ts";
import { BUSY_MS, HANG_MS } from "../lib/testing/times.ts";
import {
  caddyVersion,
  CERTIFICATE,
  isInstalled,
  KEY,
  OPS,
  PROXIES,
  type Proxy,
  startProxy,
  writeNginx,
} from "./proxies.ts";
import { freePort, serve } from "./site.ts";

/** The longest time in seconds for which the files let a client be silent in the middle of a request. */
const LONGEST_S = 60;

Deno.test("the proxies' files close half-sent requests after 60 seconds at most", async () => {
  const nginx = await Deno.readTextFile(`${OPS}/nginx.conf`);
  // One server for the surfaces, and one for the relays.
  for (const name of ["client_header_timeout", "client_body_timeout"]) {
    const times = [...nginx.matchAll(new RegExp(`^ *${name} (\\d+)s;$`, "gm"))];
    assertEquals(times.length, 2, name);
    for (const [, seconds] of times) assert(Number(seconds) <= LONGEST_S, name);
  }
  const caddy = await Deno.readTextFile(`${OPS}/Caddyfile`);
  for (const name of ["read_header", "read_body", "idle"]) {
    const seconds = new RegExp(`^\\s*${name} (\\d+)s$`, "m").exec(caddy)?.[1];
    assert(seconds !== undefined && Number(seconds) <= LONGEST_S, name);
  }
});

Deno.test("nginx's file names the hosts of the surfaces once", async () => {
  const nginx = await Deno.readTextFile(`${OPS}/nginx.conf`);
  assertEquals(nginx.match(/\btrust\.example\b/g)?.length, 1);
  assertEquals(nginx.match(/^ *server_name /gm)?.length, 2); // and one for the relays
});

Deno.test({
  name: "nginx with the files of setup redirects each of its hosts to https",
  ignore: !await isInstalled("nginx"),
  async fn() {
    const [{ text }, { text: common }] = await proxyFiles("nginx", ["a.test", "b.a.test"]);
    const tls = freePort();
    const proxy: Proxy = {
      command: "nginx",
      async configure(folder, port) {
        await Deno.writeTextFile(`${folder}/gatehouse_proxy.conf`, common);
        const conf = text.replaceAll(/^ *listen \[::\].*\n/gm, "")
          .replace("listen 80;", `listen 127.0.0.1:${port};`)
          .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
          .replace("/etc/ssl/gatehouse/fullchain.pem", CERTIFICATE)
          .replace("/etc/ssl/gatehouse/privkey.pem", KEY)
          .replaceAll("/etc/nginx/", `${folder}/`)
          .replaceAll("/var/log/nginx/", `${folder}/`);
        return await writeNginx(folder, conf);
      },
    };
    await using front = await startProxy(proxy, []);
    for (const host of ["a.test", "b.a.test"]) {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: front.port });
      const request = `GET /terms?x=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      await connection.write(new TextEncoder().encode(request));
      const response = await new Response(connection.readable).text();
      assertEquals(statusOf(response), 308);
      assertEquals(/^location: (.*)$/im.exec(response)?.[1].trim(), `https://${host}/terms?x=1`);
    }
  },
});

Deno.test({
  name: "Caddy accepts the file of setup",
  ignore: !await isInstalled("caddy"),
  async fn() {
    const [{ text }] = await proxyFiles("caddy", ["a.test", "b.a.test"]);
    const file = await Deno.makeTempFile();
    await Deno.writeTextFile(file, text);
    const { success, stdout, stderr } = await new Deno.Command("caddy", {
      args: ["adapt", "--adapter", "caddyfile", "--config", file],
    }).output();
    assert(success, new TextDecoder().decode(stderr));
    assert(new TextDecoder().decode(stdout).includes('"host":["a.test","b.a.test"]'));
    await Deno.remove(file);
  },
});

/**
 * Sends text over TLS, and returns the response when the connection ends. Closes it after `limitMs`: a
 * proxy does not stop before its connections have ended, and so the test would not end either.
 */
async function sendText(
  port: number,
  text: string,
  body = new Uint8Array(),
  limitMs = HANG_MS,
): Promise<string> {
  using connection = await Deno.connectTls({
    hostname: "localhost",
    port,
    caCerts: [TEST_CA],
    alpnProtocols: ["http/1.1"],
  });
  const limit = setTimeout(() => connection.close(), limitMs);
  let response = "";
  const reading = (async () => {
    const buffer = new Uint8Array(4096);
    for (let length; (length = await connection.read(buffer)) !== null;) {
      response += new TextDecoder().decode(buffer.subarray(0, length));
    }
  })().catch(() => {}); // a reset ends it too
  try {
    for (const part of [new TextEncoder().encode(text), body]) {
      for (let at = 0; at < part.length;) at += await connection.write(part.subarray(at));
    }
  } catch {
    // The proxy has responded before the end of the body.
  }
  await reading;
  clearTimeout(limit);
  return response;
}

/** Sends one byte of a body over HTTP/2. Returns whether the request ends within {@link BUSY_MS}. */
async function endsHalfOverHttp2(port: number): Promise<boolean> {
  const session = connect(`https://localhost:${port}`, { ca: TEST_CA });
  session.on("error", () => {});
  await once(session, "connect");
  const request = session.request({ ":method": "POST", ":path": "/" });
  const ended = Promise.withResolvers<boolean>();
  // Caddy responds, and nginx resets the stream.
  request.on("response", () => ended.resolve(true)).on("error", () => ended.resolve(true));
  request.write("x");
  const limit = setTimeout(() => ended.resolve(false), BUSY_MS);
  try {
    return await ended.promise;
  } finally {
    clearTimeout(limit);
    session.destroy();
  }
}

/**
 * Starts a proxy in front of a site that returns the length of a body.
 *
 * @param seconds replaces the times that clients have for a head or body
 */
async function startFront(proxy: Proxy, seconds?: number) {
  const site = serve(async (request) => {
    const length = await request.bytes().then(({ length }) => length, () => "cut off");
    return new Response(String(length));
  });
  const { port, [Symbol.asyncDispose]: stop } = await startProxy(proxy, [site.port], seconds);
  return {
    send: (text: string, body?: Uint8Array<ArrayBuffer>, limitMs?: number) =>
      sendText(port, text, body, limitMs),
    endsHalfOverHttp2: () => endsHalfOverHttp2(port),
    async [Symbol.asyncDispose]() {
      await stop();
      await site[Symbol.asyncDispose]();
    },
  };
}

const HALF_SENT: Record<string, string> = {
  "nothing": "",
  "half of a head": "GET / HTTP/1.1\r\nHost: local",
  "half of a body": "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx",
  "half of a chunked body":
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx",
};

const MB = 1_000_000;

/** A document of 10 MiB as base64, with the other fields of a request. */
const LARGEST = JSON.stringify({ file: "A".repeat(Math.ceil(UPLOAD_LIMIT / 3) * 4) }).length +
  64 * 1024;

/** The sizes of bodies, with the status that the files give them. nginx counts in MiB. */
const BODIES: [size: number, status: number][] = [[LARGEST, 200], [17 * MB, 413]];

Deno.test("the proxies' files and docs/deploy.md accept the longest body of the API", async () => {
  const nginx = await Deno.readTextFile(`${OPS}/nginx.conf`);
  const caddy = await Deno.readTextFile(`${OPS}/Caddyfile`);
  const deploy = await Deno.readTextFile(`${OPS}/../deploy.md`);
  const sizes = [
    Number(/^ *client_max_body_size (\d+)m;$/m.exec(nginx)![1]) * 1024 * 1024,
    Number(/^\s*max_size (\d+)MB$/m.exec(caddy)![1]) * MB,
    Number(/accept bodies of (\d+) MB/.exec(deploy)![1]) * MB,
  ];
  assert(LARGEST > 14 * MB && LARGEST <= JSON_LIMIT);
  for (const size of sizes) assert(size >= JSON_LIMIT && size <= 17 * MB, `${size}`);
});

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1]);

for (const [name, proxy] of Object.entries(PROXIES)) {
  const installed = await isInstalled(proxy.command);
  if (!installed) console.log(`${proxy.command} is not installed, so its file is only read.`);

  // A fault of Caddy before 2.8: it lets a client take any time for a body over HTTP/2 (docs/deploy.md).
  const keepsStreams = installed && name === "Caddy" && /^2\.[0-7]\./.test(await caddyVersion());
  if (keepsStreams) {
    console.log("This Caddy is older than 2.8, so half-sent requests are not tested.");
  }

  Deno.test({
    name: `${name} closes connections with half-sent requests`,
    ignore: !installed || keepsStreams,
    async fn() {
      await using running = await startFront(proxy, 1);
      await Promise.all(
        Object.entries(HALF_SENT).map(async ([sent, text]) => {
          const begun = performance.now();
          const response = await running.send(text, undefined, BUSY_MS);
          assertLess(performance.now() - begun, BUSY_MS, `${sent} keeps the connection open`);
          assert(!response.startsWith("HTTP/1.1 200"), response);
          // No offer of HTTP/3, where Caddy before 2.11.5 keeps such connections.
          assert(!response.includes("h3="), response);
        }),
      );
      assert(await running.endsHalfOverHttp2(), "half of a body over HTTP/2 keeps its stream open");
    },
  });

  Deno.test({
    name: `${name} passes on 10 MiB as base64, and returns 413 for larger ones`,
    ignore: !installed,
    async fn() {
      await using running = await startFront(proxy);
      const head = "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      for (const [size, status] of BODIES) {
        const body = new Uint8Array(size);
        const sized = await running.send(`${head}Content-Length: ${size}\r\n\r\n`, body);
        assertEquals(statusOf(sized), status, `${size} bytes`);
        const chunk = `${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`;
        const end = new TextEncoder().encode("\r\n0\r\n\r\n");
        const chunked = new Uint8Array(size + end.length);
        chunked.set(end, size);
        assertEquals(
          statusOf(await running.send(chunk, chunked)),
          status,
          `${size} bytes, chunked`,
        );
      }
    },
  });

  Deno.test({
    name: `${name} keeps a busy process in use, whose /readyz responds after 3 seconds`,
    ignore: !installed,
    async fn() {
      const checked = Promise.withResolvers<void>();
      await using site = serve(async (request) => {
        if (new URL(request.url).pathname !== "/readyz") return new Response("ok");
        await new Promise((resolve) => setTimeout(resolve, 3 * SECOND_MS));
        checked.resolve();
        return new Response("ready");
      });
      await using front = await startProxy(proxy, [site.port]);
      const send = async (path: string) => {
        const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        return statusOf(await sendText(front.port, request));
      };
      const check = send("/readyz"); // nginx has no checks of its own
      await checked.promise;
      assertEquals([await send("/"), await check], [200, 200]);
    },
  });

  Deno.test({
    name:
      `${name} passes on every request while two processes are restarted one right after the other`,
    ignore: !installed,
    async fn() {
      const ports = [freePort(), freePort()];
      const start = (port: number) =>
        Deno.serve({ port, hostname: "127.0.0.1", onListen: () => {} }, () => new Response("ok"));
      const processes = ports.map(start);
      await using front = await startProxy(proxy, ports);
      const send = async (method: string) => {
        const request = `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        return statusOf(await sendText(front.port, request));
      };
      for (const i of [0, 1]) {
        await processes[i].shutdown();
        for (const method of ["GET", "POST", "GET", "POST"]) assertEquals(await send(method), 200);
        processes[i] = start(ports[i]);
      }
      await Promise.all(processes.map((process) => process.shutdown()));
    },
  });
}
