import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import { EVENT_KINDS, STANDARD_VERSION } from "../../../packages/proof/mod.ts";
import { createStandard } from "./mod.ts";
import { splitSections } from "./sections.ts";

Deno.test("the standard has its title, its version and its sections in order", () => {
  const standard = createStandard();
  const { sections } = standard;
  assertEquals(standard.title, "Open Standard for Verifiable Records");
  assertEquals(standard.version, STANDARD_VERSION);
  assertEquals(sections.map(({ number }) => number), [...sections.keys()].map((i) => i + 1));
  assertEquals(sections.map(({ id }) => id), [
    "introduction",
    "records",
    "event-chain",
    "event-kinds",
    "heads",
    "trust-levels",
    "verification",
    "privacy",
    "transparency-log",
    "discovery",
    "conformance",
    "test-vectors",
  ]);
});

Deno.test("the current text, joined as an earlier version is, has the same sections", () => {
  const { sections } = createStandard();
  assertEquals(splitSections(sections.map(({ markdown }) => markdown).join("")), [...sections]);
});

Deno.test("each section has one title and a summary of one plain sentence", () => {
  for (const { id, title, summary, markdown } of createStandard().sections) {
    const outsideCode = markdown.replace(/^```[\s\S]*?^```/gm, "");
    assertEquals(outsideCode.match(/^# .*$/gm), [`# ${title}`], id);
    assert(/^[A-Z][^`*|[\]\n#]*[a-z]\.$/.test(summary), `${id}: ${summary}`);
    // A full stop before a space and a capital letter ends a sentence.
    assert(!/\. [A-Z]/.test(summary), `${id}: ${summary}`);
  }
});

Deno.test("every link in the text leads to a section", () => {
  const standard = createStandard();
  const links = standard.sections.flatMap(({ markdown }) => [
    ...markdown.matchAll(/\]\(([^)]*)\)/g),
  ]);
  assert(links.length > 20);
  for (const [, target] of links) {
    const id = target.match(/^\/standard\/([a-z-]+)$/)?.[1];
    assert(id && standard.get(id), target);
  }
});

Deno.test("get() and page() return undefined for an unknown id", () => {
  const standard = createStandard();
  assertEquals(standard.get("event-chain")?.number, 3);
  for (const id of ["", "Event-Chain", "toString", "__proto__"]) {
    assertEquals([standard.get(id), standard.page(id)], [undefined, undefined]);
  }
});

Deno.test("the text's table of event kinds equals EVENT_KINDS", () => {
  const rows = [
    ...createStandard().get("event-kinds")!.markdown
      .matchAll(/^\| `(\w+)` +\| ([A-Z].*?) +\|$/gm),
  ].map(([, kind, meaning]) => ({ kind, meaning }));
  assertEquals(rows, EVENT_KINDS);
});

Deno.test("every section that says how many kinds there are says the number of EVENT_KINDS", () => {
  const words = ["nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"];
  const counts = /\b(?<count>\w+) (?:\[event kinds\]|kinds of events|possible event names)/g;
  const found = createStandard().sections.flatMap(({ id, markdown }) =>
    [...markdown.matchAll(counts)].map(({ groups }) => [id, groups!.count])
  );
  const expected = words[EVENT_KINDS.length - 9];
  assertEquals(
    found,
    ["event-chain", "event-kinds", "privacy"].map((id) => [id, expected]),
  );
});

Deno.test("a page has the previous and the next section", () => {
  const { page } = createStandard();
  const neighbours = (id: string) => [page(id)!.previous?.id, page(id)!.next?.id];
  assertEquals(neighbours("introduction"), [undefined, "records"]);
  assertEquals(neighbours("heads"), ["event-kinds", "trust-levels"]);
  assertEquals(neighbours("test-vectors"), ["conformance", undefined]);
  assertStrictEquals(page("heads"), page("heads"), "rendered once");
});

Deno.test("a page contains the text below the title and the summary", () => {
  const standard = createStandard();
  for (const { id, title, summary, markdown } of standard.sections) {
    const { html, section } = standard.page(id)!;
    assertEquals(html.includes(`>${title}</a></h`), false, id);
    assertEquals(html.includes(summary), false, id);
    assertEquals(section.markdown, markdown);
    const last = markdown.trim().split(/\s+/).at(-1)!.replace(/[`*]/g, "");
    if (!last.startsWith("|")) assertEquals(html.includes(last), true, `${id}: ${last}`);
  }
});
