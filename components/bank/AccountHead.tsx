/** The heading of the page about a bank account, with a menu to switch to another account. */
import type { AccountData } from "../../lib/features/bank/console/account.ts";
import { dollars, labelOf, nameOf } from "../../lib/features/bank/console/labels.ts";
import { ledgerPath } from "../../lib/features/bank/console/ledger_path.ts";
import { Ago } from "../Ago.tsx";
import { AccountNumber, AccountStatus } from "./parts.tsx";
import { Total } from "../console_parts.tsx";

/** The account's name with links to the other accounts, and its balance. */
export function AccountHead({ account, accounts, path, typed, now }: Pick<
  AccountData,
  "account" | "accounts" | "path" | "typed" | "now"
>) {
  if (account === null) return <h1 class="below-5">Account</h1>;
  const { kind, last4, balance, status, cached_at } = account;
  const others = accounts.filter((other) => other.path !== path);
  return (
    <header class="wrap account-head bottom apart below-5">
      <div>
        <div class="wrap middle gap-1-4">
          <h1 class="flush">{nameOf(account)}</h1>
          {others.length > 0 && (
            <details class="account-switcher relative text-small">
              <summary class="framed rounded muted">Switch account</summary>
              <ul class="plain box">
                {others.map((other) => (
                  <li key={other.path}>
                    {/* The filters apply to the other account too. */}
                    <a class="flex apart gap-4 rounded ink" href={ledgerPath(other.path, typed)}>
                      {other.name} <AccountNumber last4={other.last4} />
                    </a>
                  </li>
                ))}
                <li class="ruled">
                  <a
                    class="flex apart gap-4 rounded ink"
                    href="/console/finance"
                    aria-current="false"
                  >
                    All accounts
                  </a>
                </li>
              </ul>
            </details>
          )}
        </div>
        <p class="cluster flush wraps gap-1-3 muted">
          {labelOf(kind) || "–"} <AccountNumber last4={last4} />
          <AccountStatus status={status} />
        </p>
      </div>
      <Total label="Balance" figure={dollars(balance)}>
        Updated <Ago time={cached_at} now={now} />
      </Total>
    </header>
  );
}
