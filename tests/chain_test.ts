import { assert, assertEquals } from "@std/assert";
import { verifyChain } from "../packages/proof/mod.ts";
import { range } from "../lib/features/chain/testing/fixtures.ts";
import { createSite, type Site } from "./site.ts";

const HASH = "c".repeat(64);
const PATH = `/api/chain/${HASH}`;

/** Returns a site with one chain of `length` events. */
async function siteWithChain(length: number): Promise<Site> {
  const site = await createSite();
  await site.services.chains.start(HASH);
  for (let i = 1; i < length; i++) await site.services.chains.append(HASH, "record_verified");
  return site;
}

const seqsOf = async (response: Response) =>
  (await response.json()).events.map(({ seq }: { seq: number }) => seq);

Deno.test("GET /api/chain/:hash returns pages that verify with the published keys", async () => {
  await using site = await siteWithChain(45);
  const get = (query = "") => site.request("api", PATH + query);
  const newest = await get();
  assertEquals(newest.status, 200);
  assertEquals(newest.headers.get("content-type"), "application/json");
  assertEquals(newest.headers.get("cache-control"), "public, no-cache");
  const page = await newest.json();
  assertEquals(Object.keys(page), ["hash", "head", "events", "has_more"]);
  assertEquals([page.hash, page.head.size, page.events.length], [HASH, 45, 20]);
  assertEquals(Object.keys(page.events[0]).sort(), ["at", "hash", "kind", "prev", "seq", "status"]);

  assertEquals(await seqsOf(await get("?limit=3")), [42, 43, 44]);
  assertEquals(await seqsOf(await get("?before=25")), range(5, 25));
  assertEquals(await seqsOf(await get("?before=5&limit=100")), range(0, 5));
  assertEquals(await seqsOf(await get("?after=42")), [43, 44]);
  assertEquals(await seqsOf(await get("?after=44")), []);
  assertEquals(await seqsOf(await get("?after=0&limit=2")), [1, 2]);

  const { events } = await (await get("?limit=100")).json();
  const keySet = await site.request("trust", "/.well-known/chain-keys.json");
  assertEquals(keySet.headers.get("content-type"), "application/jwk-set+json");
  assertEquals(keySet.headers.get("cache-control"), "public, max-age=300");
  assertEquals(keySet.headers.get("access-control-allow-origin"), "*");
  const { keys } = await keySet.json();
  assertEquals(keys.map((key: object) => Object.keys(key).sort()), [
    ["crv", "kid", "kty", "use", "x"],
  ]);
  const publisher = new URL(site.services.surfaces.url("trust")!).host;
  const result = await verifyChain({ recordHash: HASH, head: page.head, events, publisher, keys });
  assertEquals(result.ok && [result.size, result.signedSize], [45, 45]);
});

Deno.test("GET /api/chain/:hash with the current ETag returns 304 until the chain grows", async () => {
  await using site = await siteWithChain(3);
  const get = (query: string, etag?: string) =>
    site.request("api", PATH + query, etag ? { headers: { "if-none-match": etag } } : {});
  const first = await get("?after=1");
  const etag = first.headers.get("etag")!;
  assertEquals(await seqsOf(first), [2]);
  const again = await get("?after=1", etag);
  assertEquals([again.status, again.body], [304, null]);
  assertEquals(again.headers.get("etag"), etag);
  assertEquals(again.headers.get("cache-control"), "public, no-cache");
  assertEquals(again.headers.get("vary"), "Accept, Accept-Encoding");
  assertEquals((await get("?after=0", etag)).status, 200, "another page");
  assertEquals((await get("", etag)).status, 200, "another page");
  await site.services.chains.append(HASH, "email_confirmed");
  const grown = await get("?after=1", etag);
  assertEquals(grown.status, 200);
  assertEquals(await seqsOf(grown), [2, 3]);
});

Deno.test("GET /api/chain/:hash returns the same for a hash in capitals and with marks around it", async () => {
  await using site = await siteWithChain(2);
  const read = async (hash: string, rest = "") => {
    const response = await site.request("api", `/api/chain/${hash}${rest}`);
    const { hash: ofPage, events, index } = await response.json();
    return [response.status, ofPage, events?.length, index, response.headers.get("etag")];
  };
  for (const typed of [HASH.toUpperCase(), `%E2%80%8B${HASH}`]) {
    assertEquals(await read(typed), await read(HASH), typed);
    assertEquals((await read(typed, "/log"))[0], (await read(HASH, "/log"))[0], typed);
  }
  assertEquals((await read(HASH.toUpperCase())).slice(0, 2), [200, HASH]);
});

Deno.test("GET /api/chain/:hash returns 404 for an unknown or malformed hash", async () => {
  await using site = await siteWithChain(1);
  for (
    const hash of [
      "d".repeat(64),
      HASH.slice(1),
      "x",
      "%00",
      "%F0%9F%98%80",
      "c".repeat(3_000),
    ]
  ) {
    const response = await site.request("api", `/api/chain/${hash}`);
    assertEquals([response.status, (await response.json()).error], [404, "not_found"], hash);
  }
  assertEquals((await site.request("trust", PATH)).status, 404);
});

Deno.test("GET /api/chain/:hash returns 400 for an invalid parameter, POST returns 405, HEAD 200", async () => {
  await using site = await siteWithChain(1);
  for (
    const [query, field] of [
      ["?limit=0", "limit"],
      ["?limit=101", "limit"],
      ["?limit=1.5", "limit"],
      ["?limit=", "limit"],
      ["?before=-1", "before"],
      ["?before=x", "before"],
      ["?after=1e3", "after"],
      ["?after=99999999999999999999", "after"],
      ["?before=1&after=0", "after"],
    ]
  ) {
    const response = await site.request("api", PATH + query);
    assertEquals(response.status, 400, query);
    const { error, issues } = await response.json();
    assertEquals([error, Object.keys(issues)], ["invalid_request", [field]], query);
  }
  const post = await site.request("api", PATH, { method: "POST" });
  assertEquals([post.status, (await post.json()).error], [405, "method_not_allowed"]);
  assertEquals((await site.request("api", PATH, { method: "HEAD" })).status, 200);
});

Deno.test("pages of any origin may read responses and errors, without credentials", async () => {
  await using site = await siteWithChain(2);
  const request = (path: string, init: RequestInit = {}) =>
    site.request("api", path, { ...init, headers: { origin: "https://other.example" } });
  for (const path of [PATH, PATH + "?limit=0", "/api/chain/x", `${PATH}/log`]) {
    const { headers } = await request(path);
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assertEquals(headers.get("access-control-allow-credentials"), null);
    assert(headers.get("access-control-expose-headers")!.includes("ETag"));
    assertEquals(headers.get("vary")?.includes("Origin") ?? false, false);
  }
  const preflight = await request(PATH, { method: "OPTIONS" });
  assertEquals(preflight.status, 204);
  assertEquals(preflight.headers.get("access-control-allow-methods"), "GET, HEAD, OPTIONS");
  assert(preflight.headers.get("access-control-allow-headers")!.includes("if-none-match"));
});
