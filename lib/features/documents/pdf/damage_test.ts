import { assert, assertEquals } from "@std/assert";
import { issuePdf } from "../issue_pdf.ts";
import { DETAILS } from "../testing/pdfs.ts";
import { runHere } from "../testing/run_here.ts";
import { differingSquares, Drawn } from "../testing/picture.ts";
import { type Bodies, SIZE, SMALL_PDFS, withTable } from "../testing/small_pdfs.ts";

/** How many of the damaged tokens of each file are tried. */
const TOKENS = 5;

/** Returns numbers below a limit that look random, and are the same in each run. */
function sequence(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223 >>> 0;
    return Math.floor(state / 2 ** 32 * limit);
  };
}

/** Returns a token with another digit or letter. */
function damaged(token: string, random: (limit: number) => number): string {
  const at = Math.min(token.length - 1, random(token.length) + (token.startsWith("/") ? 1 : 0));
  const other = /\d/.test(token[at]) ? String((Number(token[at]) + 1 + random(8)) % 10) : "q";
  return token.slice(0, at) + other + token.slice(at + 1);
}

/** Other names, types and flags for what the resources and annotations of a page name. */
const CHANGES: [pattern: RegExp, replacements: string[]][] = [
  [/(?<=\/)[FGIXSPTL]1\b/g, ["EF", "S", "Type", "AF", "Metadata"]],
  [/\/Type \/(Font|ExtGState|XObject|Pattern|OCG|Annot)\b/g, [
    "/Type /Page",
    "/Type /Action",
    "/Type /Metadata",
    "/S /JavaScript",
  ]],
  [/\/F 4\b/g, ["/F 0", "/F 1", "/F 2", "/F 32", "/F 36", "/F 16"]],
];

function* variants(bodies: Bodies, random: (limit: number) => number): Generator<Bodies> {
  for (const [pattern, replacements] of CHANGES) {
    for (const replacement of replacements) {
      const changed = bodies.map((body) => body.replaceAll(pattern, replacement));
      if (changed.join() !== bodies.join()) yield changed;
    }
  }
  for (let i = 0; i < TOKENS; i++) {
    const object = random(bodies.length);
    const tokens = [...bodies[object].matchAll(/\/?[\w.+-]+/g)];
    const { 0: token, index } = tokens[random(tokens.length)];
    const body = bodies[object];
    yield bodies.with(
      object,
      body.slice(0, index) + damaged(token, random) + body.slice(index + token.length),
    );
  }
}

/** Issues a PDF. Returns whether it was issued, and why its copy looks otherwise, if it does. */
async function tryOut(bytes: Uint8Array): Promise<{ issued: boolean; wrong?: string }> {
  const result = await issuePdf(bytes, DETAILS, runHere);
  if (!result.ok || result.unchanged) return { issued: false };
  using original = await Drawn.open(bytes);
  using copy = await Drawn.open(result.bytes);
  if (original === null || copy === null) return { issued: true, wrong: "PDFium cannot open it" };
  const footer = SIZE.height * (1 - SIZE.scale);
  const squares = differingSquares(
    await original.picture(SIZE.scale),
    await copy.picture(1, SIZE.margin, Math.ceil(footer)),
  );
  return squares === 0 ? { issued: true } : { issued: true, wrong: `${squares} squares differ` };
}

Deno.test("copies of small PDFs of ten kinds look like their originals in PDFium", async () => {
  for (const [name, bodies] of Object.entries(SMALL_PDFS)) {
    assertEquals(await tryOut(withTable(bodies)), { issued: true }, name);
  }
});

Deno.test("a PDF with a damaged token, or another name, type or flag, is refused or looks the same in PDFium", async () => {
  const random = sequence(7);
  let [issued, refused] = [0, 0];
  for (const [name, bodies] of Object.entries(SMALL_PDFS)) {
    for (const variant of variants(bodies, random)) {
      const outcome = await tryOut(withTable(variant));
      assertEquals(outcome.wrong, undefined, `${name}\n${variant.join("\n")}`);
      if (outcome.issued) issued++;
      else refused++;
    }
  }
  assert(issued > 20 && refused > 10, `${issued} issued, ${refused} refused`);
});
