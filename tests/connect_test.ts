import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { WORDS, WORKS_WITH } from "../components/connect/words.ts";
import { createSite } from "./site.ts";

const site = await createSite({
  COMMERCIAL_NAME: "Seals & Sons",
  COMMERCIAL_CODE_HOST_URL: "https://git.example/seals",
});
const SITES = ["foundation", "commercial"] as const;
const HEADINGS = [
  "New to MCP? You're not alone.",
  "Why this matters for you",
  "Why you have to tell your agent",
  "Connect your agent",
  "Who manages MCP?",
];

async function html(...args: Parameters<typeof site.request>): Promise<string> {
  return await (await site.request(...args)).text();
}

/** The text of a page as a person reads it. */
function textOf(source: string): string {
  return source.replace(/<(script|style)\b.*?<\/\1>/gs, "").replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

for (const surface of SITES) {
  Deno.test(`${surface}: /connect holds the five sections in order, and both strings`, async () => {
    const source = await html(surface, "/connect");
    const found = [...source.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map((match) => match[1]);
    assertEquals(found, HEADINGS);

    const manifest = site.services.manifests[surface];
    const text = textOf(source);
    assertStringIncludes(
      text,
      `claude mcp add --transport http ${manifest.serverName} ${manifest.endpoint}`,
    );
    assertStringIncludes(text, `"url": "${manifest.endpoint}"`);
    assertStringIncludes(text, `Works with ${WORKS_WITH.join(" · ")}`);
    assertFalse(source.includes(`class="copy"`), "nothing copies before the scripts do");

    const { name } = site.services.config.organisations[surface];
    const title = `Connect your agent to ${name.replace("&", "&amp;")}`;
    assertStringIncludes(source, `<title>${title}</title>`);
    assertEquals(source.match(/<meta name="description"/g)?.length, 1);
  });

  Deno.test(`${surface}: the badge is on every page, and its overlay's text in none`, async () => {
    for (const path of ["/", "/standard", "/standard/records", "/connect"]) {
      const source = await html(surface, path);
      assertEquals(source.match(/>MCP Enabled ↓<\/a>/g)?.length, 1, path);
      assertStringIncludes(source, `<a class="mcp-badge" href="/connect">`);
      assertFalse(source.includes("<dialog"), path);
      if (path !== "/connect") assertFalse(source.includes(HEADINGS[0]), path);
    }
  });

  Deno.test(`${surface}: on an error page the badge is a plain link`, async () => {
    const source = await html(surface, "/nowhere");
    assertStringIncludes(source, `<a class="mcp-badge" href="/connect">MCP Enabled ↓</a>`);
    assertFalse(source.includes("<script"));
  });
}

Deno.test("the second organisation's text substitutes its own name, addresses and description", async () => {
  const { foundation, commercial } = site.services.manifests;
  const text = textOf(await html("commercial", "/connect"));
  for (
    const part of [
      "Seals & Sons",
      "https://git.example/seals",
      commercial.endpoint,
      commercial.description,
      "Our certification infrastructure is",
      commercial.contactEmail,
      `${foundation.organisationName} looks after it at ${foundation.homepage}`,
    ]
  ) assertStringIncludes(text, part);
  assertFalse(text.includes(foundation.endpoint));
  assertFalse(text.includes("open-records-foundation"), "not the other one's repositories");

  const other = textOf(await html("foundation", "/connect"));
  assertFalse(other.includes("Seals"));
  assertFalse(other.includes("git.example"));
});

Deno.test("addresses in the description lead there", async () => {
  const source = await html("commercial", "/connect");
  assertStringIncludes(
    source,
    `<a href="https://git.example/seals">https://git.example/seals</a>.`,
  );
  assertStringIncludes(source, `<a href="mailto:contact@commercial.example">`);
});

Deno.test("other surfaces have neither the badge nor the page", async () => {
  for (const surface of ["trust", "site", "foundation-mcp"] as const) {
    assertFalse((await html(surface, "/")).includes("mcp-badge"), surface);
    const response = await site.request(surface, "/connect");
    await response.body?.cancel();
    assertEquals(response.status, 404, surface);
  }
});

Deno.test("twelve products, alphabetically", () => {
  assertEquals(new Set(WORKS_WITH).size, 12);
  assertEquals(WORKS_WITH, WORKS_WITH.toSorted((a, b) => a.localeCompare(b, "en")));
});

Deno.test("the questions to ask first have an answer here", () => {
  const { catalogue, standard } = site.services;
  const code = /[A-Z]{3}\d{5}/.exec(WORDS.commercial.ask)![0];
  assert(catalogue.get(code)?.superseded_by, code);
  assert(standard.sections.some(({ id }) => id === "heads"));
  assertStringIncludes(WORDS.foundation.ask, "signed head");
});
