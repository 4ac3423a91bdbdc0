import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  type PDFObject,
  type PDFRawStream,
  PDFString,
} from "@cantoo/pdf-lib";
import { formatDay } from "../../base/time.ts";
import { readOutline, readPdf, readTags } from "../documents/testing/pdfs.ts";
import {
  createStandard,
  llmsText,
  PDF_FILE,
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
    // Version 1.2 added a section.
    const expected = sections.filter(({ id }) => each >= "1.2" || id !== "transparency-log")
      .map(({ id }, i) => [id, i + 1]);
    assertEquals(text.sections.map(({ id, number }) => [id, number]), expected);
    assertEquals(renderComplete(text).length, expected.length);
  }
  assertEquals(standard.inVersion("0.9"), undefined);
});

const printed = await Deno.readFile(PDF_FILE);

Deno.test("the PDF was printed from the current text", async () => {
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  assertEquals(pdf.getTitle(), `${title} ${version}`);
  assertEquals(pdf.getKeywords(), `sha256:${textHash(standard)}`, "Run tools/standard_pdf.ts.");
  assert(pdf.getPageCount() > 20);
  assertEquals(pdf.catalog.lookup(PDFName.of("Lang"), PDFString).decodeText(), "en");
  const objects = pdf.context.enumerateIndirectObjects().map(([, object]) => object)
    .filter((object) => object instanceof PDFDict);
  const fonts = objects.filter((dict) => dict.get(PDFName.of("Type")) === PDFName.of("Font"));
  assert(fonts.length > 5);
  for (const font of fonts) {
    // Programs show outlines that are drawn for each letter (Type 3) badly, and cannot search them well.
    assertFalse(font.get(PDFName.of("Subtype")) === PDFName.of("Type3"));
  }
  for (const dict of objects) {
    if (dict.get(PDFName.of("Type")) !== PDFName.of("FontDescriptor")) continue;
    assert(dict.has(PDFName.of("FontFile2")), "a font is not embedded");
  }
});

Deno.test("the PDF has what validators of PDF/UA and PDF/A ask for", async () => {
  const pdf = await PDFDocument.load(printed, { updateMetadata: false });
  const metadata = pdf.catalog.lookup(PDFName.of("Metadata")) as PDFRawStream;
  const xmp = new TextDecoder().decode(metadata.contents);
  for (const claim of ["pdfuaid:part>1<", "pdfaid:part>2<", "pdfaid:conformance>U<"]) {
    assertStringIncludes(xmp, claim);
  }
  assertStringIncludes(xmp, `>${pdf.getTitle()}<`);
  assertStringIncludes(xmp, `>${pdf.getKeywords()}<`);
  const typeOf = (object: PDFObject | undefined) => {
    const dict = pdf.context.lookup(object);
    return dict instanceof PDFDict ? dict.get(PDFName.of("S")) : undefined;
  };
  const kidsOf = (dict: PDFDict) => {
    const kids = dict.lookup(PDFName.of("K"));
    return kids instanceof PDFArray ? kids.asArray() : [kids];
  };
  let links = 0;
  for (const [, dict] of pdf.context.enumerateIndirectObjects()) {
    if (!(dict instanceof PDFDict)) continue;
    if (dict.get(PDFName.of("Subtype")) === PDFName.of("Link")) {
      assert(dict.lookup(PDFName.of("Contents"), PDFHexString).decodeText().length > 2);
      links++;
    }
    const kids = kidsOf(dict);
    if (typeOf(dict) === PDFName.of("LI")) {
      assertEquals(kids.filter((kid) => !/^.(Lbl|LBody)$/.test(String(typeOf(kid)))), []);
    } else if (typeOf(dict) === PDFName.of("Table")) {
      const rows = kids.filter((kid) => typeOf(kid) === PDFName.of("TR"))
        .map((row) => kidsOf(pdf.context.lookup(row, PDFDict)).length);
      assertEquals(new Set(rows).size, 1, `rows of ${rows} cells`);
    }
  }
  assert(links > 100);
});

Deno.test("the PDF's cover has version, date and the text's hash, all with tags, and no publisher", async () => {
  const [cover] = await readTags(printed, 1);
  assertEquals(cover.match(/H1\(/g)?.length, 1);
  // Without the elements, and the breaks of the lines.
  const textIn = (tags: string) => (tags.match(/"[^"]*"/g) ?? []).join("").replaceAll(/[\s"]/g, "");
  const text = textIn(cover);
  for (
    const part of [
      title,
      `Version ${version}`,
      `Published ${formatDay(`${standard.dates().published}T00:00:00Z`)}`,
      textHash(standard),
      `Of the Markdown of the ${sections.length} sections, in UTF-8`,
    ]
  ) assertStringIncludes(text, part.replaceAll(/\s/g, ""));
  // Every site serves the same file.
  assertFalse(text.includes("Publishedby"));
});

Deno.test("the PDF's bookmarks and contents lead to every section", async () => {
  const bookmarks = (await readOutline(printed)).map((line) => line.replaceAll("\u00a0", " "));
  const titles = sections.map(({ number, title }) => `${number} ${title}`);
  const pages = bookmarks.filter((line) => /^ {2}\S/.test(line)).map((line) =>
    line.trim().split(" → ")
  );
  assertEquals(pages.map(([title]) => title), ["Contents", ...titles]);
  const targets = (await readPdf(printed, 4)).flatMap(({ links }) => links.map(({ to }) => to));
  for (const [, page] of pages.slice(1)) assert(targets.includes(Number(page)), page);
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
