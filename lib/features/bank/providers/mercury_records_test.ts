import { assert, assertEquals } from "@std/assert";
import { maskNumbers } from "../masks.ts";
import { utcTime } from "./fields.ts";
import {
  mercuryAccount,
  mercuryAccounts,
  mercuryOrganization,
  readTransaction,
} from "./mercury_records.ts";

const ACCOUNT = {
  id: "0b6ea12a-6a1c-4c47-9c3b-6f2a3a1f8c11",
  name: "Business checking ••6789",
  nickname: null,
  legalBusinessName: "Attest Systems Inc",
  accountNumber: "202012346789",
  routingNumber: "900000019",
  availableBalance: 90.1,
  currentBalance: 100.1,
  kind: "checking",
  status: "active",
  type: "mercury",
  unknownField: { deep: true },
};
const account = (change: object = {}) => mercuryAccount.parse({ ...ACCOUNT, ...change }).account;

Deno.test("an account has only the declared fields, without its account and routing numbers", () => {
  assertEquals(account(), {
    id: ACCOUNT.id,
    nickname: "Business checking ••6789",
    kind: "checking",
    balance: 100.1,
    last4: "6789",
    status: "active",
  });
  assertEquals(account({ nickname: "Payroll" }).nickname, "Payroll");
  assertEquals(account({ nickname: "  " }).nickname, "Business checking ••6789");
});

Deno.test("balance and last4 take precedence if they are sent", () => {
  const { balance, last4 } = account({ balance: 5.25, last4: "0001" });
  assertEquals([balance, last4], [5.25, "0001"]);
  const { accountNumber: _, currentBalance: __, ...bare } = ACCOUNT;
  const mapped = mercuryAccount.parse({ ...bare, balance: 7, last4: "4321" }).account;
  assertEquals([mapped.balance, mapped.last4], [7, "4321"]);
});

Deno.test("last4 is the last four digits", () => {
  assertEquals(account({ last4: "202012346789" }).last4, "6789");
  assertEquals(account({ last4: "••6789" }).last4, "6789");
  assertEquals(account({ accountNumber: "" }).last4, "");
});

Deno.test("unknown kinds are accepted", () => {
  const { account: { kind }, unreadable } = mercuryAccount.parse({ ...ACCOUNT, kind: "moonVault" });
  assertEquals([kind, unreadable], ["moonVault", []]);
});

Deno.test("accounts are active, restricted or unknown, and archived and deleted ones are closed", () => {
  const cases = [
    ["Active", "active", false],
    ["pending", "restricted", false],
    ["frozen", "restricted", false],
    ["archived", "restricted", true],
    ["deleted", "restricted", true],
    ["", "unknown", false],
  ] as const;
  for (const [sent, status, isClosed] of cases) {
    const read = mercuryAccount.parse({ ...ACCOUNT, status: sent });
    assertEquals([read.account.status, read.isClosed], [status, isClosed], sent);
  }
});

Deno.test("a missing or unexpected field is empty and reported, and the others are read", () => {
  const whole = account();
  const cases: [change: object, result: object, unreadable: string[]][] = [
    [{ currentBalance: null }, { balance: null }, ["balance"]],
    [{ currentBalance: "100" }, { balance: null }, ["currentBalance", "balance"]],
    [{ currentBalance: 1e300 }, { balance: null }, ["currentBalance", "balance"]],
    [{ balance: {} }, {}, ["balance"]],
    [{ id: "" }, { id: "" }, ["id"]],
    [{ id: 7 }, { id: "" }, ["id"]],
    [{ status: null }, { status: "unknown" }, ["status"]],
    [{ kind: undefined }, { kind: "" }, ["kind"]],
    [{ name: 5 }, { nickname: "" }, ["name", "nickname"]],
    [{ accountNumber: undefined }, { last4: "" }, ["last4"]],
    [{ accountNumber: 202012346789 }, { last4: "" }, ["accountNumber", "last4"]],
  ];
  for (const [change, result, unreadable] of cases) {
    const read = mercuryAccount.parse({ ...ACCOUNT, ...change });
    assertEquals(read, { account: { ...whole, ...result }, isClosed: false, unreadable });
  }
  const numeric = { nickname: "Main 12345678", accountNumber: 12345678 };
  assertEquals(account(numeric).nickname, "Main ••5678");
});

Deno.test("a list that contains anything other than objects is rejected", () => {
  for (const accounts of [[null], ["a"], [[ACCOUNT]], {}, undefined]) {
    assert(!mercuryAccounts.safeParse({ accounts }).success);
  }
});

Deno.test("account numbers in names and notes are masked", () => {
  assertEquals(account({ nickname: "Main 202012346789" }).nickname, "Main ••6789");
  assertEquals(
    account({ nickname: "Ours: 12345678", accountNumber: "12345678" }).nickname,
    "Ours: ••5678",
  );
  assertEquals(maskNumbers("via 900000019, invoice 20260131"), "via ••0019, invoice 20260131");
});

Deno.test("a transaction has times in UTC and the counterparty's nickname", () => {
  const sent = {
    id: "t1",
    amount: -12.345,
    status: "sent",
    kind: "unknownKind",
    createdAt: "2026-01-31T23:30:00.123456-02:00",
    postedAt: null,
    counterpartyName: "Meridian Legal LLP",
    counterpartyNickname: "Meridian",
    note: "to 202012346789",
    bankDescription: "MERIDIAN 202012346789",
    externalMemo: " ",
    estimatedDeliveryDate: "2026-02-02T00:00:00Z",
    failedAt: "soon",
    reasonForFailure: 7,
    dashboardLink: "https://bank.example/transactions/t1",
    details: { electronicRoutingInfo: { accountNumber: "202012346789" } },
  };
  assertEquals(readTransaction(sent)!.read(), {
    id: "t1",
    posted_at: null,
    created_at: "2026-02-01T01:30:00.123Z",
    amount: -12.35,
    counterparty: "Meridian",
    kind: "unknownKind",
    status: "sent",
    state: "settled",
    own_transfer: false,
    note: "to ••6789",
    description: "MERIDIAN ••6789",
    memo: null,
    expected_at: "2026-02-02T00:00:00.000Z",
    failed_at: null,
    failure_reason: null,
    bank_url: "https://bank.example/transactions/t1",
  });
  for (
    const [counterpartyNickname, counterpartyName, counterparty] of [
      ["Ada 202012346789", "Bo", "Ada ••6789"],
      [null, "Bo 202012346789", "Bo ••6789"],
      [" ", "Bo", "Bo"],
      [undefined, 7, ""],
    ]
  ) {
    const read = readTransaction({ ...sent, counterpartyNickname, counterpartyName })!;
    assertEquals([read.counterparty, read.read().counterparty], [counterparty, counterparty]);
    assertEquals(read.note, "to ••6789");
  }
  for (const dashboardLink of ["javascript:alert(1)", "https://bank.example/a/202012346789", "x"]) {
    assertEquals(readTransaction({ ...sent, dashboardLink })!.read().bank_url, null);
  }
});

Deno.test("a transaction whose id, amount, status, kind or times are unexpected is not read", () => {
  const sent = { id: "t", amount: 1, status: "sent", createdAt: "2026-03-01T00:00:00Z" };
  assertEquals(readTransaction(sent)?.posted_at, null);
  for (const optional of [{ kind: null }, { postedAt: null }, { amount: -20_000_000_000_000 }]) {
    assert(readTransaction({ ...sent, ...optional }) !== null, JSON.stringify(optional));
  }
  const unexpected: object[] = [
    ...[undefined, "", 7, "\ud800"].map((id) => ({ id })),
    ...[undefined, null, "1", NaN, Infinity, 20_000_000_000_001].map((amount) => ({ amount })),
    ...[undefined, null, 1].map((status) => ({ status })),
    ...[1, {}].map((kind) => ({ kind })),
    ...[undefined, null, "yesterday", 1].map((createdAt) => ({ createdAt })),
    ...["yesterday", 1].map((postedAt) => ({ postedAt })),
  ];
  for (const fields of unexpected) {
    assertEquals(readTransaction({ ...sent, ...fields }), null, JSON.stringify(fields));
  }
});

Deno.test("a transaction's status and kind say whether its money moved, and to whom", () => {
  const read = (status: string, kind: string) =>
    readTransaction({ id: "t", amount: 1, createdAt: "2026-03-01", status, kind })!;
  const states = ["sent", "pending", "failed", "blocked", "cancelled", "reversed", "constructor"]
    .map((status) => read(status, "other").state);
  assertEquals(states, ["settled", "pending", "failed", "failed", "undone", "undone", "unknown"]);
  const kinds = ["internalTransfer", "treasuryTransfer", "externalTransfer"];
  assertEquals(kinds.map((kind) => read("sent", kind).own_transfer), [true, true, false]);
});

Deno.test("an organisation is read in the current and the older format", () => {
  const read = (organization: object) => mercuryOrganization.parse({ organization });
  assertEquals(
    read({
      id: "o",
      kind: "business",
      legalBusinessName: "Attest Systems Inc",
      ein: "00-7654321",
      dbas: [{ dbaName: "Attest", dbaIsDefault: true }],
    }),
    { name: "Attest Systems Inc", tax_identifier: "00-7654321", trade_names: ["Attest"] },
  );
  assertEquals(read({ legalBusinessName: "Attest", ein: 7, dbas: [{}] }), {
    name: "Attest",
    tax_identifier: null,
    trade_names: [],
  });
  assertEquals(
    read({ legalName: "Attest Systems Inc", dbas: ["Attest"] }),
    { name: "Attest Systems Inc", tax_identifier: null, trade_names: ["Attest"] },
  );
  assert(!mercuryOrganization.safeParse({ organization: {} }).success);
});

Deno.test("times are read in UTC with milliseconds, however the bank writes them", () => {
  const cases: Record<string, string | null> = {
    "2026-02-28T19:32:00.123999Z": "2026-02-28T19:32:00.123Z",
    "2026-12-31T23:59:59.000001Z": "2026-12-31T23:59:59.000Z",
    "2026-02-28T19:32:00Z": "2026-02-28T19:32:00.000Z",
    "2026-03-01T01:30:00.5+01:00": "2026-03-01T00:30:00.500Z",
    "2026-13-01T10:00:00.000Z": null,
    "2026-03-01T24:30:00.000Z": null,
    soon: null,
  };
  for (const [text, expected] of Object.entries(cases)) assertEquals(utcTime(text), expected, text);
});
