import type { OrganisationKey, Surface, Surfaces } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import type { OpenSession } from "../auth/mod.ts";
import { hasConsole } from "../operators/mod.ts";
import type { TeamDeps } from "./deps.ts";

/** The surfaces on which the operators of an organisation are signed in; the workbench is one. */
const consolesOf = ({ all }: Surfaces, organisation: OrganisationKey): Surface[] =>
  all.filter((surface) => surface.organisation === organisation && hasConsole(surface));

/** Returns the console of an organisation, for links in mails. */
export function consoleOf(surfaces: Surfaces, organisation: OrganisationKey): Surface {
  const consoles = consolesOf(surfaces, organisation);
  return consoles.find(({ kind }) => kind === "console") ?? consoles[0];
}

/** The sessions of an operator in the consoles of an organisation. */
interface Whose {
  organisation: OrganisationKey;
  email: string;
}

/** Returns the sessions of a user in the consoles of an organisation, the last used one first. */
export async function listOperatorSessions(
  { auth, surfaces }: TeamDeps,
  organisation: OrganisationKey,
  userId: number,
): Promise<OpenSession[]> {
  const found = await Promise.all(
    consolesOf(surfaces, organisation).map(({ name }) => auth.sessionsOf(userId, name)),
  );
  return found.flat();
}

export interface EndedOperatorSessions extends Whose {
  /** The operator who ends them; null if they end with another change, which is logged itself. */
  by: string | null;
  /** Selects the sessions by their ids. Default: all of them. */
  only?: (id: string) => boolean;
}

/** Ends sessions of an operator in all processes at once, and returns how many there were. */
export async function endOperatorSessions(
  { auth, surfaces, clock }: TeamDeps,
  { organisation, email, by, only }: EndedOperatorSessions,
): Promise<number> {
  const user = await auth.findUser(email);
  if (user === null) return 0;
  let count = 0;
  for (const { name } of consolesOf(surfaces, organisation)) {
    count += await auth.endSessions({
      ...{ user_id: user.id, surface: name, only },
      addTo(commit, ended) {
        if (by === null) return;
        const about = { object: { operator: email }, detail: String(ended) };
        addAudit(commit, { organisation, by, action: "sessions_ended", ...about }, clock());
      },
    });
  }
  return count;
}
