import { assertEquals } from "@std/assert";
import { openKv } from "../../platform/kv/mod.ts";
import { addAccess, readAccessLog } from "./access_log.ts";

Deno.test("entries of the same millisecond are read in the reverse order of their addition", async () => {
  using kv = await openKv(":memory:");
  const now = Date.now();
  const hash = "a".repeat(64);
  const reader = { network: "192.0.2.0/24", browser: "Firefox on Windows" };
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
