import { assert, assertEquals } from "@std/assert";
import { tempKv } from "../kv/testing/temp_kv.ts";
import { deleteUser, getUserByEmail } from "./mod.ts";
import { emailKey, userKey } from "./users.ts";
import { requestOf, type Stage, stageOf } from "./testing/sign_in.ts";

async function signIn({ auth, token }: Stage, email: string): Promise<string> {
  const signedIn = await auth.verify(await token(email), "site");
  return signedIn!.sessionId;
}

Deno.test("a deleted account leaves nothing of itself, and others as they were", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const stage = stageOf(kv);
  const gone = await signIn(stage, "gone@example.org");
  const stays = await signIn(stage, "stays@example.org");
  const open = await stage.token("gone@example.org");
  const { auth } = stage;

  assertEquals(await deleteUser(kv, "gone@example.org"), true);
  assertEquals(await deleteUser(kv, "gone@example.org"), false);
  assertEquals(await auth.getSession(requestOf(gone)), null);
  assertEquals(await auth.verify(open, "site"), null);
  assertEquals((await auth.getSession(requestOf(stays)))?.email, "stays@example.org");
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
  const stage = stageOf(kv);
  const left = await signIn(stage, "gone@example.org");
  const stays = await signIn(stage, "stays@example.org");
  await kv.atomic().delete(userKey(1)).delete(emailKey("gone@example.org")).commit();
  assert(await stage.auth.getSession(requestOf(left)));
  assertEquals(await deleteUser(kv, "gone@example.org"), true);
  assertEquals(await stage.auth.getSession(requestOf(left)), null);
  assert(await stage.auth.getSession(requestOf(stays)));
  assertEquals(await deleteUser(kv, "gone@example.org"), false);
});

Deno.test("an address that signs up again after its deletion is somebody new", async () => {
  await using store = await tempKv();
  const { kv } = store;
  const stage = stageOf(kv);
  await signIn(stage, "back@example.org");
  await deleteUser(kv, "back@example.org");
  await signIn(stage, "back@example.org");
  assertEquals((await getUserByEmail(kv, "back@example.org"))?.id, 2);
});
