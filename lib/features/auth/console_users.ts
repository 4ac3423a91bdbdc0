/** The users of the qualification site in the console: their list, and deleting one. */
import type { Auth } from "./mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { atRow, parsePosition } from "../../platform/listing/filters.ts";
import { defineList, type ReadFilters } from "../../platform/listing/list.ts";
import type { RowPosition } from "../../platform/listing/pages.ts";
import type { Operators } from "../operators/mod.ts";
import { addAudit } from "../audit/mod.ts";

function userPosition(text: string): RowPosition | undefined {
  const position = parsePosition(text);
  return position !== undefined && /^\d{1,15}$/.test(position.id) ? position : undefined;
}

export const userList = defineList("/console/users", {
  after: { ...atRow("Use the number of a user."), parse: userPosition },
});

export type UserFilters = ReadFilters<typeof userList.filters>;

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
  /** The passkeys of operators, which are a feature above this one. */
  operatorPasskeys: { protects(user: number): Promise<boolean> };
  clock: () => number;
}

/**
 * Deletes a user with everything that belongs to them, and adds it to the audit log. Operators stay,
 * the other console's too: without their passkeys, a mailed link would open everything again.
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
  if (await operators.isOperator(user.email) || await operatorPasskeys.protects(id)) {
    return fail("conflict", { message: OPERATOR });
  }
  await auth.deleteUser(user.email, (commit, user) => {
    addAudit(commit, { organisation, by, action: "user_deleted", object: { user } }, clock());
  });
  return { ok: true };
}

const OPERATOR =
  "This is an operator of a console, or has passkeys there. First remove the operator on the " +
  "Team page of each console, or from the site’s configuration.";
