import { assertEquals } from "@std/assert";
import { openKv } from "../../../platform/kv/mod.ts";
import { removePersonalLink } from "./personal_links.ts";
import { newShare, shares } from "./share_rows.ts";

Deno.test("a commit that finds a link removed holds only while nobody has made it again", async () => {
  using kv = await openKv(":memory:");
  const link = {
    hash: "a".repeat(64),
    document: "7K3M9Q2XB4TW01RA",
    record: "b".repeat(64),
    label: null,
    limit: 1,
    person: { request: crypto.randomUUID(), replaces: null, replaced: false },
  };
  const remove = async (meanwhile: () => Promise<unknown>) => {
    const commit = kv.atomic();
    await removePersonalLink(kv, commit, { share: link.hash });
    await meanwhile();
    return (await commit.commit()).ok;
  };
  assertEquals(await remove(() => Promise.resolve()), true);
  const madeAgain = () => {
    const commit = kv.atomic();
    shares.set(commit, newShare(link, 1_000, 0), 0);
    return commit.commit();
  };
  assertEquals(await remove(madeAgain), false);
  assertEquals((await shares.get(kv, link.hash)).value?.hash, link.hash);
});
