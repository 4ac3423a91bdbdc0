import { assertEquals, assertFalse } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { renewSession } from "./passkey_sessions.ts";
import { sessions } from "./sessions.ts";
import { createFixture } from "./testing/fixture.ts";

Deno.test("a session that ends while a passkey renews it does not come back under another cookie", async () => {
  using kv = limitKv(await openKv(":memory:"));
  const { signIn, clock } = createFixture(kv);
  const id = sha256(await signIn("ada@example.org"));
  const commit = kv.atomic();
  const renewed = await renewSession(kv, commit, id, clock.now);
  await kv.delete(sessions.key(id));
  assertFalse((await commit.commit()).ok);
  assertEquals((await sessions.get(kv, renewed!.id)).value, null);
});
