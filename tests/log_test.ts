import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { decodeBase64 } from "../lib/base/encoding.ts";
import { encodeHex } from "../lib/base/bytes.ts";
import {
  decodeBundle,
  entryBytes,
  eventEntry,
  eventSlot,
  inclusionSteps,
  isIncluded,
  keySetEntry,
  leafHash,
  parseEntry,
  parsePolicy,
  readProof,
  type ReadTiles,
  tilePath,
  verifyCheckpoint,
} from "../packages/proof/mod.ts";
import { sequenceBatch } from "../lib/features/log/store/sequence.ts";
import { logTiles } from "../lib/features/log/store/tables.ts";
import { addEntries } from "../lib/features/log/testing/fixtures.ts";
import { createSite, type Site } from "./site.ts";

const HASH = "c".repeat(64);

async function setup() {
  const site = await createSite();
  const get = (path: string, init?: RequestInit) => site.request("trust", `/log/${path}`, init);
  return {
    site,
    get,
    text: async (path: string) => await (await get(path)).text(),
    bytes: async (path: string) => new Uint8Array(await (await get(path)).arrayBuffer()),
    run: () => site.services.jobs.run("log"),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Reads tiles as anybody can. */
const servedTiles = (site: Site): ReadTiles => (tiles) =>
  Promise.all(tiles.map(async (tile) => {
    const response = await site.request("trust", `/log/${tilePath(tile)}`);
    assertEquals(response.status, 200, tilePath(tile));
    return new Uint8Array(await response.arrayBuffer());
  }));

Deno.test("a stranger verifies the checkpoint, the entries and a proof of a record's event from what is served", async () => {
  await using log = await setup();
  const { chains } = log.site.services;
  await chains.start(HASH);
  await chains.append(HASH, "email_confirmed");
  await log.run();
  const policy = parsePolicy(await log.text("policy"));
  const origin = "trust.localhost:8000/log";
  const verified = await verifyCheckpoint(await log.text("checkpoint"), policy, origin);
  if (!verified.ok) throw new Error(verified.message);
  const { size, root, cosignatures } = verified.checkpoint;
  // Two sizes of the chain, the key set, and the completion.
  assertEquals([size, cosignatures.length], [4, 1]);
  const entries = decodeBundle(await log.bytes(`tile/entries/000.p/${size}`)).map(parseEntry);
  const slots = entries.map(({ slot }) => encodeHex(slot));
  const keys = keySetEntry(1, await log.bytes("keys/1"));
  assert(slots.includes(encodeHex(keys.slot)));
  const index = slots.indexOf(encodeHex(eventSlot(HASH, 2)));
  const proof = await readProof(inclusionSteps(index, size), size, servedTiles(log.site));
  const leaf = leafHash(entryBytes(entries[index]));
  assert(isIncluded({ index, size, leaf, proof, root }));
});

Deno.test("GET /api/chain/:hash/log returns the salt and the index of each size, null until it is logged", async () => {
  await using log = await setup();
  const { chains } = log.site.services;
  await chains.start(HASH);
  await log.run();
  await chains.append(HASH, "email_confirmed");
  const get = (query = "", init?: RequestInit) =>
    log.site.request("api", `/api/chain/${HASH}/log${query}`, init);
  const response = await get();
  const { log_salt, entries, policy, ...rest } = await response.json();
  assertEquals(policy, await log.text("policy"));
  assertEquals(rest, {
    hash: HASH,
    log: "http://trust.localhost:8000/log",
    size: 2,
    has_more: false,
  });
  assertEquals(
    entries.map(({ size, index }: { size: number; index: number | null }) => [
      size,
      index === null,
    ]),
    [[1, false], [2, true]],
  );
  const headers = { "if-none-match": response.headers.get("etag")! };
  assertEquals((await get("", { headers })).status, 304);
  await log.run();
  const [{ index }] = (await (await get("?after=1")).json()).entries;
  assertEquals((await (await get("?limit=1")).json()).has_more, true);
  const bundle = decodeBundle(await log.bytes(`tile/entries/000.p/${index + 1}`));
  const salt = decodeBase64(log_salt)!;
  const { tip } = (await chains.head(HASH))!;
  const entry = entryBytes(eventEntry({ record: HASH, size: 2, tip, salt }));
  assertEquals(encodeHex(bundle[index]), encodeHex(entry));
  for (const [path, status] of [["?after=x", 400], ["?limit=101", 400]] as const) {
    assertEquals((await get(path)).status, status);
  }
  const unknown = await log.site.request("api", `/api/chain/${"d".repeat(64)}/log`);
  assertEquals([unknown.status, (await unknown.json()).error], [404, "not_found"]);
});

Deno.test("every width up to the published size is served, also of a full tile, and nothing beyond it", async () => {
  await using log = await setup();
  const { kv } = log.site.services;
  const names = Array.from({ length: 700 }, (_, i) => `${i}`);
  await addEntries(kv, names.slice(0, 300));
  await log.run();
  const size = Number((await log.text("checkpoint")).split("\n")[1]);
  assertEquals((await log.bytes("tile/0/000")).length, 8192);
  assertEquals((await log.bytes("tile/0/000.p/3")).length, 96);
  assertEquals((await log.bytes(`tile/0/001.p/${size - 256}`)).length, (size - 256) * 32);
  assertEquals((await log.bytes("tile/entries/000.p/2")).length, 132);
  assertEquals((await log.bytes("tile/1/000.p/1")).length, 32);

  await addEntries(kv, names.slice(300));
  await sequenceBatch(kv); // without publishing
  const missing = [
    `tile/0/001.p/${size - 255}`,
    "tile/0/001",
    "tile/1/000.p/2",
    "tile/1/000",
    "tile/2/000.p/1",
    "tile/entries/001",
    "tile/0/002.p/1",
    "tile/0/0",
    "tile/0/0000",
    "tile/0/x000/000",
    "tile/0/000.p/0",
    "tile/0/000.p/256",
    "tile/0/000.p/03",
    "tile/00/000",
    "tile/64/000",
    "tile/entries/000.p",
    "keys/2",
    "keys/01",
  ];
  for (const path of missing) {
    const response = await log.get(path);
    await response.body?.cancel();
    assertEquals([path, response.status, response.headers.get("cache-control")], [
      path,
      404,
      "no-store",
    ]);
  }
});

Deno.test("a tile that the store lacks a part of is an error, not a shorter tile that caches keep", async () => {
  await using log = await setup();
  const { kv } = log.site.services;
  await addEntries(kv, ["a", "b"]);
  await log.run();
  const { key, value } = await logTiles.get(kv, 0, 0);
  await kv.set(key, value!.slice(0, 64));
  const response = await log.get("tile/0/000.p/3");
  await response.body?.cancel();
  assertEquals([response.status, response.headers.get("cache-control")], [500, "no-store"]);
  assertEquals((await log.bytes("tile/0/000.p/2")).length, 64);
});

Deno.test("tiles are immutable, and files can be read from any origin", async () => {
  await using log = await setup();
  await log.run();
  const kinds: [path: string, type: string, cache: string][] = [
    ["checkpoint", "text/plain; charset=utf-8", "public, max-age=5"],
    ["policy", "text/plain; charset=utf-8", "public, max-age=300"],
    ["keys/1", "application/jwk-set+json", "public, max-age=31536000, immutable"],
    ["tile/0/000.p/1", "application/octet-stream", "public, max-age=31536000, immutable"],
    ["tile/entries/000.p/1", "application/octet-stream", "public, max-age=31536000, immutable"],
  ];
  for (const [path, type, cache] of kinds) {
    for (const method of ["GET", "HEAD"]) {
      const response = await log.get(path, {
        method,
        headers: { origin: "https://other.example" },
      });
      await response.body?.cancel();
      assertEquals(response.headers.get("content-type"), type);
      assertEquals(response.headers.get("cache-control"), cache);
      assertEquals(response.headers.get("access-control-allow-origin"), "*");
      // Each header costs time, and these are not pages.
      assertEquals(
        response.headers.get("content-security-policy"),
        "default-src 'none'; frame-ancestors 'none'",
      );
    }
  }
});

Deno.test("a tile that was served before causes no read of the store and of a session", async () => {
  await using log = await setup();
  const { kv } = log.site.services;
  await log.run();
  await log.bytes("tile/0/000.p/1");
  const reads: string[] = [];
  const { get, getMany, list } = kv;
  const counting =
    <Args extends unknown[], Result>(name: string, read: (...args: Args) => Result) =>
    (...args: Args) => {
      reads.push(name);
      return read.apply(kv, args);
    };
  Object.assign(kv, {
    get: counting("get", get),
    getMany: counting("getMany", getMany),
    list: counting("list", list),
  });
  const cookie = `record_session=${crypto.randomUUID()}; app_session=${crypto.randomUUID()}`;
  const response = await log.get("tile/0/000.p/1", { headers: { cookie } });
  assertEquals((await response.bytes()).length, 32);
  assertEquals(reads, []);
});

Deno.test("the suggested policy says that the operator's own witness proves nothing", async () => {
  await using log = await setup();
  const text = await log.text("policy");
  assertStringIncludes(text, "is run by the operator of the log, so it proves nothing against it.");
  assertStringIncludes(text, "quorum none\n");
});
