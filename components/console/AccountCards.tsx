import type { AccountView } from "../../lib/bank/mod.ts";
import { accountPath } from "../../lib/console/account_path.ts";
import { dollars, nameOf, wordsOf } from "../../lib/console/words.ts";
import { StateNote } from "../StateNote.tsx";
import { AccountNumber, AccountStatus } from "./account_parts.tsx";

/** The accounts: the active ones, which count, and after them the restricted ones, which do not. */
export function AccountCards(
  { accounts, drillDown }: { accounts: AccountView[]; drillDown: boolean },
) {
  const active = accounts.filter(({ status }) => status === "active");
  const restricted = accounts.filter(({ status }) => status === "restricted");
  if (accounts.length === 0) {
    return <StateNote kind="empty" title="The bank lists no accounts" />;
  }
  return (
    <>
      {active.length > 0 && (
        <section aria-labelledby="active-title">
          <h2 id="active-title" class="part-title">Accounts</h2>
          <ul class="accounts">
            {active.map((account) => (
              <AccountCard key={account.id} account={account} drillDown={drillDown} />
            ))}
          </ul>
        </section>
      )}
      {restricted.length > 0 && (
        <section aria-labelledby="restricted-title">
          <h2 id="restricted-title" class="part-title">
            Restricted <small>Listed by the bank, and not counted above</small>
          </h2>
          <ul class="accounts">
            {restricted.map((account) => (
              <AccountCard key={account.id} account={account} drillDown={false} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function AccountCard({ account, drillDown }: { account: AccountView; drillDown: boolean }) {
  const { id, kind, balance, last4, status } = account;
  const name = nameOf(account);
  return (
    <li class={`card account ${status}`}>
      <h3>{drillDown ? <a href={accountPath(id)}>{name}</a> : name}</h3>
      <AccountStatus status={status} />
      <p class="account-kind">
        {wordsOf(kind)} <AccountNumber last4={last4} />
      </p>
      <p class="figure">{dollars(balance)}</p>
    </li>
  );
}
