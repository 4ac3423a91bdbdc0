import { assert, assertEquals } from "@std/assert";
import { batchDocument } from "./columns.ts";
import { findingsIn } from "./warnings.ts";

const NOW = Date.parse("2026-11-20T10:00:00Z");

const rowsOf = (...documents: Record<string, string>[]) =>
  documents.map((fields, i) => ({
    line: i + 2,
    document: batchDocument.parse({
      name: "Ada",
      email: `ada${i}@example.org`,
      title: "A",
      type: "Certificate",
      date: "2026-11-20",
      ...fields,
    }),
  }));

Deno.test("a row with the longest texts is found, and ordinary rows have no warnings", () => {
  const rows = rowsOf({}, { body: "The longest of all texts" }, { subtitle: "Longer" });
  assertEquals(findingsIn(rows, [], NOW), { longest: 1, warnings: [], warned: 0 });
});

Deno.test("rows that are left out, a day to come and an address of two people are warnings without names", () => {
  const { warnings } = findingsIn(
    rowsOf(
      { date: "2027-01-01" },
      { email: "ada@example.org" },
      { name: "Mei", email: "ada@example.org" },
    ),
    [{ line: 9, column: "name", value: "𓂀", reason: "The fonts cannot show “𓂀”." }],
    NOW,
  );
  assert(!JSON.stringify(warnings).includes("𓂀"));
  assertEquals(warnings.map(({ line, column, value }) => [line, column, value]), [
    [9, "name", undefined],
    [2, "date", "2027-01-01"],
    [4, "email", undefined],
  ]);
});

Deno.test("a file with a warning in each row keeps fifty, and counts all", () => {
  const { warnings, warned } = findingsIn(
    rowsOf(...Array.from({ length: 70 }, () => ({ date: "2027-01-01" }))),
    [],
    NOW,
  );
  assertEquals([warnings.length, warned], [50, 70]);
});
