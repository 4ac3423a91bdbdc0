import { assert, assertEquals, assertFalse } from "@std/assert";
import { passesChallenge } from "./challenge.ts";

/** Serves a fake provider until the end of the test. */
function serve(handler: Deno.ServeHandler) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, handler);
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const passed = () =>
  Response.json({
    success: true,
    challenge_ts: "2026-01-15T09:29:00Z",
    hostname: "site.example",
  });

const ask = (port: number, timeoutMs?: number, clientAddress = "2001:db8::1") =>
  passesChallenge(
    {
      config: { secret: "s&=ü", verifyUrl: `http://127.0.0.1:${port}/siteverify` },
      fetch,
      clock: () => NOW,
      isFormHost: (hostname) => hostname === "site.example",
      timeoutMs,
    },
    "a+b/c==",
    clientAddress,
  );

Deno.test("the provider receives a form post", async () => {
  const requests: [string, string | null, Record<string, string>][] = [];
  await using server = serve(async (req) => {
    const fields = Object.fromEntries(new URLSearchParams(await req.text()));
    requests.push([req.method, req.headers.get("content-type"), fields]);
    return passed();
  });
  assert(await ask(server.port));
  assert(
    await ask(server.port, undefined, "local"),
    "on a Unix socket, there is no client address",
  );
  const type = "application/x-www-form-urlencoded;charset=UTF-8";
  const sent = { secret: "s&=ü", response: "a+b/c==" };
  assertEquals(requests, [
    ["POST", type, { ...sent, remoteip: "2001:db8::1" }],
    ["POST", type, sent],
  ]);
});

Deno.test("a redirect by the provider fails the challenge and does not receive the secret", async () => {
  let followed = false;
  await using server = serve((req) => {
    if (new URL(req.url).pathname === "/siteverify") {
      return new Response(null, { status: 307, headers: { location: "/elsewhere" } });
    }
    followed = true;
    return passed();
  });
  assertFalse(await ask(server.port));
  assertFalse(followed);
});

Deno.test("a provider that does not respond in time fails the challenge", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  await using server = serve(() => promise);
  assertFalse(await ask(server.port, 20));
  resolve(passed());
});
