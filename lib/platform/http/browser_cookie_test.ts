import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { browserIdOf, ensureBrowserId } from "./browser_cookie.ts";

const requestWith = (cookie: string) =>
  new Request("http://trust.localhost/", { headers: { cookie } });

Deno.test("a browser without an id gets a random one, and keeps it", () => {
  const first = ensureBrowserId(requestWith(""));
  assertEquals(
    first.cookie,
    `record_browser=${first.id}; HttpOnly; Secure; SameSite=Lax; Max-Age=1800; Path=/`,
  );
  assertNotEquals(ensureBrowserId(requestWith("")).id, first.id);

  const request = requestWith(first.cookie.split(";")[0]);
  assertEquals(browserIdOf(request), first.id);
  assertEquals(ensureBrowserId(request), first);
});

Deno.test("a malformed or repeated cookie identifies no browser", () => {
  const { id } = ensureBrowserId(requestWith(""));
  for (const cookie of ["record_browser=x", `record_browser=${id}; record_browser=${id}`]) {
    assertEquals(browserIdOf(requestWith(cookie)), null);
    assert(ensureBrowserId(requestWith(cookie)).id !== id);
  }
});
