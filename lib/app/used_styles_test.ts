import { assertEquals } from "@std/assert";
import { classesIn, keepClasses, keepOrganisation, wordsIn } from "./used_styles.ts";

const MODULES = [
  '<p class="a b">',
  "class={`level-${level}`}",
  'const c = 1; // d\nimport { e } from "./f-1.ts";\n/** It says "g". */\n<p class="a">',
  'const STATES = { h: "pill i", j: `mark-${k}` };\nconst TEXT = "The l is late.";',
];
const occurs = classesIn(MODULES.map(wordsIn));

const CASES: [title: string, css: string, expected: string][] = [
  ["a rule for a class that occurs", ".a{top:0}", ".a{top:0}"],
  ["a rule for one that does not", ".x{top:0}", ""],
  ["a class that is only an identifier or in a comment", ".c{top:0}.d{top:0}.g{top:0}", ""],
  ["a class that is only in the path of an import", ".f-1{top:0}", ""],
  ["a class in a string of its own in a module without markup", ".i{top:0}", ".i{top:0}"],
  ["a class with a known beginning in such a module", ".mark-1{top:0}", ".mark-1{top:0}"],
  ["a class that is only a word of a sentence in such a module", ".late{top:0}", ""],
  ["one of several selectors", ".x,.b p{top:0}", ".b p{top:0}"],
  ["a selector with both", ".a .x{top:0}", ""],
  ["a class with a known beginning", ".level-3{top:0}", ".level-3{top:0}"],
  ["classes of packages", ".u-over{top:0}.textLayer{top:0}", ".u-over{top:0}.textLayer{top:0}"],
  ["elements", "p>a:hover{top:0}", "p>a:hover{top:0}"],
  ["a class that must be absent", ".a:not(.x){top:0}", ".a:not(.x){top:0}"],
  ["a choice with one that occurs", ":is(.x,.a) p{top:0}", ":is(.x,.a) p{top:0}"],
  ["a choice with none", ":is(.x,.y) p{top:0}", ""],
  ["a nested choice", ".a:has(:is(.x,.y:not(.b))){top:0}", ""],
  ["an element that must contain one", ".a:has(.x){top:0}", ""],
  ["an empty query", "@media print{.x{top:0}}", ""],
  ["a query", "@media print{.x{top:0}.a{top:0}}", "@media print{.a{top:0}}"],
  ["keyframes", "@keyframes t{50%{top:0}}", "@keyframes t{50%{top:0}}"],
];

for (const [title, css, expected] of CASES) {
  Deno.test(`keepClasses() of ${title} returns what can match`, () => {
    assertEquals(keepClasses(css, occurs), expected);
  });
}

Deno.test("keepOrganisation() removes the rules of the other organisation and the fonts that only they use", () => {
  const css = ':root[data-organisation=a]{--font-text:"One",serif}' +
    '[data-organisation="b"] p{--font-text:"Two"}p{font:1rem var(--font-text)}' +
    '@font-face{font-family:"One";src:url(1)}@font-face{font-family:"Two";src:url(2)}';
  assertEquals(
    keepOrganisation(css, "a"),
    ':root[data-organisation=a]{--font-text:"One",serif}p{font:1rem var(--font-text)}' +
      '@font-face{font-family:"One";src:url(1)}',
  );
});
