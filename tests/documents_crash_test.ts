import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { addContact } from "../lib/features/contact/store.ts";
import { type DocumentRow, UPLOAD_LIFETIME_MS } from "../lib/features/documents/mod.ts";
import { removeUnfinished } from "../lib/features/documents/testing/fixture.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { crashDocuments } from "./documents_crash_store.ts";

const KILLS = Number(Deno.env.get("DOCUMENT_KILLS") ?? 25);

/** The processes that upload at the same time. */
const PROCESSES = 5;

const recordOf = (kill: number) => String(kill).padStart(64, "0");
const random = (max: number) => 1 + Math.floor(Math.random() * max);

/**
 * Bundles the script of the processes, which then start in half the time. Large libraries that they
 * do not need are left out.
 */
async function bundle(folder: string): Promise<string> {
  const entrypoints = [new URL("./documents_crash_child.ts", import.meta.url).pathname];
  const external = ["@cantoo/pdf-lib", "nodemailer*", "parse5-html-rewriting-stream"];
  await Deno.bundle({
    entrypoints,
    outputDir: folder,
    minify: true,
    codeSplitting: true,
    external,
  });
  await Deno.writeTextFile(join(folder, "deno.json"), '{ "unstable": ["kv"] }');
  return join(folder, "documents_crash_child.js");
}

Deno.test(`${KILLS} kills during uploads leave no partial document, and the job removes the rest`, async () => {
  await using store = await tempKv();
  const { kv } = store;
  const commit = kv.atomic();
  const record = { email: "ada@example.org" } as Parameters<typeof addContact>[2]["record"];
  const contact = { record, organisation: "commercial", salt: "0".repeat(64) } as const;
  for (let kill = 0; kill < KILLS; kill++) {
    addContact(commit, recordOf(kill), { ...contact, now: Date.now() });
  }
  await commit.commit();

  const script = await bundle(dirname(store.path));
  async function killOne(kill: number): Promise<void> {
    await using child = await spawnChild(script, store.path, recordOf(kill));
    await child.go();
    // Three documents at a time are uploaded, in 12 parts: the 13th belongs to another one, so that
    // even with a slow disk some of the processes have completed a document.
    for (let parts = random(16); parts > 0; parts--) await child.next();
    child.kill();
  }
  for (let kills = 0; kills < KILLS; kills += PROCESSES) {
    const count = Math.min(PROCESSES, KILLS - kills);
    await Promise.all(Array.from({ length: count }, (_, i) => killOne(kills + i)));
  }

  using later = await openKv(store.path);
  const now = Date.now() + UPLOAD_LIFETIME_MS;
  const documents = crashDocuments(later, () => now);
  const list: DocumentRow[] = [];
  for (let kill = 0; kill < KILLS; kill++) list.push(...await documents.list(recordOf(kill)));
  assert(list.length > 0);
  const blobs = new Set<string>();
  for (const { title, versions: [{ original }] } of list) {
    const hash = createHash("sha256");
    for await (const bytes of documents.open(original)) hash.update(bytes);
    assertEquals([hash.digest("hex"), original.size], [original.sha256, Number(title)]);
    blobs.add(original.blob);
  }

  const stored = async (prefix: string) => {
    const found = new Set<unknown>();
    for await (const { key } of later.list({ prefix: [prefix] }, { batchSize: 8 })) {
      found.add(key[1]);
    }
    return found;
  };
  assert((await stored("document_uploads")).size > 0, "no upload was interrupted");
  await removeUnfinished({ kv: later, now, documents });
  assertEquals(await stored("document_uploads"), new Set());
  assertEquals(await stored("document_bytes"), blobs);
  assertEquals((await stored("documents")).size, list.length);
  assertEquals(await stored("documents_by_contact"), new Set(list.map(({ record }) => record)));
});
