import { assertEquals } from "@std/assert";
import { compareUrl, readComparison, relationOf } from "./comparison.ts";
import { createCatalogue } from "./mod.ts";

const catalogue = createCatalogue();

const relation = (a: string, b: string) => {
  const found = relationOf(catalogue, catalogue.get(a)!, catalogue.get(b)!);
  switch (found.kind) {
    case "succession":
      return [found.older, ...found.between, found.newer].map(({ code }) => code).join(" → ");
    default:
      return found.kind;
  }
};

Deno.test("relationOf finds the line of succession in both directions, and unrelated ones", () => {
  assertEquals(relation("TAE40110", "TAE40116"), "TAE40110 → TAE40116");
  assertEquals(relation("TAE40122", "TAE40110"), "TAE40110 → TAE40116 → TAE40122");
  assertEquals(relation("TAE40122", "TAE40122"), "same");
  assertEquals(relation("TAE40122", "BSB50420"), "none");
});

Deno.test("relationOf finds the qualification that replaced both", () => {
  const [old, same] = ["CHC50113", "CHC52015"].map((code) => catalogue.get(code)!);
  const both = { ...catalogue.get("BSB50420")!, code: "BOTH" };
  const all = [old, same].map((each) => ({ ...each, superseded_by: "BOTH" }));
  const merged = {
    ...catalogue,
    all: [...all, both],
    get: (code: string) => [...all, both].find((each) => each.code === code),
  };
  assertEquals(relationOf(merged, all[0], all[1]), { kind: "merged", into: both });
});

Deno.test("readComparison reads codes in any case, and limits unknown ones", () => {
  const { a, b } = readComparison(
    catalogue,
    new URL(`http://site${compareUrl(" tae40116", "x".repeat(999))}`),
  );
  assertEquals([a.qualification?.code, b.code, b.qualification], [
    "TAE40116",
    "x".repeat(20),
    undefined,
  ]);
  assertEquals(compareUrl("A"), "/compare?a=A");
});
