import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHttpTransport, type HttpMailOptions, mailApiUrl } from "./http.ts";
import { MailError } from "./mail.ts";
import { type Responder, startMailApi } from "./testing/mail_api.ts";

const KEY = "key_2f9c1d";
const MAIL = {
  from: "Qualpack <no-reply@qualpack.example>",
  to: "ada@example.org",
  subject: "Sign in to Qualpack",
  text: "https://qualpack.example/auth/verify?token=abc",
  html: '<a href="https://qualpack.example/auth/verify?token=abc">Sign in</a>',
};

const status = (status: number, headers?: HeadersInit): Responder => () =>
  new Response("ada@example.org is not welcome", { status, headers });

/** Sends one mail. Returns the outcome, the requests and the pauses. */
async function send(responders: Responder[], options: Partial<HttpMailOptions> = {}) {
  await using api = startMailApi(...responders);
  const pauses: number[] = [];
  const transport = createHttpTransport({
    url: api.url,
    key: KEY,
    fetch,
    pause: (ms) => Promise.resolve(void pauses.push(ms)),
    ...options,
  });
  const outcome = await transport.send(MAIL).then(() => "sent", (error) => {
    assert(error instanceof MailError, String(error));
    assert(!String(error.stack).includes(KEY) && !String(error).includes(MAIL.to));
    return error.code;
  });
  return { outcome, pauses, received: api.received };
}

Deno.test("a mail is posted once as JSON, with the key as the bearer token", async () => {
  const { outcome, pauses, received } = await send([status(202)]);
  assertEquals(outcome, "sent");
  assertEquals(pauses, []);
  assertEquals(received.map(({ method, path, body }) => ({ method, path, body })), [
    { method: "POST", path: "/send", body: MAIL },
  ]);
  assertEquals(received[0].headers.get("authorization"), `Bearer ${KEY}`);
  assertEquals(received[0].headers.get("content-type"), "application/json");
});

Deno.test("replyTo is sent as reply_to", async () => {
  await using api = startMailApi(status(200));
  const transport = createHttpTransport({ url: api.url, key: KEY, fetch });
  await transport.send({ ...MAIL, replyTo: "help@qualpack.example" });
  assertEquals(api.received[0].body, { ...MAIL, reply_to: "help@qualpack.example" });
});

Deno.test("after 429 or 5xx the mail is sent again with the same idempotency key", async () => {
  for (const first of [429, 500, 502, 503]) {
    const { outcome, pauses, received } = await send([status(first), status(200)]);
    assertEquals(outcome, "sent");
    assertEquals(pauses, [500]);
    assertEquals(received.map(({ body }) => body), [MAIL, MAIL]);
    const [id, again] = received.map(({ headers }) => headers.get("idempotency-key"));
    assert(id !== null && id.length >= 32);
    assertEquals(again, id);
  }
});

Deno.test("two mails have different idempotency keys", async () => {
  await using api = startMailApi(status(200));
  const transport = createHttpTransport({ url: api.url, key: KEY, fetch });
  await transport.send(MAIL);
  await transport.send(MAIL);
  assertEquals(new Set(api.received.map(({ headers }) => headers.get("idempotency-key"))).size, 2);
});

Deno.test("Retry-After is respected between 0.5 and 10 seconds", async () => {
  const pauseAfter = async (value: string) =>
    (await send([status(429, { "retry-after": value }), status(200)])).pauses;
  assertEquals(await pauseAfter("3"), [3000]);
  assertEquals(await pauseAfter("0"), [500]);
  assertEquals(await pauseAfter("86400"), [10_000]);
  assertEquals(await pauseAfter("Wed, 21 Oct 2026 07:28:00 GMT"), [500]);
  assertEquals(await pauseAfter("-5"), [500]);
});

Deno.test("a second failure is final", async () => {
  for (const [first, code] of [[429, "rate_limited"], [500, "server_error"]] as const) {
    const { outcome, received } = await send([status(first)]);
    assertEquals(outcome, code);
    assertEquals(received.length, 2);
  }
});

Deno.test("400, 401, 403, 404 and 422 are not retried", async () => {
  const cases = {
    400: "message_refused",
    401: "auth_failed",
    403: "auth_failed",
    404: "protocol_error",
    422: "message_refused",
  };
  for (const [first, code] of Object.entries(cases)) {
    const { outcome, pauses, received } = await send([status(Number(first))]);
    assertEquals({ outcome, pauses, tries: received.length }, {
      outcome: code,
      pauses: [],
      tries: 1,
    });
  }
});

Deno.test("a redirect is a failure, and the key is not sent elsewhere", async () => {
  await using elsewhere = startMailApi(status(200));
  for (const redirect of [301, 302, 303, 307, 308]) {
    const { outcome, received } = await send([status(redirect, { location: elsewhere.url })]);
    assertEquals(outcome, "redirected");
    assertEquals(received.length, 1);
  }
  assertEquals(elsewhere.received, []);
});

Deno.test("a request without a response times out and is retried once", async () => {
  // The attempts are counted here, because on a busy machine one may end before it reaches the server.
  const afterFailures = async (failures: number) => {
    let tries = 0;
    const { outcome } = await send([() => undefined], {
      timeoutMs: 50,
      fetch: (url, init) =>
        ++tries <= failures ? fetch(url, init) : Promise.resolve(new Response()),
    });
    return { outcome, tries };
  };
  assertEquals(await afterFailures(1), { outcome: "sent", tries: 2 });
  assertEquals(await afterFailures(3), { outcome: "timeout", tries: 2 });
});

Deno.test("a server that is down results in connection_failed after two attempts", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}/send`;
  listener.close();
  let tries = 0;
  const transport = createHttpTransport({
    url,
    key: KEY,
    fetch: (input, init) => (tries++, fetch(input, init)),
    pause: () => Promise.resolve(),
  });
  const error: MailError = await assertRejects(() => transport.send(MAIL), MailError);
  assertEquals(error.code, "connection_failed");
  assertEquals(tries, 2);
});

Deno.test("mailApiUrl accepts https, and http on this machine", () => {
  const accepted = (url: string) => mailApiUrl.safeParse(url).success;
  assert(accepted("https://api.mail.example/send"));
  assert(accepted("http://127.0.0.1:8025/send") && accepted("http://localhost:8025/send"));
  assert(!accepted("http://api.mail.example/send"));
  assert(!accepted("ftp://api.mail.example/send") && !accepted("api.mail.example"));
});
