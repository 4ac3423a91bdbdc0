import type { Auth } from "../auth/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { position } from "../../platform/listing/filters.ts";
import { defineList } from "../../platform/listing/list.ts";
import type { OperatorPasskeys } from "../operator_passkeys/mod.ts";
import type { Operators } from "../operators/mod.ts";
import { addAudit } from "../audit/mod.ts";

const idOf = (text: string) => /^\d{1,15}$/.test(text) ? Number(text) : undefined;

export const userList = defineList("/console/users", {
  after: position(idOf, { issue: "Use the number of a user." }),
});

/** A user whom an administrator deletes. */
interface UserDeletion {
  id: number;
  /** The email address of the administrator. */
  by: string;
  organisation: OrganisationKey;
}

interface RemovalServices {
  auth: Auth;
  operators: Operators;
  operatorPasskeys: OperatorPasskeys;
  clock: () => number;
}

/**
 * Deletes a user with everything that belongs to them, and adds it to the audit log. An operator with a
 * passkey stays: without it, a mailed link would open the consoles again, the other organisation's too.
 */
export async function removeUser(
  { auth, operators, operatorPasskeys, clock }: RemovalServices,
  { id, by, organisation }: UserDeletion,
): Promise<{ ok: true } | Failure<"not_found" | "conflict">> {
  const user = await auth.readUser(id);
  if (user === null) return fail("not_found", { message: "There is no such user." });
  if (user.email === by) {
    return fail("conflict", { message: "This is your own account. Ask another administrator." });
  }
  if (await operators.isStored(user.email) || await operatorPasskeys.protects(id)) {
    return fail("conflict", {
      message: "This is an operator of a console. Remove the operator on the page Team first.",
    });
  }
  await auth.deleteUser(user.email, (commit, user) => {
    addAudit(commit, { organisation, by, action: "user_deleted", object: { user } }, clock());
  });
  return { ok: true };
}
