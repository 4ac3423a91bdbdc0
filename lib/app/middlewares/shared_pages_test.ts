import { assertEquals } from "@std/assert";
import type { Context } from "fresh";
import type { State } from "../state.ts";
import { sharedPages } from "./shared_pages.ts";

/** Requests a page twice, and returns how often it was rendered. */
async function renderings(headers: Record<string, string>, status = 200): Promise<number> {
  const middleware = sharedPages();
  let count = 0;
  for (let i = 0; i < 2; i++) {
    const req = new Request("https://example.org/terms");
    const surface = { name: "trust", signIn: null, holders: false };
    const ctx = {
      req,
      url: new URL(req.url),
      state: { surface, shared: true, services: { store: { readOnly: null } } },
      next() {
        count++;
        return Promise.resolve(new Response("<p>Hello</p>", { status, headers }));
      },
    };
    await middleware(ctx as unknown as Context<State>);
  }
  return count;
}

Deno.test("only complete pages that no cache-control and no cookie keeps for one visitor are shared", async () => {
  const page = { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" };
  assertEquals(await renderings(page), 1);
  assertEquals(await renderings({ ...page, "cache-control": "no-store" }), 2);
  assertEquals(await renderings({ ...page, "cache-control": "private, no-cache" }), 2);
  assertEquals(await renderings({ "content-type": page["content-type"] }), 2);
  assertEquals(await renderings({ ...page, "set-cookie": "theme=dark" }), 2);
  assertEquals(await renderings({ ...page, "content-type": "application/json" }), 2);
  assertEquals(await renderings(page, 404), 2);
});
