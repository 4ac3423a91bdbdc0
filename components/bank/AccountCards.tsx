/** The list of bank accounts on the finance page of a console, as cards with balances. */
import type { Account, PendingAccount } from "../../lib/features/bank/mod.ts";
import { accountPath } from "../../lib/features/bank/console/account_path.ts";
import {
  dollars,
  labelOf,
  nameOf,
  PENDING_ACCESS,
} from "../../lib/features/bank/console/labels.ts";
import { StateNote } from "../StateNote.tsx";
import { AccountNumber, AccountStatus } from "./parts.tsx";

/** The active accounts, followed by the restricted ones, which are not included in the totals. */
export function AccountCards(
  { accounts, drillDown }: { accounts: Account[]; drillDown: boolean },
) {
  const active = accounts.filter(({ status }) => status === "active");
  const restricted = accounts.filter(({ status }) => status !== "active");
  if (accounts.length === 0) {
    return <StateNote kind="empty" title="The bank lists no accounts" />;
  }
  return (
    <>
      {active.length > 0 && (
        <section aria-labelledby="active-title">
          <div class="cluster wraps baseline gap-1-3">
            <h2 id="active-title" class="part-title">Accounts</h2>
            <a class="text-small" href="/console/finance/limits" aria-current="false">
              Low-balance alerts
            </a>
          </div>
          <ul class="accounts stack gap-3">
            {active.map((account, i) => (
              <AccountCard key={account.id || i} account={account} drillDown={drillDown} />
            ))}
          </ul>
        </section>
      )}
      {restricted.length > 0 && (
        <section aria-labelledby="restricted-title">
          <h2 id="restricted-title" class="part-title">
            Restricted <small>Listed by the bank, but not included in the totals</small>
          </h2>
          <ul class="accounts stack gap-3">
            {restricted.map((account, i) => (
              <AccountCard key={account.id || i} account={account} drillDown={false} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function AccountCard({ account, drillDown }: { account: Account; drillDown: boolean }) {
  const { id, kind, balance, last4, status } = account;
  const name = nameOf(account);
  return (
    <li class={`card account stack relative top ${status}`}>
      <h3 class="anywhere">
        {drillDown && id !== "" ? <a class="covers" href={accountPath(id)}>{name}</a> : name}
      </h3>
      <AccountStatus status={status} />
      <p class="account-kind text-small">
        {labelOf(kind) || "–"} <AccountNumber last4={last4} />
      </p>
      <p class="figure above-4">{dollars(balance)}</p>
    </li>
  );
}

/** The foundation's own account while the bank does not share it yet (spec 4.2.4). */
export function PendingAccountCard(
  { account: { nickname, last4 } }: { account: PendingAccount },
) {
  return (
    <section aria-labelledby="pending-title">
      <h2 id="pending-title" class="part-title">Account</h2>
      <ul class="accounts stack gap-3">
        <li class="card account pending stack relative top">
          <h3 class="anywhere">{nickname || "Foundation account"}</h3>
          <span class="pill">Pending API access</span>
          <p class="account-kind text-small">
            <AccountNumber last4={last4} />
          </p>
          <p class="figure above-4">–</p>
        </li>
      </ul>
      <p class="note">{PENDING_ACCESS}</p>
    </section>
  );
}
