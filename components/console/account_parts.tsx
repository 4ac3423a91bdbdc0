import type { AccountView } from "../../lib/bank/mod.ts";

/** Green where it is active, grey where it is restricted (spec 3). */
export function AccountStatus({ status }: Pick<AccountView, "status">) {
  return status === "active"
    ? <span class="pill good">Active</span>
    : <span class="pill">Restricted</span>;
}

/** The last four digits, all that is ever shown of a number. */
export function AccountNumber({ last4 }: Pick<AccountView, "last4">) {
  if (last4 === "") return null;
  return (
    <span class="mono last4">
      <span aria-hidden="true">••</span>
      <span class="visually-hidden">ending in</span>
      {last4}
    </span>
  );
}
