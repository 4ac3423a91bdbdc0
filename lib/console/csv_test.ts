import { assertEquals } from "@std/assert";
import { csvName, transactionsCsv } from "./csv.ts";

const TRANSACTION = {
  id: "t-1",
  posted_at: null,
  created_at: "2026-03-01T10:00:00.000Z",
  amount: -1500,
  counterparty: "Meridian",
  kind: "outgoingPayment",
  status: "pending",
  note: null,
  description: null,
  memo: null,
  expected_at: null,
  failed_at: null,
  failure_reason: null,
  bank_url: null,
};

/** Returns the CSV cell of a note. */
function noteCell(note: string | null): string {
  const csv = transactionsCsv([{ ...TRANSACTION, note }]);
  return csv.split(",pending,")[1].replace(/,t-1\r\n$/, "");
}

Deno.test("transactionsCsv() returns a header and a line for each transaction, with a BOM", () => {
  assertEquals(
    transactionsCsv([TRANSACTION, { ...TRANSACTION, amount: 0.1, posted_at: "2026-03-02" }]),
    "\uFEFFcreated_at,posted_at,amount,counterparty,kind,status,note,id\r\n" +
      "2026-03-01T10:00:00.000Z,,-1500.00,Meridian,outgoingPayment,pending,,t-1\r\n" +
      "2026-03-01T10:00:00.000Z,2026-03-02,0.10,Meridian,outgoingPayment,pending,,t-1\r\n",
  );
});

const CELLS: [note: string | null, cell: string][] = [
  ["plain", "plain"],
  ["a, b", '"a, b"'],
  ['say "so"', '"say ""so"""'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["a lone\rreturn", '"a lone\nreturn"'],
  ["a=1", "a=1"],
  ["", ""],
  [null, ""],
  // Spreadsheets would treat these as formulas.
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", `"'\nx"`],
  ["\nx", `"'\nx"`],
  ["\0x", "'\0x"],
  ["＝1+1", "'＝1+1"],
];

for (const [note, cell] of CELLS) {
  Deno.test(`the CSV cell of ${JSON.stringify(note)} is ${JSON.stringify(cell)}`, () => {
    assertEquals(noteCell(note), cell);
  });
}

Deno.test("csvName() returns a safe file name for any account", () => {
  assertEquals(
    csvName({ nickname: "Tax Reserve", last4: "0857" }),
    "transactions-tax-reserve-0857.csv",
  );
  assertEquals(csvName({ nickname: '../"\r\nété', last4: "" }), "transactions-t.csv");
  assertEquals(csvName({ nickname: "", last4: "" }), "transactions.csv");
  assertEquals(csvName({ nickname: "x".repeat(500), last4: "" }).length, 84);
});
