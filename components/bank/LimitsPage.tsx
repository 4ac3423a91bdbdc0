/** The console's page where administrators set low-balance alerts for bank accounts. */
import type { AccountLimit } from "../../lib/features/bank/mod.ts";
import { dollars, errorMessage, nameOf } from "../../lib/features/bank/console/labels.ts";
import { CONSOLE_RESULTS } from "../../lib/features/console/results.ts";
import { ActionResult } from "../ActionResult.tsx";
import { Field } from "../Field.tsx";
import { StateNote } from "../StateNote.tsx";
import { AccountNumber } from "./parts.tsx";
import { PageHead } from "../console_parts.tsx";

export interface LimitsPageProps {
  limits: readonly AccountLimit[];
  /** Why the accounts could not be read; null if they are current. */
  error: string | null;
  /** The id of the account whose limit was saved; null if none was. */
  saved: string | null;
  /** The form that was refused. */
  refused?: { account: string; below: string; message: string };
}

const PATH = "/console/finance/limits";

/** The balance of each active account below which an alert is raised, with a form to change it. */
export function LimitsPage({ limits, error, saved, refused }: LimitsPageProps) {
  const result = limits.find(({ account }) => account.id === saved);
  return (
    <>
      <PageHead
        title="Low-balance alerts"
        lead="An alert appears in this console when a balance falls below its limit. The alert is resolved once the balance is 1% above the limit. Balances are checked every five minutes, unless the bank does not respond."
      />
      {result !== undefined && (
        <ActionResult
          result={{
            title: CONSOLE_RESULTS.set_limit.title(nameOf(result.account)),
            text: result.below === null ? "No alert" : `Alert below ${dollars(result.below)}`,
          }}
          action={PATH}
        />
      )}
      {error !== null
        ? (
          <StateNote kind="error" title="The accounts could not be read">
            <p>{errorMessage(error)}</p>
          </StateNote>
        )
        : limits.length === 0
        ? <StateNote kind="empty" title="The bank lists no active accounts" />
        : (
          <ul class="plain stack gap-3 measure-wide">
            {limits.map((one) => (
              <LimitForm
                key={one.account.id}
                {...one}
                refused={refused?.account === one.account.id ? refused : undefined}
              />
            ))}
          </ul>
        )}
    </>
  );
}

function LimitForm(
  { account, below, low, refused }: AccountLimit & { refused: LimitsPageProps["refused"] },
) {
  const name = nameOf(account);
  return (
    <li class="card limit wrap middle apart gap-3-5">
      <div>
        <h2 class="flush text-large anywhere">{name}</h2>
        <p class="cluster flush wraps gap-1-3 muted">
          <AccountNumber last4={account.last4} />{" "}
          <span class="mono">{dollars(account.balance)}</span>
          {low && <span class="pill warn">Low</span>}
        </p>
      </div>
      <form class="wrap bottom gap-2" method="post" action={PATH} aria-label={name}>
        <input type="hidden" name="account" value={account.id} />
        <Field
          name={`below-${account.id}`}
          label="Alert below (USD)"
          problem={refused?.message}
        >
          {(control) => (
            <input
              {...control}
              name="below"
              type="text"
              inputmode="decimal"
              maxLength={40}
              autocomplete="off"
              placeholder="No alert"
              value={refused?.below ?? (below === null ? "" : below.toFixed(2))}
            />
          )}
        </Field>
        <button type="submit" class="button">Save</button>
      </form>
    </li>
  );
}
