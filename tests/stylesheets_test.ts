import { globSync } from "node:fs";
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { freshConfig } from "../fresh.config.ts";
import { classesIn, wordsIn } from "../lib/app/used_styles.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createBank } from "../sandbox/bank_data.ts";
import { ADMIN, createBankSite } from "./bank_site.ts";
import { createSite } from "./site.ts";

const STYLES = `${freshConfig.root}/static/styles`;
/** The widths, in pixels, at which layouts change; `static/styles/README.md` describes them. */
const BREAKPOINTS = [640, 960, 1200];

/** A page for every stylesheet, and for every way to choose one. */
const PAGES: [SurfaceName, path: string, styles: string][] = [
  ["foundation", "/", "foundation_home"],
  ["foundation", "/governance", "foundation"],
  ["commercial", "/", "commercial_home"],
  ["commercial", "/security", "commercial_page"],
  ["commercial", "/connect", "marketing"],
  ["foundation", "/standard", "standard"],
  ["foundation", "/standard/verification", "standard_text"],
  ["foundation", "/standard/complete", "standard_complete"],
  ["foundation", "/verifier", "verifier"],
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

Deno.test("a production build gives each page two minified stylesheets that are cached for a year: its organisation's and its own", async () => {
  await using site = await createSite();
  for (const [surface, path, styles] of PAGES) {
    const sheets = sheetsOf(await (await site.request(surface, path)).text());
    const { organisation } = site.services.surfaces.all.find(({ name }) => name === surface)!;
    const names = [`shared/${organisation}`, `pages/${styles}`];
    assertEquals(sheets.length, 2, `${surface} ${path}: ${sheets}`);
    for (const [i, sheet] of sheets.entries()) {
      assertMatch(sheet, new RegExp(`^/styles/${names[i]}\\.css\\?__frsh_c=[\\da-f]{16}$`));
      const response = await site.request(surface, sheet);
      assertEquals(response.status, 200);
      assertEquals(
        response.headers.get("cache-control"),
        "public, max-age=31536000, immutable",
      );
      const css = await response.text();
      assertFalse(css.includes("@import"), sheet);
      assertFalse(css.includes("/*"), sheet);
      assert(css.split("\n").length < 5, sheet);
      if (i > 0) continue;
      const light = { foundation: /--bg: ?#faf8f3;/, commercial: /--bg: ?#f7f9fb;/ }[organisation];
      assertMatch(css, light, `${sheet} has the light colours for older browsers`);
    }
  }
  const css = await (await site.request("site", "/styles/pages/console_records.css")).text();
  const order = [
    ".skip-link",
    ".console",
    ".chart-plot",
    ".document-list",
    ".stack{",
  ]
    .map((selector) => css.indexOf(selector));
  assertEquals(order, order.toSorted((a, b) => a - b), "the order of the imports is kept");
  assert(order.every((index) => index !== -1), String(order));
});

Deno.test("every page of the console loads its section's stylesheet, or the one of the other sections", async () => {
  await using fixture = await createBankSite();
  const { accounts } = createBank("commercial", 0);
  const expected = {
    "": "console_home",
    "/report": "console_home",
    "/finance": "console_finance",
    [`/finance/${accounts[0].id}`]: "console_finance",
    "/records": "console_records",
    "/issuers": "console_issuers",
    "/payments": "console_payments",
    "/surfaces": "console",
    "/nowhere": "console",
  };
  for (const [path, styles] of Object.entries(expected)) {
    const page = await fixture.request("commercial-console", `/console${path}`, ADMIN);
    const sheets = sheetsOf(await page.text());
    assertEquals(sheets.length, 2, path);
    assertMatch(sheets[0], /^\/styles\/shared\/commercial\.css\?/);
    assertMatch(sheets[1], new RegExp(`^/styles/pages/${styles}\\.css\\?`), path);
  }
});

Deno.test("every class in a stylesheet is named by a component or a package", async () => {
  const sources = globSync("{components,islands,routes,lib}/**/*.{ts,tsx}", {
    cwd: freshConfig.root,
  }).filter((path) => !/_test\.tsx?$/.test(path));
  const texts = sources.map((path) => Deno.readTextFile(`${freshConfig.root}/${path}`));
  const occurs = classesIn((await Promise.all(texts)).map(wordsIn));
  const unused: string[] = [];
  for await (const { name: file, isFile } of Deno.readDir(STYLES)) {
    if (!isFile) continue;
    const css = (await Deno.readTextFile(`${STYLES}/${file}`)).replaceAll(/\/\*.*?\*\//gs, "");
    for (const [selectors] of css.matchAll(/[^{};]+(?=\{)/g)) {
      if (selectors.trim().startsWith("@")) continue;
      for (const [, name] of selectors.matchAll(/\.([A-Za-z][\w-]*)/g)) {
        if (!occurs(name)) unused.push(`${file}: .${name}`);
      }
    }
  }
  assertEquals([...new Set(unused)], []);
});

Deno.test("every stylesheet belongs to one of a page", async () => {
  const imported = new Set<string>();
  for (const path of globSync(`${STYLES}/{pages,shared}/*.css`)) {
    const text = await Deno.readTextFile(path);
    for (const [, file] of text.matchAll(/@import "\.\.\/([^"]+)"/g)) imported.add(file);
  }
  const files: string[] = [];
  for await (const { name, isFile } of Deno.readDir(STYLES)) {
    if (isFile && name.endsWith(".css")) files.push(name);
  }
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
