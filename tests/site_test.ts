import { assertRejects } from "@std/assert";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createSite } from "./site.ts";

Deno.test("a test site's store has the limits of Deno Deploy", async () => {
  for (const kv of [undefined, await openKv(":memory:")]) {
    await using site = await createSite({}, { kv });
    await assertRejects(() => site.services.kv.enqueue("mail"), Deno.errors.NotSupported);
  }
});
