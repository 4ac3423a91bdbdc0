import { assertEquals } from "@std/assert";
import { ReadOnlyError, type ReadOnlyReason } from "../lib/platform/kv/mod.ts";
import { thiefSite } from "./thief_site.ts";

let site: Awaited<ReturnType<typeof thiefSite>>;
Deno.test.beforeAll(async () => {
  site = await thiefSite();
  await site.thief.approve(0);
  await site.thief.openDocument();
});
Deno.test.afterAll(() => site[Symbol.asyncDispose]());

/** Reads a document with a grant and exports the record, while every commit is refused. */
async function readWhile(reason: ReadOnlyReason) {
  const { kv } = site.site.services;
  const atomic = kv.atomic;
  kv.atomic = () =>
    Object.assign(atomic.call(kv), { commit: () => Promise.reject(new ReadOnlyError(reason)) });
  try {
    const read = async (path: string, cookie: string) => {
      const response = await site.fetch(path, { cookie });
      await response.body?.cancel();
      return [response.status, response.headers.get("retry-after")];
    };
    return [
      await read(`/d/${site.document}/file`, site.loot.grants[0]),
      await read("/my-record/download.json", site.loot.cookies[0]),
    ];
  } finally {
    kv.atomic = atomic;
  }
}

for (const reason of ["disk_full", "disk_failed"] as const) {
  Deno.test(`with ${reason}, counted readings and the export of a record return 503`, async () => {
    assertEquals(await readWhile(reason), [[503, "60"], [503, "60"]]);
  });
}

Deno.test("with READ_ONLY=1, documents and the export of a record can be read, uncounted", async () => {
  assertEquals(await readWhile("configured"), [[200, null], [200, null]]);
});
