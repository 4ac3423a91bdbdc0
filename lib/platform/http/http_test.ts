import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { App, HttpError } from "fresh";
import { addressKey, clientAddress } from "./client_address.ts";
import { z } from "zod";
import { checkInput, readInput, readText } from "./body.ts";
import { endpoint } from "./endpoint.ts";
import { asRequestError, problemOf, problemResponse, RequestError, unwrap } from "./errors.ts";
import { fail, FailureError } from "../../base/result.ts";

const PEER = {
  remoteAddr: { transport: "tcp", hostname: "10.0.0.9", port: 1 },
  completed: Promise.resolve(),
} as Deno.ServeHandlerInfo;

const ADDRESSES: [title: string, forwarded: string | null, proxies: number, client: string][] = [
  ["without trusted proxies it is the peer's address", "1.1.1.1", 0, "10.0.0.9"],
  ["behind one proxy it is that proxy's entry", "1.1.1.1", 1, "1.1.1.1"],
  ["an entry made up by the client is ignored", "6.6.6.6, 1.1.1.1", 1, "1.1.1.1"],
  ["behind two proxies it is the second to last entry", "6.6.6.6, 1.1.1.1, 10.0.0.1", 2, "1.1.1.1"],
  ["with too few entries it is the first entry", "1.1.1.1", 3, "1.1.1.1"],
  ["without the header it is the peer's address", null, 1, "10.0.0.9"],
  ["with an empty header it is the peer's address", "", 1, "10.0.0.9"],
  ["a port is removed", "203.0.113.7:5678", 1, "203.0.113.7"],
  ["an IPv6 port is removed", "[2001:db8::7]:5678", 1, "2001:db8::7"],
];

for (const [title, forwarded, proxies, client] of ADDRESSES) {
  Deno.test(`client address: ${title}`, () => {
    const headers: HeadersInit = forwarded === null ? {} : { "x-forwarded-for": forwarded };
    assertEquals(clientAddress(new Request("http://x/", { headers }), PEER, proxies), client);
  });
}

Deno.test("addressKey() keeps an IPv4 address and the first 64 bits of an IPv6 address", () => {
  const cases = [
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:DB8:0:0:1:2:3:4", "2001:db8:0:0"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::", "2001:db8:1:2"],
    ["fe80::1%eth0", "fe80:0:0:0"],
    ["::1", "0:0:0:0"],
    ["unix:socket", "unix:socket"],
    ["", ""],
  ];
  for (const [address, key] of cases) assertEquals(addressKey(address), key, address);
});

Deno.test("endpoint() returns 405 with Allow for other methods", async () => {
  const app = new App()
    .use(async (ctx) => {
      try {
        return await ctx.next();
      } catch (error) {
        return problemResponse(problemOf(error));
      }
    })
    .all("/x", endpoint({ GET: () => new Response("got"), POST: () => new Response("posted") }));
  const send = (method: string) => app.handler()(new Request("http://x/x", { method }));
  assertEquals(await (await send("GET")).text(), "got");
  assertEquals(await (await send("POST")).text(), "posted");
  assertEquals((await send("HEAD")).status, 200);
  const options = await send("OPTIONS");
  assertEquals([options.status, options.headers.get("allow")], [204, "GET, POST, HEAD"]);
  const refused = await send("DELETE");
  assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, POST, HEAD"]);
  assertEquals((await refused.json()).error, "method_not_allowed");
});

Deno.test("a RequestError keeps its code, message, fields and headers", async () => {
  const response = problemResponse(problemOf(
    new RequestError(429, "Slowly", { headers: { "retry-after": "7" } }),
  ));
  assertEquals([response.status, response.headers.get("retry-after")], [429, "7"]);
  assertEquals(await response.json(), { error: "rate_limited", message: "Slowly" });
  const limited = problemOf(new RequestError(429, "", { headers: { "retry-after": "60" } }));
  assertEquals(limited.message, "There were too many requests. Wait 60 seconds and try again.");
  const unnamed = problemOf(new RequestError(400, "", { issues: { email: "missing" } }));
  assertEquals(unnamed.message, "Some fields are missing or invalid.");
  const fields = problemOf(new RequestError(400, "No", { issues: { email: "missing" } }));
  assertEquals([fields.code, fields.issues], ["invalid_request", { email: "missing" }]);
});

Deno.test("any other error becomes an internal error without its message", () => {
  for (const fault of [new Error("secret"), "secret", null, new HttpError(500, "secret")]) {
    assertEquals(problemOf(fault), {
      status: 500,
      code: "internal",
      message: "Something went wrong on our side.",
    });
  }
});

Deno.test("an error response is no-store unless it sets Cache-Control", () => {
  const cacheOf = (headers?: Record<string, string>) =>
    problemResponse(problemOf(new RequestError(404, "Nothing.", { headers })))
      .headers.get("cache-control");
  assertEquals(cacheOf(), "no-store");
  assertEquals(cacheOf({ "cache-control": "max-age=1" }), "max-age=1");
});

Deno.test("checkInput() reports issues for fields of any name", () => {
  const schema = z.object({ constructor: z.string("Give one."), toString: z.string("Give one.") });
  try {
    checkInput(schema, { constructor: 1, toString: 2 });
    throw new Error("The input was accepted.");
  } catch (error) {
    const issues = { ...(error as RequestError).issues };
    assertEquals(issues, { constructor: "Give one.", toString: "Give one." });
  }
});

const CODES: [error: string, status: number][] = [
  ["not_found", 404],
  ["rate_limited", 429],
  ["idempotency_mismatch", 409],
  ["challenge_failed", 400],
];

for (const [error, status] of CODES) {
  Deno.test(`unwrap() throws ${error} with status ${status}`, () => {
    const failure = { ok: false, error, message: "No.", retryAfterSeconds: 7 } as const;
    const thrown = assertThrows(() => unwrap(failure), RequestError);
    assertEquals([thrown.status, thrown.code, thrown.message], [status, error, "No."]);
    assertEquals(thrown.headers, { "retry-after": "7" });
  });
}

Deno.test("a thrown FailureError becomes the response of its failure", () => {
  const failure = fail("rate_limited", { message: "Slowly.", retryAfterSeconds: 7 });
  const expected = problemOf(assertThrows(() => unwrap(failure)));
  assertEquals(problemOf(new FailureError(failure)), expected);
  assertEquals([expected.status, expected.headers], [429, { "retry-after": "7" }]);
  assertEquals(asRequestError(new FailureError(failure))?.code, "rate_limited");
  assertEquals(asRequestError(new Error("secret")), null);
});

Deno.test("unwrap() returns a success unchanged", () => {
  const success = { ok: true, value: 1 } as const;
  assertEquals(unwrap(success), success);
});

Deno.test("readInput() throws 400 for a form of more than 100 fields before parsing it", async () => {
  const post = (body: string) =>
    readInput(
      new Request("http://x/", {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body,
      }),
    );
  assertEquals(Object.keys(await post("a=1&b=2") as object), ["a", "b"]);
  assertEquals(await post("a&".repeat(99) + "a=1"), { a: "1" });
  const error = await assertRejects(() => post("a&".repeat(100) + "a"), RequestError);
  assertEquals(error.status, 400);
});

Deno.test("checkInput() reports at most 20 issues", () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, z.string()]));
  const error = assertThrows(() => checkInput(z.object(fields), {}), RequestError);
  assertEquals(Object.keys(error.issues!).length, 20);
});

/** Returns a request whose body is ended by `finish` after its first byte. */
function requestWith(
  finish: (controller: ReadableStreamDefaultController) => void,
  headers: HeadersInit,
): Request {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array([123]));
      finish(controller);
    },
  });
  return new Request("http://x/", { method: "POST", body, headers });
}

for (const headers of [{}, { "content-length": "10" }] as Record<string, string>[]) {
  const how = headers["content-length"] ? "with a length" : "without a length";
  Deno.test(`readText rejects with 400 if the client disconnects during a body ${how}`, async () => {
    const request = requestWith((controller) => controller.error(new Error("gone")), headers);
    const error = await assertRejects(() => readText(request, 100), RequestError);
    assertEquals(error.status, 400);
  });

  Deno.test(`readText rejects with 408 if a body ${how} takes too long`, async () => {
    const error = await assertRejects(() => readText(requestWith(() => {}, headers), 100, 1));
    const { status, code } = problemOf(error);
    assertEquals([status, code], [408, "request_timeout"]);
  });
}
