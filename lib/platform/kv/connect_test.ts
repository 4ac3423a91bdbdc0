import { createServer } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { CERTIFICATE, CERTIFICATE_KEY } from "../../testing/certificate.ts";
import { connectKv, KvConnectError } from "./connect.ts";
import { openKv } from "./open.ts";

const TOKEN = "token-of-a-test";

interface FakeServer extends AsyncDisposable {
  url: string;
  requested: string[];
}

/**
 * Serves on a free port and sets `DENO_KV_ACCESS_TOKEN`.
 *
 * @param respond undefined leaves the request without a response until the server is closed
 */
function serve(respond: (path: string, origin: string) => Response | undefined): FakeServer {
  const requested: string[] = [];
  const closed = Promise.withResolvers<void>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      await request.body?.cancel();
      const { pathname, origin } = new URL(request.url);
      requested.push(pathname);
      const response = respond(pathname, origin);
      if (response === undefined) await closed.promise;
      return response ?? new Response(null, { status: 404 });
    },
  );
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  return {
    url: `http://127.0.0.1:${server.addr.port}/store`,
    requested,
    async [Symbol.asyncDispose]() {
      Deno.env.delete("DENO_KV_ACCESS_TOKEN");
      closed.resolve();
      await server.shutdown();
    },
  };
}

/** The first response of a KV Connect server, which contains the URL of the data. */
const metadata = (origin: string) =>
  Response.json({
    version: 3,
    databaseId: "11111111-1111-4111-8111-111111111111",
    endpoints: [{ url: `${origin}/data`, consistency: "strong" }],
    token: "t",
    expiresAt: "2999-01-01T00:00:00Z",
  });

/** A consistent read of one key that does not exist, as protocol buffers. */
const emptyRead = () =>
  new Response(new Uint8Array([0x0a, 0x00, 0x20, 0x01, 0x40, 0x01]), {
    headers: { "content-type": "application/x-protobuf" },
  });

const failing = (status: number) => new Response(`<p>\n${TOKEN}\n</p>`, { status });

Deno.test("openKv() connects to the KV Connect server of a URL and reads once", async () => {
  await using server = serve((path, origin) => path === "/store" ? metadata(origin) : emptyRead());
  using kv = await openKv(server.url);
  assertEquals(server.requested.at(-1), "/data/snapshot_read");
  assertEquals((await kv.get(["a"])).value, null);
});

const cases: Record<string, [(path: string, origin: string) => Response | undefined, string]> = {
  "returns 404": [() => failing(404), "status 404 Not Found"],
  "returns 500": [() => failing(500), "status 500 Internal Server Error"],
  "returns 403": [() => failing(403), "status 403 Forbidden, check DENO_KV_ACCESS_TOKEN"],
  "returns a page": [() => failing(200), "unexpected response"],
  "never responds": [() => undefined, "no response within 0.2 s"],
  "rejects the token on reads": [
    (path, origin) => path === "/store" ? metadata(origin) : failing(401),
    "status 401 Unauthorized, check DENO_KV_ACCESS_TOKEN",
  ],
  "never responds to reads": [
    (path, origin) => path === "/store" ? metadata(origin) : undefined,
    "no response within 0.2 s",
  ],
};

for (const [name, [respond, reason]] of Object.entries(cases)) {
  Deno.test(`connecting to a server that ${name} throws one line with the reason`, async () => {
    await using server = serve(respond);
    const secret = server.url.replace("//", "//user:password@") + "?key=secret";
    const timeoutMs = reason.endsWith("0.2 s") ? 200 : undefined;
    const error = await assertRejects(() => connectKv(secret, timeoutMs), KvConnectError);
    assertEquals(error.message, `no KV Connect server at ${server.url}: ${reason}`);
  });
}

Deno.test("connecting to a closed port throws one line with the reason", async () => {
  let url: string;
  {
    await using server = serve(() => failing(404));
    url = server.url;
  }
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  const error = await assertRejects(() => openKv(url), KvConnectError);
  assertEquals(error.message, `no KV Connect server at ${url}: connection failed`);
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
});

Deno.test("connecting to a server or proxy without HTTP/2 names the cause", async () => {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", TOKEN);
  const options = { key: CERTIFICATE_KEY, cert: CERTIFICATE, ALPNProtocols: ["http/1.1"] };
  for (const server of [createServer(), createTlsServer(options)]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const url = `http${server instanceof TlsServer ? "s" : ""}://localhost:${port}/`;
    const error = await assertRejects(() => openKv(url), KvConnectError);
    assertStringIncludes(error.message, `${url}: it does not speak HTTP/2`);
    await new Promise((resolve) => server.close(resolve));
  }
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
});

Deno.test("connecting without DENO_KV_ACCESS_TOKEN says that it is not set", async () => {
  await using server = serve(() => failing(404));
  Deno.env.delete("DENO_KV_ACCESS_TOKEN");
  await assertRejects(
    () => connectKv(server.url),
    KvConnectError,
    "DENO_KV_ACCESS_TOKEN is not set",
  );
});
