import { assertEquals, assertRejects, assertThrows } from "@std/assert";
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
