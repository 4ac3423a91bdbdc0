import type { ComponentChildren } from "preact";
import type { AccountView } from "../../lib/bank/mod.ts";

/** A dot, green or grey, with the state of the bank's connection in text (spec 4.2.1). */
export function Connection({ live }: { live: boolean }) {
  return (
    <span class={live ? "connection live" : "connection"}>
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx="5" cy="5" r="4" />
      </svg>
      {live ? "Live" : "Not connected"}
    </span>
  );
}

/** A green pill for an active account, a grey one for a restricted account (spec 3). */
export function AccountStatus({ status }: Pick<AccountView, "status">) {
  return status === "active"
    ? <span class="pill good">Active</span>
    : <span class="pill">Restricted</span>;
}

/** The last four digits of an account number, or nothing. */
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

/** A large figure between its label and a note. */
export function Total({ label, figure, children }: {
  label: string;
  figure: string;
  children?: ComponentChildren;
}) {
  return (
    <p class="total">
      <span class="label">{label}</span>
      <span class="figure">{figure}</span>
      {children !== undefined && <span class="label">{children}</span>}
    </p>
  );
}
