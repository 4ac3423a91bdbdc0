import type { Transaction, TransactionQuery } from "../../bank/mod.ts";

/** Returns a transaction with defaults for the fields that a test does not depend on. */
export const transaction = (fields: Partial<Transaction> & { id: string }): Transaction => ({
  created_at: "2026-03-01T10:00:00.000Z",
  posted_at: null,
  amount: 0.1,
  counterparty: "",
  kind: "other",
  status: "sent",
  note: null,
  description: null,
  memo: null,
  expected_at: null,
  failed_at: null,
  failure_reason: null,
  bank_url: null,
  ...fields,
});

/** Creates a treasury with the account `a1`, whose transactions are a list, newest first. */
export function listTreasury(all: Transaction[], { largestPage = 1_000 } = {}) {
  const account = {
    id: "a1",
    nickname: "Operating",
    kind: "checking",
    balance: 1,
    last4: "0857",
    status: "active" as const,
  };
  const treasury = {
    queries: [] as TransactionQuery[],
    /** The first offset whose page fails. */
    failFrom: Infinity,
    accounts: () =>
      Promise.resolve({
        accounts: [account],
        total_balance: 1,
        cached_at: "2026-03-01T10:00:00.000Z",
        connection_status: "live" as const,
      }),
    transactions(query: TransactionQuery) {
      treasury.queries.push(query);
      const { account_id, limit, offset } = query;
      if (offset >= treasury.failFrom) {
        return Promise.resolve({ ok: false as const, error: "rate_limited" as const, message: "" });
      }
      const transactions = all.slice(offset, offset + Math.min(limit, largestPage));
      const page = { account_id, limit, offset, total: all.length, transactions };
      return Promise.resolve({ ok: true as const, page });
    },
  };
  return treasury;
}
