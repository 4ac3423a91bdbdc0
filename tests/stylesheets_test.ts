import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { freshConfig } from "../fresh.config.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { ADMIN, createBankSite } from "./bank_site.ts";
import { createSite } from "./site.ts";

const STYLES = `${freshConfig.root}/static/styles`;
/** The widths, in pixels, at which layouts change; `static/styles/README.md` describes them. */
const BREAKPOINTS = [640, 960, 1200];

/** A page for every stylesheet, and for every way to choose one. */
const PAGES: [SurfaceName, path: string, styles: string][] = [
  ["foundation", "/", "foundation"],
  ["commercial", "/", "commercial_home"],
  ["commercial", "/security", "commercial_page"],
  ["commercial", "/connect", "marketing"],
  ["foundation", "/standard", "standard"],
  ["foundation", "/nowhere", "error"],
  ["site", "/", "qualifications"],
  ["site", "/qualifications/BSB30120", "qualifications"],
  ["site", "/auth", "sign_in"],
  ["site", "/nowhere", "error"],
  ["investor", "/", "investor"],
  ["foundation", "/contact", "contact"],
  ["trust", "/terms", "published"],
  ["trust", "/verify", "verify"],
  ["trust", "/k", "key"],
  ["trust", "/check", "check"],
  ["workbench", "/", "workbench"],
  ["workbench", "/dev/charts", "chart"],
];

const sheetsOf = (html: string) =>
  [...html.matchAll(/<link [^>]*rel="stylesheet"[^>]*>/g)].map(([tag]) =>
    /href="([^"]+)"/.exec(tag)![1]
  );

Deno.test("a production build gives each page one minified stylesheet that is cached for a year", async () => {
  await using site = await createSite();
  for (const [surface, path, styles] of PAGES) {
    const sheets = sheetsOf(await (await site.request(surface, path)).text());
    assertEquals(sheets.length, 1, `${surface} ${path}: ${sheets}`);
    const [sheet] = sheets;
    assertMatch(sheet, new RegExp(`^/styles/pages/${styles}\\.css\\?__frsh_c=[\\da-f]{16}$`));
    const response = await site.request(surface, sheet);
    assertEquals(response.status, 200);
    assertEquals(
      response.headers.get("cache-control"),
      "public, max-age=31536000, immutable",
    );
    const css = await response.text();
    assertFalse(css.includes("@import"), sheet);
    assertFalse(css.includes("/*"), sheet);
    assertMatch(css, /--bg: ?#f7f9fb;/, `${sheet} has the light colours for older browsers`);
    assert(css.split("\n").length < 5, sheet);
  }
  const css = await (await site.request("site", "/styles/pages/console.css")).text();
  const order = [":root", ".skip-link", ".button", ".console", ".registry-card", ".chart-plot"]
    .map((selector) => css.indexOf(selector));
  assertEquals(order, order.toSorted((a, b) => a - b), "the order of the imports is kept");
  assert(order.every((index) => index !== -1), String(order));
});

Deno.test("every page of the console loads the console's stylesheet", async () => {
  await using fixture = await createBankSite();
  const { accounts } = createBank("commercial", 0);
  const paths = ["", "/finance", `/finance/${accounts[0].id}`, "/surfaces", "/nowhere"];
  for (const path of paths) {
    const page = await fixture.request("commercial-console", `/console${path}`, ADMIN);
    const sheets = sheetsOf(await page.text());
    assertEquals(sheets.length, 1, path);
    assertMatch(sheets[0], /^\/styles\/pages\/console\.css\?/);
  }
});

Deno.test("every stylesheet belongs to one of a page", async () => {
  const imported = new Set<string>();
  for await (const { name } of Deno.readDir(`${STYLES}/pages`)) {
    const text = await Deno.readTextFile(`${STYLES}/pages/${name}`);
    for (const [, file] of text.matchAll(/@import "\.\.\/([^"]+)"/g)) imported.add(file);
  }
  const files: string[] = [];
  for await (const { name, isFile } of Deno.readDir(STYLES)) if (isFile) files.push(name);
  assertEquals([...imported].sort(), files.sort());
});

Deno.test("the stylesheet of every page ends with the primitives, which win over rules of one class", async () => {
  for await (const { name } of Deno.readDir(`${STYLES}/pages`)) {
    if (name === "offline.css") continue; // for the service worker's page, which uses none
    const text = await Deno.readTextFile(`${STYLES}/pages/${name}`);
    assert(text.endsWith('@import "../primitives.css";\n'), name);
  }
});

Deno.test("layouts change at three widths only", async () => {
  const widths = new Map<string, string>();
  for await (const { name, isFile } of Deno.readDir(STYLES)) {
    if (!isFile) continue;
    const css = await Deno.readTextFile(`${STYLES}/${name}`);
    for (const [query] of css.matchAll(/@media[^{]*/g)) {
      for (const [condition] of query.matchAll(/\([^()]*\b(?:width|inline-size)\b[^()]*\)/g)) {
        widths.set(condition, name);
      }
    }
  }
  const allowed = new Set(
    BREAKPOINTS.flatMap((width) => [`(min-width: ${width}px)`, `(max-width: ${width - 0.02}px)`]),
  );
  assertEquals([...widths].filter(([condition]) => !allowed.has(condition)), []);
  assertEquals(new Set(widths.keys()), allowed, "every breakpoint is used in both directions");
});
