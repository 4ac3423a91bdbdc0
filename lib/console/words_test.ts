import { assertEquals, assertMatch } from "@std/assert";
import { activeText, dollars, nameOf, reasonText, wordsOf } from "./words.ts";

Deno.test("amounts have a dollar sign, two decimals and thousands apart; none is a dash", () => {
  assertEquals(
    [1234567.5, 0, -15, 0.1, null].map(dollars),
    ["$1,234,567.50", "$0.00", "-$15.00", "$0.10", "–"],
  );
});

Deno.test("the provider's names turn into words", () => {
  assertEquals(
    ["checking", "incomingDomesticWire", "wire_fee", "ACH", ""].map(wordsOf),
    ["Checking", "Incoming domestic wire", "Wire fee", "Ach", ""],
  );
});

Deno.test("every reason is a sentence, an unknown one too", () => {
  for (const code of ["auth_failed", "network_error", "not_connected", "constructor"]) {
    assertMatch(reasonText(code), /^(The|No) bank .+\.$/);
  }
});

Deno.test("one account is no accounts", () => {
  assertEquals([0, 1, 6].map(activeText), [
    "0 active accounts",
    "1 active account",
    "6 active accounts",
  ]);
});

Deno.test("an account without a nickname goes by its kind", () => {
  assertEquals(nameOf({ nickname: "", kind: "savings" }), "Savings account");
  assertEquals(nameOf({ nickname: "Payroll", kind: "savings" }), "Payroll");
});
