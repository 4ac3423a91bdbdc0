import { assert, assertEquals, assertRejects } from "@std/assert";
import { unwrap } from "../../platform/http/errors.ts";
import { csvName, transactionsFile } from "./csv.ts";
import { listTreasury, transaction } from "./testing/list_treasury.ts";

const QUERY = { account_id: "a1", limit: 25, offset: 50 };

const TRANSACTION = transaction({
  id: "t-1",
  created_at: "2026-03-01T10:00:00.000Z",
  amount: -1500,
  counterparty: "Meridian",
  kind: "outgoingPayment",
  status: "pending",
});

const fileOf = async (...[treasury, query]: Parameters<typeof transactionsFile>) =>
  unwrap(await transactionsFile(treasury, query)).response;

async function csvOf(...transactions: (typeof TRANSACTION)[]): Promise<string> {
  const bytes = await (await fileOf(listTreasury(transactions), QUERY)).bytes();
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

Deno.test("the file has a header and a line for each transaction, with a BOM", async () => {
  assertEquals(
    await csvOf(
      TRANSACTION,
      transaction({ ...TRANSACTION, id: "t-2", amount: 0.1, posted_at: "2026-03-02" }),
    ),
    '\uFEFF"created_at","posted_at","amount","counterparty","kind","status","note","description","memo","id"\r\n' +
      '"2026-03-01T10:00:00.000Z","","-1500.00","Meridian","outgoingPayment","pending","","","","t-1"\r\n' +
      '"2026-03-01T10:00:00.000Z","2026-03-02","0.10","Meridian","outgoingPayment","pending","","","","t-2"\r\n',
  );
});

Deno.test("the file has every transaction that the filters select, whatever the page", async () => {
  const all = Array.from(
    { length: 3_210 },
    (_, i) => transaction({ id: `t-${i}`, kind: i % 2 === 0 ? "wireFee" : "other" }),
  );
  const treasury = listTreasury(all, { largestPage: 500 });
  const text = await (await fileOf(treasury, { ...QUERY, kind: "wireFee" })).text();
  const ids = text.trimEnd().split("\r\n").slice(1).map((line) =>
    line.split(",").at(-1)!.replaceAll('"', "")
  );
  assertEquals(ids, all.filter((_, i) => i % 2 === 0).map(({ id }) => id));
});

Deno.test("the bank's pages are read as the file is downloaded, and no longer if it is cancelled", async () => {
  const all = Array.from({ length: 40_000 }, (_, i) => transaction({ id: `t-${i}` }));
  const treasury = listTreasury(all);
  const reader = (await fileOf(treasury, QUERY)).body!.getReader();
  for (let i = 0; i < 3; i++) await reader.read();
  await reader.cancel();
  assert(treasury.queries.length < 6, `${treasury.queries.length} pages`);
});

Deno.test("a failure of the first page is returned, and a later one breaks the file off", async () => {
  const all = Array.from({ length: 2_000 }, (_, i) => transaction({ id: `t-${i}` }));
  const treasury = listTreasury(all);
  treasury.failFrom = 1_000;
  const response = await fileOf(treasury, QUERY);
  await assertRejects(() => response.text(), Error, "The bank failed during a download");
  treasury.failFrom = 0;
  const result = await transactionsFile(treasury, QUERY);
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

Deno.test("csvName() returns a safe file name for any account", () => {
  assertEquals(
    csvName({ nickname: "Tax Reserve", last4: "0857" }),
    "transactions-tax-reserve-0857",
  );
  assertEquals(csvName({ nickname: '../"\r\nété', last4: "" }), "transactions-t");
  assertEquals(csvName({ nickname: "", last4: "" }), "transactions");
  assertEquals(csvName({ nickname: "x".repeat(500), last4: "" }).length, 80);
});
