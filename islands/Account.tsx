import { useMemo } from "preact/hooks";
import { AccountPage } from "../components/bank/AccountPage.tsx";
import type { AccountData } from "../lib/features/bank/console/account.ts";
import { type PackedRows, unpackRows } from "../lib/features/bank/console/packed_rows.ts";
import type { Transaction } from "../lib/features/bank/mod.ts";

/** @param props.rows the transactions of the ledger, which `initial` has without them */
export default function Account(
  { initial, rows }: { initial: AccountData; rows: PackedRows<Transaction> },
) {
  const data = useMemo(() => withRows(initial, unpackRows(rows)), []);
  return <AccountPage initial={data} />;
}

const withRows = (data: AccountData, rows: Transaction[]): AccountData => ({
  ...data,
  ledger: data.ledger && { ...data.ledger, rows },
});
