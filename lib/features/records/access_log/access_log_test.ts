import { assertEquals, assertNotEquals } from "@std/assert";
import { changeRow } from "../../../platform/kv/changes.ts";
import { actAs, openKv } from "../../../platform/kv/mod.ts";
import { accessCountKey, addAccess, moveAccessLog, readAccessLog } from "./access_log.ts";

const reader = { network: "192.0.2.0/24", browser: "Firefox on Windows" };

Deno.test("entries of the same millisecond are read in the reverse order of their addition", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const hash = "a".repeat(64);
  const seqs = Array.from({ length: 9 }, (_, seq) => seq);
  for (const seq of seqs) {
    const commit = kv.atomic();
    addAccess(commit, hash, { what: "signed_in", reader, seq }, now);
    await commit.commit();
  }
  const first = await readAccessLog(kv, hash, now, { limit: 5 });
  const second = await readAccessLog(kv, hash, now, { limit: 5, cursor: first.cursor! });
  const read = [...first.entries, ...second.entries].map(({ seq }) => seq);
  assertEquals(read, seqs.toReversed());
});

Deno.test("a log that moves is noted as changed for its open streams, even if it has no entries", () =>
  // Not in the name of a request, which would have to check the row that the test looks at.
  actAs(undefined, async () => {
    using kv = await openKv(":memory:");
    const hash = "a".repeat(64);
    const version = async () => (await kv.get(changeRow(accessCountKey(hash)))).versionstamp;
    const before = await version();
    await moveAccessLog(kv, hash, "b".repeat(64), Date.now());
    assertNotEquals(await version(), before);
  }));
