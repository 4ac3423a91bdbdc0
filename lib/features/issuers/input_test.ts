import { assertEquals } from "@std/assert";
import { nameSchema } from "./input.ts";

const HOST = "A name cannot contain a host name. Pages show the verified domain beside it.";
const VERIFIED =
  "A name cannot contain “verified”. Pages add this word once the domain is verified.";
const MIXED =
  "A word cannot mix Latin letters with Cyrillic or Greek ones, because they look alike.";

const NAMES: [name: string, problem: string | null][] = [
  ["Harbour College", null],
  ["St. Mary’s College of T.A.F.E. No. 3", null],
  ["Beta Pty. Ltd., Sydney", null],
  ["Université de Genève", null],
  ["Московский университет", null],
  ["Πανεπιστήμιο Αθηνών", null],
  ["МГУ College", null],
  ["Harbour College (harbour.example)", HOST],
  ["Beta.COM", HOST],
  ["harbour。example", HOST],
  ["bücher.рф", HOST],
  ["Beta xn--a.xn--p1ai", HOST],
  ["Beta College, verified 1 Mar 2026", VERIFIED],
  ["VERIFIED Beta College", VERIFIED],
  ["Unverified College", VERIFIED],
  ["H\u0430rbour College", MIXED],
  ["Harb\u03BFur College", MIXED],
];

for (const [name, problem] of NAMES) {
  Deno.test(`the issuer's name “${name}” is ${problem === null ? "accepted" : "refused"}`, () => {
    const { success, error } = nameSchema.safeParse(name);
    assertEquals(success ? null : error?.issues[0].message, problem);
  });
}
