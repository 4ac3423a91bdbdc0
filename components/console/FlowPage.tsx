import type { Account, TreasuryFailure } from "../../lib/features/bank/mod.ts";
import type { Flow } from "../../lib/features/console/flow.ts";
import { accountPath } from "../../lib/features/console/account_path.ts";
import {
  dollars,
  errorMessage,
  labelOf,
  nameOf,
  signed,
} from "../../lib/features/console/labels.ts";
import {
  type AccountTransaction,
  counterpartyOf,
  FLOW_PAGE_SIZE,
  type FlowFilters,
  type FlowGroup,
  flowList,
  type FlowQuery,
  type MoneyFlow,
} from "../../lib/features/console/money_flow.ts";
import type { RangePreset } from "../../lib/features/console/ledger_filters.ts";
import { formatClock, formatCount, formatDay, isDay, plural } from "../../lib/base/time.ts";
import { FilterBar } from "../FilterBar.tsx";
import { Pager } from "../Pager.tsx";
import { StateNote } from "../StateNote.tsx";
import { LateBank } from "./LateBank.tsx";
import { TransactionStatus } from "./Ledger.tsx";
import { PageHead, Total } from "./parts.tsx";
import { Skeleton } from "./Skeleton.tsx";

export interface FlowPageProps {
  filters: FlowFilters;
  presets: RangePreset[];
  /** Null if it could not be read, or if the filters are invalid. */
  flow: MoneyFlow | null;
  accounts: readonly Account[];
  error: TreasuryFailure["error"] | null;
  /** The path of this page. */
  href: string;
}

/** The transactions behind a sum of the dashboard or the finance page, in groups and one by one. */
export function FlowPage({ filters, presets, flow, accounts, error, href }: FlowPageProps) {
  const { query, typed } = filters;
  const slow = error === "slow";
  const chosen = (value: string, all: (readonly [string, string])[]) =>
    value === "" || all.some(([one]) => one === value) ? all : [...all, [value, value] as const];
  return (
    <>
      <PageHead title={titleOf(typed)} lead={query === null ? undefined : leadOf(query)} />
      {slow && <LateBank href={`${href}${href.includes("?") ? "&" : "?"}wait=1`} />}
      <ul class="plain wrap gap-3 below-3 text-small" aria-label="Ranges">
        {presets.map(({ text, start, end }) => (
          <li key={text}>
            <a
              href={flowList.href({ ...query, start, end })}
              aria-current={typed.start === start && typed.end === end ? "true" : "false"}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
      <div data-late="flow">
        <FilterBar
          list={flowList}
          filters={filters}
          class="flow-filters"
          choices={{
            account: chosen(
              typed.account,
              accounts.map((account) => [account.id, `${nameOf(account)} ••${account.last4}`]),
            ),
            counterparty: chosen(
              typed.counterparty,
              flow?.counterparties.map(({ name }) => [name, name]) ?? [],
            ),
            kind: chosen(typed.kind, flow?.kinds.map(({ name }) => [name, labelOf(name)]) ?? []),
          }}
        />
        {query === null
          ? (
            <StateNote kind="error" title="Some filters are invalid">
              <p>Correct the marked fields, then apply the filters.</p>
            </StateNote>
          )
          : slow
          ? <Skeleton lines={8} />
          : flow === null
          ? (
            <StateNote kind="error" title="The transactions could not be read">
              <p>{errorMessage(error!)}</p>
              <a class="button small" href={href} aria-current="false">Try again</a>
            </StateNote>
          )
          : <Result flow={flow} query={query} />}
      </div>
    </>
  );
}

const titleOf = ({ direction }: FlowFilters["typed"]): string =>
  direction === "in" ? "Money in" : direction === "out" ? "Money out" : "Money in and out";

function leadOf({ start, end }: FlowQuery): string {
  const day = (text: string) => isDay(text) ? formatDay(text) : text;
  const dates = start === undefined
    ? `Until ${day(end!)}`
    : end === undefined
    ? `Since ${day(start)}`
    : start === end
    ? day(start)
    : `${day(start)} to ${day(end)}`;
  return `${dates} (UTC), without transfers between own accounts, and without pending, failed, ` +
    "cancelled, reversed and blocked transactions.";
}

interface ResultProps {
  flow: MoneyFlow;
  query: FlowQuery;
}

function Result({ flow, query }: ResultProps) {
  const { total, count, counterparties, counterpartyCount, kinds } = flow;
  const { direction } = query;
  if (count === 0) {
    return (
      <StateNote kind="empty" title="No transactions">
        <p>No transactions match the filters.</p>
      </StateNote>
    );
  }
  return (
    <>
      <div class="flow-totals stack card below-5">
        {direction !== "out" && <Total label="In" figure={dollars(total.in)} />}
        {direction !== "in" && <Total label="Out" figure={dollars(total.out)} />}
        {direction === undefined && <Total label="Net" figure={signed(total.net)} />}
        <Total label="Transactions" figure={formatCount(count)} />
      </div>
      <div class="flow-groups stack gap-4 below-5">
        <Groups
          id="counterparties"
          title="By counterparty"
          groups={counterparties}
          all={counterpartyCount}
          query={query}
          linkOf={(counterparty) => flowList.href({ ...query, counterparty })}
        />
        <Groups
          id="kinds"
          title="By kind"
          groups={kinds}
          all={kinds.length}
          query={query}
          nameOf={labelOf}
          linkOf={(kind) => flowList.href({ ...query, kind })}
        />
      </div>
      <Transactions flow={flow} query={query} />
    </>
  );
}

/** The number of groups that are shown before the others are collapsed. */
const SHOWN = 12;

function Groups({ id, title, groups, all, query, nameOf = String, linkOf }: {
  id: string;
  title: string;
  groups: readonly FlowGroup[];
  /** The number of groups, listed or not. */
  all: number;
  query: FlowQuery;
  nameOf?: (name: string) => string;
  linkOf: (name: string) => string;
}) {
  const table = (some: readonly FlowGroup[], label: string) => (
    <table class="dense-table flow-table">
      <caption class="visually-hidden">{label}</caption>
      <thead>
        <tr>
          <th scope="col">
            {title.replace("By ", "").replace(/^./, (first) => first.toUpperCase())}
          </th>
          <th scope="col" class="count figure-cell">Number</th>
          <th scope="col" class="figure-cell">Amount</th>
        </tr>
      </thead>
      <tbody>
        {some.map((group) => (
          <tr key={group.name}>
            <th scope="row" title={nameOf(group.name)}>
              <a href={`${linkOf(group.name)}#transactions`}>{nameOf(group.name)}</a>
            </th>
            <td class="count figure-cell mono">{formatCount(group.count)}</td>
            <td class="figure-cell mono">{amountOf(group, query)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  const rest = groups.slice(SHOWN);
  return (
    <section class="card dash-table" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      {table(groups.slice(0, SHOWN), title)}
      {rest.length > 0 && (
        <details>
          <summary>{formatCount(rest.length)} more</summary>
          {table(rest, `${title}, continued`)}
        </details>
      )}
      {all > groups.length && (
        <p class="note">
          The {formatCount(all - groups.length)} smallest are not listed. Choose a shorter period.
        </p>
      )}
    </section>
  );
}

const amountOf = ({ in: into, out, net }: Flow, { direction }: FlowQuery): string =>
  direction === "in" ? dollars(into) : direction === "out" ? dollars(out) : signed(net);

function Transactions({ flow: { rows, count }, query }: ResultProps) {
  const first = (query.page - 1) * FLOW_PAGE_SIZE;
  const last = Math.ceil(count / FLOW_PAGE_SIZE);
  const to = (page: number) => `${flowList.href(query, { page })}#transactions`;
  return (
    <section id="transactions" aria-labelledby="transactions-title">
      <div class="wrap ledger-bar below-2 gap-2-4">
        <h2 class="flush text-large" id="transactions-title">Transactions</h2>
        <p class="flush muted text-small">
          {rows.length === 0
            ? "None on this page"
            : `${formatCount(first + 1)} to ${formatCount(first + rows.length)} of ${
              plural(count, "transaction")
            }, newest first`}
        </p>
      </div>
      <table class="dense-table stacked ledger-table flow-list">
        <caption class="visually-hidden">Transactions</caption>
        <thead>
          <tr>
            <th scope="col" class="when digits">Date</th>
            <th scope="col" class="who">Counterparty</th>
            <th scope="col" class="what">Kind</th>
            <th scope="col" class="how">Account</th>
            <th scope="col" class="amount">Amount</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => <Row key={`${one.account.id}/${one.id}`} one={one} query={query} />)}
        </tbody>
      </table>
      <Pager
        label="Pages of transactions"
        previous={query.page > 1 ? { href: to(query.page - 1), text: "Previous" } : null}
        next={query.page < last ? { href: to(query.page + 1), text: "Next" } : null}
      >
        Page {query.page} of {last}
      </Pager>
    </section>
  );
}

function Row(
  { one, query: { start = "", end = "" } }: { one: AccountTransaction; query: FlowQuery },
) {
  const { account, id, created_at, kind, state, amount, note } = one;
  const details = new URLSearchParams({ start, end, transaction: id });
  return (
    <tr>
      <td class="when digits">
        <time datetime={created_at}>
          {formatDay(created_at)}
          <span class="clock">, {formatClock(created_at)}</span>
        </time>
      </td>
      <td class="who">
        <a class="row-link ink" href={`${accountPath(account.id)}?${details}#transaction`}>
          {counterpartyOf(one)}
        </a>
        {note !== null && <small>{note}</small>}
        {state !== "settled" && <TransactionStatus {...one} />}
      </td>
      <td class="what">{labelOf(kind)}</td>
      <td class="how">{nameOf(account)}</td>
      <td class={amount > 0 ? "amount into" : "amount"}>{signed(amount)}</td>
    </tr>
  );
}
