import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Context } from "fresh";
import {
  allowOrigin,
  corsHeaders,
  type CorsPolicy,
  preflight,
  preflightHeaders,
  withCors,
} from "./cors.ts";
import { endpoint } from "./endpoint.ts";
import { RequestError } from "./errors.ts";

const HOST = "https://host.example";
const policy: CorsPolicy = { isAllowed: (origin) => origin === HOST, methods: ["GET", "HEAD"] };
const from = (origin: string | null, method = "GET") =>
  new Request("https://api.example/", { method, headers: origin === null ? {} : { origin } });
const otherOrigins = [
  null,
  "null",
  "http://host.example",
  "https://host.example:8443",
  "https://HOST.example",
  "https://host.example.evil.example",
  "https://evil.example/https://host.example",
];

Deno.test("only the allowed origin may read responses, without credentials", () => {
  assertEquals(corsHeaders(from(HOST), policy), {
    "vary": "Origin",
    "access-control-allow-origin": HOST,
    "access-control-expose-headers": "ETag, Request-Id, Retry-After",
  });
  for (const origin of otherOrigins) {
    assertEquals(corsHeaders(from(origin), policy), { vary: "Origin" }, String(origin));
  }
});

Deno.test("a preflight lists methods and headers for the allowed origin only", () => {
  const allowed = preflight(from(HOST, "OPTIONS"), policy);
  assertEquals([allowed.status, allowed.body], [204, null]);
  assertEquals(Object.fromEntries(allowed.headers), {
    "vary": "Origin",
    "allow": "GET, HEAD, OPTIONS",
    "access-control-allow-origin": HOST,
    "access-control-allow-methods": "GET, HEAD, OPTIONS",
    "access-control-allow-headers": "content-type, idempotency-key, if-none-match",
    "access-control-max-age": "7200",
  });
  for (const origin of otherOrigins) {
    const refused = preflight(from(origin, "OPTIONS"), policy);
    assertEquals(refused.status, 204);
    assertEquals(Object.fromEntries(refused.headers), {
      vary: "Origin",
      allow: "GET, HEAD, OPTIONS",
    });
  }
});

Deno.test("a policy's own header lists and methods replace the defaults", () => {
  const own: CorsPolicy = {
    ...policy,
    requestHeaders: ["accept", "x-a"],
    responseHeaders: ["x-b", "x-c"],
    omitOptions: true,
  };
  const preflighted = {
    "allow": "GET, HEAD",
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "accept, x-a",
    "access-control-max-age": "7200",
  };
  assertEquals(preflightHeaders(own), preflighted);
  assertEquals(Object.fromEntries(preflight(from(HOST, "OPTIONS"), own).headers), {
    ...preflighted,
    "vary": "Origin",
    "access-control-allow-origin": HOST,
  });
  assertEquals(corsHeaders(from(HOST), own)["access-control-expose-headers"], "x-b, x-c");
  assertEquals(allowOrigin("*", { responseHeaders: [] }), { "access-control-allow-origin": "*" });
});

const send = async (respond: () => Response, request = from(HOST)) =>
  await withCors(() => policy, endpoint({ GET: respond }))({ req: request } as Context<unknown>);

Deno.test("an endpoint's responses can be read, and keep their own Vary", async () => {
  const { headers } = await send(() => new Response("", { headers: { vary: "Accept" } }));
  assertEquals(headers.get("vary"), "Accept, Origin");
  assertEquals(headers.get("access-control-allow-origin"), HOST);
  assertEquals((await send(() => new Response(), from(HOST, "OPTIONS"))).status, 204);
});

Deno.test("a RequestError keeps its members and gets the CORS headers", async () => {
  const refusal = await assertRejects(
    () =>
      send(() => {
        throw new RequestError(429, "Wait.", {
          code: "too_fast",
          issues: { elapsed_ms: "Too few." },
          headers: { "retry-after": "60" },
        });
      }),
    RequestError,
  );
  assertEquals(
    [refusal.status, refusal.code, refusal.message, refusal.issues],
    [429, "too_fast", "Wait.", { elapsed_ms: "Too few." }],
  );
  assertEquals(refusal.headers!["retry-after"], "60");
  assertEquals(refusal.headers!["access-control-allow-origin"], HOST);
  const unknown = await assertRejects(() => send(() => new Response(), from(HOST, "PUT")));
  assert(unknown instanceof RequestError && unknown.headers?.allow === "GET, HEAD");
  assertEquals(unknown.headers["access-control-allow-origin"], HOST);
});

Deno.test("an unexpected error is thrown unchanged", async () => {
  const unexpected = new Error("not for the client");
  const thrown = await assertRejects(() =>
    send(() => {
      throw unexpected;
    })
  );
  assert(thrown === unexpected);
});
