import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { limitKv } from "../../platform/kv/testing/limited_kv.ts";
import { holderPasskeys, HOLDERS } from "./holders.ts";
import { MAX_PASSKEYS } from "./kinds.ts";
import { passkeyOf } from "./testing/stored_passkey.ts";

const list = (kv: Deno.Kv, contact_hash: string) => HOLDERS.list(kv, { contact_hash });
const passkey = (hash: string, created_at: number) => passkeyOf(hash, { created_at });

async function filled() {
  const kv = limitKv(await openKv(":memory:"));
  const commit = kv.atomic();
  for (let i = MAX_PASSKEYS; i > 0; i--) holderPasskeys.set(commit, passkey("one", i));
  holderPasskeys.set(commit, passkey("two", 1));
  await commit.commit();
  return kv;
}

Deno.test("HOLDERS.list() returns all passkeys of a record, oldest first", async () => {
  using kv = await filled();
  const found = await list(kv, "one");
  assertEquals(found.map(({ created_at }) => created_at), [...Array(20).keys()].map((i) => i + 1));
});

Deno.test("holderPasskeys.move() moves all passkeys to a record that may have others, unchanged", async () => {
  using kv = await filled();
  await holderPasskeys.move(kv, "one", "three", 0);
  assertEquals(await list(kv, "one"), []);
  await holderPasskeys.move(kv, "two", "three", 0);
  const [, ...others] = await list(kv, "three");
  assertEquals(others.length, MAX_PASSKEYS);
  assertEquals(others.at(-1), { ...passkey("one", MAX_PASSKEYS), contact_hash: "three" });
});

Deno.test("holderPasskeys.deleteOf() deletes the passkeys of one record", async () => {
  using kv = await filled();
  await holderPasskeys.deleteOf(kv, "one");
  assertEquals(await list(kv, "one"), []);
  assertEquals((await holderPasskeys.get(kv, passkey("one", 3).id)).value, null);
  assertEquals((await list(kv, "two")).length, 1);
});
