import { assert, assertEquals, assertMatch } from "@std/assert";
import {
  findDocumentId,
  formatDocumentId,
  newDocumentId,
  parseDocumentId,
  printedId,
} from "./ids.ts";

const ID = "7K3M9Q2XB4TW01RA";

Deno.test("a new id has 16 characters without look-alikes, and every letter occurs", () => {
  const ids = Array.from({ length: 200 }, newDocumentId);
  for (const id of ids) assertMatch(id, /^[0-9A-HJKMNP-TV-Z]{16}$/);
  assertEquals(new Set(ids).size, 200);
  assertEquals(new Set(ids.join("")).size, 32);
});

Deno.test("an id is read in any case, in groups, and with look-alikes", () => {
  for (
    const text of [
      ID,
      ID.toLowerCase(),
      formatDocumentId(ID),
      ` ${formatDocumentId(ID).replaceAll("-", " ")}\n`,
      "7K3M9Q2XB4TWO1RA",
      "7k3m9q2xb4twoIra",
      "7k3m9q2xb4twolra",
    ]
  ) assertEquals(parseDocumentId(text), ID, text);
  assertEquals(formatDocumentId(ID), "7K3M-9Q2X-B4TW-01RA");
});

Deno.test("a text that is not an id returns null", () => {
  for (const text of ["", ID.slice(1), `${ID}0`, `U${ID.slice(1)}`, `é${ID.slice(1)}`]) {
    assertEquals(parseDocumentId(text), null, text);
  }
  assert(parseDocumentId(`${"-".repeat(60)}${ID}`) === null, "a long text");
});

Deno.test("a typed number is found alone, after a word, and in the address of a document's page", () => {
  for (
    const text of [
      "7k3m 9q2x-b4tw o1ra",
      "Document 7K3M-9Q2X-B4TW-01RA",
      "No. 7K3M-9Q2X-B4TW-01RA",
      "7K3M 9Q2X B4TW 01RA/1",
      "Document 7K3M-9Q2X-B4TW-01RA / 12",
      `HTTPS://TRUST.EXAMPLE/D/${ID}/3`,
      "trust.example/d/7k3m-9q2x-b4tw-01ra",
      `https://trust.example:8443/d/${ID}?version=2`,
    ]
  ) assertEquals(findDocumentId(text), ID, text);
  for (
    const text of [
      "",
      ID.slice(1),
      "Document",
      "https://trust.example/d/",
      `${ID}/x`,
      "x".repeat(501),
    ]
  ) {
    assertEquals(findDocumentId(text), null, text);
  }
});

Deno.test("a printed number is read only from addresses of our own documents, the most frequent one", () => {
  const other = "0123456789ABCDEF";
  const at = "https://trust.example/d/";
  const read = (text: string) => printedId(text, at);
  assertEquals(read(`Check this page at HTTPS://TRUST.EXAMPLE/D/${ID}/1`), ID);
  assertEquals(read("see trust.example/d/ 7K3M-9Q2X-\nB4TW-01RA /1 Check that the address"), ID);
  assertEquals(read(`${at}${other}/1 ${at}${ID}/1 ${at}${ID}/2`), ID);
  for (
    const text of [
      "",
      `https://evil.example/d/${ID}/1`,
      "Card 4111-1111-1111-1111, document 7K3M-9Q2X-B4TW-01RA",
      `${at}${ID.slice(1)}`,
      `${at}grant?document=x`,
    ]
  ) assertEquals(read(text), null, text);
});
