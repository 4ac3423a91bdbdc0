import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { hidesSeparator, originUrl, parseTarget } from "./target.ts";

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

Deno.test("originUrl() never leaves the origin or the slug", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ..."/ // \\ . .. %2e %2E%2e @ : :80 ? # ; & evil.example http: https:// user@ [::1] % %41 \t \n"
        .split(" "),
      " ",
      "\u00e9",
      "\ud800",
      SLUG,
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const target = parseTarget(`http://relay.example/${SLUG}/${pieces.join("")}`);
      assertEquals(target.segment, SLUG);
      const requested = originUrl(ORIGIN, SLUG, target);
      if (requested === null) return;
      const url = new URL(requested);
      assertEquals(requested, url.href);
      assertEquals([url.origin, url.username, url.password], [ORIGIN, "", ""]);
      assert(!/(?:^|\/)\.\.?(?:\/|$)/.test(url.pathname), url.href);
      // A browser resolves the whole path to one below the same slug.
      const whole = new URL(`http://relay.example/${SLUG}${target.path}${target.query}`);
      assertEquals(whole.pathname, `/${SLUG}${url.pathname}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("hidesSeparator() finds encoded separators, but not double-encoded ones", () => {
  assert(["/%2f", "/a%2Fb", "/%5C", "/%5cx", "/x%00", "/a\\b"].every(hidesSeparator));
  assert(!["/", "/%252f", "/%20", "/2f", "/%2", "/%02f"].some(hidesSeparator));
});
