import Ago from "../../islands/Ago.tsx";
import type { Figures, FinancePlace } from "../../lib/console/finance.ts";
import { activeText, dollars, reasonText } from "../../lib/console/words.ts";
import { StateNote } from "../StateNote.tsx";

/** Why there are no current figures, what to do, and the last good ones with their age. */
export function Trouble(
  { reason, figures, place }: { reason: string; figures: Figures; place: FinancePlace },
) {
  const { summary, now } = figures;
  const stale = summary.connection_status === "live" ? undefined : summary.stale;
  return (
    <>
      <StateNote kind="error" title="The bank is not connected">
        <p>{reasonText(reason)}</p>
        {reason === "auth_failed"
          ? (
            <p>
              Generate a new token at the bank and set it as <code>{place.variables[0]}</code>.
            </p>
          )
          : <p>Refresh to try again.</p>}
      </StateNote>
      {stale !== undefined && (
        <section class="card banner stale" aria-labelledby="stale-title">
          <div>
            <h2 id="stale-title">Last known figures</h2>
            <p>
              From <Ago time={stale.cached_at} now={now} />; they may have changed since.
            </p>
          </div>
          <p class="total">
            <span class="label">Total balance</span>
            <span class="figure">{dollars(stale.total_balance)}</span>
            <span class="label">{activeText(stale.active_accounts)}</span>
          </p>
        </section>
      )}
    </>
  );
}
