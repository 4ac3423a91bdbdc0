import { assertEquals } from "@std/assert";
import { packRows, unpackRows } from "./packed_rows.ts";

Deno.test("rows are the same after packing, and each name is sent once", () => {
  const rows = [{ id: "a", note: null }, { id: "b", note: "Rent" }];
  assertEquals(packRows(rows), { names: ["id", "note"], rows: [["a", null], ["b", "Rent"]] });
  assertEquals(unpackRows(packRows(rows)), rows);
  assertEquals(unpackRows(packRows([])), []);
});
