/** The dashboard's cards about money: balance over time, accounts, and the latest transactions. */
import type { ChartProps } from "../../lib/features/chart/mod.ts";
import { Chart } from "../chart/Chart.tsx";
import { type Latest, type PendingAccount, sumAmounts } from "../../lib/features/bank/mod.ts";
import { type Board, boardChart } from "../../lib/features/bank/console/board.ts";
import type { AccountLine, Freshness } from "../../lib/features/bank/console/dashboard.ts";
import { accountPath } from "../../lib/features/bank/console/account_path.ts";
import {
  dollars,
  errorMessage,
  labelOf,
  nameOf,
  signed,
} from "../../lib/features/bank/console/labels.ts";
import { formatDay } from "../../lib/base/time.ts";
import { StateNote } from "../StateNote.tsx";
import { TransactionStatus } from "../bank/transaction_columns.tsx";
import { AccountNumber, AccountStatus } from "../bank/parts.tsx";
import { SlowBank, StaleNote } from "../bank/MonthTiles.tsx";
import { PrintedTrend, Sparkline } from "../chart/Sparkline.tsx";

/** The balance of all active accounts on each of the last 90 days. It shows no account (spec 4.2.3). */
export function BalanceCard({ board }: { board: Board }) {
  const chart: ChartProps = {
    type: "line",
    data: boardChart(board),
    options: { currency: "USD", label: "Balance of all active accounts" },
    height: 220,
  };
  return (
    <section class="card dash-balance" aria-labelledby="balance-title">
      <header>
        <h2 id="balance-title">Balance, last 90 days</h2>
      </header>
      <noscript>
        <PrintedTrend days={board.days} values={board.balances} label={spanText(board)} />
      </noscript>
      <div data-chart={JSON.stringify(chart)}>
        <Chart {...chart} />
      </div>
      <p class="note">The sum of all active accounts at the end of each day (UTC)</p>
    </section>
  );
}

/** Describes the ends of the line. */
export const spanText = ({ days, balances }: Board): string =>
  `From ${dollars(balances[0])} on ${formatDay(days[0])} to ${dollars(balances.at(-1)!)} on ${
    formatDay(days.at(-1)!)
  }`;

const MOST_ACCOUNTS = 8;

/** The accounts with their balances; with links and sparklines where the console has drill-down. */
export function AccountTable(
  { accounts, pending, drillDown, freshness, now }: {
    accounts: AccountLine[];
    pending?: PendingAccount;
    drillDown: boolean;
    freshness: Freshness;
    now: string;
  },
) {
  const shown = accounts.slice(0, MOST_ACCOUNTS);
  return (
    <section class="card dash-table" aria-labelledby="accounts-title">
      <header>
        <h2 id="accounts-title">Accounts</h2>
        <a class="text-small" href="/console/finance">
          {shown.length < accounts.length ? `All ${accounts.length}` : "Finance"}
        </a>
      </header>
      {pending !== undefined
        ? (
          <StateNote kind="empty" title="Pending API access">
            <p>
              {pending.nickname || "Foundation account"} <AccountNumber last4={pending.last4} />
            </p>
          </StateNote>
        )
        : accounts.length === 0
        ? (
          <StateNote kind="empty" title="The bank lists no accounts">
            <p>Accounts appear here once they are opened at the bank.</p>
          </StateNote>
        )
        : (
          <table class={freshness.state === "live" ? "dense-table" : "dense-table stale"}>
            <caption class="visually-hidden">Accounts and their balances</caption>
            <thead>
              <tr>
                <th scope="col">Account</th>
                <th scope="col" class={drillDown ? "spark-cell" : "status-cell"}>
                  {drillDown ? "90 days" : "Status"}
                </th>
                <th scope="col" class="figure-cell">Balance</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((line, i) => (
                <AccountRow key={line.account.id || i} {...line} drillDown={drillDown} />
              ))}
            </tbody>
          </table>
        )}
      <StaleNote freshness={freshness} now={now} />
    </section>
  );
}

function AccountRow({ account, balances, drillDown }: AccountLine & { drillDown: boolean }) {
  const { id, kind, last4, balance, status } = account;
  const name = nameOf(account);
  const change = balances.length < 2 ? null : sumAmounts([balances.at(-1)!, -balances[0]]);
  return (
    <tr>
      <th scope="row" title={name}>
        <span class="named cluster gap-2">
          {drillDown && id !== "" && status === "active"
            ? <a href={accountPath(id)}>{name}</a>
            : <span>{name}</span>}
          <small>
            {labelOf(kind)} <AccountNumber last4={last4} />
          </small>
          {drillDown && status !== "active" && <AccountStatus status={status} />}
        </span>
      </th>
      {drillDown
        ? (
          <td class="spark-cell">
            <Sparkline values={balances} />
            <span class="visually-hidden">
              {change === null ? "Not known" : `${signed(change)} in ${balances.length} days`}
            </span>
          </td>
        )
        : (
          <td class="status-cell">
            <AccountStatus status={status} />
          </td>
        )}
      <td class="figure-cell mono">{dollars(balance)}</td>
    </tr>
  );
}

/** The latest transactions of all accounts, which are never stored. */
export function LatestTransactions({ latest }: { latest: Latest }) {
  const { transactions, error } = latest;
  if (transactions === null && error === "slow") return <SlowBank title="Latest transactions" />;
  return (
    <section class="card dash-table" aria-labelledby="latest-title">
      <header>
        <h2 id="latest-title">Latest transactions</h2>
      </header>
      {transactions === null
        ? (
          <StateNote kind="empty" title="Transactions are unavailable">
            <p>
              They are read from the bank each time. {error !== undefined && errorMessage(error)}
            </p>
            <a class="button small" href="/console">Try again</a>
          </StateNote>
        )
        : transactions.length === 0
        ? (
          <StateNote kind="empty" title="No transactions in the last 30 days">
            <p>New ones appear here as soon as the bank lists them.</p>
          </StateNote>
        )
        : (
          <>
            <table class="dense-table dash-latest">
              <caption class="visually-hidden">The latest transactions of all accounts</caption>
              <thead>
                <tr>
                  <th scope="col" class="when">Date</th>
                  <th scope="col">Counterparty</th>
                  <th scope="col" class="from">Account</th>
                  <th scope="col" class="figure-cell">Amount</th>
                </tr>
              </thead>
              <tbody>
                {transactions.map(({ account, ...one }) => (
                  <tr
                    key={`${account.id}/${one.id}`}
                    class={one.state === "settled" ? "" : "unsettled"}
                  >
                    <td class="when muted">
                      <time datetime={one.created_at} title={formatDay(one.created_at)}>
                        {formatDay(one.created_at, "shortDay")}
                      </time>
                    </td>
                    <td class="who" title={one.counterparty}>
                      <span class="named cluster gap-2">
                        <a
                          href={`${accountPath(account.id)}?transaction=${
                            encodeURIComponent(one.id)
                          }`}
                        >
                          {one.counterparty || "Not named"}
                        </a>
                        {one.state !== "settled" && <TransactionStatus {...one} />}
                      </span>
                    </td>
                    <td class="from muted">
                      <a href={accountPath(account.id)}>{nameOf(account)}</a>
                    </td>
                    <td class={one.amount > 0 ? "figure-cell mono into" : "figure-cell mono"}>
                      {signed(one.amount)}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {error !== undefined && (
              <p class="muted text-small">
                The transactions of some accounts could not be read. {errorMessage(error)}
              </p>
            )}
          </>
        )}
    </section>
  );
}
