import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import zlib from "node:zlib";
import { DAY_MS } from "../lib/base/time.ts";
import { SURFACE_NAMES, type SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSignInSite } from "./sign_in_site.ts";
import { createSite, type Site } from "./site.ts";

const DAY = Date.parse("2026-11-22T12:00:00Z");
const site = await createSite({}, { clock: () => DAY });

/** Pages of routes with parameters, and searches. */
const EXAMPLES: [SurfaceName, string][] = [
  ["foundation", "/standard/records"],
  ["site", "/qualifications/CHC50121"],
  ["site", "/?q=care&level=3"],
  ["site", "/compare?a=TAE40110&b=TAE40122"],
];

/** Pages that must be rendered once. */
const SHARED = [
  ...EXAMPLES.map((example) => example.join(" ")),
  ...["/", "/standard", "/governance", "/implementations", "/connect"].map((path) =>
    `foundation ${path}`
  ),
  ...["/", "/standard", "/security", "/connect"].map((path) => `commercial ${path}`),
  ...["/", "/terms", "/privacy", "/levels", "/log/about"].map((path) => `trust ${path}`),
  ...["site /", "api /", "api /docs", "foundation-mcp /", "commercial-mcp /"],
];

/** Pages that depend on the store, the time, or other headers. */
const OWN = [
  "investor /",
  "commercial /contact",
  "commercial /status",
  "trust /verify",
  "trust /check",
  "trust /my-record",
  "site /auth",
];

/** Returns the page without its nonces, and its headers. */
async function read(response: Response): Promise<{ html: string; headers: string }> {
  const nonce = nonceOf(response);
  const without = (text: string) => nonce === undefined ? text : text.replaceAll(nonce, "");
  return {
    html: without(await response.text()),
    headers: without(
      JSON.stringify([...response.headers].filter(([name]) => name !== "request-id")),
    ),
  };
}

const nonceOf = ({ headers }: Response): string | undefined =>
  /'nonce-([\w-]{22})'/.exec(headers.get("content-security-policy")!)?.[1];

const isShared = ({ headers }: Response): boolean =>
  headers.has("etag") && headers.get("content-type")!.startsWith("text/html");

/** Another visitor, at another time. The cookies count only where nobody signs in. */
function anotherVisitor(site: Site, surface: SurfaceName, path: string): Promise<Response> {
  const { baseUrl, signIn, holders } = site.services.surfaces.get(surface)!;
  const { hostname } = new URL(baseUrl);
  const headers = {
    host: `${hostname.toUpperCase()}.:8000`,
    accept: "text/html",
    "accept-language": "de",
    "user-agent": "Bot/1.0",
    referer: "https://elsewhere.example/secret",
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "elsewhere.example",
    "x-forwarded-proto": "https",
    "sec-fetch-site": "cross-site",
    "sec-purpose": "prefetch",
    "save-data": "on",
    authorization: "Bearer secret",
    ...signIn === null && !holders ? { cookie: "app_session=secret; record_session=secret" } : {},
  };
  return site.request(surface, path, { headers });
}

Deno.test("each shared page is the same for different visitors, except for its nonce", async () => {
  let now = DAY;
  await using later = await createSite({}, { clock: () => now });
  await later.services.pages.findPage(""); // publishes the texts, whose date the pages show
  now += 400 * DAY_MS;
  const { surfaces } = site.services;
  const paths = SURFACE_NAMES.flatMap((name) =>
    surfaces.get(name)!.routes
      .filter(({ path, off }) => off === undefined && !/[:*]/.test(path))
      .map(({ path }): [SurfaceName, string] => [name, path])
  );
  const shared: string[] = [];
  for (const [surface, path] of [...paths, ...EXAMPLES]) {
    const response = await site.request(surface, path);
    if (!isShared(response)) {
      await response.body?.cancel();
      continue;
    }
    shared.push(`${surface} ${path}`);
    assertEquals(response.headers.get("cache-control"), "private, no-cache", path);
    const first = await read(response);
    for (const other of [later, site]) {
      const { html, headers } = await read(await anotherVisitor(other, surface, path));
      assertEquals(headers, first.headers, `${surface} ${path}`);
      assert(html === first.html, `${surface} ${path}`);
    }
  }
  assertEquals(SHARED.filter((page) => !shared.includes(page)), []);
  assertEquals(OWN.filter((page) => shared.includes(page)), []);
});

Deno.test("a shared page has a new nonce each time, and 304 for its ETag in each encoding", async () => {
  const decode = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync };
  for (const [surface, path] of [["foundation", "/"], ["site", "/?q=care"], ["trust", "/terms"]]) {
    const get = (headers: Record<string, string>, method = "GET") =>
      site.request(surface as SurfaceName, path, { headers, method });
    const first = await get({});
    const etag = first.headers.get("etag")!;
    const { html } = await read(first);
    const nonces = [nonceOf(first)];
    for (const coding of ["br", "gzip", "br", "gzip"] as const) {
      const response = await get({ "accept-encoding": coding });
      assertEquals(response.headers.get("content-encoding"), coding);
      const bytes = new Uint8Array(await response.arrayBuffer());
      assertEquals(response.headers.get("content-length"), String(bytes.length));
      const nonce = nonceOf(response);
      const text = decode[coding](bytes).toString();
      assertEquals(nonce === undefined ? text : text.replaceAll(nonce, ""), html);
      nonces.push(nonce);

      const head = await get({ "accept-encoding": coding }, "HEAD");
      assertEquals([head.status, await head.text()], [200, ""]);
      // The length of gzip depends on the nonce.
      const length = Number(head.headers.get("content-length"));
      assert(coding === "br" ? length === bytes.length : length > 1_000, coding);

      const unchanged = await get({ "accept-encoding": coding, "if-none-match": `"x", ${etag}` });
      assertEquals([unchanged.status, await unchanged.text()], [304, ""]);
      assertEquals(unchanged.headers.get("etag"), etag);
      assertEquals(unchanged.headers.get("vary"), "Accept-Encoding, Cookie");
      // It would replace the policy of the client's copy, whose nonce is another one.
      assertEquals(unchanged.headers.get("content-security-policy"), null);
    }
    if (path !== "/terms") assertEquals(new Set(nonces).size, nonces.length);
    assertEquals((await get({ "if-none-match": `W/"x"` })).status, 200);
  }
});

Deno.test("a nonce is valid for the scripts of its page only", async () => {
  const page = async () => {
    const response = await site.request("foundation", "/");
    return { nonce: nonceOf(response)!, html: await response.text() };
  };
  const [one, other] = [await page(), await page()];
  assertNotEquals(one.nonce, other.nonce);
  for (const { nonce, html } of [one, other]) {
    const found = [...html.matchAll(/<script(?: type="[^"]*")? nonce="([^"]*)"/g)];
    assert(found.length > 1);
    for (const [, value] of found) assertEquals(value, nonce);
    assertEquals(html.match(/<script\b/g)!.length, found.length);
  }
});

Deno.test("a shared page is stored by its theme, and returned without the route", async () => {
  await using site = await createSite();
  const { services } = site;
  const html = async (path: string, cookie = "") => {
    const response = await site.request("site", path, { headers: cookie ? { cookie } : {} });
    return [response.status, await response.text()] as const;
  };
  const themes = ["", "theme=dark", "theme=light"];
  for (const cookie of themes) await html("/?q=care", cookie);
  await html("/?q=+care");
  await html("/qualifications/nothing");
  await html("//qualifications/BSB50420");
  // From here on, only stored pages can be returned.
  services.catalogue = null!;
  for (const cookie of themes) {
    const [status, text] = await html("/?q=care", cookie);
    assertEquals(status, 200);
    assertEquals(/data-theme="(\w+)"/.exec(text)?.[1] ?? "", cookie.slice("theme=".length));
  }
  const others = [
    "/?q=+care",
    "/?q=care&x=1",
    "/?q=other",
    "/qualifications/nothing",
    "//qualifications/BSB50420",
  ];
  for (const path of others) assertEquals((await html(path))[0], 500, path);
  assertEquals((await html("/?q=care", "theme=dark; other=1"))[0], 500);
});

Deno.test("a visitor with a session does not get a shared page, and nobody gets theirs", async () => {
  await using setup = await createSignInSite();
  const get = async (headers: Record<string, string> = {}) => {
    const response = await setup.site.request("site", "/?q=care", { headers });
    return { headers: response.headers, html: await response.text() };
  };
  const cookie = await setup.signIn();
  const own = await get({ cookie });
  const shared = await get();
  assertMatch(own.html, /href="\/account"/);
  assertEquals(own.headers.get("cache-control"), "no-store");
  assertEquals(own.headers.get("etag"), null);
  assertMatch(shared.html, /href="\/auth"/);
  const etag = shared.headers.get("etag")!;
  const after = await get({ cookie, "if-none-match": etag });
  assertMatch(after.html, /href="\/account"/);
  assertEquals((await get()).html.includes("/account"), false);
});
