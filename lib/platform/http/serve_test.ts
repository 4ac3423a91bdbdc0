import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { LoggedError, serve } from "./serve.ts";

const LOCAL = { hostname: "127.0.0.1", port: 0 };

for (
  const [error, events] of [
    [new Error("of a test"), ["internal"]],
    [new LoggedError("of a test"), []],
  ] as const
) {
  Deno.test(`a response body that fails with ${error.name} is cut off and logs ${events.length} lines`, async () => {
    const log: Record<string, unknown>[] = [];
    const server = serve({ ...LOCAL, log: (entry) => log.push(entry) }, () => {
      const start = (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new Uint8Array(1));
        setTimeout(() => controller.error(error));
      };
      return new Response(new ReadableStream({ start }));
    });
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/`);
    await assertRejects(() => response.arrayBuffer());
    await server.shutdown();
    assertEquals(log.map(({ event }) => event), events);
  });
}

Deno.test("serve throws AddrInUse for a port that is in use", async () => {
  const server = serve(LOCAL, () => new Response());
  assertThrows(() => serve({ ...server.addr }, () => new Response()), Deno.errors.AddrInUse);
  await server.shutdown();
});

Deno.test("shutdown finishes an in-flight response", async () => {
  const arrived = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const server = serve(LOCAL, async () => {
    arrived.resolve();
    await finish.promise;
    return new Response("done");
  });
  const response = fetch(`http://127.0.0.1:${server.addr.port}/`);
  await arrived.promise;
  const closed = server.shutdown();
  finish.resolve();
  assertEquals(await (await response).text(), "done");
  await closed;
});

/** Sends a request on a connection, and a second one after `ms`. Posts the number of responses. */
const CLIENT = `
onmessage = async ({ data: { port, ms } }) => {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const request = new TextEncoder().encode("GET / HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n");
  const buffer = new Uint8Array(4096);
  const ask = async () => {
    await connection.write(request);
    const length = await connection.read(buffer).catch(() => null);
    return length === null ? "no response" : new TextDecoder().decode(buffer.subarray(0, length));
  };
  await ask();
  postMessage("connected");
  await new Promise((resolve) => setTimeout(resolve, ms));
  postMessage(await ask());
  connection.close();
};`;

Deno.test("a request that arrives while the process is busy gets a response, although the time for it is over then", async () => {
  const server = serve(LOCAL, () => new Response("served"));
  const client = new Worker(`data:text/javascript,${encodeURIComponent(CLIENT)}`, {
    type: "module",
  });
  const message = () =>
    new Promise<string>((resolve) =>
      client.addEventListener("message", ({ data }) => resolve(data), { once: true })
    );
  const connected = message();
  client.postMessage({ port: server.addr.port, ms: 50 });
  await connected;
  const answer = message();
  const ended = server.endConnections(20);
  const busyUntil = performance.now() + 300;
  while (performance.now() < busyUntil);
  await ended;
  await server.shutdown();
  assertMatch(await answer, /^HTTP\/1\.1 200 OK\r\n[^]*served$/);
  client.terminate();
});
