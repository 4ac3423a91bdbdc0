/** The accounts that the passkeys of operators open, and the lists of passkeys that consoles show. */
import type { Surface } from "../../../platform/surfaces/mod.ts";
import type { SessionOwner, SignedIn } from "../../auth/mod.ts";
import { teamVersion } from "../../operators/mod.ts";
import { listFor, type PasskeyList } from "../kinds.ts";
import type { PasskeyAccount } from "../schemas.ts";
import type { PasskeyDeps } from "./deps.ts";
import { gateOf, type PasskeyGate } from "./gate.ts";
import { accounts, OPERATORS, type PasskeyAccountRow } from "./tables.ts";

/** The passkeys of an operator, for the page that lists them. */
export interface OperatorPasskeyList extends Omit<PasskeyList, "account"> {
  /** Null before the first passkey. */
  account: PasskeyAccount | null;
}

/** Reads what {@link gate} depends on besides the session. */
export const account = async (
  { kv }: PasskeyDeps,
  { user_id }: Pick<SessionOwner, "user_id">,
  { name }: Surface,
): Promise<PasskeyAccountRow | null> => (await accounts.get(kv, user_id, name)).value;

/** Returns how far passkeys open a console for a session. */
export const gate = (
  { clock, required }: PasskeyDeps,
  session: SignedIn,
  account: PasskeyAccountRow | null,
): PasskeyGate => gateOf(session, account, { now: clock(), required });

/** Returns the passkeys of an operator on a console, oldest first. */
export async function listPasskeys(
  deps: PasskeyDeps,
  { user_id, email }: Pick<SignedIn, "user_id" | "email">,
  surface: Surface,
): Promise<OperatorPasskeyList> {
  const { kv } = deps;
  const [{ value: row }, passkeys] = await Promise.all([
    accounts.get(kv, user_id, surface.name),
    OPERATORS.list(kv, { user_id, surface: surface.name }),
  ]);
  const account = { userId: row?.user_handle ?? "", name: email };
  const list = listFor(deps, surface, passkeys, account);
  return { ...list, account: row && list.account };
}

/** Returns the addresses of a console's operators without a passkey there: their mailboxes are enough to open it. */
export async function unprotected(
  { kv, operators, derived }: PasskeyDeps,
  { name, organisation }: Surface,
): Promise<string[]> {
  const { versionstamp } = await kv.get(teamVersion(organisation));
  return await derived.get(name, versionstamp, async () => {
    const [team, rows] = await Promise.all([
      operators.list(organisation),
      Array.fromAsync(accounts.list(kv, []), ({ value }) => value),
    ]);
    const owners = rows.filter(({ surface, passkeys }) => surface === name && passkeys > 0);
    const known = new Set(owners.map(({ email }) => email));
    return { value: team.map(({ email }) => email).filter((email) => !known.has(email)) };
  });
}

/** Returns whether a user has or had a passkey on a console, or on any. */
export async function protects(
  { kv }: PasskeyDeps,
  userId: number,
  surface?: Surface,
): Promise<boolean> {
  const rows = await Array.fromAsync(accounts.list(kv, [userId]), ({ value }) => value);
  return rows.some((row) =>
    (row.passkeys > 0 || row.locked) && (surface === undefined || row.surface === surface.name)
  );
}
