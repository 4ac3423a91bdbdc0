import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { listPasskeys, MAX_PASSKEYS, passkeys } from "./store.ts";
import { passkeyOf } from "./testing/stored_passkey.ts";

const passkey = (hash: string, created_at: number) => passkeyOf(hash, { created_at });

async function filled() {
  const kv = limitKv(await openKv(":memory:"));
  const commit = kv.atomic();
  for (let i = MAX_PASSKEYS; i > 0; i--) passkeys.set(commit, passkey("one", i));
  passkeys.set(commit, passkey("two", 1));
  await commit.commit();
  return kv;
}

Deno.test("listPasskeys() returns all passkeys of a record, oldest first", async () => {
  using kv = await filled();
  const found = await listPasskeys(kv, "one");
  assertEquals(found.map(({ created_at }) => created_at), [...Array(20).keys()].map((i) => i + 1));
});

Deno.test("passkeys.move() moves all passkeys to a record that may have others, unchanged", async () => {
  using kv = await filled();
  await passkeys.move(kv, "one", "three", 0);
  assertEquals(await listPasskeys(kv, "one"), []);
  await passkeys.move(kv, "two", "three", 0);
  const [, ...others] = await listPasskeys(kv, "three");
  assertEquals(others.length, MAX_PASSKEYS);
  assertEquals(others.at(-1), { ...passkey("one", MAX_PASSKEYS), contact_hash: "three" });
});

Deno.test("passkeys.deleteOf() deletes the passkeys of one record", async () => {
  using kv = await filled();
  await passkeys.deleteOf(kv, "one");
  assertEquals(await listPasskeys(kv, "one"), []);
  assertEquals((await passkeys.get(kv, passkey("one", 3).id)).value, null);
  assertEquals((await listPasskeys(kv, "two")).length, 1);
});
