import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { deflateSync } from "node:zlib";
import { DETAILS } from "../testing/pdfs.ts";
import { type Bodies, SIZE, SMALL_PDFS, withTable } from "../testing/small_pdfs.ts";
import { fonts, runHere } from "../testing/run_here.ts";
import { stampPdf } from "./stamp.ts";
import { sampleOf } from "../../../../packages/pdf/check/check.ts";
import { PdfFile } from "../../../../packages/pdf/check/file.ts";
import { Stream } from "../../../../packages/pdf/check/syntax.ts";
import { checkCopy } from "../../../../packages/pdf/mod.ts";

async function copyOf(original: Uint8Array): Promise<Uint8Array> {
  const stamped = await stampPdf(original.slice(), DETAILS, fonts);
  if (stamped.unchanged) throw new Error("It counts as signed.");
  return stamped.bytes;
}

/** Issues a PDF. Returns `issued`, or the code and the sentence of the refusal. */
async function outcomeOf(original: Uint8Array): Promise<string> {
  const shared = new SharedArrayBuffer(original.length);
  new Uint8Array(shared).set(original);
  const outcome = await runHere({ original: shared, details: DETAILS });
  return outcome.ok ? "issued" : `${outcome.problem}: ${outcome.message}`;
}

Deno.test("the check shares no code with the copier", async () => {
  const folder = new URL("../../../../packages/pdf/check/", import.meta.url);
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith("_test.ts")) continue;
    const text = await Deno.readTextFile(new URL(name, folder));
    const imports = [...text.matchAll(/from "([^"]+)"/g)].map(([, path]) => path);
    assertEquals(imports.filter((path) => /pdf-lib|\.\.\//.test(path)), [], name);
  }
});

for (const [name, bodies] of Object.entries(SMALL_PDFS)) {
  Deno.test(`a copy passes the check, and those of changed originals do not: ${name}`, async () => {
    const original = withTable(bodies);
    assertEquals(await checkCopy(original, await copyOf(original)), { ok: true, compared: 1 });
    const other = SMALL_PDFS[name === "text" ? "form" : "text"];
    const wrong = await checkCopy(original, await copyOf(withTable(other)));
    assertEquals([wrong.ok, wrong.ok || wrong.page], [false, 1]);
  });
}

Deno.test("a copy without a byte of a stream, or with another number, does not pass", async () => {
  const image = SMALL_PDFS.image;
  const changed = (pattern: string, other: string) =>
    withTable(image.map((body) => body.replace(pattern, other)));
  for (
    const [pattern, other, what] of [
      ["ffffff00>", "ffffff01>", "Resources/XObject/I1"],
      ["/Height 2", "/Height 1", "Resources/XObject/I1/Height"],
      ["60 400 cm", "61 400 cm", "the bytes of the content"],
      ["/DeviceRGB", "/DeviceGray", "Resources/XObject/I1/ColorSpace"],
    ]
  ) {
    const result = await checkCopy(withTable(image), await copyOf(changed(pattern, other)));
    assertEquals(result, { ok: false, page: 1, what, isNote: false });
  }
});

Deno.test("a number that the copy writes with other last digits passes", async () => {
  const decode = "/Height 2 /Decode [0.000000029802322 1 0 1 0 1]";
  const original = withTable(SMALL_PDFS.image.map((body) => body.replace("/Height 2", decode)));
  assertEquals(await checkCopy(original, await copyOf(original)), { ok: true, compared: 1 });
});

const VALUE = {
  text: "/FT /Tx /V (PASS)",
  choice: "/FT /Ch /Ff 131072 /Opt [(PASS) (FAIL)] /V (PASS)",
};
const APPEARANCES = { equal: "(PASS) Tj", old: "(FAIL) Tj", empty: "", absent: null };

/** A form with a field whose value is PASS. */
function formPdf(field: string, appearance: string | null, needAppearances: boolean): Uint8Array {
  const look = `/Tx BMC BT /F1 20 Tf 5 10 Td ${appearance} ET EMC`;
  return withTable([
    `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /NeedAppearances ${needAppearances} /DR << /Font << /F1 7 0 R >> >> >> >>`,
    "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${SIZE.width} ${SIZE.height}] /Annots [5 0 R] >>`,
    "null",
    `<< /Type /Annot /Subtype /Widget /T (result) /F 4 /Rect [60 400 260 440] /DA (/F1 20 Tf 0 g) ${field} ${
      appearance === null ? "" : "/AP << /N 6 0 R >>"
    } >>`,
    `<< /Type /XObject /Subtype /Form /BBox [0 0 200 40] /Resources << /Font << /F1 7 0 R >> >> /Length ${look.length} >> stream\n${look}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ]);
}

for (const [kind, field] of Object.entries(VALUE)) {
  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    for (const need of [true, false]) {
      const expected = name === "equal" ? "issued" : "not_flat";
      Deno.test(`a field with PASS: ${kind}, appearance ${name}, NeedAppearances ${need}: ${expected}`, async () => {
        assertMatch(await outcomeOf(formPdf(field, appearance, need)), RegExp(`^${expected}`));
      });
    }
  }
}

Deno.test("a field that viewers draw with the frame of its appearance is issued", async () => {
  for (const paints of ["S", "s", "b", "b*"]) {
    const field = `${VALUE.text} /MK << /BC [0] >>`;
    const look = `(PASS) Tj ET 1 g 1 1 198 38 re ${paints} 0 g BT`;
    assertEquals(await outcomeOf(formPdf(field, look, true)), "issued", paints);
  }
});

/** A check box or radio button that is on, with a drawing for each state. */
function buttonPdf(field: string, states: string, needAppearances: boolean): Uint8Array {
  const bodies = SMALL_PDFS.stamp.map((body) =>
    body.replace("/Subtype /Stamp", `/Subtype /Widget /FT /Btn ${field}`)
      .replace("/AP << /N 6 0 R >>", states)
  );
  bodies[0] = bodies[0].replace(
    "/Pages",
    `/AcroForm << /Fields [5 0 R] /NeedAppearances ${needAppearances} >> /Pages`,
  );
  return withTable(bodies);
}

for (const flags of ["", "/Ff 32768"]) {
  for (const need of [true, false]) {
    for (
      const [name, entries, expected] of [
        ["equal", "/V /Yes /AS /Yes /AP << /N << /Yes 6 0 R >> >>", "issued"],
        ["old", "/V /Yes /AS /Off /AP << /N << /Yes 6 0 R >> >>", "not_flat"],
        ["on, but is off", "/V /Off /AS /Yes /AP << /N << /Yes 6 0 R >> >>", "not_flat"],
        ["absent", "/V /Yes /AS /Yes", "not_flat"],
        ["with another name", "/V /Yes /AS /Yes /AP << /N << /on 6 0 R >> >>", "not_flat"],
        ["off, without an appearance", "/V /Off /AS /Off /AP << /N << /Yes 6 0 R >> >>", "issued"],
      ]
    ) {
      Deno.test(`a ${flags ? "radio button" : "check box"}: appearance ${name}, NeedAppearances ${need}: ${expected}`, async () => {
        assertMatch(await outcomeOf(buttonPdf(flags, entries, need)), RegExp(`^${expected}`));
      });
    }
  }
}

Deno.test("fields without an appearance that viewers draw in other ways are refused, and others are issued", async () => {
  const stamp = (entries: string) =>
    outcomeOf(
      withTable(SMALL_PDFS.stamp.map((body) =>
        body.replace("/Subtype /Stamp", entries).replace("/AP << /N 6 0 R >>", "")
      )),
    );
  for (
    const entries of [
      "/Subtype /Widget /FT /Tx /MK << /BC [1 0 0] >>",
      "/Subtype /Widget /FT /Tx /MK << /BG [1 0 0] >>",
      "/Subtype /Widget /FT /Btn /Ff 65536 /MK << /CA (Print) >>",
      "/Subtype /Widget /FT /Ch /V [(A) (B)]",
      "/Subtype /Widget /FT /Tx /V 6 0 R",
      "/Subtype /Text /Contents (Note)",
      "/Subtype /FreeText /Contents (Note)",
    ]
  ) assertMatch(await stamp(entries), /^not_flat: Page 1: /, entries);
  for (
    const entries of [
      "/Subtype /Widget /FT /Tx",
      "/Subtype /Widget /FT /Sig",
      "/Subtype /Widget /FT /Btn /V /Off",
      "/Subtype /Popup",
    ]
  ) assertEquals(await stamp(entries), "issued", entries);
});

Deno.test("comments that depend on the program or on paper are refused, and hidden ones are not shown", async () => {
  const stamp = (flags: number, page = "") =>
    outcomeOf(
      withTable(SMALL_PDFS.stamp.map((body, i) =>
        body.replace("/F 4", `/F ${flags}`).replace("/Annots", `${i === 2 ? page : ""} /Annots`)
      )),
    );
  for (const flags of [0, 2, 4, 6, 32, 28]) assertEquals(await stamp(flags), "issued", `${flags}`);
  for (const flags of [1, 36]) assertMatch(await stamp(flags), /^not_flat: Page 1: /, `${flags}`);
  assertMatch(await stamp(20, "/Rotate 90"), /^not_flat: Page 1: /);
});

Deno.test("a note in a hidden layer stays in it, and so does one whose parent is in one", async () => {
  for (const parent of [false, true]) {
    const [stamp, layer] = [SMALL_PDFS.stamp, SMALL_PDFS.layer];
    const bodies: Bodies = [
      layer[0].replaceAll("5 0 R", "7 0 R").replaceAll("6 0 R", "8 0 R"),
      ...stamp.slice(1, 4),
      stamp[4].replace("/F 4", parent ? "/F 4 /Parent 9 0 R" : "/F 4 /OC 7 0 R"),
      stamp[5],
      ...layer.slice(4),
      "<< /OC 7 0 R >>",
    ];
    const outcome = await outcomeOf(withTable(bodies));
    // Viewers do not agree on whether a field inherits its layer.
    assertMatch(outcome, parent ? /^not_flat/ : /^issued/);
  }
});

Deno.test("a stream has all its bytes if its length is an object and it ends with a line break", async () => {
  for (const inStream of [false, true]) {
    const bodies = SMALL_PDFS.image.with(
      4,
      "<< /Type /XObject /Subtype /Image /Width 2 /Height 2 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 6 0 R >> stream\n0123456789a\r\nendstream",
    );
    const original = inStream ? withObjectStream(bodies) : withTable([...bodies, "12"]);
    const copy = new PdfFile(await copyOf(original));
    const images = Array.from({ length: 60 }, (_, i) => copy.object(i + 1))
      .filter((object) =>
        object instanceof Stream && copy.name(object.dict.get("Subtype")) === "Image"
      );
    assertEquals(images.map((image) => (image as Stream).bytes.length), [12]);
    assert((await checkCopy(original, await copyOf(original))).ok);
  }
});

/** Returns a PDF whose object 6 is the number 12, in an object stream. */
function withObjectStream(bodies: Bodies): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const rows: number[][] = [[0, 0, 0]];
  let at = parts[0].length;
  const add = (number: number, body: string) => {
    const bytes = Buffer.from(`${number} 0 obj ${body} endobj\n`, "latin1");
    parts.push(bytes);
    rows[number] = [1, at, 0];
    at += bytes.length;
  };
  for (const [i, body] of bodies.entries()) add(i + 1, body);
  rows[6] = [2, 7, 0];
  add(7, "<< /Type /ObjStm /N 1 /First 4 /Length 6 >> stream\n6 0 12\nendstream");
  const start = at;
  rows[8] = [1, start, 0];
  const table = deflateSync(Buffer.from(rows.flatMap(([a, b, c]) => [a, b >> 8, b & 255, c])));
  const head =
    `8 0 obj << /Type /XRef /Size 9 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode /Length ${table.length} >> stream\n`;
  const end = `\nendstream endobj\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([...parts, Buffer.from(head), table, Buffer.from(end)]));
}

Deno.test("a refusal says how a value that viewers draw differs from its appearance", async () => {
  const drawn = (look: string) => outcomeOf(formPdf(VALUE.text, look, true));
  assertMatch(await drawn("(FAIL) Tj"), /“PASS” became “FAIL”/);
  assertMatch(await drawn("3 Tr (PASS) Tj"), /the text “PASS” of its appearance is invisible/);
  assertMatch(
    await drawn("(PASS) Tj 0 0 9 9 re f"),
    /viewers draw “PASS” with no frame, but .* a frame/,
  );
});

Deno.test("a sample has the first page, the last one, and pages that depend on the program before others", () => {
  const page = (number: number, work: number, isFirst = false, isNeeded = false) => ({
    number,
    work,
    isFirst,
    isNeeded,
  });
  const numbers = (pages: Parameters<typeof sampleOf>[0]) =>
    sampleOf(pages).map(({ number }) => number);
  const many = Array.from({ length: 300 }, (_, i) => page(i + 1, 5_000));
  assertEquals(numbers(many.slice(0, 200)).length, 200);
  const sample = numbers(many);
  assertEquals([sample[0], sample.at(-1), sample.length], [1, 300, 200]);
  const large = many.map((each) => ({ ...each, work: 1e6, isNeeded: each.number === 77 }));
  assertEquals(numbers(large), [1, 77, 300]);
  const noted = large.map((each) => ({ ...each, isFirst: each.number === 200 }));
  assertEquals(numbers(noted), [1, 77, 200, 300]);
});
