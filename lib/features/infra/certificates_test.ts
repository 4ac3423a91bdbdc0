import { assertEquals } from "@std/assert";
import { CERTIFICATE, CERTIFICATE_KEY } from "../../testing/certificate.ts";
import { readCertificates } from "./certificates.ts";

const signal = new AbortController().signal;

Deno.test("the expiry of a host's certificate is read over TLS, although nothing here trusts it", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, cert: CERTIFICATE, key: CERTIFICATE_KEY, onListen: () => {} },
    () => new Response(),
  );
  const { port } = server.addr;
  const origins = [`https://trust.example:${port}`, `https://ops.example:${port}`];
  assertEquals(await readCertificates(origins, signal, "127.0.0.1"), [
    { host: `trust.example:${port}`, until: "2126-10-29T09:23:09.000Z" },
    { host: `ops.example:${port}`, until: "2126-10-29T09:23:09.000Z" },
  ]);
});

Deno.test("a host that refuses connections, does not speak TLS or does not answer in time has no certificate", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  await using plain = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(),
  );
  const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  closed.close();
  const read = (port: number, within: AbortSignal = signal) =>
    readCertificates([`https://a.example:${port}`], within, "127.0.0.1");
  for (const { port } of [closed.addr as Deno.NetAddr, plain.addr]) {
    assertEquals(await read(port), [{ host: `a.example:${port}`, until: null }]);
  }
  const stop = new AbortController();
  const { port } = silent.addr as Deno.NetAddr;
  const [connection, found] = await Promise.all([
    silent.accept().then((accepted) => {
      stop.abort();
      return accepted;
    }),
    read(port, stop.signal),
  ]);
  connection.close();
  assertEquals(found, [{ host: `a.example:${port}`, until: null }]);
  assertEquals(await read(port, AbortSignal.abort()), [{ host: `a.example:${port}`, until: null }]);
});
