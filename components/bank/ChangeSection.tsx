/** The table on the finance page that compares balances with those of an earlier day. */
import type { BalanceChange } from "../../lib/features/bank/console/balance_change.ts";
import { dollars, nameOf, signed } from "../../lib/features/bank/console/labels.ts";
import { formatDay } from "../../lib/base/time.ts";
import { Field } from "../Field.tsx";
import { AccountNumber } from "./parts.tsx";

/** The change of each account's balance since the end of a day, which a form chooses. */
export function ChangeSection(
  { change: { since, issue, days, rows, total } }: { change: BalanceChange },
) {
  return (
    <section class="card dash-table change" aria-labelledby="change-title">
      <header>
        <h2 id="change-title">
          Change{issue === null && ` since the end of ${formatDay(since)}`}
        </h2>
        <form class="wrap bottom gap-2" method="get" action="/console/finance">
          <Field name="since" label="Compare with the end of (UTC)" problem={issue ?? undefined}>
            {(control) => (
              <input {...control} type="date" value={since} min={days?.first} max={days?.last} />
            )}
          </Field>
          <button type="submit" class="button small">Show</button>
        </form>
      </header>
      {issue === null && (
        <table class="dense-table change-table">
          <caption class="visually-hidden">
            The balances of the active accounts at the end of {formatDay(since)} and now
          </caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" class="figure-cell before">{formatDay(since)}</th>
              <th scope="col" class="figure-cell">Change</th>
              <th scope="col" class="figure-cell now">Now</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ account, before, change, now, href }, i) => (
              <tr key={account.id || i}>
                <th scope="row" title={nameOf(account)}>
                  <span class="named cluster gap-2">
                    <span>{nameOf(account)}</span>
                    <small>
                      <AccountNumber last4={account.last4} />
                    </small>
                  </span>
                </th>
                <td class="figure-cell mono before">{dollars(before)}</td>
                <td class={`figure-cell mono ${change !== null && change > 0 ? "into" : ""}`}>
                  {change === null || href === null
                    ? amountOf(change)
                    : (
                      <a class="quiet-link" href={href} title="Show the transactions">
                        {amountOf(change)}
                      </a>
                    )}
                </td>
                <td class="figure-cell mono now">{dollars(now)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td class="figure-cell mono before">{dollars(total.before)}</td>
              <td class="figure-cell mono">{amountOf(total.change)}</td>
              <td class="figure-cell mono now">{dollars(total.now)}</td>
            </tr>
          </tfoot>
        </table>
      )}
      {issue === null && (
        <p class="note">
          Choose a change to see the account’s transactions since then. Transfers between own
          accounts are included.
          {rows.some(({ href, before }) => href === null && before !== null) &&
            " The bank does not share the transactions of some accounts, so their balances are " +
              "shown as unchanged."}
        </p>
      )}
    </section>
  );
}

const amountOf = (change: number | null): string => change === null ? "–" : signed(change);
