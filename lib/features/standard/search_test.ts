import { assert, assertEquals } from "@std/assert";
import { createStandard } from "./mod.ts";
import { clip, highlight, MAX_QUERY_LENGTH, passagesOf, readQuery } from "./search.ts";

Deno.test("search() finds the section for typical queries, misspellings and prefixes", () => {
  const expected = {
    "salt": ["records", "privacy"],
    "document_viewed": ["event-kinds"],
    "truncated": ["verification"],
    "Ed25519": ["heads"],
    "intent declaration": ["trust-levels"],
    "server card": ["discovery"],
    "erasure": ["privacy"],
    "signatre key": ["heads"], // misspelt
    "versioni": ["conformance"], // incomplete
  };
  const { search } = createStandard();
  for (const [query, ids] of Object.entries(expected)) {
    const [best] = search(query);
    assert(ids.includes(best?.section.id), `${query}: ${best?.section.id}`);
  }
});

Deno.test("search() returns up to `limit` hits, the best first, with short excerpts", () => {
  const { get, search } = createStandard();
  const hits = search("record hash");
  assertEquals(hits.length, 5);
  assertEquals(search("record hash", 2), hits.slice(0, 2));
  assertEquals(search("record hash", 0), []);
  for (const [i, { section, score, excerpt }] of hits.entries()) {
    assert(score > 0 && (i === 0 || score <= hits[i - 1].score));
    assertEquals(section.title, get(section.id)?.title);
    assert(/record|hash/i.test(excerpt), excerpt);
    assert(excerpt.length <= 240 && !/[\n|`]/.test(excerpt), excerpt);
  }
});

Deno.test("an excerpt is the passage with the words of the query, as plain text", () => {
  const [hit] = createStandard().search("truncated missing");
  assertEquals(hit.section, { id: "verification", number: 7, title: "Verification" });
  assertEquals(
    hit.excerpt,
    "truncated · Events are missing at the end. · the first missing event",
  );
});

Deno.test("search() finds nothing for a query without a known word", () => {
  const { search } = createStandard();
  for (const query of ["", "   ", "!?", "xylophone", "*", "(["]) {
    assertEquals(search(query), [], query);
  }
});

Deno.test("search() uses the first ten distinct words of a query", () => {
  const { search } = createStandard();
  const unknown = Array.from({ length: 10 }, (_, i) => `zq${i}`).join(" ");
  assertEquals(search(`${unknown} salt`), []);
  assert(search(`${unknown.slice(0, -4)} salt`).length > 0);
  assert(search(`${"zq ".repeat(20)} salt`).length > 0);
});

Deno.test("passagesOf() returns plain text and keeps underscores in names", () => {
  const markdown =
    "# A `b`\n\nSee [the _text_](/standard/x)\non two lines.\n\n- `bad_seq` **is**\n- hash_(n)\n\n| a | b |\n|---|---|\n| `_x` | 2 |\n\n```json\n{}\n```\n";
  const passages = passagesOf(markdown);
  assertEquals(passages.map(({ text, heading }) => [text, heading]), [
    ["A b", true],
    ["See the text on two lines.", false],
    ["bad_seq is", false],
    ["hash_(n)", false],
    ["a · b", false],
    ["_x · 2", false],
    ["{}", false],
  ]);
});

Deno.test("clip() cuts a long text at spaces around the first match", () => {
  const text = `${"before ".repeat(50)}needle${" after".repeat(50)}`;
  const cut = clip(text, ["needle"], 80);
  assert(cut.length <= 80 && cut.includes(" needle "), cut);
  assert(/^…before .* after…$/.test(cut), cut);
  assertEquals(clip("short", ["short"], 80), "short");
  assert(clip(text, ["absent"], 80).length <= 80);
  assert(clip("x".repeat(300), ["x"], 80).length <= 80);
});

Deno.test("readQuery() trims a query and limits its length", () => {
  const query = (search: string) => readQuery(new URL(`http://site.example/standard${search}`));
  assertEquals(query(""), "");
  assertEquals(query("?q="), "");
  assertEquals(query("?q=%20+salt+"), "salt");
  assertEquals(query("?q=a&q=b"), "a");
  assertEquals(query(`?q=${"x".repeat(5000)}`).length, MAX_QUERY_LENGTH);
});

Deno.test("highlight() marks words that begin with a word of the query, in any case", () => {
  for (
    const [text, query, expected] of [
      ["The salts. Unsalted, Salt", "salt", ["salts", "Salt"]],
      ["A document_viewed event", "document_viewed", ["document_viewed"]],
      ["Zoë asked", "zoë", ["Zoë"]],
      ["a (b) c", "(b* [c", ["b", "c"]],
      ["a b", "!?", []],
      ["One hash, two hashes; no rehash.", "hash no", ["hash", "hashes", "no"]],
    ] as const
  ) {
    const pieces = highlight(text, query);
    assertEquals(pieces.filter(({ match }) => match).map(({ text }) => text), [...expected]);
    assertEquals(pieces.map(({ text }) => text).join(""), text);
  }
});
