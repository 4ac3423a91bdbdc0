import { assertEquals } from "@std/assert";
import { type Catalogue, createCatalogue, type Qualification } from "./mod.ts";
import { successionOf } from "./succession.ts";

const catalogue = createCatalogue();
const codes = (qualifications: Qualification[]) => qualifications.map(({ code }) => code);

function succession(code: string) {
  const { predecessors, successors } = successionOf(catalogue, catalogue.get(code)!);
  return { before: codes(predecessors), after: codes(successors) };
}

Deno.test("a succession goes one step back, and forward to the current qualification", () => {
  assertEquals(succession("CHC50113"), { before: [], after: ["CHC50121", "CHC50125"] });
  assertEquals(succession("CHC50121"), { before: ["CHC50113"], after: ["CHC50125"] });
  assertEquals(succession("CHC50125"), { before: ["CHC50121"], after: [] });
  assertEquals(succession("ACM20121"), { before: [], after: [] });
});

Deno.test("every superseded qualification leads to one that is current", () => {
  for (const qualification of catalogue.all) {
    const { successors } = successionOf(catalogue, qualification);
    assertEquals((successors.at(-1) ?? qualification).status, "current", qualification.code);
  }
});

Deno.test("a circle in the data ends where it began", () => {
  const of = (code: string, superseded_by: string): Qualification => ({
    ...catalogue.get("CHC50113")!,
    code,
    superseded_by,
  });
  const all = [of("A", "B"), of("B", "C"), of("C", "B")];
  const circle: Catalogue = {
    ...catalogue,
    all,
    get: (code) => all.find((each) => each.code === code),
  };
  assertEquals(codes(successionOf(circle, all[0]).successors), ["B", "C"]);
  assertEquals(codes(successionOf(circle, all[1]).successors), ["C"]);
});
