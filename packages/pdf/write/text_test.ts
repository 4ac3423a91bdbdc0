import { assertEquals } from "@std/assert";
import { WideFonts } from "../fonts/fonts.ts";
import { inOneLine, printable, wrap } from "./text.ts";

/** The letters of a small font: Windows-1252 without controls. */
const FEW = new Set(
  new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 224 }, (_, i) => 32 + i))
    .replace(/[\p{Cc}\u00ad]/gu, ""),
);

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
  ) assertEquals(printable(text!, (letter) => FEW.has(letter)), printed, text!);
});

Deno.test("a text is wrapped between words, within long words, and ends with … at the limit", () => {
  const fits = (line: string) => line.length <= 8;
  assertEquals(wrap("one two three", fits), ["one two", "three"]);
  assertEquals(wrap("a abcdefghijkl z", fits), ["a", "abcdefgh", "ijkl z"]);
  assertEquals(wrap("one two three four", fits, 2), ["one two", "three…"]);
  assertEquals(wrap("one twoo three", fits, 1), ["one two…"]);
  assertEquals(wrap("", fits), [""]);
});

Deno.test("a text is drawn with usual letters, and with the punctuation of its script", () => {
  for (
    const [text, drawn] of [
      ["Ａｄａ\u3000ﾀﾞ ﬁn", "Ada ダ fin"],
      ["已完成，特此证明（全部）", "已完成，特此证明（全部）"],
      ["علی\u200cرضا\u200f a\u200bb", "علی\u200cرضا ab"],
    ]
  ) assertEquals(inOneLine(text), drawn);
});

Deno.test("a text without spaces is wrapped between words, and not before what closes", () => {
  const fits = (line: string) => line.length <= 8;
  assertEquals(wrap("北京大学出版社有限公司", fits), ["北京大学出版社", "有限公司"]);
  assertEquals(wrap("ABC東京大学大学院。卒業", fits), ["ABC東京大学", "大学院。卒業"]);
  assertEquals(wrap("สำเร็จการศึกษา", fits), ["สำเร็จ", "การศึกษา"]);
});

Deno.test("letters are printed with their accents in fonts that have them", () => {
  const fonts = new WideFonts();
  const covers = (letter: string) => fonts.line(["Sans-Regular"], letter).missing.length === 0;
  for (
    const [text, printed] of [
      ["Győr, Łódź, Iași, ﬁn, Ọlájùmọ̀", "Győr, Łódź, Iași, fin, Ọlájùmọ̀"],
      ["Договор Ελλάδα", "Договор Ελλάδα"],
      ["契約 כהן", "契約 כהן"],
      ["𓂀", null],
    ]
  ) assertEquals(printable(text!, covers), printed, text!);
});
