import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { axeViolations, becomes, sidewaysScroll } from "./browser.ts";
import { servedSite } from "./served_site.ts";
import { withoutMotion } from "./still_pages.ts";

const HASH = "0123456789abcdef".repeat(4);
const NEW = "fedcba9876543210".repeat(4);
const { site, browser } = await servedSite();
const test = withoutMotion(browser);
const { surfaces, chains } = site.services;
await chains.start(HASH);

const page = async (path: string) => await (await site.request("foundation", path)).text();

Deno.test("the foundation's home page contains the unchanged sample chain with its verdict", async () => {
  const html = await page("/");
  assertStringIncludes(html, "Verified: 3 events");
  for (const kind of ["hash_generated", "email_confirmed", "k2_delivered"]) {
    assertStringIncludes(html, `&quot;kind&quot;:&quot;${kind}&quot;`);
  }
  assertFalse(html.includes("not verified"));
});

Deno.test("the foundation's home page says for whom it is before any data, and names events before their kinds", async () => {
  const html = await page("/");
  const places = ["maintains an open standard", "Who it is for", "Record registered", "&quot;kind"]
    .map((text) => html.indexOf(text));
  assert(places[0] > 0);
  assertEquals(places, places.toSorted((a, b) => a - b));
  assertFalse(/JCS|\bsalt\b/.test(html));
});

Deno.test("GET /verify on the foundation's site returns the publisher's chain and keys", async () => {
  const response = await site.request("foundation", `/verify?hash=${HASH}`, {
    headers: { accept: "application/json" },
  });
  assertEquals(await response.json(), {
    hash: HASH,
    publisher: chains.publisher,
    chain_url: surfaces.url("api", `/api/chain/${HASH}`),
    keys_url: surfaces.url("trust", "/.well-known/chain-keys.json"),
  });
});

Deno.test("search engines may index the foundation's verifier, but no record on it", async () => {
  const noindex = `<meta name="robots" content="noindex"`;
  const canonical = `<link rel="canonical" href="${surfaces.url("foundation", "/verify")}"/>`;
  const start = await page("/verify");
  assert(start.includes(canonical) && !start.includes(noindex));
  assertStringIncludes(await page(`/verify?hash=${HASH}`), noindex);
});

test(
  "the foundation's verifier reads chain and keys from the publisher",
  { context: { viewport: { width: 320, height: 800 } } },
  async (page) => {
    // Later, the verdict would warn that the chain is not in the log yet.
    await chains.start(NEW);
    await page.goto(surfaces.url("foundation", `/verify?hash=${NEW}`)!);
    const verdict = page.getByRole("region", { name: "Verdict" });
    await becomes(() => verdict.getByRole("heading").textContent(), "Verified: 1 event");
    assertEquals(await axeViolations(page), []);
    assertEquals(await sidewaysScroll(page), 0);
  },
);
