/** Small parts of all pages about the bank: the connection, an account's status and number, and shares of a total. */
import type { Account, HeldInTrust } from "../../lib/features/bank/mod.ts";
import { partsOf } from "../../lib/features/bank/console/labels.ts";

/**
 * A green or grey dot, with the state of the bank connection as text (spec 4.2.1).
 *
 * @param props.waiting whether the bank has not responded yet
 * @param props.pending true if the bank responds, but does not share the only account yet
 */
export function Connection({ live, waiting = false, pending = false }: {
  live: boolean;
  waiting?: boolean;
  pending?: boolean;
}) {
  return (
    <span class={`connection ${live ? "live " : ""}middle muted text-small nowrap`}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {live
        ? pending ? "Live, account pending" : "Live"
        : waiting
        ? "Waiting for the bank"
        : "Not connected"}
    </span>
  );
}

/** A green pill for an active account, a grey one for a restricted account (spec 3), or a dash. */
export function AccountStatus({ status }: { status: Account["status"] }) {
  switch (status) {
    case "active":
      return <span class="pill good">Active</span>;
    case "restricted":
      return <span class="pill">Restricted</span>;
    case "unknown":
      return (
        <span class="pill">
          <span class="visually-hidden">Status unknown</span>
          <span aria-hidden="true">–</span>
        </span>
      );
  }
}

/** The last four digits of an account's number. */
export function AccountNumber({ last4 }: { last4: string }) {
  return (
    <span class="mono nowrap last4">
      <span aria-hidden="true">••</span>
      <span class="visually-hidden">ending in</span>
      {last4 || "–"}
    </span>
  );
}

/** The parts of a total, below it, if some of it is not the organisation's own. */
export function TotalParts({ held }: { held: HeldInTrust | undefined }) {
  if (held === undefined) return null;
  return (
    <dl class="rows total-parts stack gap-1">
      {partsOf(held).map(([label, figure]) => (
        <div class="flex apart gap-4" key={label}>
          <dt class="muted">{label}</dt>
          <dd class="mono">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
