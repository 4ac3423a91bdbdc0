/**
 * Passkeys of operators. Each console is its own relying party, so a passkey works on one console only.
 * Once an operator has one, sensitive pages need it, see {@link PasskeyGate}.
 *
 * @module
 */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Surface } from "../../../platform/surfaces/mod.ts";
import type { SessionOwner, SignedIn } from "../../auth/mod.ts";
import type { ConsoleUser } from "../../operators/mod.ts";
import { listFor, type PasskeyList } from "../kinds.ts";
import type { PasskeyAccount } from "../schemas.ts";
import { signInOptions } from "../use.ts";
import { additionOptions, addPasskey, type OperatorRequest } from "./addition.ts";
import type { PasskeyDeps } from "./deps.ts";
import { eraseOf, eraseOrphan } from "./erase.ts";
import { gateOf, type PasskeyGate } from "./gate.ts";
import { removePasskey, renamePasskey } from "./manage.ts";
import { resetPasskeys } from "./permission.ts";
import { accounts, OPERATORS, type PasskeyAccountRow } from "./tables.ts";
import { confirm, confirmationOptions, signIn } from "./use.ts";

/** The passkeys of an operator, for the page that lists them. */
export interface OperatorPasskeyList extends Omit<PasskeyList, "account"> {
  /** Null before the first passkey. */
  account: PasskeyAccount | null;
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type OperatorPasskeys = ReturnType<typeof createOperatorPasskeys>;

export function createOperatorPasskeys(deps: PasskeyDeps, { required }: { required: boolean }) {
  const { kv, clock } = deps;
  return {
    /** Reads what {@link OperatorPasskeys.gate} depends on besides the session. */
    async account({ user_id }: SessionOwner, { name }: Surface): Promise<PasskeyAccountRow | null> {
      return (await accounts.get(kv, user_id, name)).value;
    },
    /** Returns how far passkeys open a console for a session. */
    gate: (session: SignedIn, account: PasskeyAccountRow | null): PasskeyGate =>
      gateOf(session, account, { now: clock(), required }),
    registrationOptions: (request: Omit<OperatorRequest, "device">, code?: string) =>
      additionOptions(deps, request, code),
    register: (request: OperatorRequest, response: RegistrationResponseJSON) =>
      addPasskey(deps, request, response),
    signInOptions: (request: { surface: Surface; browser: string; clientAddress: string }) =>
      signInOptions(deps, request),
    signIn: (request: Parameters<typeof signIn>[1], response: AuthenticationResponseJSON) =>
      signIn(deps, request, response),
    confirmationOptions: (request: Parameters<typeof confirmationOptions>[1]) =>
      confirmationOptions(deps, request),
    confirm: (request: Parameters<typeof confirm>[1], response: AuthenticationResponseJSON) =>
      confirm(deps, request, response),
    /** Returns the passkeys of an operator on a console, oldest first. */
    async list(
      { user_id, email }: Pick<SignedIn, "user_id" | "email">,
      surface: Surface,
    ): Promise<OperatorPasskeyList> {
      const [{ value: row }, passkeys] = await Promise.all([
        accounts.get(kv, user_id, surface.name),
        OPERATORS.list(kv, { user_id, surface: surface.name }),
      ]);
      const account = { userId: row?.user_handle ?? "", name: email };
      const list = listFor(deps, surface, passkeys, account);
      return { ...list, account: row && list.account };
    },
    /** Returns those of some users who have a passkey on a console, by their ids. */
    async owners(userIds: readonly number[], { name }: Surface): Promise<Set<number>> {
      const rows = await accounts.getMany(kv, userIds.map((id) => [id, name] as const));
      return new Set(
        rows.filter(({ value }) => value.passkeys > 0).map(({ value }) => value.user_id),
      );
    },
    /** Returns whether a user has or had a passkey on a console, or on any. */
    async protects(userId: number, surface?: Surface): Promise<boolean> {
      const rows = await Array.fromAsync(accounts.list(kv, [userId]), ({ value }) => value);
      return rows.some((row) =>
        (row.passkeys > 0 || row.locked) && (surface === undefined || row.surface === surface.name)
      );
    },
    rename: (request: OperatorRequest, id: string, name: string) =>
      renamePasskey(deps, request, id, name),
    remove: (request: OperatorRequest, id: string) => removePasskey(deps, request, id, required),
    reset: (reset: Parameters<typeof resetPasskeys>[1]) => resetPasskeys(deps, reset),
    /** Erases the passkeys of somebody who leaves the consoles of an organisation. */
    erase: (leaver: ConsoleUser) => eraseOf(deps, leaver),
    eraseOrphan: (account: Deno.KvEntry<PasskeyAccountRow>) => eraseOrphan(deps, account),
  };
}
