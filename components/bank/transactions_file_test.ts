import { assert, assertEquals, assertRejects } from "@std/assert";
import { unwrap } from "../../lib/platform/http/errors.ts";
import { nameOfFile, transactionsFile } from "../../lib/features/bank/console/transactions_file.ts";
import { type ExportFormat, exportOf } from "../../lib/platform/listing/export.ts";
import { TRANSACTION_COLUMNS } from "./transaction_columns.tsx";
import { openKv } from "../../lib/platform/kv/mod.ts";
import type { Transaction } from "../../lib/features/bank/mod.ts";
import type { TransactionQuery } from "../../lib/features/bank/mod.ts";
import { createTreasury } from "../../lib/features/bank/treasury.ts";
import { createMemoryBank, transaction } from "../../lib/features/bank/testing/memory_bank.ts";

const QUERY = { account_id: "a1", limit: 25, offset: 50 };

const TRANSACTION = transaction("t-1", {
  created_at: "2026-03-01T10:00:00.000Z",
  amount: -1500,
  counterparty: "Meridian",
  kind: "outgoingPayment",
  status: "pending",
});

/** Returns a bank with the account `a1`, and a function that exports its transactions. */
async function setUp(transactions: Transaction[], options?: { largestPage: number }) {
  const kv = await openKv(":memory:");
  const bank = Object.assign(createMemoryBank(options), { transactions });
  const treasury = createTreasury({ surface: "commercial", provider: bank, kv, clock: Date.now });
  const exportFile = (query: TransactionQuery = QUERY) => transactionsFile(treasury, query);
  return {
    bank,
    exportFile,
    fileOf: async (query?: TransactionQuery, format: ExportFormat = "csv") => {
      const { name, items } = unwrap(await exportFile(query));
      return exportOf({ name, format }, TRANSACTION_COLUMNS, items);
    },
    [Symbol.dispose]: () => kv.close(),
  };
}

async function csvOf(...transactions: Transaction[]): Promise<string> {
  using fixture = await setUp(transactions);
  const bytes = await (await fixture.fileOf()).bytes();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

Deno.test("the file has a header and a line for each transaction, with a BOM", async () => {
  assertEquals(
    await csvOf(
      TRANSACTION,
      { ...TRANSACTION, id: "t-2", amount: 0.1, posted_at: "2026-03-02", status: "sent" },
    ),
    '\uFEFF"created_at","posted_at","amount","counterparty","kind","status","note","description","memo","id"\r\n' +
      '"2026-03-01T10:00:00.000Z","","-1500.00","Meridian","outgoingPayment","pending","","","","t-1"\r\n' +
      '"2026-03-01T10:00:00.000Z","2026-03-02","0.10","Meridian","outgoingPayment","received","","","","t-2"\r\n',
  );
});

Deno.test("the file has every transaction that the filters select, whatever the page", async () => {
  const all = Array.from(
    { length: 3_210 },
    (_, i) => transaction(`t-${i}`, { kind: i % 2 === 0 ? "wireFee" : "other" }),
  );
  using fixture = await setUp(all, { largestPage: 500 });
  const text = await (await fixture.fileOf({ ...QUERY, kind: "wireFee" })).text();
  const ids = text.trimEnd().split("\r\n").slice(1).map((line) =>
    line.split(",").at(-1)!.replaceAll('"', "")
  );
  assertEquals(ids, all.filter((_, i) => i % 2 === 0).map(({ id }) => id));
});

Deno.test("the bank's pages are read as the file is downloaded, and no longer if it is cancelled", async () => {
  const all = Array.from({ length: 40_000 }, (_, i) => transaction(`t-${i}`));
  using fixture = await setUp(all);
  const reader = (await fixture.fileOf()).body!.getReader();
  for (let i = 0; i < 3; i++) await reader.read();
  await reader.cancel();
  const { requests } = fixture.bank;
  assert(requests.length < 6, `${requests.length} pages`);
});

Deno.test("a failure of the first page is returned, and a later one breaks the file off", async () => {
  const all = Array.from({ length: 2_000 }, (_, i) => transaction(`t-${i}`));
  using fixture = await setUp(all);
  fixture.bank.failFrom = 1_000;
  const response = await fixture.fileOf();
  await assertRejects(() => response.text(), Error, "The bank failed during a download");
  fixture.bank.failFrom = 0;
  const result = await fixture.exportFile();
  assert(!result.ok && result.error === "rate_limited");
});

const CELLS: [note: string | null, cell: string][] = [
  ["plain", '"plain"'],
  ["a, b", '"a, b"'],
  ['say "so"', '"say ""so"""'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["a lone\rreturn", '"a lone\nreturn"'],
  ["a=1, b-2", '"a=1, b-2"'],
  ["", '""'],
  [null, '""'],
  // Spreadsheets would treat these as formulas.
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ["+1", `"'+1"`],
  ["-1", `"'-1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\tx", `"'\tx"`],
  ["\rx", `"'\nx"`],
  ["\nx", `"'\nx"`],
  ["\0x", `"'\0x"`],
  ["＝1+1", `"'＝1+1"`],
  // Other separators would end the cell.
  ["x;=1+1;+2; 3", `"x;'=1+1;'+2; 3"`],
  ["x\t@SUM(A1)", `"x\t'@SUM(A1)"`],
  ["x\r\n-1", `"x\r\n'-1"`],
  ["x\r=1", `"x\n'=1"`],
  ["x\u2028=1", `"x\u2028'=1"`],
  ['x;"=1"', `"x;'""=1"""`],
];

for (const [note, cell] of CELLS) {
  Deno.test(`the CSV cell of ${JSON.stringify(note)} is ${JSON.stringify(cell)}`, async () => {
    const csv = await csvOf({ ...TRANSACTION, note });
    assertEquals(csv.split(',"pending",')[1].replace(/,"","","t-1"\r\n$/, ""), cell);
  });
}

Deno.test("nameOfFile() returns a safe file name for any account", () => {
  assertEquals(
    nameOfFile({ nickname: "Tax Reserve", last4: "0857" }),
    "transactions-tax-reserve-0857",
  );
  assertEquals(nameOfFile({ nickname: '../"\r\nété', last4: "" }), "transactions-t");
  assertEquals(nameOfFile({ nickname: "", last4: "" }), "transactions");
  assertEquals(nameOfFile({ nickname: "x".repeat(500), last4: "" }).length, 80);
});
