import { assertEquals, assertMatch } from "@std/assert";
import { csvName, toCsv, transactionsCsv } from "./csv.ts";

Deno.test("lines end as RFC 4180 has it, and what needs quotes has them", () => {
  assertEquals(
    toCsv([["plain", "a, b", 'say "so"', "two\r\nlines", "", null]]),
    '\uFEFFplain,"a, b","say ""so""","two\r\nlines",,\r\n',
  );
});

Deno.test("text that a spreadsheet would run is shown as text; amounts stay numbers", () => {
  const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\nx", "\0x", "＝1+1"];
  for (const text of dangerous) {
    assertMatch(toCsv([[text]]), /^\uFEFF"?'/, JSON.stringify(text));
  }
  assertEquals(toCsv([["a=1", -15, 0.1, 1234567.5]]), "\uFEFFa=1,-15.00,0.10,1234567.50\r\n");
});

Deno.test("a transaction is a line", () => {
  const csv = transactionsCsv([{
    id: "t-1",
    posted_at: null,
    created_at: "2026-03-01T10:00:00.000Z",
    amount: -1500,
    counterparty: '=HYPERLINK("http://evil.example")',
    kind: "outgoingPayment",
    status: "pending",
    note: null,
  }]);
  assertEquals(csv.split("\r\n").slice(1), [
    "2026-03-01T10:00:00.000Z,,-1500.00," +
    `"'=HYPERLINK(""http://evil.example"")",outgoingPayment,pending,,t-1`,
    "",
  ]);
});

Deno.test("a file name is safe, whatever the account is called", () => {
  assertEquals(
    csvName({ nickname: "Tax Reserve", last4: "0857" }),
    "transactions-tax-reserve-0857.csv",
  );
  assertEquals(csvName({ nickname: '../"\r\nété', last4: "" }), "transactions-t.csv");
  assertEquals(csvName({ nickname: "", last4: "" }), "transactions.csv");
  assertEquals(csvName({ nickname: "x".repeat(500), last4: "" }).length, 84);
});
