/**
 * Passkeys of operators. Each console is its own relying party, so a passkey works on one console only.
 * Once an operator has one, sensitive pages need it, see `gate.ts`.
 *
 * @module
 */
import { bind } from "../../../base/bind.ts";
import { signInOptions } from "../use.ts";
import { additionOptions, addPasskey } from "./addition.ts";
import type { PasskeyDeps } from "./deps.ts";
import { eraseOf, eraseOrphan } from "./erase.ts";
import { removePasskey, renamePasskey } from "./manage.ts";
import { account, gate, listPasskeys, protects, unprotected } from "./overview.ts";
import { resetPasskeys } from "./permission.ts";
import { confirm, confirmationOptions, signIn } from "./use.ts";

export type { OperatorPasskeyList } from "./overview.ts";

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type OperatorPasskeys = ReturnType<typeof createOperatorPasskeys>;

/** Creates the passkeys of operators. Nothing is read or written before the first call. */
export const createOperatorPasskeys = (deps: PasskeyDeps) =>
  bind(deps, {
    account,
    gate,
    registrationOptions: additionOptions,
    register: addPasskey,
    signInOptions,
    signIn,
    confirmationOptions,
    confirm,
    list: listPasskeys,
    unprotected,
    protects,
    rename: renamePasskey,
    remove: removePasskey,
    reset: resetPasskeys,
    erase: eraseOf,
    eraseOrphan,
  });
