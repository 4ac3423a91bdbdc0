import { assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { PDFDocument } from "@cantoo/pdf-lib";
import { embedFonts } from "./fonts.ts";
import { printable, wrap } from "./text.ts";
import { WINDOWS_1252 } from "./windows_1252.ts";

Deno.test("a text is printed with the characters of our fonts, or not at all", () => {
  for (
    const [text, printed] of [
      ["Müller & Søn – “Œuvre” €5", "Müller & Søn – “Œuvre” €5"],
      ["Győr, Łódź, Iași, ﬁn", "Gyor, Lódz, Iasi, fin"],
      ["u\u0308ber\n\tzwei\u00a0Zeilen\u202e ", "über zwei Zeilen"],
      ["non\u2011breaking \u2212 1", "non-breaking - 1"],
      ["", ""],
      ["Договор", null],
      ["契約", null],
      ["Party 🎉", null],
    ]
  ) assertEquals(printable(text!), printed, text!);
});

Deno.test("a text is wrapped between words, within long words, and ends with … at the limit", () => {
  const fits = (line: string) => line.length <= 8;
  assertEquals(wrap("one two three", fits), ["one two", "three"]);
  assertEquals(wrap("a abcdefghijkl z", fits), ["a", "abcdefgh", "ijkl z"]);
  assertEquals(wrap("one two three four", fits, 2), ["one two", "three…"]);
  assertEquals(wrap("one twoo three", fits, 1), ["one two…"]);
  assertEquals(wrap("", fits), [""]);
});

Deno.test("each brand's fonts for text have all characters that are printed, and refuse others", async () => {
  for (const organisation of ["foundation", "commercial"] as const) {
    const fonts = await embedFonts(await PDFDocument.create(), organisation);
    for (const letter of WINDOWS_1252) {
      for (const font of [fonts.regular, fonts.bold]) font.encode(letter);
    }
    assertEquals(fonts.mono.encode("a1"), "<6131>");
    assertAlmostEquals(fonts.mono.widthOf("a1", 10), 12);
    assertEquals(fonts.regular.encode("€ü"), "<80fc>");
    assertThrows(() => fonts.mono.encode("ü"));
    assertThrows(() => fonts.regular.encode("契"));
  }
});
