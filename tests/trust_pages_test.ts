import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { openKv } from "../lib/platform/kv/mod.ts";
import { createPages, type PublishedPage } from "../lib/features/standard/pages/mod.ts";
import { DEFAULT_DATE_LOCALE, setDateLocale } from "../lib/base/time.ts";
import { createSite, type Site } from "./site.ts";

const NOW = Date.parse("2026-03-01T09:30:00.000Z");
const LATER = "2026-04-01T09:30:00.000Z";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Two deployments in turn, with one store: the second one has another name. */
async function renamed(fn: (site: Site) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".kv" });
  const open = async (name: string, at: number) =>
    await createSite({
      COMMERCIAL_NAME: name,
      COMMERCIAL_REGISTRATION: "Reg. 123, 1 Example Street",
    }, {
      kv: await openKv(path),
      clock: () => at,
    });
  try {
    {
      await using first = await open("First *Name*", NOW);
      await (await first.request("trust", "/terms")).body?.cancel();
    }
    await using second = await open("Second Name", Date.parse(LATER));
    await fn(second);
  } finally {
    await Deno.remove(path);
  }
}

/** The hash that a page shows, without the gaps between its groups. */
const shownHash = (html: string): string =>
  /<code class="hash-rows">(.*?)<\/code>/.exec(html)![1].replace(/<[^>]+>/g, "");

for (
  const [surface, path] of [
    ["trust", "/terms"],
    ["trust", "/privacy"],
    ["trust", "/levels"],
    ["foundation", "/standard/heads"],
  ] as const
) {
  Deno.test(`${path} shows the SHA-256 of the Markdown that it offers, with version and date`, async () => {
    await using site = await createSite({}, { clock: () => NOW });
    const html = await (await site.request(surface, path)).text();
    const [, href, name] = /<a href="([^"]+format=md)" download="([^"]+)"/.exec(html)!;
    const file = await site.request(surface, href.replaceAll("&amp;", "&"));
    assertEquals(file.headers.get("content-type"), "text/markdown; charset=utf-8");
    assertEquals(file.headers.get("content-disposition"), `attachment; filename="${name}"`);
    assertMatch(name, /^[a-z-]+-v1\.md$/);
    const bytes = await file.bytes();
    assertEquals(shownHash(html), sha256(bytes));
    assertStringIncludes(html, "<dd>1, current</dd>");
    assertStringIncludes(html, 'datetime="2026-03-01T09:30:00.000Z">1 Mar 2026, 09:30 UTC');
    const title = /<h1[^>]*>(.*?)<\/h1>/.exec(html)![1].replace(/<[^>]+>/g, " ").trim();
    assert(new TextDecoder().decode(bytes).startsWith("# "));
    assertStringIncludes(title, new TextDecoder().decode(bytes).split("\n")[0].slice(2));
    // For print
    assertStringIncludes(html, "A print proves nothing by itself.");
    const url = site.services.surfaces.url(surface, `${path}?version=1`)!;
    assertStringIncludes(html, `aria-label="QR code with the address ${url}"`);
  });
}

Deno.test("pages and their scripts write dates as DATE_LOCALE says", async () => {
  try {
    await using site = await createSite({ DATE_LOCALE: "en-US" }, { clock: () => NOW });
    const html = await (await site.request("trust", "/terms")).text();
    assertStringIncludes(html, ">Mar 1, 2026, 09:30 UTC</time>");
    assertMatch(html, /<html [^>]*data-date-locale="en-US"/);
  } finally {
    setDateLocale(DEFAULT_DATE_LOCALE); // Sites of one process share it.
  }
});

Deno.test("a changed text is a new version, and the earlier one stays readable and downloadable", async () => {
  await renamed(async (site) => {
    const contains = (html: string, text: string) => assert(html.includes(text), text);
    const get = async (path: string) => await (await site.request("trust", path)).text();
    const [current, first] = [await get("/terms"), await get("/terms?version=1")];
    contains(current, "<dd>2, current</dd>");
    contains(current, "published by Open Records Foundation and Second Name.");
    assertMatch(
      current,
      /<a href="\/terms\?version=1"[^>]*aria-current="false"[^>]*>Version 1<\/a>/,
    );
    contains(current, "Second Name, Reg. 123, 1 Example Street");
    contains(first, "published by Open Records Foundation and First *Name*.");
    contains(first, "This is version 1, which is no longer current.");
    assertMatch(first, /Version 2 was published on <time [^>]+>1 Apr 2026, 09:30 UTC</);
    contains(first, '<meta name="robots" content="noindex"');
    assert(!current.includes("noindex"));
    assertEquals(
      shownHash(first),
      sha256(new TextEncoder().encode(await get("/terms?version=1&format=md"))),
    );
    // A text that did not change has no second version.
    assertStringIncludes(
      await (await site.request("foundation", "/standard/heads")).text(),
      "1, current",
    );
  });
});

Deno.test("/check recognises the current and the earlier text of a page", async () => {
  await renamed(async (site) => {
    for (const [version, state] of [[1, "replaced"], [2, "current"]] as const) {
      const file = await site.request("trust", `/terms?version=${version}&format=md`);
      const hash = sha256(await file.bytes());
      const headers = { accept: "application/json" };
      const report = await (await site.request("trust", `/check?sha256=${hash}`, { headers }))
        .json();
      assertEquals(report.state, state);
      const [match] = report.matches;
      assertEquals([match.form, match.title, match.version], ["text", "Terms", version]);
      assertEquals(match.url, site.services.surfaces.url("trust", `/terms?version=${version}`));
      assertEquals(match.issuer, "Open Records Foundation and Second Name");
      if (state === "replaced") assertEquals(match.since, LATER);
    }
  });
});

for (const version of ["3", "0", "01", "-1", "1.5", "x", "9999999", ""]) {
  Deno.test(`/terms?version=${version} returns 404`, async () => {
    await using site = await createSite();
    const response = await site.request("trust", `/terms?version=${version}`);
    await response.body?.cancel();
    assertEquals(response.status, 404);
  });
}

Deno.test("20 processes that publish the same new text at once store one version", async () => {
  using kv = await openKv(":memory:");
  const page = (text: string): PublishedPage => ({
    name: "terms",
    title: "Terms",
    surface: "trust",
    path: "/terms",
    issuers: [],
    markdown: () => text,
  });
  await using site = await createSite();
  const process = (text: string) =>
    createPages({ ...site.services, publisher: "", kv, clock: () => NOW, pages: [page(text)] });
  const read = (text: string) => process(text).read("terms");
  await read("# One\n\nText.");
  const shown = await Promise.all(Array.from({ length: 20 }, () => read("# Two\n\nText.")));
  assertEquals(new Set(shown.map((each) => each!.version.number)), new Set([2]));
  // A process that still runs with the earlier text does not publish it again.
  const earlier = process("# One\n\nText.");
  assertEquals((await earlier.read("terms"))!.version.number, 3);
  await read("# Two\n\nText.");
  assertEquals((await earlier.read("terms"))!.version.number, 3);
});
