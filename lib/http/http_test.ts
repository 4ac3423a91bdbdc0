import { assertEquals } from "@std/assert";
import { App, HttpError } from "fresh";
import { clientAddress } from "./client_address.ts";
import { z } from "zod";
import { checkInput } from "./body.ts";
import { endpoint } from "./endpoint.ts";
import { problemOf, problemResponse, RequestError } from "./errors.ts";

const PEER = {
  remoteAddr: { transport: "tcp", hostname: "10.0.0.9", port: 1 },
  completed: Promise.resolve(),
} as Deno.ServeHandlerInfo;

const ADDRESSES: [title: string, forwarded: string | null, proxies: number, client: string][] = [
  ["no proxy is believed unless told", "1.1.1.1", 0, "10.0.0.9"],
  ["one proxy's entry is the client", "1.1.1.1", 1, "1.1.1.1"],
  ["what a client claims before the proxy is not believed", "6.6.6.6, 1.1.1.1", 1, "1.1.1.1"],
  ["behind two proxies it is the last but one", "6.6.6.6, 1.1.1.1, 10.0.0.1", 2, "1.1.1.1"],
  ["with too few entries it is the first", "1.1.1.1", 3, "1.1.1.1"],
  ["without the header it is the peer", null, 1, "10.0.0.9"],
  ["with an empty header it is the peer", "", 1, "10.0.0.9"],
  ["a proxy that writes the port too", "203.0.113.7:5678", 1, "203.0.113.7"],
  ["a proxy that writes an IPv6 port", "[2001:db8::7]:5678", 1, "2001:db8::7"],
];

for (const [title, forwarded, proxies, client] of ADDRESSES) {
  Deno.test(`client address: ${title}`, () => {
    const headers: HeadersInit = forwarded === null ? {} : { "x-forwarded-for": forwarded };
    assertEquals(clientAddress(new Request("http://x/", { headers }), PEER, proxies), client);
  });
}

Deno.test("an endpoint refuses other methods with 405 and says which it answers", async () => {
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

Deno.test("a refusal keeps its code, message, fields and headers", async () => {
  const response = problemResponse(problemOf(
    new RequestError(429, "Slowly", { headers: { "retry-after": "7" } }),
  ));
  assertEquals([response.status, response.headers.get("retry-after")], [429, "7"]);
  assertEquals(await response.json(), { error: "rate_limited", message: "Slowly" });
  const fields = problemOf(new RequestError(400, "No", { issues: { email: "missing" } }));
  assertEquals([fields.code, fields.issues], ["invalid_request", { email: "missing" }]);
});

Deno.test("an unknown fault is told as internal and nothing else", () => {
  for (const fault of [new Error("secret"), "secret", null, new HttpError(500, "secret")]) {
    assertEquals(problemOf(fault), {
      status: 500,
      code: "internal",
      message: "Something went wrong on our side.",
    });
  }
});

Deno.test("no cache keeps a refusal, unless it says otherwise itself", () => {
  const cacheOf = (headers?: Record<string, string>) =>
    problemResponse(problemOf(new RequestError(404, "Nothing.", { headers })))
      .headers.get("cache-control");
  assertEquals(cacheOf(), "no-store");
  assertEquals(cacheOf({ "cache-control": "max-age=1" }), "max-age=1");
});

Deno.test("a field of any name is told what is wrong with it", () => {
  const schema = z.object({ constructor: z.string("Give one."), toString: z.string("Give one.") });
  try {
    checkInput(schema, { constructor: 1, toString: 2 });
    throw new Error("It was taken.");
  } catch (error) {
    const issues = { ...(error as RequestError).issues };
    assertEquals(issues, { constructor: "Give one.", toString: "Give one." });
  }
});
