import { assert, assertEquals } from "@std/assert";
import type { CodeMessage, SendResult } from "../provider.ts";
import { createHttpProvider, type HttpProviderOptions } from "./http.ts";
import { type Responder, startCodeApi } from "./testing/code_api.ts";

const KEY = "key_2f9c1d";
const MESSAGE: CodeMessage = {
  to: "+61491570006",
  channel: "sms",
  text: "123456 is your code.",
  twiml: "<Response/>",
  idempotencyKey: "5f1c",
};
const ACCEPTED: Responder = () => Response.json({ id: "m1", status: "queued" }, { status: 202 });

/** A rejection whose body repeats the message, as the bodies of many providers do. */
const rejects = (status: number, error?: string): Responder => ({ body }) =>
  Response.json({ error, details: body }, { status });

/** Sends a message to the first responder that is not yet used, and returns everything observable. */
async function send(responders: Responder[], options: Partial<HttpProviderOptions> = {}) {
  await using api = startCodeApi(...responders);
  const logged: string[] = [];
  const provider = createHttpProvider({
    url: `${api.url}/send`,
    key: KEY,
    fetch,
    log: (entry) => logged.push(JSON.stringify(entry)),
    ...options,
  });
  const result = await provider.send(MESSAGE);
  const log = logged.join("\n");
  for (const secret of [MESSAGE.to, "123456", KEY, "details"]) assert(!log.includes(secret), log);
  return { result, received: api.received, log };
}

const failed = (error: string): unknown => ({ ok: false, error });

Deno.test("a message is posted once as JSON, with the key as the bearer token", async () => {
  const { result, received, log } = await send([ACCEPTED]);
  assertEquals<SendResult>(result, { ok: true, id: "m1", status: "queued" });
  assertEquals(received.length, 1);
  const [{ method, path, headers, body }] = received;
  assertEquals([method, path], ["POST", "/send"]);
  assertEquals(headers.get("authorization"), `Bearer ${KEY}`);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(JSON.parse(body), {
    to: "+61491570006",
    channel: "sms",
    text: "123456 is your code.",
    idempotency_key: "5f1c",
  });
  assertEquals(log, "");
});

Deno.test("a 2xx response without a readable body means that the message was accepted", async () => {
  const accepted = { ok: true, id: MESSAGE.idempotencyKey, status: "accepted" } as const;
  const bodies = ["", "OK", `{"id": 7}`, `{"id": ""}`, `{"id":"${"x".repeat(70_000)}"}`];
  for (const body of bodies) {
    const { result } = await send([() => new Response(body)]);
    assertEquals<SendResult>(result, accepted);
  }
});

Deno.test("a rejected message is not sent again, and its error is the provider's", async () => {
  const cases: [status: number, code: string | undefined, error: string][] = [
    [400, "invalid_number", "invalid_number"],
    [422, "unreachable", "unreachable"],
    [400, "blocked", "blocked"],
    [400, "rate_limited", "rate_limited"],
    [429, undefined, "rate_limited"],
    [429, "blocked", "rate_limited"],
    [400, "no_credit", "unavailable"],
    [400, undefined, "unavailable"],
    [401, "invalid_number", "unavailable"],
    [403, "invalid_number", "unavailable"],
    [500, "invalid_number", "unavailable"],
    [503, undefined, "unavailable"],
  ];
  for (const [status, code, error] of cases) {
    const { result, received, log } = await send([rejects(status, code), ACCEPTED]);
    assertEquals([status, code, result], [status, code, failed(error)]);
    assertEquals(received.length, 1);
    assertEquals(JSON.parse(log), {
      level: "warn",
      event: "code_not_sent",
      provider: "http",
      channel: "sms",
      reason: error,
      status,
    });
  }
});

Deno.test("429 with Retry-After is not sent again", async () => {
  const busy = () => new Response(null, { status: 429, headers: { "retry-after": "1" } });
  const { result, received } = await send([busy, ACCEPTED]);
  assertEquals([result, received.length], [failed("rate_limited"), 1]);
});

Deno.test("a redirect is a failure, and the key is not sent elsewhere", async () => {
  await using elsewhere = startCodeApi(ACCEPTED);
  for (const status of [301, 302, 307, 308]) {
    const headers = { location: elsewhere.url };
    const { result } = await send([() => new Response(null, { status, headers })]);
    assertEquals(result, failed("unavailable"));
  }
  assertEquals(elsewhere.received, []);
});

Deno.test("a request without a response is given up after ten seconds and not sent again", async () => {
  const timeout = new AbortController();
  const limits: number[] = [];
  await using api = startCodeApi(() => undefined);
  const provider = createHttpProvider({
    url: api.url,
    key: KEY,
    fetch,
    log: () => {},
    timeoutSignal(ms) {
      limits.push(ms);
      return timeout.signal;
    },
    pause: () => Promise.reject(new Error("no second attempt")),
  });
  const sending = provider.send(MESSAGE);
  await api.first;
  timeout.abort();
  assertEquals(await sending, { ok: false, error: "unavailable" });
  assertEquals([limits, api.received.length], [[10_000], 1]);
});

Deno.test("a connection that breaks after the request is not retried", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let requests = 0;
  const closing = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(10_000));
      connection.close();
      if (++requests === 1) break;
    }
  })();
  let attempts = 0;
  const provider = createHttpProvider({
    url: `http://127.0.0.1:${listener.addr.port}`,
    key: KEY,
    fetch: (input, init) => (attempts++, fetch(input, init)),
    log: () => {},
    pause: () => Promise.resolve(),
  });
  assertEquals(await provider.send(MESSAGE), { ok: false, error: "unavailable" });
  await closing;
  assertEquals([attempts, requests], [1, 1]);
});

Deno.test("a refused connection is retried once after half a second", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const pauses: number[] = [];
  let attempts = 0;
  const provider = (pause: (ms: number) => Promise<void>) =>
    createHttpProvider({
      url: `http://127.0.0.1:${port}`,
      key: KEY,
      fetch: (input, init) => (attempts++, fetch(input, init)),
      log: () => {},
      pause,
    });
  const down = provider((ms) => Promise.resolve(void pauses.push(ms)));
  assertEquals(await down.send(MESSAGE), { ok: false, error: "unavailable" });
  assertEquals([attempts, pauses], [2, [500]]);

  let server: Deno.HttpServer | undefined;
  const returns = provider(() => {
    const options = { hostname: "127.0.0.1", port, onListen: () => {} };
    server = Deno.serve(options, () => Response.json({ id: "m2", status: "queued" }));
    return Promise.resolve();
  });
  assertEquals(await returns.send(MESSAGE), { ok: true, id: "m2", status: "queued" });
  await server?.shutdown();
});
