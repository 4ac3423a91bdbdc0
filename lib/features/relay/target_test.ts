import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { hidesSeparator, originUrl, parseTarget } from "./target.ts";
import { processorMs } from "../../testing/times.ts";

const SLUG = "docs-0123456789abcdef01234567";
const ORIGIN = "https://docs.example";

Deno.test("parseTarget() splits a URL without normalising it", () => {
  assertEquals(parseTarget("http://a/x/../y//z?b=/c?#d"), {
    segment: "x",
    path: "/../y//z",
    query: "?b=/c?",
  });
  const none = { segment: "", path: "", query: "" };
  assertEquals(parseTarget("http://a"), none);
  assertEquals(parseTarget("http://a/"), none);
  assertEquals(parseTarget("http://a?/x"), { ...none, query: "?/x" });
  assertEquals(parseTarget("http://a//x/"), { ...none, path: "/x/" });
  assertEquals(parseTarget("http://a/\\x/"), { ...none, segment: "\\x", path: "/" });
});

Deno.test("originUrl() returns what URL resolves below the slug, and never leaves the origin", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."/ // \\ . .. %2e %2E%2e @ : :80 ? # ; & evil.example http: https:// user@ [::1] % %41 \t \n"
        .split(" "),
      " ",
      "\u00e9",
      "\ud800",
      SLUG,
    ),
    // Paths that are not parsed.
    fc.constantFrom(..."/ / /a /.b /c.d /_-~ ?e=1 &f='g' =%2F . .. ? ! ~ |".split(" ")),
    fc.string({ maxLength: 3 }),
  );
  let unparsed = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = parseTarget(`http://relay.example/${SLUG}/${pieces.join("")}`);
      assertEquals(target.segment, SLUG);
      // A browser resolves the whole path to one below the same slug.
      const whole = new URL(`http://relay.example/${SLUG}${target.path}${target.query}`);
      const below = whole.pathname.startsWith(`/${SLUG}/`)
        ? ORIGIN + whole.pathname.slice(SLUG.length + 1) + whole.search
        : null;
      const requested = originUrl(ORIGIN, SLUG, target);
      assertEquals(requested, below);
      if (requested === null) return;
      if (requested === ORIGIN + target.path + target.query) unparsed++;
      const url = new URL(requested);
      assertEquals([url.href, url.origin], [requested, ORIGIN]);
      assertEquals([url.username, url.password], ["", ""]);
      assert(!/(?:^|\/)\.\.?(?:\/|$)/.test(url.pathname), url.href);
    }),
    { numRuns: 2_000 },
  );
  assert(unparsed > 200, `${unparsed}`);
});

Deno.test("the time to check a path is linear in its length", async () => {
  const ms = await processorMs(() => {
    for (const path of ["/a".repeat(50_000), "/" + "a".repeat(100_000), "/a.".repeat(30_000)]) {
      originUrl(ORIGIN, SLUG, { segment: SLUG, path: `${path}|`, query: "" });
    }
  });
  assert(ms < 1_000, `${ms} ms`);
});

Deno.test("hidesSeparator() finds encoded separators, but not double-encoded ones", () => {
  assert(["/%2f", "/a%2Fb", "/%5C", "/%5cx", "/x%00", "/a\\b"].every(hidesSeparator));
  assert(!["/", "/%252f", "/%20", "/2f", "/%2", "/%02f"].some(hidesSeparator));
});
