/** A bank in memory for tests, with functions that create accounts and transactions. */
import type {
  Account,
  BankError,
  BankProvider,
  Transaction,
  TransactionOptions,
} from "../provider.ts";

/** A bank without an API: the smallest provider that the treasury can use. */
interface MemoryBank extends BankProvider {
  /** The accounts of the bank. Tests change them. */
  accounts: Account[];
  /** The transactions of every account, in any order. */
  transactions: Transaction[];
  /** Every operation returns this error while it is set. */
  failure: BankError | null;
  /** The first offset whose page of transactions fails. */
  failFrom: number;
  requests: TransactionOptions[];
  /** How many transactions have been read whole. */
  reads: number;
}

/** Creates a bank that returns at most `largestPage` transactions at once. */
export function createMemoryBank({ largestPage = 1_000 } = {}): MemoryBank {
  const bank: MemoryBank = {
    accounts: [account("a1")],
    transactions: [],
    failure: null,
    failFrom: Infinity,
    requests: [],
    reads: 0,
    fingerprint: "memory",
    check: () => Promise.resolve(bank.failure?.error ?? null),
    getAccounts: () => Promise.resolve(bank.failure ?? bank.accounts),
    getAccount: (id) =>
      Promise.resolve(
        bank.failure ?? bank.accounts.find((one) => one.id === id) ?? { error: "not_found" },
      ),
    getTransactions(_, options = {}) {
      bank.requests.push(options);
      const { start = "", end = "~", offset = 0, limit = largestPage } = options;
      if (bank.failure !== null) return Promise.resolve(bank.failure);
      if (offset >= bank.failFrom) return Promise.resolve({ error: "rate_limited" });
      const found = bank.transactions
        .filter(({ created_at }) => start <= created_at && created_at.slice(0, 10) <= end)
        .sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
      const transactions = found.slice(offset, offset + Math.min(limit, largestPage))
        .map((one) => ({ ...one, read: () => (bank.reads++, one) }));
      return Promise.resolve({ total: found.length, transactions });
    },
    getOrganization: () =>
      Promise.resolve(
        bank.failure ?? { name: "Memory Ltd", tax_identifier: null, trade_names: [] },
      ),
  };
  return bank;
}

/** Returns an account with defaults for the fields that a test does not depend on. */
export const account = (id: string, fields: Partial<Account> = {}): Account => ({
  id,
  nickname: "Operating",
  kind: "checking",
  balance: 1,
  last4: "0857",
  status: "active",
  ...fields,
});

/** Returns a transaction with defaults for the fields that a test does not depend on. */
export const transaction = (id: string, fields: Partial<Transaction> = {}): Transaction => ({
  id,
  created_at: "2026-03-01T10:00:00.000Z",
  posted_at: null,
  amount: 0.1,
  counterparty: "",
  kind: "other",
  status: "done",
  state: "settled",
  own_transfer: false,
  note: null,
  description: null,
  memo: null,
  expected_at: null,
  failed_at: null,
  failure_reason: null,
  bank_url: null,
  ...fields,
});
