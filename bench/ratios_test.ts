import { assertEquals } from "@std/assert";
import { faultsOf, ratiosOf } from "./ratios.ts";
import { withRatio } from "./table.ts";

const tableOf = (value: number) => ({
  title: "t",
  columns: ["what", "ratio"],
  rows: [withRatio(["a", "…"], { name: "a, compared with b", value }), ["without"]],
});

Deno.test("a ratio below half of its stored value or without one is a fault; a new one, or half of it, is not", () => {
  const stored = { mcp: ratiosOf([tableOf(0.5)]) };
  assertEquals(stored, { mcp: { "a, compared with b": 0.5 } });
  const faults = (value: number, name = "mcp") =>
    faultsOf({ [name]: ratiosOf([tableOf(value)]) }, stored).length;
  assertEquals([faults(0.24), faults(0.25), faults(0.9), faults(NaN)], [1, 0, 0, 1]);
  assertEquals(faults(0.01, "new"), 0);
});
