import type { AccountsAnswer, Summary } from "../../lib/bank/mod.ts";
import type { FinancePlace } from "../../lib/console/finance.ts";
import { activeText, dollars } from "../../lib/console/words.ts";
import { Connection } from "./Connection.tsx";

/** Whose accounts these are, and what they hold together (spec 4.2, 2 to 4). */
export function EntityBanner({ place, summary, accounts, live }: {
  place: FinancePlace;
  summary: Summary;
  accounts: Extract<AccountsAnswer, { connection_status: "live" }>;
  /** False where the bank has just not answered. */
  live: boolean;
}) {
  const { pending_account } = accounts;
  const active = accounts.accounts.filter(({ status }) => status === "active").length;
  return (
    <section class="card banner" aria-label="Connected entity">
      <div>
        <Words place={place} entity={summary.entity} />
        <Connection live={live} />
      </div>
      {pending_account === undefined && (
        <p class="total">
          <span class="label">Total balance</span>
          <span class="figure">{dollars(accounts.total_balance)}</span>
          <span class="label">{activeText(active)}</span>
        </p>
      )}
    </section>
  );
}

function Words({ place, entity }: { place: FinancePlace; entity: string }) {
  switch (place.kind) {
    case "foundation":
      return (
        <>
          <h2>Connected to: {entity} (proof of connection)</h2>
          <p>The connection is rekeyed when the foundation's own account opens.</p>
        </>
      );
    case "split":
      return (
        <>
          <h2>Treasury</h2>
          <p>{entity}: the foundation's own account.</p>
        </>
      );
    case "commercial":
      return (
        <>
          <h2>{entity}</h2>
          <p>Commercial Treasury</p>
        </>
      );
  }
}
