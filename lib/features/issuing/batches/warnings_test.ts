import { assertEquals } from "@std/assert";
import { batchDocument } from "./columns.ts";
import { lookAt } from "./warnings.ts";

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
  assertEquals(lookAt(rows, NOW), { longest: 1, warnings: [], warned: 0 });
});

Deno.test("what a spreadsheet has spoiled, a day to come, and an address of two people are warnings without names", () => {
  const { warnings } = lookAt(
    rowsOf(
      { grade: "#N/A" },
      { external_id: "2.02611E+11" },
      { date: "2027-01-01" },
      { email: "ada0@example.org" },
      { name: "Mei", email: "ada0@example.org" },
    ),
    NOW,
  );
  assertEquals(warnings.map(({ line, column, value }) => [line, column, value]), [
    [2, "grade", "#N/A"],
    [3, "external_id", "2.02611E+11"],
    [4, "date", "2027-01-01"],
    [6, "email", undefined],
  ]);
});

Deno.test("a file with a warning in each row keeps fifty, and counts all", () => {
  const { warnings, warned } = lookAt(
    rowsOf(...Array.from({ length: 70 }, () => ({ grade: "#REF!" }))),
    NOW,
  );
  assertEquals([warnings.length, warned], [50, 70]);
});
