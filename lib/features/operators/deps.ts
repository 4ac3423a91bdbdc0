/** The dependencies of changes of the team, and the part of other features in them. */
import type { Secrets } from "../../base/secrets.ts";
import type { Mailer, MailOrganisation } from "../../platform/mail/mod.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import type { Operators } from "./access.ts";
import type { ConsoleUser, OperatorData } from "./operator_data.ts";

/** The services that the team of a console needs. */
export interface TeamDeps {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  mailer: Mailer;
  surfaces: Surfaces;
  operators: Operators;
  organisations: Record<OrganisationKey, MailOrganisation>;
  /** The data that other features have of operators. */
  operatorData: () => readonly OperatorData[];
}

/** Returns the id of the account of an address; null if it has none. */
export async function userIdOf({ operatorData }: TeamDeps, email: string): Promise<number | null> {
  for (const { userId } of operatorData()) {
    if (userId !== undefined) return await userId(email);
  }
  return null;
}

/** Ends what opens a console to an operator, see {@link OperatorData.signOut}. */
export async function signOut(
  { operatorData }: TeamDeps,
  operator: ConsoleUser,
  except: string | null = null,
): Promise<void> {
  for (const each of operatorData()) await each.signOut?.(operator, except);
}

/** A full administrator who changes the team of a console. */
export interface Actor {
  organisation: OrganisationKey;
  /** The normalised address. */
  by: string;
}

/** The session with which somebody joins a console. */
export interface JoiningSession {
  id: string;
  user_id: number;
  email: string;
  created_at: string;
}
