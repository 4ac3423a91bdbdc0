import { assert, assertEquals } from "@std/assert";
import { tempKv } from "../kv/testing/temp_kv.ts";
import { deleteUser, getUserByEmail } from "./mod.ts";
import { emailKey, userKey } from "./users.ts";
import { createFixture } from "./testing/fixture.ts";

Deno.test("a deleted account leaves nothing of itself, and others as they were", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { auth, token, signIn, session } = createFixture(kv);
  const gone = await signIn("gone@example.org");
  const stays = await signIn("stays@example.org");
  const open = await token("gone@example.org");

  assertEquals(await deleteUser(kv, "gone@example.org"), true);
  assertEquals(await deleteUser(kv, "gone@example.org"), false);
  assertEquals(await session(gone), null);
  assertEquals(await auth.verify(open, "site"), null);
  assertEquals((await session(stays))?.email, "stays@example.org");
  assertEquals((await auth.stats()).users, 1);
  for await (const { key, value } of kv.list({ prefix: [] })) {
    assert(!JSON.stringify([key, String(value)]).includes("gone@example.org"));
    assert((value as { email?: string })?.email !== "gone@example.org");
    assert((value as { user_id?: number })?.user_id !== 1);
  }
});

Deno.test("a deletion that was cut off is finished by the next one", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { signIn, session } = createFixture(kv);
  const left = await signIn("gone@example.org");
  const stays = await signIn("stays@example.org");
  await kv.atomic().delete(userKey(1)).delete(emailKey("gone@example.org")).commit();
  assert(await session(left));
  assertEquals(await deleteUser(kv, "gone@example.org"), true);
  assertEquals(await session(left), null);
  assert(await session(stays));
  assertEquals(await deleteUser(kv, "gone@example.org"), false);
});

Deno.test("an address that signs up again after its deletion is somebody new", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const { signIn } = createFixture(kv);
  await signIn("back@example.org");
  await deleteUser(kv, "back@example.org");
  await signIn("back@example.org");
  assertEquals((await getUserByEmail(kv, "back@example.org"))?.id, 2);
});
