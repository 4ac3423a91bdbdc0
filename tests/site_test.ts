import { assertEquals, assertRejects } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createSite } from "./site.ts";

Deno.test("a test site's store has the limits of Deno Deploy", async () => {
  for (const kv of [undefined, await openKv(":memory:")]) {
    await using site = await createSite({}, { kv });
    await assertRejects(() => site.services.kv.enqueue("mail"), Deno.errors.NotSupported);
  }
});

Deno.test("POST /theme stores the choice, and returns to a page of the site only", async () => {
  await using site = await createSite();
  const post = async (theme: string, referer?: string) => {
    const body = new URLSearchParams({ theme });
    const headers = referer === undefined ? undefined : { referer };
    const response = await site.request("trust", "/theme", { method: "POST", body, headers });
    await response.body?.cancel();
    const { status } = response;
    return [status, response.headers.get("location"), response.headers.get("set-cookie")];
  };
  const dark = "theme=dark; Max-Age=31536000; Path=/; SameSite=Lax";
  const own = "http://trust.localhost:8000";
  const back = "/verify?hash=1&a=%20";
  assertEquals(await post("dark", own + back), [303, back, dark]);
  const none = "theme=; Max-Age=0; Path=/; SameSite=Lax";
  assertEquals(await post("system", own + back), [303, back, none]);
  const others = [
    "https://evil.example/terms",
    `${own}//evil.example`,
    "x",
    `${own}/${"a".repeat(5000)}`,
  ];
  for (const away of [undefined, ...others]) {
    assertEquals(await post("dark", away), [303, "/", dark], away);
  }
  assertEquals((await post("pink", own + back))[0], 400);
});
