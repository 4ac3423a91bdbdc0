import { assert, assertEquals, assertMatch } from "@std/assert";
import { formatDocumentId, newDocumentId, parseDocumentId } from "./ids.ts";

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
