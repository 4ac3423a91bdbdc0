import { assertEquals } from "@std/assert";
import { addressStart, inFours, printable, printedAddress, wrap } from "./text.ts";

Deno.test("a text is printed with the characters of the standard fonts, or not at all", () => {
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

Deno.test("an address is printed with the id in groups of four", () => {
  for (
    const [url, printed] of [
      [
        "https://trust.example/d/7K3M9Q2XB4TW01RA/12",
        "https://trust.example/d/7K3M-9Q2X-B4TW-01RA/12",
      ],
      ["https://trust.example/terms/3", "https://trust.example/terms/3"],
    ]
  ) assertEquals(printedAddress(url), printed);
  assertEquals(addressStart("http://trust.localhost:8000/d/x/1"), "http://trust.localhost:8000/");
  assertEquals(inFours("3f5a9c01"), "3f5a 9c01");
});
