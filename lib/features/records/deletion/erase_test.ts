import { assertEquals } from "@std/assert";
import { createSecrets } from "../../../platform/secrets.ts";
import { openKv, type TableDescription } from "../../../platform/kv/mod.ts";
import { createContactIndex } from "../../contact/mod.ts";
import { eraseRecord } from "./erase.ts";

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
