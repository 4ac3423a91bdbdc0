import { assertEquals } from "@std/assert";
import { createSecrets } from "../../../platform/secrets.ts";
import { openKv, type TableDescription } from "../../../platform/kv/mod.ts";
import { createContactIndex } from "../../contact/mod.ts";
import { deletedAmong, deletions, eraseRecord } from "./erase.ts";

Deno.test("the tables of the highest features are erased first, so that none writes to an erased one", async () => {
  using kv = await openKv(":memory:");
  const erased: string[] = [];
  const tables = ["access_log", "devices"].map((prefix) => ({
    prefix,
    owner: "record",
    deleteOf: () => Promise.resolve(void erased.push(prefix)),
  })) as unknown as TableDescription[];
  const index = createContactIndex({ kv, secrets: createSecrets({ kv, given: [] }) });
  await eraseRecord({ kv, index, recordData: () => [], tables }, "ab".repeat(32));
  assertEquals(erased, ["devices", "access_log"]);
});

Deno.test("deletedAmong() returns the records with a deletion, whether there are few deletions or many", async () => {
  using kv = await openKv(":memory:");
  const schedule = async (hashes: string[]) => {
    const commit = kv.atomic();
    for (const hash of hashes) deletions.put(commit, [hash], { due: "2026-03-10T09:00:00.000Z" });
    await commit.commit();
  };
  const found = async () => [...await deletedAmong(kv, ["y", "x", "z"])].sort();
  assertEquals(await found(), []);
  await schedule(["other", "x"]);
  assertEquals(await found(), ["x"]);
  await schedule(Array.from({ length: 40 }, (_, i) => `a${i}`));
  await schedule(["z"]);
  assertEquals(await found(), ["x", "z"]);
});
