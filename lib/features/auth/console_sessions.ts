/** Lists and ends the sessions of operators. */
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { addAudit } from "../audit/mod.ts";
import { consolesOf, type OperatorData } from "../operators/mod.ts";
import { endSessions, listSessions, type OpenSession } from "./open_sessions.ts";
import { getUserByEmail } from "./users.ts";

/** The sessions of operators in the consoles of an organisation. */
export interface ConsoleSessions {
  /** Returns the open sessions of an operator by the user's id, the last used one first. */
  list(organisation: OrganisationKey, userId: number): Promise<OpenSession[]>;
  /** Ends sessions of an operator in all processes at once, and returns how many there were. */
  end(ended: EndedConsoleSessions): Promise<number>;
}

interface EndedConsoleSessions {
  organisation: OrganisationKey;
  /** The address of the operator. */
  email: string;
  /** The operator who ends them; null if they end with another change, which is logged itself. */
  by: string | null;
  /** Selects the sessions by their ids. Default: all of them. */
  only?: (id: string) => boolean;
}

interface Deps {
  kv: Deno.Kv;
  clock: () => number;
  surfaces: Surfaces;
}

/** Creates the functions that list and end the sessions of operators. */
export const createConsoleSessions = ({ kv, clock, surfaces }: Deps): ConsoleSessions => ({
  async list(organisation, userId) {
    const consoles = consolesOf(surfaces, organisation).map(({ name }) => name);
    return await listSessions({ kv, clock }, userId, consoles);
  },
  async end({ organisation, email, by, only }) {
    const user = await getUserByEmail(kv, email);
    if (user === null) return 0;
    let count = 0;
    for (const { name: surface } of consolesOf(surfaces, organisation)) {
      count += await endSessions({ kv, clock }, {
        ...{ user_id: user.id, surface, only },
        addTo(commit, ended) {
          if (by === null) return;
          const about = { object: { operator: email }, detail: String(ended) };
          addAudit(commit, { organisation, by, action: "sessions_ended", ...about }, clock());
        },
      });
    }
    return count;
  },
});

/** Makes accounts and sessions take part in changes of who may use a console. */
export const operatorSessions = (
  { kv, consoleSessions }: { kv: Deno.Kv; consoleSessions: ConsoleSessions },
): OperatorData => ({
  userId: async (email) => (await getUserByEmail(kv, email))?.id ?? null,
  async signOut(operator, except) {
    await consoleSessions.end({ ...operator, by: null, only: (id) => id !== except });
  },
});
