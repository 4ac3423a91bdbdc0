import { assert, assertEquals, assertThrows } from "@std/assert";
import { z } from "zod";
import data from "./catalogue.json" with { type: "json" };
import { type Catalogue, createCatalogue, successionOf } from "./mod.ts";
import { type Qualification } from "./qualification.ts";
import { toQualification } from "./qualification.ts";

const Code = z.string().regex(/^[A-Z]{3}\d{5}$/);
const Record = z.strictObject({
  code: Code,
  title: z.string().regex(
    /^(Certificate (I|II|III|IV) in|(Advanced |Graduate )?Diploma of|Graduate Certificate in) \S.*\S$/,
  ),
  superseded_by: Code.optional(),
});
const DataFile = z.strictObject({
  training_packages: z.record(
    z.string().regex(/^[A-Z]{3}$/),
    z.string().regex(/ Training Package$/),
  ),
  qualifications: z.array(Record).min(90),
});

const catalogue = createCatalogue();
const codes = (qualifications: readonly Qualification[]) => qualifications.map(({ code }) => code);
const found = (query: string) => codes(catalogue.search({ query }).qualifications);

Deno.test("the data file is valid and sorted by unique codes", () => {
  const { qualifications, training_packages } = DataFile.parse(data);
  const listed = qualifications.map(({ code }) => code);
  assertEquals(listed, [...new Set(listed)].sort());
  assertEquals(
    [...new Set(listed.map((code) => code.slice(0, 3)))],
    Object.keys(training_packages),
    "the packages are those of the codes",
  );
});

Deno.test("the fourth character of every code is the AQF level", () => {
  for (const { code, aqf_level } of catalogue.all) {
    assertEquals(Number(code[3]), aqf_level, code);
  }
});

Deno.test("every superseded qualification has a current successor with the same package and level", () => {
  const superseded = catalogue.all.filter(({ status }) => status === "superseded");
  assert(superseded.length >= 10);
  for (const qualification of superseded) {
    const { code, training_package, aqf_level } = qualification;
    const last = successionOf(catalogue, qualification).successors.at(-1);
    assertEquals(last?.status, "current", code);
    assertEquals([last?.training_package, last?.aqf_level], [training_package, aqf_level], code);
  }
});

Deno.test("the catalogue covers many packages and every level that training packages have", () => {
  assert(new Set(catalogue.all.map((each) => each.training_package.code)).size >= 15);
  assertEquals(
    [...new Set(catalogue.all.map((each) => each.aqf_level))].sort(),
    [1, 2, 3, 4, 5, 6, 8],
  );
  assertEquals(catalogue.size, catalogue.all.length);
});

Deno.test("get() finds a code in any case and with surrounding spaces", () => {
  assertEquals(catalogue.get(" bsb50420\n"), {
    code: "BSB50420",
    title: "Diploma of Leadership and Management",
    aqf_level: 5,
    level_name: "Diploma",
    training_package: {
      code: "BSB",
      title: "Business Services Training Package",
    },
    status: "current",
  });
  assertEquals(catalogue.get("TAE40116")?.superseded_by, "TAE40122");
  assertEquals(catalogue.get("BSB5042"), undefined);
  assertEquals(catalogue.get(""), undefined);
});

Deno.test("toQualification throws for an unknown level or package", () => {
  const packages = { BSB: "Business Services Training Package" };
  for (
    const record of [
      { code: "BSB50420", title: "Licence in Leadership" },
      { code: "XYZ50420", title: "Diploma of Leadership" },
    ]
  ) {
    assertThrows(
      () => toQualification(record, packages),
      Error,
      "qualification_invalid",
    );
  }
});

Deno.test("an empty search returns everything sorted by code", () => {
  for (const query of ["", "  ", undefined]) {
    const { total, qualifications } = catalogue.search({ query });
    assertEquals(total, catalogue.size);
    assertEquals(qualifications, [...catalogue.all]);
  }
});

Deno.test("qualifications whose code starts with the query come first, sorted by code", () => {
  assertEquals(found("uee3")[0], "UEE30811");
  assertEquals(found("chc 33021"), ["CHC33021"]);
  const sit = found("SIT");
  const prefixed = sit.filter((code) => code.startsWith("SIT"));
  assert(prefixed.length > 5);
  assertEquals(sit.slice(0, prefixed.length), prefixed.toSorted());
});

Deno.test("title words match by prefix in any order, and all words must match", () => {
  assertEquals(found("nurs"), ["HLT54121", "HLT54115"]);
  assertEquals(found("management leadership grad"), []);
  assertEquals(found("leadership strategic"), ["BSB80320"]);
  assertEquals(found("qzxv"), []);
  assertEquals(found("(*)"), []);
});

Deno.test("a search tolerates typos in words but not in codes", () => {
  assert(found("carpentary").includes("CPC30326"));
  assert(found("counseling").includes("CHC51015"));
  assertEquals(found("CHC33022"), []);
});

Deno.test("a search accepts digits for levels and ignores stop words", () => {
  assertEquals(found("cert 3 in carpentry"), found("Certificate III in Carpentry"));
  assertEquals(
    new Set(found("certificate of carpentry")),
    new Set(["CPC30326", "CPC30220", "CPC30211"]),
  );
  for (
    const { level_name } of catalogue.search({ query: "cert 1" }).qualifications
  ) {
    assertEquals(level_name, "Certificate I");
  }
});

Deno.test("a search for a training package finds its qualifications", () => {
  const creative = found("creative arts");
  assert(creative.includes("CUA31020"));
  assert(
    found("training").length < catalogue.size / 4,
    'the words "Training Package" don\'t match',
  );
});

Deno.test("a current qualification ranks above superseded ones with the same title", () => {
  const [first, ...others] =
    catalogue.search({ query: "certificate iii carpentry" }).qualifications;
  assertEquals([first.code, first.status], ["CPC30326", "current"]);
  assertEquals(others.map(({ status }) => status), ["superseded", "superseded"]);
});

Deno.test("filters combine, and total counts all matches regardless of the limit", () => {
  const { total, qualifications } = catalogue.search({
    training_package: " chc ",
    aqf_level: 5,
    status: "current",
    limit: 2,
  });
  assertEquals(qualifications.length, 2);
  assert(total > 2);
  for (const each of qualifications) {
    assertEquals([each.training_package.code, each.aqf_level, each.status], [
      "CHC",
      5,
      "current",
    ]);
  }
  assertEquals(catalogue.search({ query: "diploma", aqf_level: 3 }).total, 0);
  assertEquals(catalogue.search({ training_package: "XYZ" }), { total: 0, qualifications: [] });
  assertEquals(catalogue.search({ limit: 0 }), { total: catalogue.size, qualifications: [] });
});

Deno.test("a search uses the first ten distinct words of a query", () => {
  const ten = "in c ce cer cert certi certif of car carp carpe carpen";
  assert(found(ten).length > 0);
  assertEquals(found(`${ten} zzzzzz`), found(ten));
  assertEquals(found(`${"cert ".repeat(20)}zzzzzz`), []);
});

Deno.test("successionOf goes one step back, and forward to the current qualification", () => {
  const succession = (code: string) => {
    const { predecessors, successors } = successionOf(catalogue, catalogue.get(code)!);
    return { before: codes(predecessors), after: codes(successors) };
  };
  assertEquals(succession("CHC50113"), { before: [], after: ["CHC50121", "CHC50125"] });
  assertEquals(succession("CHC50121"), { before: ["CHC50113"], after: ["CHC50125"] });
  assertEquals(succession("CHC50125"), { before: ["CHC50121"], after: [] });
  assertEquals(succession("ACM20121"), { before: [], after: [] });
});

Deno.test("successionOf returns the predecessors of predecessors, the oldest first", () => {
  const of = (code: string, superseded_by?: string): Qualification => {
    const { superseded_by: _, ...rest } = catalogue.get("CHC50113")!;
    return { ...rest, code, ...superseded_by && { superseded_by } };
  };
  const all = [of("A", "C"), of("B", "D"), of("C", "D"), of("D", "E"), of("E")];
  const merged: Catalogue = {
    ...catalogue,
    all,
    get: (code) => all.find((each) => each.code === code),
  };
  const earlier = (code: string) => codes(successionOf(merged, merged.get(code)!).earlier);
  assertEquals(["E", "D", "C", "A"].map(earlier), [["A", "B", "C"], ["A"], [], []]);
});

Deno.test("successionOf does not loop forever on cyclic data", () => {
  const of = (code: string, superseded_by: string): Qualification => ({
    ...catalogue.get("CHC50113")!,
    code,
    superseded_by,
  });
  const all = [of("A", "B"), of("B", "C"), of("C", "B")];
  const cyclic: Catalogue = {
    ...catalogue,
    all,
    get: (code) => all.find((each) => each.code === code),
  };
  assertEquals(codes(successionOf(cyclic, all[0]).successors), ["B", "C"]);
  assertEquals(codes(successionOf(cyclic, all[1]).successors), ["C"]);
  assertEquals(codes(successionOf(cyclic, all[1]).earlier), []);
});
