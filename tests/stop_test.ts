import { assertEquals } from "@std/assert";
import { createSite } from "./site.ts";

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
