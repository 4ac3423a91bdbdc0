import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { sessionCookie } from "../lib/features/auth/mod.ts";
import { productionEnv } from "../lib/app/testing/production.ts";
import type { Listing } from "../lib/features/qualifications/schemas.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createSite, type Site } from "./site.ts";

function test(name: string, fn: (site: ReturnType<typeof clientOf>) => Promise<void>) {
  Deno.test(name, async () => {
    await using site = await createSite();
    await fn(clientOf(site));
  });
}

function clientOf(site: Site) {
  return {
    ...site.services,
    request: site.request,
    async html(path: string, init?: RequestInit, surface: SurfaceName = "site") {
      const response = await site.request(surface, path, init);
      const text = await response.text();
      assertEquals(response.status, 200, path);
      return text;
    },
    async listing(query: string): Promise<Listing> {
      const response = await site.request("site", `/api/qualifications${query}`);
      assertEquals(response.status, 200, query);
      return await response.json();
    },
    /** Signs in by link and returns the request headers. */
    async signIn(): Promise<RequestInit> {
      const { auth } = site.services;
      const { token } = await auth.issueLink({ email: "visitor@example.org", surface: "site" });
      const signIn = await auth.verify(token, "site");
      return { headers: { cookie: sessionCookie(signIn!.sessionId).split(";")[0] } };
    },
  };
}

const codesIn = (text: string) =>
  [...text.matchAll(/<a [^>]*?href="\/qualifications\/(\w+)"/g)].map(([, code]) => code);
const statusIn = (text: string) => /role="status">(.*?)</.exec(text)?.[1];

test("GET /api/qualifications searches by words and filters, and returns the total", async ({ catalogue, listing }) => {
  const everything = await listing("");
  assertEquals(everything.total, catalogue.size);
  assertEquals([everything.offset, everything.limit], [0, 20]);
  assertEquals(everything.qualifications, catalogue.all.slice(0, 20));

  const found = await listing("?q=carpentry&level=3&package=cpc&status=current");
  assert(found.total > 0);
  for (const { title, aqf_level, training_package, status } of found.qualifications) {
    assertStringIncludes(title, "Carpentry");
    assertEquals([aqf_level, training_package.code, status], [3, "CPC", "current"]);
  }
  assertEquals((await listing("?q=&level=&package=&status=")).total, catalogue.size);
});

test("each count is the number of results of its option, with the other filters unchanged", async ({ listing }) => {
  const { counts } = await listing("?q=care&status=current&level=3");
  for (const [level, count] of Object.entries(counts.level)) {
    assertEquals((await listing(`?q=care&status=current&level=${level}`)).total, count);
  }
  for (const [code, count] of Object.entries(counts.package)) {
    assertEquals(
      (await listing(`?q=care&status=current&level=3&package=${code}`)).total,
      count,
    );
  }
  assert(Object.keys(counts.level).length > 1);
  const total = (await listing("?q=care&level=3")).total;
  assertEquals(counts.status.current + (counts.status.superseded ?? 0), total);
});

test("pages by limit and offset have no gaps or duplicates", async ({ catalogue, listing }) => {
  const codes: string[] = [];
  for (let offset = 0; offset < catalogue.size; offset += 100) {
    const { qualifications } = await listing(`?limit=100&offset=${offset}`);
    codes.push(...qualifications.map(({ code }) => code));
  }
  assertEquals(codes, catalogue.all.map(({ code }) => code));
  const past = await listing("?offset=100000");
  assertEquals([past.total, past.qualifications], [catalogue.size, []]);
});

const INVALID: [string, string][] = [
  ["level=9", "level"],
  ["level=3.0", "level"],
  ["level=three", "level"],
  ["package=BS", "package"],
  ["package=B%2B1", "package"],
  ["status=gone", "status"],
  ["limit=0", "limit"],
  ["limit=101", "limit"],
  ["limit=-1", "limit"],
  ["offset=1e3", "offset"],
  ["offset=-20", "offset"],
  [`q=${"x".repeat(101)}`, "q"],
];

test("GET /api/qualifications returns 400 and names an invalid parameter; POST returns 405", async ({ request }) => {
  for (const [query, field] of INVALID) {
    const response = await request("site", `/api/qualifications?${query}`);
    const body = await response.json();
    assertEquals([response.status, body.error], [400, "invalid_request"], query);
    assertEquals(Object.keys(body.issues), [field], query);
  }
  const both = await request("site", "/api/qualifications?level=9&status=gone");
  assertEquals(Object.keys((await both.json()).issues).sort(), ["level", "status"]);
  const post = await request("site", "/api/qualifications", { method: "POST" });
  await post.body?.cancel();
  assertEquals([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
});

test("the home page renders the search of its URL, including the form", async ({ catalogue, html, listing, surfaces }) => {
  const page = await html("/?q=care&level=3&package=CHC&status=superseded");
  const found = await listing("?q=care&level=3&package=CHC&status=superseded");
  assertEquals(codesIn(page), found.qualifications.map(({ code }) => code));
  assertEquals(statusIn(page), `${found.total} of ${catalogue.size} qualifications`);
  assertStringIncludes(page, `action="/" method="get"`);
  assert(/<input[^>]*name="q"[^>]*value="care"/.test(page));
  assert(/<input[^>]*value="superseded"[^>]*checked/.test(page));
  assert(/<option[^>]*value="3"[^>]*selected|<option[^>]*selected[^>]*value="3"/.test(page));
  assert(/<option[^>]*value="CHC"[^>]*selected|<option[^>]*selected[^>]*value="CHC"/.test(page));
  assertStringIncludes(page, `content="noindex"`);
  assertStringIncludes(page, `<link rel="canonical" href="${surfaces.url("site", "/")}"/>`);
  assertFalse((await html("/")).includes("noindex"));
});

test("the home page ignores invalid parameters", async ({ html }) => {
  const page = await html(`/?level=9&package=%00&status=gone&page=-1&q=${"x".repeat(200)}`);
  assertStringIncludes(page, `No results for “${"x".repeat(100)}”`);
  assertEquals(statusIn(await html("/?level=9&page=zero")), statusIn(await html("/")));
});

test("the home page links to all pages of a search, and shows the last page for a larger number", async ({ catalogue, html }) => {
  const codes: string[] = [];
  let path: string | undefined = "/?status=current";
  let pages = 0;
  while (path !== undefined) {
    const page: string = await html(path);
    codes.push(...codesIn(page));
    pages++;
    path = /rel="next" href="([^"#]*)/.exec(page)?.[1].replaceAll("&amp;", "&");
    if (path !== undefined) assertStringIncludes(path, "status=current");
  }
  const current = catalogue.all.filter(({ status }) => status === "current");
  assertEquals(codes, current.map(({ code }) => code));
  assertEquals(pages, Math.ceil(current.length / 20));
  const last = await html(`/?status=current&page=${pages}`);
  assertEquals(codesIn(await html("/?status=current&page=9999")), codesIn(last));
  assertFalse((await html("/?q=carpentry")).includes("Pages of results"));
});

test("a search without results says so and links to a search without filters", async ({ html }) => {
  const page = await html("/?q=%3Cb%3Exylophone&level=3");
  assertEquals(statusIn(page), "No qualifications found");
  assertStringIncludes(page, "No results for “&lt;b>xylophone”");
  assertStringIncludes(page, `href="/?q=%3Cb%3Exylophone"`);
});

test("every qualification's page shows its data", async ({ catalogue, html, surfaces }) => {
  for (const qualification of catalogue.all) {
    const { code, title, aqf_level, training_package, superseded_by } = qualification;
    const page = await html(`/qualifications/${code}`);
    const url = surfaces.url("site", `/qualifications/${code}`);
    for (
      const part of [
        `<title>${code} ${title} · Qualpack</title>`,
        `<link rel="canonical" href="${url}"/>`,
        `>${title}</h1>`,
        `AQF level ${aqf_level}`,
        `href="/?package=${training_package.code}"`,
        superseded_by === undefined ? "Current</span>" : `href="/qualifications/${superseded_by}"`,
      ]
    ) assertStringIncludes(page, part);
  }
});

test("the pages of a succession link to each other", async ({ html }) => {
  const linked = async (code: string) =>
    [...new Set(codesIn(await html(`/qualifications/${code}`)))].sort();
  assertEquals(await linked("CHC50113"), ["CHC50121", "CHC50125"]);
  assertEquals(await linked("CHC50121"), ["CHC50113", "CHC50125"]);
  assertEquals(await linked("CHC50125"), ["CHC50113", "CHC50121"]);
});

test("a code in another case redirects permanently to the canonical URL", async ({ request }) => {
  for (const path of ["/qualifications/bsb50420", "/qualifications/Bsb50420?from=mail"]) {
    const response = await request("site", path, { redirect: "manual" });
    await response.body?.cancel();
    assertEquals(response.status, 301);
    assertEquals(response.headers.get("location"), "/qualifications/BSB50420");
  }
});

test("an unknown code returns 404", async ({ request }) => {
  for (const code of ["BSB00000", "..%2f", "constructor", "%00"]) {
    const response = await request("site", `/qualifications/${code}`, {
      headers: { accept: "text/html" },
    });
    assertEquals(response.status, 404, code);
    assertStringIncludes(await response.text(), "Page not found");
  }
});

test("with a session, links to sign in become links to the account", async ({ html, signIn }) => {
  const session = await signIn();
  const bar = (page: string) => /<nav class="nav-wide".*?<\/nav>/s.exec(page)![0];
  const onward = (page: string) => /<a class="onward bold screen-only".*?<\/a>/s.exec(page)?.[0];
  const signUp = (page: string) => /<a class="sign-up.*?<\/a>/s.exec(page)![0];
  for (const path of ["/", "/qualifications/BSB50420"]) {
    assert(/href="\/auth".*Sign in/s.test(bar(await html(path))), path);
    assert(/href="\/account".*Account/s.test(bar(await html(path, session))), path);
  }
  assertEquals(
    onward(await html("/")),
    `<a class="onward bold screen-only" href="/auth">Sign in to run this analysis on your scope →</a>`,
  );
  assertEquals(
    onward(await html("/", session)),
    `<a class="onward bold screen-only" href="/account">Go to your account →</a>`,
  );
  const path = "/qualifications/BSB50420";
  assertStringIncludes(signUp(await html(path)), `class="sign-up screen-only" href="/auth"`);
  assertStringIncludes(
    signUp(await html(path, session)),
    `class="sign-up active screen-only" href="/account"`,
  );
});

test("the scope analysis is named only by the link of spec 4.3, which says that there is none yet", async ({ html, signIn }) => {
  const mentions = (page: string) =>
    page.replaceAll(/<[^>]*>/g, "\n").split("\n").filter((text) =>
      /\b(scope|analysis)\b/i.test(text)
    );
  assertEquals(mentions(await html("/")), [
    "Sign in to run this analysis on your scope →",
    "The analysis is not available yet. Signed in, you can save qualifications and searches, and see " +
    "which ones were superseded.",
  ]);
  const session = await signIn();
  for (const page of [await html("/", session), await html("/qualifications/BSB50420")]) {
    assertEquals(mentions(page), []);
  }
});

test("pages with a session are not cached", async ({ request, signIn }) => {
  for (const path of ["/", "/?q=care", "/qualifications/BSB50420"]) {
    const response = await request("site", path, await signIn());
    await response.body?.cancel();
    assertEquals(response.headers.get("cache-control"), "no-store", path);
  }
});

test("on the workbench the search is at /site", async ({ html }) => {
  const page = await html("/site?status=current", {}, "workbench");
  assertStringIncludes(page, `action="/site"`);
  assert(/rel="next" href="\/site\?status=current&amp;page=2#results"/.test(page));
  const qualification = await html("/qualifications/BSB50420", {}, "workbench");
  assertStringIncludes(qualification, `href="/site?package=BSB"`);
});

const bar = (html: string) => /<header.*?<\/header>/s.exec(html)![0];

test("“My record →” leads to the trust surface, from every site and beside “Sign in”", async ({ html }) => {
  for (const name of ["foundation", "commercial", "investor", "site", "trust"] as const) {
    const base = name === "trust" ? "" : "http://trust.localhost:8000";
    const link = new RegExp(`<a href="${base}/my-record"[^>]*>My record →</a>`);
    assert(link.test(bar(await html("/", {}, name))), name);
  }
  const sites = bar(await html("/"));
  assert(sites.indexOf("Sign in") < sites.indexOf("My record →"));
});

Deno.test("without the trust surface there is no “My record →”, and the page returns 404", async () => {
  const hosts = { site: ["site.example"], investor: ["investor.example"] };
  await using alone = await createSite(productionEnv(hosts));
  for (const name of ["site", "investor"] as const) {
    assertFalse((await (await alone.request(name, "/")).text()).includes("My record"), name);
  }
  const page = await alone.request("investor", "/my-record");
  await page.body?.cancel();
  assertEquals(page.status, 404);
});

test("the privacy page names what is stored and for how long", async ({ html }) => {
  const privacy = await html("/privacy/stored", {}, "trust");
  for (
    const part of ["app_session", "30 days", "15 minutes", "for 1 hour", "SHA-256"]
  ) assertStringIncludes(privacy, part);
});
