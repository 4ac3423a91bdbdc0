import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { RequestError } from "../lib/platform/http/errors.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { ADMIN, BOARD, createBankSite } from "./bank_site.ts";
import { createSite } from "./site.ts";

const HEADERS = { accept: "text/html" };

/** Returns the content of an error page. */
async function mainOf(response: Response, status = 404): Promise<string> {
  assertEquals(response.status, status);
  const html = await response.text();
  assert(!html.includes("<script"));
  return /<main[^]*<\/main>/.exec(html)![0];
}

const linksIn = (html: string) => [...html.matchAll(/href="(\/[^"]*)"/g)].map((match) => match[1]);

Deno.test("a 404 page offers the surface's own search and only links that the surface serves", async () => {
  await using site = await createSite();
  const cases: [SurfaceName, path: string, action: string | null][] = [
    ["foundation", "/nowhere", "/standard"],
    ["commercial", "/nowhere", null],
    ["site", "/nowhere", "/"],
    ["trust", "/nowhere", "/verify"],
    ["investor", "/nowhere", null],
    ["api", "/nowhere", null],
    ["commercial-mcp", "/nowhere", null],
  ];
  for (const [surface, path, action] of cases) {
    const html = await mainOf(await site.request(surface, path, { headers: HEADERS }));
    assertEquals(/<form[^>]* action="([^"]*)"/.exec(html)?.[1] ?? null, action, surface);
    const links = linksIn(html);
    assert(links.includes("/"), surface);
    const { organisation, name } = site.services.surfaces.get(surface)!;
    const home = site.services.surfaces.url(organisation, "/");
    assertEquals(html.includes(`href="${home}"`), name !== organisation, surface);
    for (const link of links) {
      assert(site.services.surfaces.get(surface)!.serves(link), `${surface} ${link}`);
    }
  }
});

Deno.test("a 404 page suggests the path that was meant, and fills in the search", async () => {
  await using site = await createSite();
  const request = async (surface: SurfaceName, path: string) =>
    await mainOf(await site.request(surface, path, { headers: HEADERS }));
  assertStringIncludes(await request("foundation", "/conect"), `Did you mean <a href="/connect">`);
  assertStringIncludes(
    await request("commercial", "/standard/evnt-chain"),
    `Did you mean <a href="/standard/event-chain"`,
  );
  assertMatch(await request("site", "/qualifications/child-care"), /name="q" value="child care"/);
  const hash = "a1".repeat(32);
  assertStringIncludes(await request("trust", `/${hash}`), `name="hash" value="${hash}"`);
  assertStringIncludes(
    await request("trust", "/d/7K3M9Q2XB4TW01RA"),
    'name="number" value="7K3M-9Q2X-B4TW-01RA"',
  );

  const unknown = await request("trust", "/d/7K3M9Q2XB4TW01RA");
  assertMatch(unknown, /<h1[^>]*>No document has this number<\/h1>/);
  assertMatch(unknown, /not after “SHA-256”.*16 digits and letters.*it was deleted/);
  assertMatch(await request("trust", "/levels/x"), /<h1[^>]*>Page not found<\/h1>/);

  const odd = await request("site", "/%22%3E%3Cb%3E");
  assertMatch(odd, /name="q" value=""/);
  // Paths that other surfaces serve are not suggested.
  assert(!(await request("trust", "/consol")).includes("Did you mean"));
  assert(!(await request("foundation", "/authorise")).includes("Did you mean"));
});

Deno.test("a console suggests and searches only what the visitor may open", async () => {
  await using fixture = await createBankSite();
  const request = async (person: string | null) =>
    await mainOf(
      await fixture.request("commercial-console", "/console/finanse", person, { headers: HEADERS }),
    );
  const admin = await request(ADMIN);
  assertStringIncludes(admin, `Did you mean <a href="/console/finance">`);
  assertStringIncludes(admin, `method="post" action="/console/search"`);
  const board = await request(BOARD);
  assert(!board.includes("/console/finance"));
  assertStringIncludes(board, `action="/console/search"`);
  const visitor = await request(null);
  assert(!visitor.includes("Did you mean") && !visitor.includes("<form"));
});

Deno.test("a 404 page shows who is signed in instead of the link to sign in", async () => {
  await using fixture = await createBankSite();
  const header = async (surface: SurfaceName, person: string | null) => {
    const response = await fixture.request(surface, "/nowhere", person, { headers: HEADERS });
    return /<header[^]*?<\/header>/.exec(await response.text())![0];
  };
  const cases = [["site", ">Account<"], ["commercial-console", ADMIN]] as const;
  for (const [surface, text] of cases) {
    const [member, visitor] = [await header(surface, ADMIN), await header(surface, null)];
    assert(member.includes(text) && !member.includes(">Sign in<"), surface);
    assert(!visitor.includes(text) && visitor.includes(">Sign in<"), surface);
  }
});

Deno.test("a failed page can be tried again, and says when after Retry-After", async () => {
  await using site = await createSite({}, { log: () => {} });
  const failWith = (error: Error) => {
    site.services.catalogue = new Proxy(site.services.catalogue, {
      get: () => {
        throw error;
      },
    });
  };
  failWith(new Error("broken"));
  const failed = await mainOf(await site.request("site", "/", { headers: HEADERS }), 500);
  assertStringIncludes(failed, `href>Try again</a>`);
  assert(!failed.includes("<form"));
  failWith(new RequestError(429, "Too many.", { headers: { "retry-after": "17" } }));
  const limited = await mainOf(await site.request("site", "/", { headers: HEADERS }), 429);
  assertStringIncludes(limited.replaceAll("<!-- -->", ""), "You can try again in 17 seconds.");
});

Deno.test("programs still get 404 as JSON, on the API's host even if they accept everything", async () => {
  await using site = await createSite();
  for (
    const [surface, accept] of [["foundation", "application/json"], ["api", "*/*"]] as const
  ) {
    const response = await site.request(surface, "/conect", { headers: { accept } });
    assertEquals([response.status, (await response.json()).error], [404, "not_found"]);
  }
  const page = await site.request("api", "/conect", { headers: { accept: "text/html" } });
  assertStringIncludes(await page.text(), "<h1");
});
