import type { PendingAccount as Account } from "../../lib/bank/mod.ts";
import { PENDING_ACCESS } from "../../lib/console/words.ts";
import { AccountNumber } from "./account_parts.tsx";

/** The foundation's account while the provider does not give it out (spec 4.2.4). */
export function PendingAccount({ account: { nickname, last4 } }: { account: Account }) {
  return (
    <section aria-labelledby="pending-title">
      <h2 id="pending-title" class="part-title">Account</h2>
      <ul class="accounts">
        <li class="card account pending">
          <h3>{nickname || "Foundation account"}</h3>
          <span class="pill">Pending API access</span>
          <p class="account-kind">
            <AccountNumber last4={last4} />
          </p>
          <p class="figure">–</p>
        </li>
      </ul>
      <p class="note">{PENDING_ACCESS}</p>
    </section>
  );
}
