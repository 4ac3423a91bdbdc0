import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { PDFDocument, PDFName } from "@cantoo/pdf-lib";
import {
  createStandard,
  llmsText,
  readStandardPdf,
  renderComplete,
  standardMarkdown,
  textHash,
} from "./mod.ts";

const standard = createStandard();
const { changes, sections, title, version } = standard;

Deno.test("the newest change has the hash of the current text", () => {
  assertEquals(
    changes[0].sha256,
    textHash(standard),
    "Add the change to lib/features/standard/changes.ts, with this hash, and run tools/standard_pdf.ts.",
  );
});

Deno.test("the changes are in order, name existing sections and begin with a publication", () => {
  const dates = changes.map(({ date }) => date);
  assertEquals(dates, dates.toSorted().toReversed());
  assertEquals(changes.at(-1)!.kind, "publication");
  assertEquals(new Set(changes.map(({ sha256 }) => sha256)).size, changes.length);
  for (const { sections, date } of changes) {
    assertMatch(date, /^\d{4}-\d\d-\d\d$/);
    if (sections !== "all") { for (const id of sections) assert(standard.get(id), id); }
  }
});

Deno.test("every published version is readable, with the text that its last change states", () => {
  const versions = [...new Set(changes.map((change) => change.version))];
  assert(versions.includes("1.0"));
  for (const each of versions) {
    const text = standard.inVersion(each)!;
    const last = changes.find((change) => change.version === each)!;
    assertEquals([text.version, textHash(text)], [each, last.sha256]);
    assertEquals(text.sections.map(({ id, number }) => [id, number]), [
      ...sections.map(({ id, number }) => [id, number]),
    ]);
    assertEquals(renderComplete(text).length, sections.length);
  }
  assertEquals(standard.inVersion("0.9"), undefined);
});

Deno.test("the PDF was printed from the current text", async () => {
  const pdf = await PDFDocument.load(await readStandardPdf(), { updateMetadata: false });
  assertEquals(pdf.getTitle(), `${title} ${version}`);
  assertEquals(pdf.getKeywords(), `sha256:${textHash(standard)}`, "Run tools/standard_pdf.ts.");
  assert(pdf.getPageCount() > 20);
  for (const entry of ["Outlines", "StructTreeRoot"]) assert(pdf.catalog.has(PDFName.of(entry)));
});

Deno.test("dates() returns when a section was published and last corrected", () => {
  const { published, corrected } = standard.dates("test-vectors");
  const { date } = changes.find((change) =>
    change.version === version && change.kind === "publication"
  )!;
  assertEquals(published, date);
  assertEquals(
    corrected,
    changes.find((change) =>
      change.version === version && change.kind === "correction" &&
      (change.sections === "all" || change.sections.includes("test-vectors"))
    )?.date,
  );
  assertEquals(standard.inVersion("1.0")!.dates(), {
    published: "2026-11-21",
    corrected: "2026-11-22",
  });
});

Deno.test("the Markdown contains every section one level lower, and links with full addresses", () => {
  const text = standardMarkdown(standard, "https://records.example");
  const outsideCode = text.replace(/^```[\s\S]*?^```/gm, "");
  assertEquals(outsideCode.match(/^# .*/gm), [`# ${title}`]);
  assertEquals(
    outsideCode.match(/^## .*/gm),
    sections.map(({ number, title }) => `## ${number}. ${title}`),
  );
  assertFalse(/\]\(\//.test(text));
  assertStringIncludes(text, "(https://records.example/standard/heads)");
  assertStringIncludes(text, `Version ${version}, published ${standard.dates().published}`);
  assertStringIncludes(
    standardMarkdown(standard.inVersion("1.0")!, "https://records.example"),
    "Version 1.0, published 2026-11-21, corrected 2026-11-22.",
  );
  // Code is unchanged.
  const code = (markdown: string) => markdown.match(/^```[\s\S]*?^```/gm) ?? [];
  assertEquals(code(text), sections.flatMap(({ markdown }) => code(markdown)));
});

Deno.test("the complete text has unique ids, and its links between sections lead to them", () => {
  const all = renderComplete(standard);
  const ids = all.flatMap(({ section, headings }) => [
    section.id,
    ...headings.map(({ id }) => id),
  ]);
  assertEquals(ids.length, new Set(ids).size);
  const html = all.map(({ html }) => html).join("");
  const targets = [...html.matchAll(/href="#([^"]*)"/g)].map((match) => match[1]);
  assertFalse(html.includes('href="/'));
  for (const target of targets) assert(ids.includes(target), target);
  const regions = html.match(/aria-label="[^"]*"/g)!;
  assertEquals(regions.length, new Set(regions).size);
});

Deno.test("llms.txt has a title, a summary and links with descriptions, and omits what is not served", () => {
  const input = {
    standard,
    name: "Records Example",
    description: "Steward of records.",
    standardBase: "https://foundation.example",
    hasDocuments: true,
    siteBase: "https://site.example",
    mcpEndpoint: "https://mcp.example/mcp",
    api: "https://api.example",
    trust: "https://trust.example",
  };
  const text = llmsText(input);
  assertMatch(
    text,
    /^# Records Example\n\n> Steward of records\.\n\n[A-Z].+\n\n## The standard\n\n- /,
  );
  const links = text.split("\n").filter((line) => line.startsWith("- "));
  for (const link of links) assertMatch(link, /^- \[[^\]]+\]\(https:\/\/[^)\s]+\): \S/);
  assertEquals(links.filter((link) => link.includes("?format=md")).length, sections.length);
  assertStringIncludes(text, "(https://mcp.example/mcp)");

  const alone = llmsText({ ...input, hasDocuments: false, api: null, trust: null });
  assertFalse(/standard\.md|vectors\.json|changelog|openapi|trust\.example/.test(alone));
});
