import { assertEquals } from "@std/assert";
import { transactionQuery } from "./api.ts";
import { transactionMatcher } from "./filters.ts";
import { providerTransaction } from "./records.ts";

const transaction = (change: object = {}) =>
  providerTransaction.parse({
    id: "t1",
    amount: -1234.5,
    status: "sent",
    kind: "outgoingPayment",
    createdAt: "2026-03-01T10:00:00Z",
    counterpartyName: "Café Meridian",
    note: "Retainer for March",
    ...change,
  });

const matches = (filters: Record<string, string>, change?: object) =>
  transactionMatcher(transactionQuery.parse({ account_id: "a", ...filters }))(transaction(change));

const CASES: [filters: Record<string, string>, matched: boolean, change?: object][] = [
  [{}, true],
  [{ search: "cafe" }, true],
  [{ search: "MÉRIDIAN" }, true],
  [{ search: "march caf" }, true],
  [{ search: "ｍａｒｃｈ" }, true],
  [{ search: "march april" }, false],
  [{ search: "outgoing" }, false],
  [{ search: "retainer" }, false, { note: null }],
  [{ kind: "outgoingPayment" }, true],
  [{ kind: "outgoing" }, false],
  [{ kind: "lunarTransfer" }, true, { kind: "lunarTransfer" }],
  [{ status: "sent" }, true],
  [{ status: "settled" }, true, { status: "settled" }],
  [{ status: "pending" }, false],
  [{ direction: "out" }, true],
  [{ direction: "in" }, false],
  [{ direction: "in" }, true, { amount: 0.01 }],
  [{ min: "1234.50", max: "1234.5" }, true],
  [{ min: "$1,234.51" }, false],
  [{ max: "1234.49" }, false],
  [{ min: "1234" }, true, { amount: 1234 }],
  [{ min: "0.29", max: "0.29" }, true, { amount: 0.29 }],
];

Deno.test("transactionMatcher() applies each filter, with amounts compared in cents", () => {
  for (const [filters, matched, change] of CASES) {
    assertEquals(matches(filters, change), matched, JSON.stringify([filters, change]));
  }
});
