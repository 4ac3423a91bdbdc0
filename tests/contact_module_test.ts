import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { gunzipSync, gzipSync } from "node:zlib";
import { parseConfig } from "../lib/app/config.ts";
import { bundleContactModule } from "../lib/features/contact/bundle.ts";
import { freshConfig } from "../fresh.config.ts";
import { redirectToVersion, serveVersion } from "../lib/features/contact/http.ts";
import { contactModuleOf } from "../lib/features/contact/module.ts";
import { createSurfaces } from "../lib/platform/surfaces/mod.ts";
import { contactModule, createSite } from "./site.ts";

const STABLE = "/components/contact-form.js";
const site = await createSite();
Deno.test.afterAll(async () => await site[Symbol.asyncDispose]());

Deno.test("the module is at most 35 KB with all its dependencies", async () => {
  const { code } = await contactModule();
  const bytes = gzipSync(code).length;
  assert(bytes <= 35_000, `${bytes} bytes`);
  const text = new TextDecoder().decode(code);
  assert(!/^\s*(import|export)\b/m.test(text), "it is one classic script");
  assert(!/\beval\(|new Function\(/.test(text), "it contains no code that a strict policy forbids");
  assert(!text.includes("ZodError"), "no schema library");
});

Deno.test("the stable URL redirects to the fingerprint, cached for five minutes", async () => {
  const response = await site.request("api", STABLE);
  assertEquals(response.status, 302);
  assertEquals(response.headers.get("cache-control"), "public, max-age=300");
  assertMatch(response.headers.get("location")!, /^\/components\/contact-form\/[0-9a-f]{20}\.js$/);
  assertOpen(response);
});

Deno.test("a version is cached permanently, and any origin may load it", async () => {
  const { headers } = await site.request("api", STABLE);
  const response = await site.request("api", headers.get("location")!);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assertEquals(response.headers.get("content-type"), "text/javascript; charset=utf-8");
  assertOpen(response);
  assertEquals(response.headers.has("set-cookie"), false);
  assertEquals(new Uint8Array(await response.arrayBuffer()), (await contactModule()).code);
});

Deno.test("a version is compressed if the request accepts gzip", async () => {
  const module = await contactModule();
  const path = `/components/contact-form/${module.fingerprint}.js`;
  const get = (accepted: string) =>
    site.request("api", path, { headers: { "accept-encoding": accepted } });
  const zipped = await get("gzip, deflate, br");
  assertEquals(zipped.headers.get("content-encoding"), "gzip");
  assertMatch(zipped.headers.get("vary")!, /Accept-Encoding/);
  const body = new Uint8Array(await zipped.arrayBuffer());
  assert(body.length <= 35_000);
  assertEquals(new Uint8Array(gunzipSync(body)), module.code);
  for (const accepted of ["identity", "gzip;q=0, br", "x-gzipped"]) {
    const plain = await get(accepted);
    assertEquals(plain.headers.get("content-encoding"), null, accepted);
    assertEquals(new Uint8Array(await plain.arrayBuffer()), module.code);
  }
});

Deno.test("an old version's URL returns the current version, uncached", async () => {
  const response = await site.request("api", `/components/contact-form/${"0".repeat(20)}.js`);
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("cache-control"), "no-store");
  assertOpen(response);
  assertEquals(new Uint8Array(await response.arrayBuffer()), (await contactModule()).code);
});

Deno.test("an invalid version name returns 404, and another method 405", async () => {
  for (const name of ["x.js", "0".repeat(20), `${"0".repeat(20)}.css`, `${"0".repeat(21)}.js`]) {
    const response = await site.request("api", `/components/contact-form/${name}`);
    await response.body?.cancel();
    assertEquals(response.status, 404, name);
  }
  const posted = await site.request("api", STABLE, { method: "POST" });
  await posted.body?.cancel();
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
});

Deno.test("a different script has a different fingerprint", async () => {
  const [a, b] = await Promise.all(
    ["1", "2"].map((text) => contactModuleOf(new TextEncoder().encode(text))),
  );
  assertNotEquals(a.fingerprint, b.fingerprint);
  const req = new Request("http://api.localhost/");
  const cached = (fingerprint: string) =>
    serveVersion(a, `${fingerprint}.js`, req)!.headers.get("cache-control");
  assertEquals(cached(a.fingerprint), IMMUTABLE);
  assertEquals(cached(b.fingerprint), "no-store");
  assertMatch(redirectToVersion(a).headers.get("location")!, new RegExp(a.fingerprint));
});

Deno.test("only the api surface serves the module", () => {
  const { all } = createSurfaces(parseConfig({}));
  for (const path of [STABLE, `/components/contact-form/${"0".repeat(20)}.js`]) {
    const serving = all.filter((surface) => surface.serves(path)).map(({ name }) => name);
    assertEquals(serving, ["workbench", "api"]);
  }
});

Deno.test("a deployment without the api surface shows mail addresses instead of the form", async () => {
  await using mailOnly = await createSite({
    SURFACE_HOSTS: JSON.stringify({
      foundation: ["foundation.localhost"],
      "foundation-mcp": ["mcp.foundation.localhost"],
      commercial: ["commercial.localhost"],
      "commercial-mcp": ["mcp.commercial.localhost"],
      investor: ["investor.localhost"],
      trust: ["trust.localhost"],
    }),
  });
  for (const surface of ["foundation", "commercial", "investor"] as const) {
    const html = await (await mailOnly.request(surface, "/")).text();
    assertMatch(html.split("<footer")[0], /href="mailto:contact@\w+\.example"/, surface);
    assertEquals(/[{,]ContactForm\b/.test(html), false, surface); // a file of scripts has the name of one of them
    assertEquals(html.includes('class="enquiry'), false, surface);
    assertEquals(/>Contact</.test(html.split("<main")[0]), false, surface);
  }
});

Deno.test("a marketing site's contact links lead to its own page, even without the investor surface", async () => {
  await using noInvestor = await createSite({
    SURFACE_HOSTS: JSON.stringify({
      foundation: ["foundation.localhost"],
      "foundation-mcp": ["mcp.foundation.localhost"],
      api: ["api.localhost"],
      trust: ["trust.localhost"],
    }),
  });
  const html = await (await noInvestor.request("foundation", "/")).text();
  assertMatch(html.split("<main")[0], /href="\/contact"/);
  assert(html.includes("ContactForm"), "with scripts, it opens the form");
});

const IMMUTABLE = "public, max-age=31536000, immutable";

function assertOpen({ headers }: Response) {
  assertEquals(headers.get("access-control-allow-origin"), "*");
  assertEquals(headers.get("cross-origin-resource-policy"), "cross-origin");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
}

/** Bundles a module that imports a package of the site's import map, in a folder with only that. */
async function bundlePackage(config: object, lock: object): Promise<string> {
  const root = await Deno.makeTempDir();
  try {
    await Deno.copyFile(`${freshConfig.root}/import_map.json`, `${root}/import_map.json`);
    await Deno.writeTextFile(`${root}/deno.json`, JSON.stringify(config));
    await Deno.writeTextFile(`${root}/deno.lock`, JSON.stringify(lock));
    await Deno.mkdir(`${root}/components/contact`, { recursive: true });
    await Deno.writeTextFile(
      `${root}/components/contact/embed.ts`,
      'import { uneval } from "devalue";\nconsole.log(uneval("devalue was bundled"));\n',
    );
    await Deno.mkdir(`${root}/static/styles`, { recursive: true });
    for (const path of ["components/contact/styles.css", "static/styles/feed.css"]) {
      await Deno.writeTextFile(`${root}/${path}`, "");
    }
    return await bundleContactModule(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("the bundle resolves any import of the site's import map, with linked packages and without", async () => {
  const read = async (name: string) =>
    JSON.parse(await Deno.readTextFile(`${freshConfig.root}/${name}`));
  const { links, ...config } = await read("deno.json");
  const lock = await read("deno.lock");
  const linked = links?.map((path: string) => `${freshConfig.root}/${path}`);
  assertStringIncludes(await bundlePackage({ ...config, links: linked }, lock), "was bundled");
  const { links: _, ...workspace } = lock.workspace;
  assertStringIncludes(await bundlePackage(config, { ...lock, workspace }), "was bundled");
});
