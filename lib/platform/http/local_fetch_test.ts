import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createLocalFetch } from "./local_fetch.ts";

const localFetch = createLocalFetch();

async function withServer(
  handler: Deno.ServeHandler,
  run: (base: string, port: number) => Promise<void>,
) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  try {
    await run(`http://any.name.localhost:${server.addr.port}`, server.addr.port);
  } finally {
    await server.shutdown();
  }
}

Deno.test("a request to a name below .localhost goes to this machine with its Host", async () => {
  const echo = async (request: Request) =>
    Response.json({
      host: request.headers.get("host"),
      path: new URL(request.url).pathname + new URL(request.url).search,
      method: request.method,
      type: request.headers.get("content-type"),
      body: await request.text(),
    });
  await withServer(echo, async (base, port) => {
    const response = await localFetch(`${base}/a%20b?c=d`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "héllo",
    });
    assertEquals(await response.json(), {
      host: `any.name.localhost:${port}`,
      path: "/a%20b?c=d",
      method: "POST",
      type: "application/json",
      body: "héllo",
    });
    const request = new Request(`${base}/`, { method: "PUT", body: "x" });
    assertEquals((await (await localFetch(request)).json()).method, "PUT");
  });
});

Deno.test("statuses, headers and empty responses are unchanged, and redirects are not followed", async () => {
  const handler = (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/moved") {
      return new Response(null, { status: 302, headers: { location: "/" } });
    }
    if (pathname === "/none") return new Response(null, { status: 304, headers: { etag: '"a"' } });
    return new Response("hello", {
      status: 404,
      headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"]],
    });
  };
  await withServer(handler, async (base) => {
    const moved = await localFetch(`${base}/moved`);
    assertEquals([moved.status, moved.headers.get("location")], [302, "/"]);
    await moved.body?.cancel();
    const none = await localFetch(`${base}/none`);
    assertEquals([none.status, none.headers.get("etag"), none.body], [304, '"a"', null]);
    const missing = await localFetch(`${base}/else`);
    assertEquals([missing.status, await missing.text()], [404, "hello"]);
    assertEquals(missing.headers.getSetCookie(), ["a=1", "b=2"]);
    const head = await localFetch(`${base}/else`, { method: "HEAD" });
    assertEquals([head.status, await head.text()], [404, ""]);
  });
});

Deno.test("bodies are streamed in both directions", async () => {
  await withServer((request) => new Response(request.body), async (base) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const pending = localFetch(base, { method: "POST", body: readable });
    const [response] = await Promise.all([
      pending,
      writer.write(new TextEncoder().encode("one")),
    ]);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    // The first part arrives before the second is sent.
    assertEquals((await reader.read()).value, "one");
    const [second] = await Promise.all([
      reader.read(),
      writer.write(new TextEncoder().encode("two")),
    ]);
    assertEquals(second.value, "two");
    await writer.close();
    assertEquals((await reader.read()).done, true);
  });
});

Deno.test("localFetch() rejects if nothing listens, and with the reason of an abort", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const { port } = listener.addr;
  listener.close();
  const error = await assertRejects(() => localFetch(`http://a.localhost:${port}/`), TypeError);
  assertStringIncludes(error.message, `http://a.localhost:${port}/`);

  await withServer(
    () => new Promise((resolve) => setTimeout(() => resolve(new Response()), 50)),
    async (base) => {
      await assertRejects(() => localFetch(base, { signal: AbortSignal.timeout(5) }), DOMException);
    },
  );
});

Deno.test("requests to other names are passed to the given fetch unchanged", async () => {
  const received: unknown[] = [];
  const other = createLocalFetch((input, init) => {
    received.push(input, init);
    return Promise.resolve(new Response("other"));
  });
  const init = { method: "POST" };
  assertEquals(await (await other("https://mcp.example/mcp", init)).text(), "other");
  assertEquals(received, ["https://mcp.example/mcp", init]);
});
