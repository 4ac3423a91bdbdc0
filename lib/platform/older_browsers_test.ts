import { assertEquals, assertThrows } from "@std/assert";
import { forOlderBrowsers } from "./older_browsers.ts";

const CURRENT = "@supports (color:light-dark(#000,#fff))";

const CASES: [title: string, css: string, expected: string][] = [
  ["a rule without colours", "a{color:red}", "a{color:red}"],
  [
    "a custom property",
    ":root{--x:1px;--a: light-dark(#fff, #000);--b:2px}",
    `:root{--x:1px;--a: #fff;--b:2px}${CURRENT}{:root{--a: light-dark(#fff, #000)}}`,
  ],
  [
    "two colours with functions, and importance",
    "a{box-shadow:0 0 light-dark(rgb(1, 2, 3), red),0 1px light-dark(var(--a), blue)!important}",
    "a{box-shadow:0 0 rgb(1, 2, 3),0 1px var(--a)!important}" +
    `${CURRENT}{a{box-shadow:0 0 light-dark(rgb(1, 2, 3), red),0 1px light-dark(var(--a), blue)!important}}`,
  ],
  [
    "a rule inside a query, before one that overrides it",
    "@media print{a{color:light-dark(#111, #222)}a{color:red}}",
    `@media print{a{color:#111}${CURRENT}{a{color:light-dark(#111, #222)}}a{color:red}}`,
  ],
  [
    "dark controls, which would not fit the light colours",
    ":root{color-scheme:light dark}a{color-scheme:dark}b{color-scheme:light}c{color-scheme:inherit}",
    `:root{color-scheme:light}${CURRENT}{:root{color-scheme:light dark}}a{color-scheme:light}` +
    `${CURRENT}{a{color-scheme:dark}}b{color-scheme:light}c{color-scheme:inherit}`,
  ],
  [
    "rules for pages with and without scripts",
    "@media (scripting:enabled){a{color:light-dark(red, blue)}}@media (scripting: none){b{top:0}}",
    `@media (scripting:enabled){a{color:red}${CURRENT}{a{color:light-dark(red, blue)}}}` +
    "@supports not (color:light-dark(#000,#fff)){a{color:red}" +
    `${CURRENT}{a{color:light-dark(red, blue)}}}@media (scripting: none){b{top:0}}`,
  ],
  [
    "text that cannot be selected",
    "a{user-select:none}",
    "a{-webkit-user-select:none;user-select:none}",
  ],
];

for (const [title, css, expected] of CASES) {
  Deno.test(`forOlderBrowsers() translates ${title}`, () => {
    assertEquals(forOlderBrowsers(css), expected);
  });
}

Deno.test("forOlderBrowsers() refuses a query that it would translate wrongly", () => {
  assertThrows(
    () => forOlderBrowsers("@media (scripting:enabled) and (max-width:9px){a{top:0}}"),
    Error,
    "cannot be translated",
  );
});
