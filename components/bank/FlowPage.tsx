/**
 * The page of the transactions behind a sum of the dashboard or the finance page.
 *
 * @module
 */
import type { Account, AccountTransaction, TreasuryFailure } from "../../lib/features/bank/mod.ts";
import type { Flow } from "../../lib/features/bank/console/flow.ts";
import { accountPath } from "../../lib/features/bank/console/account_path.ts";
import {
  dollars,
  errorMessage,
  labelOf,
  nameOf,
  signed,
} from "../../lib/features/bank/console/labels.ts";
import {
  counterpartyOf,
  FLOW_PAGE_SIZE,
  type FlowFilters,
  type FlowGroup,
  flowList,
  type FlowQuery,
  groupLinks,
  type MoneyFlow,
} from "../../lib/features/bank/console/money_flow.ts";
import type { RangePreset } from "../../lib/features/bank/console/ledger_filters.ts";
import { formatCount, formatDay, isDay, plural } from "../../lib/base/time.ts";
import { type Listed, ListPage } from "../ListPage.tsx";
import { StateNote } from "../StateNote.tsx";
import { LateBank } from "./LateBank.tsx";
import { AMOUNT, KIND, TIME, TransactionStatus } from "./transaction_columns.tsx";
import { PageHead, Total } from "../console_parts.tsx";
import { type ListColumns, Table } from "../Table.tsx";
import { Skeleton } from "../console_parts.tsx";

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
  /** Adds the chosen value to the choices: it need not occur in these dates. */
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
        <ListPage
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
          page={query && (flow === null
            ? { empty: <Unread {...{ error, href }} />, items: null, pages: null }
            : listed(flow, query))}
        />
      </div>
    </>
  );
}

/** The content of the page while the transactions cannot be read. */
const Unread = ({ error, href }: Pick<FlowPageProps, "error" | "href">) =>
  error === "slow"
    ? <Skeleton lines={8} />
    : (
      <StateNote kind="error" title="The transactions could not be read">
        <p>{errorMessage(error!)}</p>
        <a class="button small" href={href} aria-current="false">Try again</a>
      </StateNote>
    );

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

function listed(flow: MoneyFlow, query: FlowQuery): Listed {
  const { rows, count } = flow;
  const { offset } = query;
  const page = Math.floor(offset / FLOW_PAGE_SIZE) + 1;
  const last = Math.ceil(count / FLOW_PAGE_SIZE);
  const to = (page: number) => ({ offset: (page - 1) * FLOW_PAGE_SIZE });
  if (count === 0) return { empty: <NoTransactions />, items: null, pages: null };
  return {
    above: <Sums {...{ flow, query }} />,
    section: { id: "transactions", head: <Head {...{ flow, query }} /> },
    empty: null,
    items: (
      <Table
        class="dense-table stacked ledger-table flow-list"
        caption="Transactions"
        columns={FLOW_COLUMNS}
        items={rows}
        keyOf={({ account, id }) => `${account.id}/${id}`}
        view={query}
      />
    ),
    pages: {
      label: "Pages of transactions",
      hash: "#transactions",
      previous: page > 1 ? { to: to(page - 1), text: "Previous" } : null,
      next: page < last ? { to: to(page + 1), text: "Next" } : null,
      children: `Page ${page} of ${last}`,
    },
  };
}

const NoTransactions = () => (
  <StateNote kind="empty" title="No transactions">
    <p>No transactions match the filters.</p>
  </StateNote>
);

interface SumsProps {
  flow: MoneyFlow;
  query: FlowQuery;
}

/** The sums of all transactions, and of those with each counterparty and of each kind. */
function Sums({ flow, query }: SumsProps) {
  const { total, count, counterparties, counterpartyCount, kinds } = flow;
  const { direction } = query;
  return (
    <>
      <div class="flow-totals stack card below-5">
        {direction !== "out" && <Total label="In" figure={dollars(total.in)} />}
        {direction !== "in" && <Total label="Out" figure={dollars(total.out)} />}
        {direction === undefined && <Total label="Net" figure={signed(total.net)} />}
        <Total label="Transactions" figure={formatCount(count)} />
      </div>
      <div class="flow-groups stack top gap-4 below-5">
        <Groups
          id="counterparties"
          title="By counterparty"
          groups={counterparties}
          all={counterpartyCount}
          query={query}
          filter="counterparty"
        />
        <Groups
          id="kinds"
          title="By kind"
          groups={kinds}
          all={kinds.length}
          query={query}
          nameOf={labelOf}
          filter="kind"
        />
      </div>
    </>
  );
}

/** The number of groups that are shown before the others are collapsed. */
const SHOWN = 12;

function Groups({ id, title, groups, all, query, nameOf = String, filter }: {
  id: string;
  title: string;
  groups: readonly FlowGroup[];
  /** The number of groups, listed or not. */
  all: number;
  query: FlowQuery;
  nameOf?: (name: string) => string;
  /** The filter that selects a group. */
  filter: "counterparty" | "kind";
}) {
  const linkTo = groupLinks(query, filter);
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
              <a href={`${linkTo(group.name)}#transactions`} aria-current="false">
                {nameOf(group.name)}
              </a>
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

/** The heading of the transactions, with how many the page shows. */
const Head = ({ flow: { rows, count }, query: { offset } }: SumsProps) => (
  <div class="wrap middle apart ledger-bar below-2 gap-2-4">
    <h2 class="flush text-large" id="transactions-title">Transactions</h2>
    <p class="flush muted text-small">
      {rows.length === 0
        ? "None on this page"
        : `${formatCount(offset + 1)} to ${formatCount(offset + rows.length)} of ${
          plural(count, "transaction")
        }, newest first`}
    </p>
  </div>
);

const FLOW_COLUMNS: ListColumns<AccountTransaction, FlowQuery> = {
  created_at: TIME,
  counterparty: {
    title: "Counterparty",
    class: "who",
    cell: (one, { start = "", end = "" }) => {
      const [from, to, id] = [start, end, one.id].map(encodeURIComponent);
      return (
        <>
          <a
            class="row-link covers ink"
            href={`${
              accountPath(one.account.id)
            }?start=${from}&end=${to}&transaction=${id}#transaction`}
          >
            {counterpartyOf(one)}
          </a>
          {one.note !== null && <small>{one.note}</small>}
          {one.state !== "settled" && <TransactionStatus {...one} />}
        </>
      );
    },
  },
  kind: KIND,
  account: { title: "Account", class: "how", cell: ({ account }) => nameOf(account) },
  amount: AMOUNT,
};
