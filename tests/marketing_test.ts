import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { QUALIFICATION } from "../tools/product_data.ts";
import { createSite } from "./site.ts";

const CODE = "https://git.example/renamed-foundation";
const site = await createSite({
  FOUNDATION_CODE_HOST_URL: CODE + "/",
  COMMERCIAL_CODE_HOST_URL: "https://git.example/attest",
});
const SITES = ["foundation", "commercial"] as const;

async function page(surface: typeof SITES[number], path: string): Promise<string> {
  return await (await site.request(surface, path)).text();
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map((match) => match[1]);
}

/** Returns every page of a marketing site that can be reached from its home page, with its HTML. */
async function crawl(surface: typeof SITES[number]): Promise<Map<string, string>> {
  const base = site.services.surfaces.url(surface)!;
  const pages = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (pages.has(path)) continue;
    const response = await site.request(surface, path);
    const html = await response.text();
    if (path === "/my-record") { // on the trust surface
      const { surfaces } = site.services;
      assertEquals(response.headers.get("location"), surfaces.url("trust", path));
      continue;
    }
    assertEquals(response.status, 200, path);
    pages.set(path, html);
    for (const href of linksOf(html)) {
      const url = new URL(href.replaceAll("&amp;", "&"), base + path);
      if (url.origin === base) waiting.push(url.pathname + url.search);
    }
  }
  return pages;
}

for (const surface of SITES) {
  Deno.test(`${surface}: every internal link returns 200 and every anchor exists`, async () => {
    const pages = await crawl(surface);
    assert(pages.size >= 13, `found only ${pages.size} pages`);
    const base = site.services.surfaces.url(surface)!;
    for (const [path, html] of pages) {
      for (const href of linksOf(html)) {
        const url = new URL(href.replaceAll("&amp;", "&"), base + path);
        if (url.origin !== base || url.hash === "") continue;
        const target = pages.get(url.pathname + url.search)!;
        const id = decodeURIComponent(url.hash.slice(1));
        assert(target.includes(`id="${id}"`), `${path} links to ${href}`);
      }
    }
  });

  Deno.test(`${surface}: external links lead only to our surfaces, the code host and cited sources`, async () => {
    const { surfaces, config } = site.services;
    const { codeHostUrl } = config.organisations[surface];
    for (const [path, html] of await crawl(surface)) {
      for (const href of linksOf(html)) {
        if (!/^https?:/.test(href) || surfaces.isOwnOrigin(new URL(href).origin)) continue;
        const known = href === codeHostUrl || href.startsWith(codeHostUrl + "/") ||
          KNOWN.some((url) => href.startsWith(url));
        assert(known, `${path} links to ${href}`);
      }
    }
  });

  Deno.test(`${surface}: the sitemap lists the canonical pages, and robots.txt names the sitemap`, async () => {
    const robots = await page(surface, "/robots.txt");
    const base = site.services.surfaces.url(surface)!;
    assertStringIncludes(robots, `Sitemap: ${base}/sitemap.xml`);
    const xml = await page(surface, "/sitemap.xml");
    const listed = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1]);
    const canonical = [...await crawl(surface)]
      .filter(([path, html]) => html.includes(`<link rel="canonical" href="${base}${path}"/>`))
      .map(([path]) => base + path);
    assertEquals(listed.sort(), canonical.sort());
  });

  Deno.test(`${surface}: the home page has metadata for sharing`, async () => {
    const html = await page(surface, "/");
    const { name, description } = site.services.config.organisations[surface];
    const base = site.services.surfaces.url(surface)!;
    for (
      const part of [
        `<link rel="canonical" href="${base}/"/>`,
        `<meta property="og:site_name" content="${name}"/>`,
        `<meta property="og:description" content="${description}"/>`,
        `<meta property="og:image" content="${base}/og-${surface}.png"/>`,
        `<meta name="twitter:card" content="summary_large_image"/>`,
      ]
    ) assertStringIncludes(html, part);
    const icon = await site.request(surface, "/favicon.ico");
    assertEquals(icon.headers.get("location"), `/icons/${surface}.ico`);
    for (
      const path of [`/og-${surface}.png`, `/icons/${surface}-512.png`, `/icons/${surface}.ico`]
    ) {
      const response = await site.request(surface, path);
      await response.body?.cancel();
      assertEquals(response.status, 200, path);
    }
    const data = /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)![1];
    const organisation = JSON.parse(data);
    assertEquals([organisation["@type"], organisation.name], ["Organization", name]);
  });
}

Deno.test("the commercial home page shows how a certificate is issued, from the approval to the check", async () => {
  const html = await page("commercial", "/");
  const [steps] = /<ol class="path-steps[^]*?<\/ol>/.exec(html)!;
  assertEquals([...steps.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title]) => title), [
    "An approved organisation issues it",
    "Every page gets a code",
    "The holder keeps it",
    "A stranger scans it",
    "The file is checked",
  ]);
});

Deno.test("the footer of every surface with pages links to the API", async () => {
  await using site = await createSite();
  const api = site.services.surfaces.url("api")!;
  for (
    const surface of [
      "site",
      "foundation",
      "commercial",
      "investor",
      "commercial-mcp",
      "api",
      "trust",
    ] as const
  ) {
    const html = await (await site.request(surface, "/")).text();
    const [footer] = /<footer.*?<\/footer>/s.exec(html)!;
    assertEquals(linksOf(footer).filter((link) => link === api), [api], surface);
  }
});

Deno.test("the certificate in the product's pictures is for a current qualification", async () => {
  await using site = await createSite();
  const { status, title } = site.services.catalogue.get(QUALIFICATION.code)!;
  assertEquals({ status, title }, { status: "current", title: QUALIFICATION.title });
});

/** Sources that the pages cite. */
const KNOWN = [
  "https://www.rfc-editor.org/",
  "https://modelcontextprotocol.io",
  "https://c2sp.org/",
];

Deno.test("the bar, Standard, Participate and the footer link to the configured code host", async () => {
  const html = await page("foundation", "/");
  const part = (from: string, to: string) =>
    linksOf(html.slice(html.indexOf(from), html.indexOf(to, html.indexOf(from))));
  for (
    const links of [
      part("<header", "</header>"),
      part(`id="standard"`, "</section>"),
      part(`id="participate"`, "</section>"),
      part("<footer", "</footer>"),
    ]
  ) assert(links.includes(CODE), links.join(" "));
});

Deno.test("no page mentions the default code host when another one is configured", async () => {
  const defaultHost = "code.example";
  for (const surface of SITES) {
    for (const [path, html] of await crawl(surface)) {
      assertFalse(html.includes(defaultHost), `${surface} ${path}`);
    }
  }
});

Deno.test("robots.txt disallows everything on surfaces that are not indexed", async () => {
  for (const name of ["foundation-console", "foundation-mcp"] as const) {
    assertEquals(
      await (await site.request(name, "/robots.txt")).text(),
      "User-agent: *\nDisallow: /\n",
    );
  }
});

Deno.test("the sitemaps of trust and api list public pages that may be indexed, and robots.txt allows them", async () => {
  for (const name of ["trust", "api"] as const) {
    assertStringIncludes(await (await site.request(name, "/robots.txt")).text(), "Allow: /\n");
    const xml = await (await site.request(name, "/sitemap.xml")).text();
    const urls = [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => new URL(url));
    assert(urls.length >= 7, xml);
    for (const { pathname } of urls) {
      const response = await site.request(name, pathname, { headers: { accept: "text/html" } });
      assertEquals(response.status, 200, pathname);
      assertFalse((await response.text()).includes("noindex"), pathname);
    }
  }
});

Deno.test("every surface has a security.txt with the address of its organisation and half a year of validity", async () => {
  const { config, surfaces, clock } = site.services;
  for (const { name, organisation, baseUrl } of surfaces.all) {
    const response = await site.request(name, "/.well-known/security.txt");
    assertEquals(response.headers.get("content-type"), "text/plain; charset=utf-8", name);
    const [contact, expires, ...others] = (await response.text()).split("\n");
    assertEquals(contact, `Contact: mailto:${config.organisations[organisation].contactEmail}`);
    const days = (Date.parse(expires.slice("Expires: ".length)) - clock()) / 86_400_000;
    assert(days > 170 && days < 190, expires);
    assertEquals(others, [
      "Preferred-Languages: en",
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      `Policy: ${surfaces.url("commercial", "/security")}`,
      "",
    ]);
  }
});
