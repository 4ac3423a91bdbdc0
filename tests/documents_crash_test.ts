import { assert, assertEquals, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { addContact } from "../lib/features/contact/store.ts";
import { type DocumentRow, UPLOAD_LIFETIME_MS } from "../lib/features/documents/mod.ts";
import { removeUnfinished } from "../lib/features/documents/testing/fixture.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { DeathError, mortalKv } from "../lib/platform/kv/testing/dying_kv.ts";
import { spawnChild } from "../lib/platform/kv/testing/spawn_child.ts";
import { tempKv } from "../lib/platform/kv/testing/temp_kv.ts";
import { uploadForever } from "./documents_crash_child.ts";
import { crashDocuments } from "./documents_crash_store.ts";

const KILLS = Number(Deno.env.get("DOCUMENT_KILLS") ?? 25);

/** How many of them are processes of their own, which upload at the same time. */
const PROCESSES = 2;

const recordOf = (kill: number) => String(kill).padStart(64, "0");

/** The number of parts that a process uploads before it dies. It uploads three documents at a time, in 12 parts. */
const randomParts = () => 1 + Math.floor(Math.random() * 16);

/** Kills a process of its own. */
async function killChild(path: string, kill: number): Promise<void> {
  const script = import.meta.resolve("./documents_crash_child.ts");
  await using child = await spawnChild(script, path, recordOf(kill));
  await child.go();
  for (let parts = randomParts(); parts > 0; parts--) await child.next();
  child.kill();
}

/** Does the same in this process, which takes a fraction of the time. */
async function killHere(path: string, kill: number): Promise<void> {
  let parts = randomParts();
  const mortal = mortalKv(await openKv(path));
  const uploading = uploadForever(crashDocuments(mortal.kv, Date.now), recordOf(kill), () => {
    if (--parts === 0) mortal.die();
  });
  await assertRejects(() => uploading, DeathError);
  mortal.kv.close();
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

  await Promise.all(Array.from({ length: PROCESSES }, (_, i) => killChild(store.path, i)));
  for (let kill = PROCESSES; kill < KILLS; kill++) await killHere(store.path, kill);

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
