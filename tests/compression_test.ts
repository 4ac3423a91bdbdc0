import { assert, assertEquals, assertFalse } from "@std/assert";
import { type IncomingMessage, request } from "node:http";
import zlib from "node:zlib";
import { freshConfig } from "../fresh.config.ts";
import {
  type Precompressed,
  readPrecompressed,
  writePrecompressed,
} from "../lib/platform/http/precompressed.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, serve, type Site } from "./site.ts";

const BROTLI = { "accept-encoding": "gzip, br" };
const CSS = "/styles/console.css";

/** Compresses one static file as the build compresses all of them. */
async function precompress(): Promise<Precompressed> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/static/styles`, { recursive: true });
    await Deno.copyFile(`${freshConfig.root}/static${CSS}`, `${folder}/static${CSS}`);
    await writePrecompressed(folder, [`${folder}/static`]);
    return await readPrecompressed(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A site whose stylesheet is compressed as the build compresses it. */
const builtSite = async (): Promise<Site> =>
  await createSite({ MCP_RATE_LIMIT: "0" }, { precompressed: await precompress() });

async function codingOf(site: Site, surface: SurfaceName, path: string, init: RequestInit = {}) {
  const headers = { ...BROTLI, ...init.headers as Record<string, string> };
  const response = await site.request(surface, path, { ...init, headers });
  await response.body?.cancel();
  return [response.headers.get("content-encoding"), response.headers.get("vary")];
}

Deno.test("a page is compressed in each encoding and has the same content", async () => {
  await using site = await createSite();
  const plain = await (await site.request("trust", "/terms")).text();
  for (
    const [coding, decompress] of [["br", zlib.brotliDecompressSync], [
      "gzip",
      zlib.gunzipSync,
    ]] as const
  ) {
    const headers = { "accept-encoding": coding };
    const response = await site.request("trust", "/terms", { headers });
    const bytes = new Uint8Array(await response.arrayBuffer());
    assertEquals(response.headers.get("content-encoding"), coding);
    assertEquals(response.headers.get("content-length"), String(bytes.length));
    assert(bytes.length < plain.length / 2);
    assertEquals(decompress(bytes).toString(), plain);
  }
});

Deno.test("an error page has the same content in each coding", async () => {
  await using site = await createSite({}, { clock: () => Date.UTC(2026, 2, 1) });
  const read = async (coding: string) => {
    const headers = { "accept-encoding": coding };
    const response = await site.request("trust", "/nowhere", { headers });
    assertEquals(response.headers.get("content-encoding"), coding === "identity" ? null : coding);
    return new Uint8Array(await response.arrayBuffer());
  };
  const textOf = (bytes: Uint8Array) =>
    new TextDecoder().decode(bytes).replaceAll(/ nonce="[^"]*"/g, "");
  const plain = textOf(await read("identity"));
  assertEquals(textOf(zlib.zstdDecompressSync(await read("zstd"))), plain);
  assertEquals(textOf(zlib.gunzipSync(await read("gzip"))), plain);
  assertEquals(textOf(zlib.brotliDecompressSync(await read("br"))), plain);
});

const PAGES: [
  title: string,
  surface: SurfaceName,
  path: string,
  init: RequestInit,
  coding: string | null,
  vary: string | null,
][] = [
  ["a page", "foundation", "/", {}, "br", "Accept-Encoding, Cookie"],
  ["an error page", "foundation", "/nowhere", {}, "gzip", "Accept-Encoding, Cookie"],
  [
    "an error page for a browser of today",
    "foundation",
    "/nowhere",
    { headers: { "accept-encoding": "gzip, deflate, br, zstd" } },
    "zstd",
    "Accept-Encoding, Cookie",
  ],
  [
    "an error page for a client of Brotli only",
    "foundation",
    "/nowhere",
    { headers: { "accept-encoding": "br" } },
    "br",
    "Accept-Encoding, Cookie",
  ],
  [
    "a page for a client without codings",
    "foundation",
    "/",
    { headers: { "accept-encoding": "identity" } },
    null,
    "Accept-Encoding, Cookie",
  ],
  ["a search without a session", "site", "/?q=business", {}, "br", "Accept-Encoding, Cookie"],
  [
    "a search with a theme",
    "site",
    "/?q=business",
    { headers: { cookie: "theme=dark" } },
    "br",
    "Accept-Encoding, Cookie",
  ],
  [
    "a page with a session",
    "site",
    "/",
    { headers: { cookie: "app_session=x" } },
    "gzip",
    [
      "Accept-Encoding",
      "Cookie",
    ].join(", "),
  ],
  [
    "a search with a session",
    "site",
    "/?q=business",
    { headers: { cookie: "theme=dark; app_session=x" } },
    null,
    "Cookie",
  ],
  ["a page with a token in its address", "trust", "/confirm?token=x", {}, null, "Cookie"],
  ["a response to a form", "trust", "/confirm", { method: "POST" }, null, "Cookie"],
  ["JSON", "site", "/api/qualifications", {}, null, null],
  ["a small text", "trust", "/robots.txt", {}, null, null],
  ["a redirect", "trust", "/terms/", {}, null, null],
];

for (const [title, surface, path, init, coding, vary] of PAGES) {
  Deno.test(`${title}: ${coding ?? "uncompressed"}`, async () => {
    await using site = await createSite();
    assertEquals(await codingOf(site, surface, path, init), [coding, vary]);
  });
}

Deno.test("a static file is served as the build compressed it, with one ETag for all codings", async () => {
  await using site = await builtSite();
  const plain = await site.request("site", CSS);
  const bytes = new Uint8Array(await plain.arrayBuffer());
  const etag = plain.headers.get("etag")!;
  assertEquals(plain.headers.get("content-encoding"), null);
  assertEquals(plain.headers.get("vary"), "If-None-Match, Accept-Encoding");
  for (
    const [coding, decompress] of [["br", zlib.brotliDecompressSync], [
      "gzip",
      zlib.gunzipSync,
    ]] as const
  ) {
    const headers = { "accept-encoding": coding };
    const response = await site.request("site", CSS, { headers });
    const compressed = new Uint8Array(await response.arrayBuffer());
    assertEquals(response.headers.get("content-encoding"), coding);
    assertEquals(response.headers.get("content-length"), String(compressed.length));
    assertEquals(response.headers.get("etag"), etag);
    assertEquals(response.headers.get("vary"), "If-None-Match, Accept-Encoding");
    assert(etag.startsWith("W/"), "a strong tag would be wrong for several codings");
    assertEquals(new Uint8Array(decompress(compressed)), bytes);

    const again = await site.request("site", CSS, {
      headers: { ...headers, "if-none-match": etag },
    });
    assertEquals(again.status, 304);
    assertEquals(again.headers.get("vary"), "If-None-Match, Accept-Encoding");
    assertEquals(again.headers.get("content-encoding"), null);
  }
});

Deno.test("a range of a static file is one of the uncompressed file", async () => {
  await using site = await builtSite();
  const headers = { ...BROTLI, range: "bytes=0-9" };
  const response = await site.request("site", CSS, { headers });
  assertEquals(response.status, 206);
  assertEquals(response.headers.get("content-encoding"), null);
  const file = await Deno.readTextFile(`${freshConfig.root}/static${CSS}`);
  assertEquals(await response.text(), file.slice(0, 10));
});

Deno.test("small files and files of compressed formats are not compressed by the build", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/static`);
    await Deno.writeTextFile(`${folder}/static/small.css`, "p{}");
    await Deno.writeTextFile(`${folder}/static/large.css`, "p{}".repeat(1_000));
    await Deno.writeTextFile(`${folder}/static/large.png`, "p{}".repeat(1_000));
    await writePrecompressed(folder, [`${folder}/static`]);
    assertEquals([...(await readPrecompressed(folder)).keys()], ["/large.css"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("HEAD returns the headers of GET for compressed pages and files", async () => {
  await using site = await builtSite();
  await using server = serve(site.handler);
  for (const path of ["/terms", CSS]) {
    const headersOf = async (method: string) => {
      const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
      const { host } = new URL(site.services.surfaces.url("trust")!);
      const headers = { host, "accept-encoding": "br" };
      // fetch would decompress the body and hide these headers.
      request({ port: server.port, path, method, headers }, resolve).end();
      const response = await promise;
      for await (const _ of response); // reads all of it
      const { date: _date, "content-security-policy": _nonce, "request-id": _id, ...others } =
        response.headers;
      return others;
    };
    const get = await headersOf("GET");
    assertEquals(get["content-encoding"], "br");
    assertEquals(await headersOf("HEAD"), get);
  }
});

Deno.test("responses of the MCP server are not compressed", async () => {
  await using site = await createSite();
  const response = await site.request("foundation-mcp", "/mcp", {
    method: "POST",
    headers: {
      ...BROTLI,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
  });
  assertFalse(response.headers.has("content-encoding"));
  assertFalse(response.headers.has("vary"));
  await response.json();
});
