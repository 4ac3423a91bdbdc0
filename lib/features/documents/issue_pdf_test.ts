import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFString,
  RotationTypes,
} from "@cantoo/pdf-lib";
import { concat } from "@std/bytes/concat";
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { mediaTypeOf } from "./files/file_types.ts";
import { issuePdf, type IssueResult, issuingThread } from "./issue_pdf.ts";
import { coverSheet } from "./pdf/stamp.ts";
import { createPdf, DETAILS, readPdf, signedPdf, textOf } from "./testing/pdfs.ts";
import { runHere } from "./testing/run_here.ts";

const saved = async (pdf: PDFDocument, useObjectStreams = true) =>
  await pdf.save({ useObjectStreams });

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** Joins objects, texts or bytes, to a PDF. The parser needs no cross-reference table. */
function rawPdf(...parts: (string | Uint8Array)[]): Uint8Array {
  const end = "\ntrailer << /Root 1 0 R /Size 9 >>\nstartxref\n0\n%%EOF\n";
  return concat(
    ["%PDF-1.7\n", ...parts, end].map((part) => typeof part === "string" ? latin1(part) : part),
  );
}

const CATALOG = "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n";
const PAGES = "2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 600 800] >> endobj\n";

/** Compressed zeros that inflate to this many mebibytes. */
const bomb = (mebibytes: number) =>
  deflateSync(new Uint8Array(mebibytes * 1024 * 1024), { level: 1 });

const code = (result: IssueResult) => result.ok ? "ok" : result.error;

/** Issues a PDF without a thread, because starting one takes longer than issuing. */
const issueHere = (original: Uint8Array) => issuePdf(original, DETAILS, runHere);

const thread = issuingThread();
Deno.test.afterAll(() => thread[Symbol.asyncDispose]());

/** Issues a PDF in the thread of all these tests. */
const issueInThread = (original: Uint8Array) => issuePdf(original, DETAILS, thread.run);

async function issued(original: Uint8Array, issue = issueHere): Promise<PDFDocument> {
  const result = await issue(original);
  if (!result.ok || result.unchanged) throw new Error(code(result));
  return await PDFDocument.load(result.bytes, { updateMetadata: false });
}

Deno.test("scripts, actions and embedded files do not reach the issued copy", async () => {
  const pdf = await createPdf();
  const { context, catalog } = pdf;
  pdf.addJavaScript("main", "app.alert('pwned')");
  await pdf.attach(new Uint8Array([1, 2, 3]), "payload.exe", { description: "payload" });
  const script = context.register(
    context.obj({ S: "JavaScript", JS: PDFString.of("app.alert('pwned')") }),
  );
  const launch = context.obj({ Type: "Action", S: "Launch", F: PDFString.of("payload.exe") });
  catalog.set(PDFName.of("OpenAction"), script);
  catalog.set(PDFName.of("AA"), context.obj({ WP: script }));
  const { node } = pdf.getPage(0);
  node.set(PDFName.of("AA"), context.obj({ O: launch }));
  node.addAnnot(context.register(
    context.obj({
      Type: "Annot",
      Subtype: "Link",
      Rect: [0, 0, 600, 800],
      Border: [0, 0, 0],
      A: launch,
    }),
  ));
  catalog.set(
    PDFName.of("StructTreeRoot"),
    context.obj({
      RoleMap: script,
      K: { S: "Document", Pg: pdf.getPage(0).ref, A: [script, launch], K: 0, AA: launch },
    }),
  );
  const original = await saved(pdf, false);
  assertStringIncludes(new TextDecoder("latin1").decode(original), "pwned");

  const copy = await issued(original, issueInThread);
  const allowed = [
    "Type",
    "Pages",
    "StructTreeRoot",
    "ViewerPreferences",
    "Outlines",
    "Metadata", // ours
  ];
  assertEquals(
    copy.catalog.keys().map((key) => key.decodeText()).filter((key) => !allowed.includes(key)),
    [],
  );
  for (const page of copy.getPages()) {
    for (const key of ["Annots", "AA", "A"]) assert(!page.node.has(PDFName.of(key)), key);
  }
  for (const [, object] of copy.context.enumerateIndirectObjects()) {
    const text = object instanceof PDFRawStream ? object.dict.toString() : object.toString();
    assert(!/JavaScript|\/JS|Launch|EmbeddedFile|Filespec|payload|pwned/.test(text), text);
  }
});

Deno.test("a PDF whose content refers to an action or another part of the document is refused", async () => {
  for (const part of ["script", "launch", "catalog", "page"]) {
    const pdf = await createPdf();
    const { context } = pdf;
    const parts: Record<string, PDFObject> = {
      script: context.register(context.obj({ S: "JavaScript", JS: PDFString.of("alert(1)") })),
      launch: context.obj({ Type: "Action", S: "Launch", F: PDFString.of("payload.exe") }),
      catalog: context.trailerInfo.Root!,
      page: pdf.getPage(0).ref,
    };
    pdf.getPage(0).node.Resources()!.set(
      PDFName.of("Properties"),
      context.obj({ Part: parts[part] }),
    );
    assertEquals(code(await issueHere(await saved(pdf))), "damaged", part);
  }
});

Deno.test("a signed PDF is issued unchanged, and its cover sheet says why", async () => {
  const bytes = await signedPdf(2);
  assertEquals(await issueInThread(bytes), { ok: true, unchanged: true, pages: 2 });
  const sheet = await coverSheet(DETAILS, { size: bytes.length, signed: true });
  const [page, ...more] = await readPdf(sheet);
  assertEquals(more, []);
  assertStringIncludes(textOf(page), "Its digital signature covers the file as it is.");

  // A field that nobody has signed yet changes nothing.
  assertEquals((await issued(await signedPdf(2, { signed: false }))).getPageCount(), 3);
});

Deno.test("a cover sheet names the file, and equal input gives equal bytes", async () => {
  const file = { name: "Ergebnisse – Q3.csv", size: 12345 };
  const bytes = await coverSheet(DETAILS, file);
  assertEquals(await coverSheet(DETAILS, file), bytes);
  const { title } = DETAILS;
  assertEquals((await PDFDocument.load(bytes)).getTitle(), `Cover sheet: ${title}`);
  const [page, ...more] = await readPdf(bytes);
  assertEquals(more, []);
  for (
    const part of [
      "Cover sheet",
      "“Ergebnisse – Q3.csv”",
      "All 12,345 bytes of the file",
      "3f5a 9c01 77de 0b12",
      "A print proves nothing by itself.",
    ]
  ) assertStringIncludes(textOf(page), part);
});

Deno.test("the copy of a 500-page PDF has all pages; 501 and 10,000 pages are too many", async () => {
  const pages = (count: number) =>
    tabledPdf([
      [1, "<< /Type /Catalog /Pages 2 0 R >>"],
      [
        2,
        `<< /Type /Pages /Count ${count} /MediaBox [0 0 600 800] /Kids [${
          "3 0 R ".repeat(count)
        }] >>`,
      ],
      [3, "<< /Type /Page /Parent 2 0 R >>"],
    ]);
  const copy = await issued(pages(500));
  assertEquals(copy.getPageCount(), 501);
  assertEquals(code(await issueHere(pages(501))), "too_many_pages");
  assertEquals(code(await issueHere(pages(10_000))), "too_many_pages");
  const distinct = await saved(await createPdf(Array.from({ length: 501 }, () => ({}))));
  assertEquals(code(await issueHere(distinct)), "too_many_pages");
});

const encrypted = async () => {
  const pdf = await createPdf();
  await pdf.encrypt({ userPassword: "", ownerPassword: "owner" });
  return await saved(pdf);
};

const withPage = (entries: string, ...more: (string | Uint8Array)[]) =>
  rawPdf(CATALOG, PAGES, `3 0 obj << /Type /Page /Parent 2 0 R ${entries} >> endobj\n`, ...more);

const stream = (number: number, dict: string, bytes: Uint8Array) => [
  `${number} 0 obj << ${dict} /Length ${bytes.length} >> stream\n`,
  bytes,
  "\nendstream endobj\n",
];

const FLATE = "/Filter /FlateDecode";

for (
  const [name, expected, make, inThread = false] of [
    ["an empty file", "damaged", () => new Uint8Array()],
    ["text", "damaged", () => latin1("Not a PDF %%EOF")],
    [
      "a file that was cut off",
      "damaged",
      async () => (await saved(await createPdf())).slice(0, -40),
    ],
    ["a file without its objects", "damaged", () => rawPdf(CATALOG)],
    ["a missing page", "damaged", () => rawPdf(CATALOG, PAGES)],
    ["a missing content", "damaged", () => withPage("/Contents 7 0 R")],
    ["a content of another type", "damaged", () => withPage("/Contents [3 0 R]")],
    [
      "a content in another file",
      "damaged",
      () => withPage("/Contents 4 0 R", ...stream(4, "/F (other.bin)", latin1("0 0 9 9 re f"))),
    ],
    [
      "a node that contains itself",
      "damaged",
      () => rawPdf(CATALOG, PAGES, "3 0 obj << /Type /Pages /Kids [2 0 R 3 0 R] >> endobj"),
    ],
    [
      "100,000 nested arrays",
      "damaged",
      () =>
        withPage(
          "/Resources 4 0 R",
          `4 0 obj ${"[".repeat(100_000)}${"]".repeat(100_000)} endobj`,
        ),
      true,
    ],
    ["a password", "encrypted", encrypted, true],
    [
      "a page of 99 mm",
      "page_too_small",
      async () => saved(await createPdf([{}, { size: [280, 400] }])),
    ],
    [
      "a page of no height",
      "damaged",
      async () => saved(await createPdf([{}, { size: [595, 0] }])),
    ],
    [
      "a page of 14,401 points",
      "page_too_large",
      async () => saved(await createPdf([{ size: [14_401, 500] }])),
    ],
    ["more than 10 MiB", "too_large", () => new Uint8Array(10 * 1024 * 1024 + 1)],
    [
      "an object stream that inflates to 200 MiB",
      "too_complex",
      () => withPage("", ...stream(4, `/Type /ObjStm /N 1 /First 4 ${FLATE}`, bomb(200))),
      true,
    ],
    [
      "contents that inflate to 200 MiB",
      "too_complex",
      () => withPage("/Contents [4 0 R 4 0 R]", ...stream(4, FLATE, bomb(100))),
      true,
    ],
    ["an unfinished form", "not_flat", () =>
      withPage(
        "/Annots [4 0 R]",
        "4 0 obj << /Subtype /Widget /FT /Tx /F 4 /Rect [0 0 9 9] /V (Ada) >> endobj",
      )],
    ["a note that only some viewers draw", "not_flat", () =>
      withPage(
        "/Annots [4 0 R]",
        "4 0 obj << /Subtype /FreeText /F 4 /Rect [0 0 9 9] /Contents (Void) >> endobj",
      )],
    ["a form that needs a program", "not_flat", () =>
      rawPdf(
        "1 0 obj << /Type /Catalog /Pages 2 0 R /NeedsRendering true >> endobj\n",
        PAGES,
        "3 0 obj << /Type /Page >> endobj",
      )],
  ] as [string, string, () => Uint8Array | Promise<Uint8Array>, boolean?][]
) {
  Deno.test(`${name}: ${expected}`, async () => {
    const original = await make();
    assertEquals(code(await (inThread ? issueInThread : issueHere)(original)), expected);
  });
}

Deno.test("the site keeps responding while a PDF of almost 10 MiB is issued", async () => {
  const image = new Uint8Array(10_400_000);
  const parts = [
    "%PDF-1.7\n",
    CATALOG,
    PAGES,
    "3 0 obj << /Type /Page /Parent 2 0 R /Resources << /XObject << /I 4 0 R >> >> >> endobj\n",
    ...stream(4, "/Type /XObject /Subtype /Image /Width 3250 /Height 3200", image),
    "trailer << /Root 1 0 R >>\n%%EOF",
  ];
  const pdf = await new Blob(parts as BlobPart[]).bytes();
  const start = performance.now();
  let last = start;
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const result = await issuePdf(pdf, DETAILS);
  clearInterval(timer);
  assertEquals(code(result), "ok");
  const total = performance.now() - start;
  // Issuing it in this thread would be one pause. A part of the time, because busy machines pause too.
  assert(longest < Math.max(1_500, total / 2), `${longest} of ${total} ms`);
});

Deno.test("pages that share a large content are issued only up to a limit", async () => {
  // A comment, which takes no time to draw.
  const content = `<< /Length 500000 >> stream\n${"%".repeat(500_000)}\nendstream`;
  const shared = (count: number) =>
    tabledPdf([
      [1, "<< /Type /Catalog /Pages 2 0 R >>"],
      [
        2,
        `<< /Type /Pages /Count ${count} /Kids [${
          "3 0 R ".repeat(count)
        }] /MediaBox [0 0 600 800] >>`,
      ],
      [3, "<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>"],
      [4, content],
    ]);
  assertEquals(code(await issueHere(shared(20))), "ok");
  assertEquals(code(await issueHere(shared(400))), "too_large");
});

Deno.test("the thread of a PDF that takes too long is stopped, and the PDF may be tried again", async () => {
  const pdf = await saved(await createPdf(Array.from({ length: 300 }, () => ({}))));
  const limits = { timeoutMs: 50, heapMb: 64 };
  await using thread = issuingThread(limits);
  const result = await issuePdf(pdf, DETAILS, thread.run);
  if (result.ok) throw new Error("It was issued.");
  assertEquals([result.error, result.retryAfterSeconds], ["unavailable", 30]);
});

Deno.test("the thread of a PDF that needs too much memory is stopped", async () => {
  const objects = deflateSync(latin1(`5 0 [${"[]".repeat(1_000_000)}]`));
  const pdf = withPage("", ...stream(4, `/Type /ObjStm /N 1 /First 4 ${FLATE}`, objects));
  const limits = { timeoutMs: 60_000, heapMb: 32 };
  await using thread = issuingThread(limits);
  assertEquals(code(await issuePdf(pdf, DETAILS, thread.run)), "too_complex");
});

Deno.test("a page without content or resources is issued", async () => {
  const copy = await issued(withPage(""));
  assertEquals(copy.getPageCount(), 2);
  const resources = copy.getPage(0).node.Resources()!;
  assertEquals(resources.lookup(PDFName.of("XObject"), PDFDict).keys(), []);
});

/** A PDF with a cross-reference table. `definitions` may define an object twice; `listed` picks one. */
function tabledPdf(
  definitions: [number: number, body: string, listed?: boolean][],
  trailers = "<< /Root 1 0 R /Size 9 >>",
): Uint8Array {
  let text = "%PDF-1.7\n";
  const offsets: number[] = [];
  for (const [number, body, listed = true] of definitions) {
    if (listed) offsets[number] = text.length;
    text += `${number} 0 obj ${body} endobj\n`;
  }
  const rows = Array.from(
    { length: 9 },
    (_, i) =>
      i in offsets ? `${String(offsets[i]).padStart(10, "0")} 00000 n \n` : "0000000000 65535 f \n",
  );
  const at = text.length;
  text += `xref\n0 9\n${rows.join("")}trailer ${trailers}\nstartxref\n${at}\n%%EOF\n`;
  return latin1(text);
}

const pageOf = (contents: string) =>
  `<< /Type /Page /Parent 2 0 R /Contents ${contents} /Resources << /Font << /F 5 0 R >> >> >>`;

const contentOf = (text: string) => {
  const content = `BT /F 20 Tf 50 100 Td (${text}) Tj ET`;
  return `<< /Length ${content.length} >> stream\n${content}\nendstream`;
};

/** A PDF with the text `Pay 10.` */
const payment: Parameters<typeof tabledPdf>[0] = [
  [1, "<< /Type /Catalog /Pages 2 0 R >>"],
  [2, "<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 600 800] >>"],
  [3, pageOf("4 0 R")],
  [4, contentOf("Pay 10.")],
  [5, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"],
];

/** The height of the footer in points. */
const FOOTER = 28 * 72 / 25.4;

/** Returns the text that a viewer shows, and that of the issued copy or why there is none. */
async function shown(bytes: Uint8Array): Promise<[original: string, copy: string]> {
  const [original] = await readPdf(bytes);
  const result = await issueHere(bytes);
  if (!result.ok || result.unchanged) return [textOf(original), code(result)];
  const [copy] = await readPdf(result.bytes);
  const texts = copy.texts.filter(({ y }) => y > FOOTER);
  return [textOf(original), textOf({ ...copy, texts })];
}

Deno.test("a file in which viewers find other objects than the parser is refused", async () => {
  const base = payment;
  assertEquals(await shown(tabledPdf(base)), ["Pay 10.", "Pay 10."]);
  // The table names the first definition; the parser uses the last one.
  const twice = [...base, [4, contentOf("Pay 99."), false] as const];
  assertEquals(await shown(tabledPdf(twice as typeof base)), ["Pay 10.", "damaged"]);
  // A new definition that the table names, as a program saves a change.
  const changed = base.map(([n, body]): typeof base[0] => [n, body, n !== 4]);
  assertEquals(await shown(tabledPdf([...changed, [4, contentOf("Pay 20.")]])), [
    "Pay 20.",
    "Pay 20.",
  ]);
  // According to the table, there is no object 6.
  const hidden = [
    ...base.map(([n, body]): typeof base[0] => [n, n === 3 ? pageOf("[4 0 R 6 0 R]") : body]),
    [6, contentOf("Pay 99."), false] as const,
  ];
  assertEquals(await shown(tabledPdf(hidden as typeof base)), ["Pay 10.", "damaged"]);
  // The page refers to generation 0 of object 4, which generation 1 replaced.
  const replaced = new TextDecoder("latin1").decode(
    tabledPdf([...changed, [4, contentOf("Pay 20.")]]),
  ).replace(/4 0 obj(?![^]*4 0 obj)/, "4 1 obj")
    .replace(/(?<=xref\n(?:.*\n){5}\d{10}) 00000 n/, " 00001 n");
  assertEquals(code(await issueHere(latin1(replaced))), "damaged");
  // Another trailer has another catalog.
  const other = latin1(
    new TextDecoder("latin1").decode(tabledPdf([
      ...base,
      [7, "<< /Type /Catalog /Pages 8 0 R >>"],
      [8, "<< /Type /Pages /Count 1 /Kids [3 0 R] /MediaBox [0 0 300 400] >>"],
    ])).replace("startxref", "trailer << /Root 7 0 R >> startxref"),
  );
  assertEquals(await shown(other), ["Pay 10.", "damaged"]);
});

/** A PDF whose cross-reference stream has a predictor, as most programs write it. */
function streamedPdf(definitions: Parameters<typeof tabledPdf>[0]): Uint8Array {
  const rows = new Uint8Array(8 * 5);
  let text = "%PDF-1.7\n";
  const add = (number: number, listed: boolean, body: string) => {
    if (listed) rows.set([1, text.length >> 8, text.length & 255, 0], number * 5 + 1);
    text += `${number} 0 obj ${body} endobj\n`;
  };
  for (const [number, body, listed = true] of definitions) add(number, listed, body);
  const start = text.length;
  rows.set([1, start >> 8, start & 255, 0], 7 * 5 + 1);
  // Each row has the differences to the one above.
  const filtered = rows.map((byte, i) => i % 5 === 0 ? 2 : i < 5 ? byte : byte - rows[i - 5]);
  const parms = "/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>";
  const [head, bytes, end] = stream(
    7,
    `/Type /XRef /W [1 2 1] /Size 8 /Root 1 0 R ${parms}`,
    deflateSync(filtered),
  ) as [string, Uint8Array, string];
  return concat([latin1(text + head), bytes, latin1(`${end}startxref\n${start}\n%%EOF\n`)]);
}

Deno.test("the objects that a cross-reference stream with a predictor does not list are not issued", async () => {
  assertEquals(await shown(streamedPdf(payment)), ["Pay 10.", "Pay 10."]);
  const twice = [...payment, [4, contentOf("Pay 99."), false] as const];
  assertEquals(await shown(streamedPdf(twice as typeof payment)), ["Pay 10.", "damaged"]);
  const changed = payment.map(([n, body]): typeof payment[0] => [n, body, n !== 4]);
  assertEquals(await shown(streamedPdf([...changed, [4, contentOf("Pay 20.")]])), [
    "Pay 20.",
    "Pay 20.",
  ]);
  const hidden = payment.map(([n, body]): typeof payment[0] => [
    n,
    n === 3 ? pageOf("[6 0 R 4 0 R]") : body,
  ]);
  const unlisted = [...hidden, [6, contentOf("Pay 99."), false] as const] as typeof payment;
  assertEquals(await shown(streamedPdf(unlisted)), ["Pay 10.", "damaged"]);
});

Deno.test("a file that was saved incrementally is issued with its newest objects", async () => {
  for (const useObjectStreams of [true, false]) {
    const first = await (await createPdf([{}, {}])).save({ useObjectStreams });
    const pdf = await PDFDocument.load(first, { forIncrementalUpdate: true });
    pdf.getPage(0).setRotation({ type: RotationTypes.Degrees, angle: 90 });
    const saved = await pdf.save({ useObjectStreams });
    assert(saved.length > first.length && saved.subarray(0, 100).every((b, i) => b === first[i]));
    const copy = await issued(saved);
    assertEquals(copy.getPages().map((page) => page.getRotation().angle), [90, 0, 0]);
  }
});

const JUNK = {
  "a byte order mark": new Uint8Array([0xef, 0xbb, 0xbf]),
  "empty lines": latin1("\r\n\r\n"),
  "the header of a response": latin1("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"),
  "1,019 bytes": new Uint8Array(1019).fill(0xff),
};

for (const [name, junk] of Object.entries(JUNK)) {
  Deno.test(`a PDF after ${name} is issued, whether its offsets count from the header or from the beginning`, async () => {
    const text = new TextDecoder("latin1").decode(tabledPdf(payment));
    const moved = (offset: string) =>
      String(Number(offset) + junk.length).padStart(offset.length, "0");
    const fromBeginning = text.replace(/\d{10}(?= 00000 n)/g, moved)
      .replace(/(?<=startxref\n)\d+/, moved);
    for (const pdf of [text, fromBeginning]) {
      const bytes = concat([junk, latin1(pdf)]);
      assertEquals(mediaTypeOf(bytes.subarray(0, 4096)), "application/pdf");
      assertEquals(await shown(bytes), ["Pay 10.", "Pay 10."]);
    }
    for (const useObjectStreams of [true, false]) {
      const pdf = await saved(await createPdf([{}, {}]), useObjectStreams);
      assertEquals((await issued(concat([junk, pdf]))).getPageCount(), 3);
    }
  });
}

Deno.test("a PDF after other bytes is refused if viewers that count from the beginning find other objects", async () => {
  const junk = "-".repeat(400);
  let text = "%PDF-1.7\n";
  /** The offsets of each object's definitions. */
  const offsets: number[][] = [];
  for (const [number, body] of [...payment, [4, contentOf("Pay 99.")] as const]) {
    (offsets[number] ??= []).push(text.length);
    text += `${number} 0 obj ${body} endobj\n`;
  }
  const tableOf = (pick: (offsets: number[]) => number) =>
    `xref\n0 6\n0000000000 65535 f \n${
      offsets.slice(1).map((each) => `${String(pick(each)).padStart(10, "0")} 00000 n \n`).join("")
    }trailer << /Root 1 0 R /Size 6 >>\n`;
  // Counted from the header, the second table is where the first one is counted from the beginning.
  const end = `startxref\n${junk.length + text.length}\n%%EOF\n`;
  const newest = (each: number[]) => each.at(-1)!;
  const fileOf = (other: (each: number[]) => number) =>
    latin1(junk + text + tableOf(other).padEnd(junk.length) + tableOf(newest) + end);
  assertEquals(await shown(fileOf((each) => newest(each) + junk.length)), ["Pay 99.", "Pay 99."]);
  assertEquals(await shown(fileOf((each) => each[0] + junk.length)), ["Pay 99.", "damaged"]);
});

Deno.test("a PDF after other bytes is refused if they contain objects, or its table is wrong", async () => {
  const hidden = concat([latin1("4 0 obj << >> endobj\n"), tabledPdf(payment)]);
  assertEquals(await shown(hidden), ["Pay 10.", "damaged"]);
  const twice = tabledPdf([...payment, [4, contentOf("Pay 99."), false]]);
  assertEquals(await shown(concat([latin1("junk\n"), twice])), ["Pay 10.", "damaged"]);
});
