import { assertEquals, assertMatch } from "@std/assert";
import { activeAccounts, dollars, errorMessage, labelOf, nameOf } from "./labels.ts";

Deno.test("dollars() formats amounts with two decimals, and null as a dash", () => {
  assertEquals(
    [1234567.5, 0, -15, 0.1, null].map(dollars),
    ["$1,234,567.50", "$0.00", "-$15.00", "$0.10", "–"],
  );
});

Deno.test("labelOf() converts a bank's name to words", () => {
  assertEquals(
    ["checking", "incomingDomesticWire", "wire_fee", "ACH", ""].map(labelOf),
    ["Checking", "Incoming domestic wire", "Wire fee", "Ach", ""],
  );
});

Deno.test("errorMessage() returns a sentence, even for an unknown code", () => {
  for (const code of ["auth_failed", "network_error", "not_connected", "constructor"]) {
    assertMatch(errorMessage(code), /^(The|No) bank.+\.$/);
  }
});

Deno.test("activeAccounts() uses the singular for one", () => {
  assertEquals([0, 1, 6].map(activeAccounts), [
    "0 active accounts",
    "1 active account",
    "6 active accounts",
  ]);
});

Deno.test("nameOf() falls back to the kind, and leaves out the last digits of the number", () => {
  const of = (nickname: string) => nameOf({ nickname, kind: "savings", last4: "5296" });
  assertEquals(["", "••5296"].map(of), ["Savings account", "Savings account"]);
  assertEquals(["Payroll", "Checking ••5296"].map(of), ["Payroll", "Checking"]);
  assertEquals(of("Checking ••5297"), "Checking ••5297");
});
