import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  maskNumbers,
  MAX_AMOUNT,
  providerAccount,
  providerAccounts,
  providerOrganization,
  providerTransaction,
  roundAmount,
  sumAmounts,
  toAmount,
  toCents,
} from "./records.ts";

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
const account = (change: object = {}) => providerAccount.parse({ ...ACCOUNT, ...change }).account;

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

Deno.test("balance and last4 take precedence if the provider sends them", () => {
  const { balance, last4 } = account({ balance: 5.25, last4: "0001" });
  assertEquals([balance, last4], [5.25, "0001"]);
  const { accountNumber: _, currentBalance: __, ...bare } = ACCOUNT;
  const mapped = providerAccount.parse({ ...bare, balance: 7, last4: "4321" }).account;
  assertEquals([mapped.balance, mapped.last4], [7, "4321"]);
});

Deno.test("last4 is the last four digits", () => {
  assertEquals(account({ last4: "202012346789" }).last4, "6789");
  assertEquals(account({ last4: "••6789" }).last4, "6789");
  assertEquals(account({ accountNumber: "" }).last4, "");
});

Deno.test("unknown kinds and statuses are accepted", () => {
  const sent = { ...ACCOUNT, kind: "moonVault", status: "Frozen" };
  const { account: { kind, status }, unreadable } = providerAccount.parse(sent);
  assertEquals([kind, status, unreadable], ["moonVault", "frozen", []]);
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
    [{ status: null }, { status: "" }, ["status"]],
    [{ kind: undefined }, { kind: "" }, ["kind"]],
    [{ name: 5 }, { nickname: "" }, ["name", "nickname"]],
    [{ accountNumber: undefined }, { last4: "" }, ["last4"]],
    [{ accountNumber: 202012346789 }, { last4: "" }, ["accountNumber", "last4"]],
  ];
  for (const [change, result, unreadable] of cases) {
    const read = providerAccount.parse({ ...ACCOUNT, ...change });
    assertEquals(read, { account: { ...whole, ...result }, unreadable });
  }
  const numeric = { nickname: "Main 12345678", accountNumber: 12345678 };
  assertEquals(account(numeric).nickname, "Main ••5678");
});

Deno.test("a list that contains anything other than objects is rejected", () => {
  for (const accounts of [[null], ["a"], [[ACCOUNT]], {}, undefined]) {
    assert(!providerAccounts.safeParse({ accounts }).success);
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
  assertEquals(providerTransaction.parse(sent), {
    id: "t1",
    posted_at: null,
    created_at: "2026-02-01T01:30:00.123Z",
    amount: -12.35,
    counterparty: "Meridian",
    kind: "unknownKind",
    status: "sent",
    note: "to ••6789",
    description: "MERIDIAN ••6789",
    memo: null,
    expected_at: "2026-02-02T00:00:00.000Z",
    failed_at: null,
    failure_reason: null,
    bank_url: "https://bank.example/transactions/t1",
  });
  for (const dashboardLink of ["javascript:alert(1)", "https://bank.example/a/202012346789", "x"]) {
    assertEquals(providerTransaction.parse({ ...sent, dashboardLink }).bank_url, null);
  }
  assert(!providerTransaction.safeParse({ ...sent, createdAt: "yesterday" }).success);
});

Deno.test("an organisation is read in the current and the older format", () => {
  const read = (organization: object) => providerOrganization.parse({ organization });
  assertEquals(
    read({
      id: "o",
      kind: "business",
      legalBusinessName: "Attest Systems Inc",
      ein: "00-7654321",
      dbas: [{ dbaName: "Attest", dbaIsDefault: true }],
    }),
    { name: "Attest Systems Inc", tax_id: "00-7654321", trade_names: ["Attest"] },
  );
  assertEquals(
    read({ legalName: "Attest Systems Inc", dbas: ["Attest"] }),
    { name: "Attest Systems Inc", tax_id: null, trade_names: ["Attest"] },
  );
  assert(!providerOrganization.safeParse({ organization: {} }).success);
});

const cents = fc.bigInt({
  min: BigInt(-MAX_AMOUNT) * 100n,
  max: BigInt(MAX_AMOUNT) * 100n,
});

Deno.test("converting cents to dollars and back returns the same amount", () => {
  fc.assert(fc.property(cents, (value) => toCents(toAmount(value)) === value), { numRuns: 2_000 });
});

Deno.test("sumAmounts() returns the sum of the cents, in any order", () => {
  fc.assert(fc.property(fc.array(cents, { maxLength: 60 }), (values) => {
    const exact = values.reduce((sum, value) => sum + value, 0n);
    const amounts = values.map(toAmount);
    assertEquals(sumAmounts(amounts), toAmount(exact));
    assertEquals(sumAmounts(amounts.toReversed()), toAmount(exact));
  }));
});

Deno.test("sumAmounts() has at most two decimals where plain addition drifts", () => {
  const dimes = Array.from({ length: 1_000_001 }, () => 0.1);
  assert(dimes.reduce((sum, amount) => sum + amount, 0) !== 100_000.1);
  assertEquals(sumAmounts(dimes), 100_000.1);
  assertEquals(sumAmounts([0.1, 0.2]), 0.3);
  assertEquals(sumAmounts([]), 0);
});

Deno.test("roundAmount() rounds half a cent away from zero, and never returns negative zero", () => {
  assertEquals([1.234, 1.236, 0.125, -0.125, 8.5].map(roundAmount), [1.23, 1.24, 0.13, -0.13, 8.5]);
  assert(Object.is(roundAmount(-0.001), 0));
  assert(Object.is(sumAmounts([-0.5, 0.5]), 0));
});
