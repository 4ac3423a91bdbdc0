import { assert, assertEquals } from "@std/assert";
import { discoveryResponder } from "./respond.ts";

const respond = discoveryResponder({ hello: "world" });
const ask = (method: string, headers: HeadersInit = {}) =>
  respond(new Request("http://localhost/.well-known/mcp", { method, headers }));

Deno.test("a discovery document is JSON for every origin and may be kept for an hour", async () => {
  const response = await ask("GET");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(response.headers.get("cache-control"), "public, max-age=3600");
  assertEquals(await response.json(), { hello: "world" });
});

Deno.test("a document that the client has is answered 304 without a body", async () => {
  const tag = (await ask("GET")).headers.get("etag")!;
  for (const value of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const response = await ask("GET", { "if-none-match": value });
    assertEquals(response.status, 304, value);
    assertEquals(response.headers.get("etag"), tag);
    assertEquals(response.headers.get("access-control-allow-origin"), "*");
    assertEquals(await response.text(), "");
  }
  const response = await ask("GET", { "if-none-match": '"other"' });
  assertEquals(response.status, 200);
  await response.body?.cancel();
});

Deno.test("another document has another ETag", async () => {
  const other = await discoveryResponder({ hello: "you" })(
    new Request("http://localhost/"),
  );
  assert(other.headers.get("etag") !== (await ask("GET")).headers.get("etag"));
});

Deno.test("HEAD answers as GET does, without the body", async () => {
  const response = await ask("HEAD");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals(
    response.headers.get("etag"),
    (await ask("GET")).headers.get("etag"),
  );
  assertEquals(response.body, null);
});

Deno.test("a preflight is answered", async () => {
  const response = await ask("OPTIONS", { origin: "https://scanner.example" });
  assertEquals(response.status, 204);
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(
    response.headers.get("access-control-allow-methods"),
    "GET, HEAD, OPTIONS",
  );
});

Deno.test("other methods are 405 and name the allowed ones", async () => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const response = await ask(method);
    assertEquals(response.status, 405);
    assertEquals(response.headers.get("allow"), "GET, HEAD, OPTIONS");
    assertEquals((await response.json()).error, "method_not_allowed");
  }
});
