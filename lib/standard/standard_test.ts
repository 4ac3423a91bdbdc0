import { assert, assertEquals } from "@std/assert";
import { EVENT_KINDS } from "../chain/mod.ts";
import { createStandard } from "./mod.ts";
import { clip, passagesOf } from "./passages.ts";

const standard = createStandard();
const { sections } = standard;

Deno.test("the standard has its title, its version and its sections in order", () => {
  assertEquals(standard.title, "Open Standard for Verifiable Records");
  assertEquals(standard.version, "1.0");
  assertEquals(
    sections.map(({ number }) => number),
    [...sections.keys()].map((i) => i + 1),
  );
  assertEquals(sections.map(({ id }) => id), [
    "introduction",
    "records",
    "event-chain",
    "event-kinds",
    "heads",
    "trust-levels",
    "verification",
    "privacy",
    "discovery",
    "conformance",
    "test-vectors",
  ]);
});

Deno.test("each section has one title and a summary of one plain sentence", () => {
  for (const { id, title, summary, markdown } of sections) {
    const outsideCode = markdown.replace(/^```[\s\S]*?^```/gm, "");
    assertEquals(outsideCode.match(/^# .*$/gm), [`# ${title}`], id);
    assert(/^[A-Z][^`*|[\]\n#]*[a-z]\.$/.test(summary), `${id}: ${summary}`);
    // A full stop before a blank and a capital would begin a second sentence.
    assert(!/\. [A-Z]/.test(summary), `${id}: ${summary}`);
  }
});

Deno.test("every link between sections leads to one", () => {
  const links = sections.flatMap(({ markdown }) => [
    ...markdown.matchAll(/\]\(([^)]*)\)/g),
  ]);
  assert(links.length > 20);
  for (const [, target] of links) {
    const id = target.match(/^\/standard\/([a-z-]+)$/)?.[1];
    assert(id && standard.get(id), target);
  }
});

Deno.test("an unknown id has no section", () => {
  assertEquals(standard.get("event-chain")?.number, 3);
  for (const id of ["", "Event-Chain", "toString", "__proto__"]) {
    assertEquals(standard.get(id), undefined);
  }
});

Deno.test("the table of kinds is the library's list", () => {
  const rows = [
    ...standard.get("event-kinds")!.markdown
      .matchAll(/^\| `(\w+)` +\| ([A-Z].*?) +\|$/gm),
  ].map(([, kind, meaning]) => ({ kind, meaning }));
  assertEquals(rows, EVENT_KINDS);
});

Deno.test("every word that a reader may search for leads to its section", () => {
  const expected = {
    "salt": ["records", "privacy"],
    "document_viewed": ["event-kinds"],
    "truncated": ["verification"],
    "Ed25519": ["heads"],
    "intent declaration": ["trust-levels"],
    "server card": ["discovery"],
    "erasure": ["privacy"],
    "signatre key": ["heads"], // a slip of the pen
    "versioni": ["conformance"], // not yet typed to its end
  };
  for (const [query, ids] of Object.entries(expected)) {
    const [best] = standard.search(query);
    assert(ids.includes(best?.section.id), `${query}: ${best?.section.id}`);
  }
});

Deno.test("hits come best first, no more than asked for, with short excerpts", () => {
  const hits = standard.search("record hash");
  assertEquals(hits.length, 5);
  assertEquals(standard.search("record hash", 2), hits.slice(0, 2));
  assertEquals(standard.search("record hash", 0), []);
  for (const [i, { section, score, excerpt }] of hits.entries()) {
    assert(score > 0 && (i === 0 || score <= hits[i - 1].score));
    assertEquals(section.title, standard.get(section.id)?.title);
    assert(/record|hash/i.test(excerpt), excerpt);
    assert(excerpt.length <= 240 && !/[\n|`]/.test(excerpt), excerpt);
  }
});

Deno.test("an excerpt is the passage with the words, as plain text", () => {
  const [hit] = standard.search("truncated missing");
  assertEquals(hit.section, {
    id: "verification",
    number: 7,
    title: "Verification",
  });
  assertEquals(
    hit.excerpt,
    "truncated · Events are missing at the end. · the first one that is missing",
  );
});

Deno.test("a query without a known word finds nothing", () => {
  for (const query of ["", "   ", "!?", "xylophone", "*", "(["]) {
    assertEquals(standard.search(query), [], query);
  }
});

Deno.test("passages are plain text, and names keep their underscores", () => {
  const markdown =
    "# A `b`\n\nSee [the _text_](/standard/x)\non two lines.\n\n- `bad_seq` **is**\n- hash_(n)\n\n| a | b |\n|---|---|\n| `_x` | 2 |\n\n```json\n{}\n```\n";
  assertEquals(passagesOf(markdown), [
    { text: "A b", heading: true },
    { text: "See the text on two lines.", heading: false },
    { text: "bad_seq is", heading: false },
    { text: "hash_(n)", heading: false },
    { text: "a · b", heading: false },
    { text: "_x · 2", heading: false },
    { text: "{}", heading: false },
  ]);
});

Deno.test("a long text is cut at blanks around its word", () => {
  const text = `${"before ".repeat(50)}needle${" after".repeat(50)}`;
  const cut = clip(text, ["needle"], 80);
  assert(cut.length <= 80 && cut.includes(" needle "), cut);
  assert(/^…before .* after…$/.test(cut), cut);
  assertEquals(clip("short", ["short"], 80), "short");
  assert(clip(text, ["absent"], 80).length <= 80);
  assert(clip("x".repeat(300), ["x"], 80).length <= 80);
});

Deno.test("a query's first ten different words are searched for, the others are ignored", () => {
  const nothing = Array.from({ length: 10 }, (_, i) => `zq${i}`).join(" ");
  assertEquals(standard.search(`${nothing} salt`), []);
  assert(standard.search(`${nothing.slice(0, -4)} salt`).length > 0);
  assert(standard.search(`${"zq ".repeat(20)} salt`).length > 0);
});
