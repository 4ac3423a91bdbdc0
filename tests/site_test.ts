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
  const post = async (fields: Record<string, string>) => {
    const body = new URLSearchParams(fields);
    const response = await site.request("trust", "/theme", { method: "POST", body });
    await response.body?.cancel();
    const { headers, status } = response;
    return [status, headers.get("location"), headers.get("set-cookie")];
  };
  const dark = "theme=dark; Max-Age=31536000; Path=/; SameSite=Lax";
  const back = "/verify?hash=1&a=%20";
  assertEquals(await post({ theme: "dark", back }), [303, back, dark]);
  const none = "theme=; Max-Age=0; Path=/; SameSite=Lax";
  assertEquals(await post({ theme: "system", back }), [303, back, none]);
  for (const away of ["https://evil.example/", "//evil.example", "x", "/" + "a".repeat(3000)]) {
    assertEquals(await post({ theme: "dark", back: away }), [303, "/", dark], away);
  }
  assertEquals((await post({ theme: "pink", back }))[0], 400);
});
