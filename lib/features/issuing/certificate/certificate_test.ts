import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import {
  decodePDFRawStream,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFRawStream,
} from "@cantoo/pdf-lib";
import { PNG } from "pngjs";
import { stampPdf } from "../../documents/pdf/stamp.ts";
import { DETAILS, readPdf, readTags, textOf } from "../../documents/testing/pdfs.ts";
import { createJpegHead } from "../../issuers/testing/images.ts";
import { MM } from "../../../../packages/pdf/mod.ts";
import {
  CERTIFICATE_LIMITS,
  type CertificateFields,
  type CertificateInput,
  createCertificates,
} from "./mod.ts";
import { createMaker } from "./make.ts";

const FIELDS: CertificateFields = {
  name: "Ada Lovelace",
  title: "Certificate III in Early Childhood Education and Care",
  date: "2026-11-20",
  subtitle: "Specialisation in inclusive practice",
  body: "Has met all requirements,\nincluding 160 hours of work placement.",
  grade: "With distinction",
  signatory: "Dr Maria Schmidt",
  signatory_title: "Director of Studies",
};

const INPUT: CertificateInput = {
  fields: FIELDS,
  issuer: { name: "Harbour College", domain: "harbour.example" },
  at: "2026-11-28T15:00:00.000Z",
};

/** Returns a transparent picture. */
const encodePng = (width: number, height: number) =>
  new Uint8Array(PNG.sync.write(new PNG({ width, height })));

/** Makes certificates in this thread, because starting another one takes longer. */
const makeHere = createMaker();

async function make(input: CertificateInput): Promise<Uint8Array> {
  const made = await makeHere.make(input);
  if (!made.ok) throw new Error(JSON.stringify(made));
  return made.bytes;
}

const issuesOf = (fields: CertificateFields, issuer = INPUT.issuer) =>
  makeHere.check([{ fields, issuer }])[0];

Deno.test("a certificate has its fields in one page, as headings and paragraphs in English", async () => {
  const picture = encodePng(30, 20);
  const bytes = await make({ ...INPUT, logo: picture, signature: picture });
  assertEquals(await readTags(bytes), [
    "Document(Sect@en(" + [
      "Figure[Logo of Harbour College]()",
      'P("Harbour College")',
      'P("harbour.example")',
      'H1("Certificate III in Early Childhood Education and Care")',
      'P("Specialisation in inclusive practice")',
      'P("Awarded to")',
      'H2("Ada Lovelace")',
      'P("Has met all requirements, including 160 hours of work placement.")',
      'P("20 November 2026")',
      'P("Date")',
      'P("With distinction")',
      'P("Grade")',
      "Figure[Signature of Dr Maria Schmidt]()",
      'P("Dr Maria Schmidt")',
      'P("Director of Studies")',
    ].join(" ") + "))",
  ]);
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  assertEquals(pdf.getTitle(), `${FIELDS.title}: Ada Lovelace`);
  assertEquals(pdf.getAuthor(), "Harbour College");
  assertEquals(pdf.getCreationDate()?.toISOString(), INPUT.at);
  assertEquals(String(pdf.catalog.get(PDFName.of("Lang"))), "(en)");
});

Deno.test("a certificate that is a test says so, on the page and in its title", async () => {
  const bytes = await make({ ...INPUT, test: true });
  const [page] = await readPdf(bytes);
  assertStringIncludes(textOf(page), "TEST · This certificate proves nothing");
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  assertEquals(pdf.getTitle(), `TEST: ${FIELDS.title}: Ada Lovelace`);
  assert(!textOf((await readPdf(await make(INPUT)))[0]).includes("TEST"));
});

Deno.test("equal input gives equal bytes, whatever was made in between", async () => {
  const logo = encodePng(30, 20);
  const bytes = await make({ ...INPUT, logo });
  assertNotEquals(await make({ ...INPUT, logo: encodePng(30, 21) }), bytes);
  assertNotEquals(await make({ ...INPUT, signature: logo }), bytes);
  assertNotEquals(await make({ ...INPUT, at: "2026-11-28T15:00:01.000Z" }), bytes);
  assertEquals(await make({ ...INPUT, logo: logo.slice() }), bytes);
  assertEquals(await createMaker().make({ ...INPUT, logo }), { ok: true, bytes });
});

Deno.test("certificates that are made in a thread are the same", async () => {
  await using threaded = createCertificates();
  const [bytes, logo] = [await make(INPUT), new Uint8Array()];
  const [made, refused] = await Promise.all([
    threaded.make(INPUT),
    threaded.make({ ...INPUT, logo }),
  ]);
  assertEquals(made, { ok: true, bytes });
  assertEquals(!refused.ok && Object.keys(refused.issues!), ["logo"]);
});

Deno.test("names are shown in Latin, Greek and Cyrillic letters with all their accents", async () => {
  for (
    const name of [
      "Nguyễn Thị Ánh Đặng",
      "Ọlájùmọ̀kẹ́ Adébáyọ̀",
      "Łukasz Żółć, Győző, Iași, Jūratė, Þórður",
      "İbrahim Ğülşen, Əli Məmmədov, Oʻktam Gʻofurov",
      "Αλέξανδρος Παπαδόπουλος, Ἀχιλλεύς",
      "Kɔfi Agyɛman, Ŧuomas, Ɓala",
      "Дмитро Щербань, Ўткір, Қасым, Ђорђе",
    ]
  ) {
    for (const form of ["NFC", "NFD"]) {
      const fields = { ...FIELDS, name: name.normalize(form) };
      assertEquals(issuesOf(fields), {});
      const [page] = await readPdf(await make({ ...INPUT, fields }));
      const text = textOf(page).normalize("NFC");
      for (const word of name.normalize("NFC").split(" ")) assertStringIncludes(text, word);
    }
  }
});

/** A name in each script, with the language that its element has. */
const NAMES: [name: string, language: string][] = [
  ["محمد أحمد عبد الله", "und-Arab"],
  ["דוד בן־גוריון", "he"],
  ["क्षितिज श्रीवास्तव", "und-Deva"],
  ["জ্যোৎস্না দাস", "und-Beng"],
  ["ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ", "pa"],
  ["જ્યોતિ પટેલ", "gu"],
  ["கௌரி லக்ஷ்மி", "ta"],
  ["శ్రీనివాస్ కృష్ణ", "te"],
  ["ಶ್ರೀಕೃಷ್ಣ ರಾಜು", "kn"],
  ["ശ്രീനിവാസൻ നായർ", "ml"],
  ["ଜ୍ୟୋତିର୍ମୟୀ", "or"],
  ["ශ්\u200dරී චන්ද්\u200dරිකා", "si"],
  ["น้ำทิพย์ เกษมศรี", "th"],
  ["ສົມຈິດ ພົມມະຈັນ", "lo"],
  ["ស្រីពៅ កញ្ញា", "km"],
  ["အောင်ဆန်းစုကြည်", "my"],
  ["გიორგი მარგველაშვილი", "ka"],
  ["Արմեն Սարգսյան", "hy"],
  ["ኃይለ ሥላሴ", "und-Ethi"],
  ["Müller 王小明", "zh-Hans"],
  ["さくら 高橋", "ja"],
  ["뷁쀍 홍길동", "ko"],
];

Deno.test("names in other scripts are shown in their order, with the language that the script says", async () => {
  for (const [name, language] of NAMES) {
    const fields = { ...FIELDS, name };
    assertEquals(issuesOf(fields), {});
    const bytes = await make({ ...INPUT, fields });
    const [page] = await readPdf(bytes);
    assertStringIncludes(textOf(page).normalize("NFC"), name.normalize("NFC"));
    assertStringIncludes((await readTags(bytes))[0], `H2@${language}(`);
  }
});

Deno.test("Han looks as in the language of the recipient, otherwise as in the country of the issuer", async () => {
  const made = async (language?: string, domain = "harbour.example") => {
    const bytes = await make({
      ...INPUT,
      issuer: { name: "Harbour College", domain },
      fields: { ...FIELDS, name: "骨直今海", ...language !== undefined && { language } },
    });
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    const fonts = pdf.getPage(0).node.Resources()!.lookup(PDFName.of("Font"), PDFDict);
    return fonts.keys().map((key) => key.decodeText()).filter((name) => name.startsWith("Han"));
  };
  assertEquals(await made(), ["Han-Simplified"]);
  assertEquals(await made("ja"), ["Han-Japanese"]);
  assertEquals(await made("zh-Hant"), ["Han-Traditional"]);
  assertEquals(await made("ko"), ["Han-Traditional"]);
  assertEquals(await made(undefined, "college.edu.tw"), ["Han-Traditional"]);
  assertEquals(await made("zh-Hans", "college.ac.jp"), ["Han-Simplified"]);
});

for (
  const [what, fields, field, issue] of [
    ["a name in hieroglyphs", { name: "𓂀 𓃭𓃭" }, "name", "“𓂀” (U+13080), “𓃭” (U+130ED)."],
    ["a vowel sign without a letter", { name: "क ि" }, "name", "“ ि” (U+0020 U+093F)."],
    ["a sequence that a script does not have", { name: "កែេ្្" }, "name", "(U+1780"],
    ["an emoji", { grade: "A 🎉" }, "grade", "“🎉” (U+1F389)."],
    ["an accent without a letter", { title: "\u0301" }, "title", "“\u0301” (U+0301)."],
    ["an accent that the letter has no place for", { title: "χ\u0304" }, "title", "U+03C7 U+0304"],
    ["many such characters", { name: "𓀀𓀁𓀂𓀃𓀄𓀅𓀆" }, "name", "“𓀄” (U+13004) and 2 more."],
    ["101 letters", { name: "ä".repeat(101) }, "name", "At most 100 characters fit"],
    ["a letter with 600 accents", { name: `e${"\u0301".repeat(600)}` }, "name", "At most 100"],
    ["only what nobody can see", { name: " \u200b\n" }, "name", "needs this text"],
    ["31 February", { date: "2026-02-31" }, "date", "YYYY-MM-DD"],
  ] as const
) {
  Deno.test(`${what} is refused in ${field}`, async () => {
    const input = { ...INPUT, fields: { ...FIELDS, ...fields } };
    const issues = issuesOf(input.fields);
    assertEquals(Object.keys(issues), [field]);
    assertStringIncludes(issues[field], issue);
    assertEquals(await makeHere.make(input), { ok: false, error: "invalid_request", issues });
  });
}

Deno.test("an issuer that the fonts cannot name and a damaged logo are refused", async () => {
  const issuer = { name: "𓂀" };
  assertEquals(Object.keys(issuesOf(FIELDS, issuer)), ["issuer"]);
  for (const logo of [new Uint8Array(), encodePng(30, 20).slice(0, 40), encodePng(3_000, 3_000)]) {
    const made = await makeHere.make({ ...INPUT, logo });
    assertEquals(!made.ok && Object.keys(made.issues!), ["logo"]);
  }
  const made = await makeHere.make({ ...INPUT, logo: createJpegHead(30, 20, 4) });
  assertMatch(made.ok ? "" : made.issues!.logo, /CMYK/);
});

Deno.test("invisible characters are left out, and other spaces become one", async () => {
  const fields = { ...FIELDS, name: "\u202eAda\u200b \u00a0\u2009 Love\u00adlace\t" };
  const [page] = await readPdf(await make({ ...INPUT, fields }));
  assertStringIncludes(textOf(page), "Ada Lovelace");
});

/** The longest text of a field, of wide letters in one word or in several. */
const longest = (field: keyof typeof CERTIFICATE_LIMITS, word: string) =>
  word.repeat(CERTIFICATE_LIMITS[field]).slice(0, CERTIFICATE_LIMITS[field]);

for (const [word, paper] of [["W", "A4"], ["Ŵilliamson ", "Letter"], ["Ǖ Ộ ", "A4"]] as const) {
  Deno.test(`the longest fields of ${word.trim()} stay on ${paper}, one below the other`, async () => {
    const fields: CertificateFields = { ...FIELDS, paper };
    for (const field of Object.keys(CERTIFICATE_LIMITS) as (keyof typeof CERTIFICATE_LIMITS)[]) {
      fields[field] = longest(field, word);
    }
    fields.name_latin = `L${fields.name_latin!.slice(1)}`;
    const picture = encodePng(20, 20);
    const bytes = await make({ ...INPUT, fields, logo: picture, signature: picture });
    const [page] = await readPdf(bytes);
    assertEquals(
      [page.width, page.height].map(Math.round),
      paper === "A4" ? [842, 595] : [792, 612],
    );
    const written = Object.keys(CERTIFICATE_LIMITS)
      .reduce((sum, field) => sum + fields[field as "name"].replaceAll(" ", "").length, 0);
    const read = textOf(page).replace(
      /Harbour College|harbour\.example|Awarded to|Grade|Date|20 November 2026/g,
      "",
    );
    assertEquals(read.replace(/\s/g, "").length, written);
    const ys = page.texts.map(({ y }) => y);
    assert(Math.min(...ys) > 14 * MM, `${Math.min(...ys) / MM} mm from the bottom`);
    for (const { x, text } of page.texts) assert(x > 20 * MM, text);
    // Only the texts of the three columns are side by side.
    const middle = ys.filter((y) => y > 56 * MM);
    assertEquals(middle, middle.toSorted((a, b) => b - a));
    for (const [i, y] of middle.entries()) {
      assert(i === 0 || middle[i - 1] - y > 5.5, `${middle[i - 1] - y} points between lines`);
    }
  });
}

/** Returns the largest letters of each part of a certificate, in the order in which the parts are drawn. */
async function sizesOf(fields: CertificateFields): Promise<{ type: string; size: number }[]> {
  const pdf = await PDFDocument.load(await make({ ...INPUT, fields }));
  const contents = pdf.getPage(0).node.Contents() as PDFRawStream;
  const text = new TextDecoder().decode(decodePDFRawStream(contents).decode());
  return [...text.matchAll(/^\/(\w+) <<\/MCID \d+>> BDC\n(.*?)^EMC/gms)].map(([, type, part]) => ({
    type,
    size: Math.max(0, ...[...part.matchAll(/ ([\d.]+) Tf/g)].map(([, size]) => Number(size))),
  }));
}

Deno.test("the name is the largest text, however long it and the others are", async () => {
  for (
    const fields of [
      { name: "Bo Li", title: "Welding", date: FIELDS.date },
      FIELDS,
      { ...FIELDS, name: longest("name", "Williamson ") },
      { ...FIELDS, title: longest("title", "Management of "), body: longest("body", "knows ") },
      { ...FIELDS, name: "王小明", name_latin: "Wang Xiaoming", paper: "Letter" as const },
    ]
  ) {
    const sizes = (await sizesOf(fields)).toSorted((a, b) => b.size - a.size);
    assertEquals(sizes[0].type, "H2", fields.name);
    assert(sizes[0].size > 1.35 * sizes[1].size);
  }
});

Deno.test("the name in Latin letters is below the name, unless it is the same", async () => {
  const textsOf = async (name: string, name_latin: string) => {
    const [page] = await readPdf(await make({ ...INPUT, fields: { ...FIELDS, name, name_latin } }));
    return page.texts.map(({ text }) => text);
  };
  const texts = await textsOf("王小明", "Wang Xiaoming");
  assertEquals(texts[texts.indexOf("王小明") + 1], "Wang Xiaoming");
  const same = await textsOf("Ada Lovelace", " Ada  Lovelace");
  assertEquals(same.filter((text) => text === "Ada Lovelace").length, 1);
});

Deno.test("high and low letters of a script touch no other text", async () => {
  const ysOf = async (name: string) => {
    const [page] = await readPdf(
      await make({
        ...INPUT,
        fields: { name, name_latin: "Muhammad", title: "A", date: FIELDS.date },
      }),
    );
    const yOf = (text: string) => page.texts.find((found) => found.text === text)!.y;
    return { all: yOf("Awarded to") - yOf("Muhammad"), below: yOf(name) - yOf("Muhammad") };
  };
  const arabic = await ysOf("عبد الله القرطبي");
  assert(arabic.all > (await ysOf("Mohammed al-Qurtubi")).all + 18);
  // The dots below the last letter do not look like accents of the letters below them.
  assert(arabic.below > 64, `${arabic.below}`);
});

Deno.test("the issued copy of a certificate keeps its text, tags and fonts", async () => {
  const copy = await stampPdf(await make(INPUT), DETAILS);
  if (copy.unchanged) throw new Error("It counts as signed.");
  const [page] = await readPdf(copy.bytes);
  for (const text of ["Ada Lovelace", "20 November 2026", "Page 1 of 1"]) {
    assertStringIncludes(textOf(page), text);
  }
  assertStringIncludes((await readTags(copy.bytes))[0], 'H2("Ada Lovelace")');
});

Deno.test("a certificate and a check that take too long are unavailable for 30 seconds, and no fault of the logo", async () => {
  await using certificates = createCertificates({ timeoutMs: 0, heapMb: 128 });
  const busy = { ok: false, error: "unavailable", retryAfterSeconds: 30 } as const;
  assertEquals(await certificates.make({ ...INPUT, logo: encodePng(30, 20) }), busy);
  assertEquals(await certificates.check([INPUT]), busy);
});
