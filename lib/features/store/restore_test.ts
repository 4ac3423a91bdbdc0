import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "node:path";
import { formatSavedChain } from "../../../packages/proof/mod.ts";
import { createTestChains, HASH, PUBLISHER, readAll } from "../chain/testing/fixtures.ts";
import { heads } from "../chain/mod.ts";
import { openKv } from "../../platform/kv/mod.ts";
import { spawnChild } from "../../platform/kv/testing/spawn_child.ts";
import { type TempKv, tempKv } from "../../platform/kv/testing/temp_kv.ts";
import { backup } from "./backup.ts";
import { exportStore } from "./export.ts";
import { createPrivateFile } from "./private_file.ts";
import { NoHeadsError, publishedHeads } from "./published_heads.ts";
import {
  clearRestored,
  compareHeads,
  type Conflict,
  readRestored,
  verifyChains,
} from "./reconcile.ts";

const clock = () => Date.UTC(2026, 5, 1);
const trustHost = PUBLISHER;
const STORE = { id: "a", created_at: "2026-03-01T00:00:00.000Z" };
const WRITER = import.meta.resolve("../chain/testing/append_process.ts");
const OTHER = "d".repeat(64);

/** Copies a store to a file next to it. */
async function copyOf({ path }: TempKv): Promise<string> {
  const copy = `${path}.copy`;
  await backup({ path, clock, trustHost }, copy);
  return copy;
}

Deno.test("a backup that is taken while another process appends events has only whole, valid chains", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  await store.kv.set(["store"], STORE);
  for (const hash of [HASH, OTHER]) await chains.start(hash);
  await using child = await spawnChild(WRITER, store.path, "append-forever", HASH);
  await child.go();
  const seen = (await child.next<{ seq: number }>())!.seq;
  const copy = await copyOf(store);
  while ((await child.next<{ seq: number }>())!.seq < seen + 20);
  child.kill();

  using kv = await openKv(copy);
  const copied = createTestChains(kv).chains;
  assertEquals(await verifyChains({ kv, chains: copied }, () => {}), 0);
  const events = await readAll(copied);
  assert(events.length > seen && events.length < (await readAll(chains)).length);
  assertEquals((await Deno.stat(copy)).mode! & 0o777, 0o600);
  assertEquals(await readRestored(kv), {
    exported_at: "2026-06-01T00:00:00.000Z",
    imported_at: null,
    trust_host: PUBLISHER,
  });
  await clearRestored(kv);
  assertEquals((await kv.get(["store"])).value, STORE);
});

Deno.test("a backup overwrites nothing, contains nothing that was deleted, and leaves no file if it fails", async () => {
  await using store = await tempKv();
  const folder = join(store.path, "..");
  await store.kv.set(["a"], "deleted text");
  await store.kv.delete(["a"]);
  const copy = await copyOf(store);
  const bytes = await Deno.readFile(copy);
  assertEquals(new TextDecoder("latin1").decode(bytes).includes("deleted text"), false);
  await assertRejects(() => copyOf(store), Deno.errors.AlreadyExists);
  assertEquals(await Deno.readFile(copy), bytes);
  const text = join(folder, "text");
  await Deno.writeTextFile(text, "no store");
  await assertRejects(() => backup({ path: text, clock, trustHost }, join(folder, "other")));
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  assertEquals(names.filter((name) => !name.startsWith("test.kv")), ["text"]);
  assertEquals(names.filter((name) => name.includes("incomplete")), []);
});

Deno.test("a copy conflicts with heads of a newer export, backup and saved chain, and agrees with older ones", async () => {
  await using store = await tempKv();
  const { chains } = createTestChains(store.kv);
  const [FORKED, MISSING] = ["e", "f"].map((digit) => digit.repeat(64));
  for (const hash of [HASH, OTHER, FORKED]) await chains.start(hash);
  await chains.append(HASH, "email_confirmed");
  using kv = await openKv(await copyOf(store));
  const copied = createTestChains(kv);
  await chains.append(HASH, "record_verified");
  await chains.append(FORKED, "record_verified");
  copied.clock.now++;
  await copied.chains.append(FORKED, "record_verified");
  await chains.start(MISSING);

  const folder = join(store.path, "..");
  const files = { export: join(folder, "a.jsonl"), chain: join(folder, "chain.json") };
  const output = await createPrivateFile(files.export);
  const options = {
    kv: store.kv,
    path: store.path,
    clock,
    trustHost,
    revision: null,
    tables: [],
  };
  await exportStore(options, output.write);
  await output.finish();
  assert((await Deno.readTextFile(files.export)).split("\n").at(-2)!.startsWith('{"rows":'));
  const backupFile = `${store.path}.newer`;
  await backup({ path: store.path, clock, trustHost }, backupFile);
  const { keys } = await chains.keys();
  const head = (await chains.head(HASH))!;
  const saved = { hash: HASH, publisher: PUBLISHER, head, keys, events: await readAll(chains) };
  await Deno.writeTextFile(files.chain, formatSavedChain(saved));

  const compare = async (heads: AsyncIterable<unknown>) => {
    const conflicts: Conflict[] = [];
    const report = (conflict: Conflict) => void conflicts.push(conflict);
    const comparison = await compareHeads({ kv, chains: copied.chains }, heads, report);
    return { ...comparison, conflicts: conflicts.sort((a, b) => a.code < b.code ? -1 : 1) };
  };
  const all: Conflict[] = [
    { code: "behind", hash: HASH, published: 3, stored: 2 },
    { code: "forked", hash: FORKED, published: 2, stored: 2 },
    { code: "missing", hash: MISSING, published: 1, stored: 0 },
  ];
  for (const file of [files.export, backupFile]) {
    assertEquals(await compare(publishedHeads(file)), {
      agreeing: 1,
      conflicting: 3,
      conflicts: all,
    });
  }
  assertEquals((await compare(publishedHeads(files.chain))).conflicts, all.slice(0, 1));

  const older = (await heads.get(kv, OTHER)).value!;
  const forged = { ...older, size: 9 };
  const { agreeing, conflicts } = await compare(headsOf(older, forged, "no head"));
  assertEquals([agreeing, conflicts.map(({ code }) => code)], [1, ["unverified"]]);
  await copied.chains.append(OTHER, "record_verified");
  assertEquals((await compare(headsOf(older))).agreeing, 1);

  await Deno.writeTextFile(files.chain, "no chain");
  await assertRejects(() => compare(publishedHeads(files.chain)), NoHeadsError);
});

async function* headsOf(...heads: unknown[]): AsyncGenerator<unknown> {
  yield* heads;
}
