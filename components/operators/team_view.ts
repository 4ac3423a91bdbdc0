/** Reads the data that the team pages of the console show. */
import type { AuditLog } from "../../lib/features/audit/mod.ts";
import type { Auth, ConsoleSessions, Identity, OpenSession } from "../../lib/features/auth/mod.ts";
import {
  type Layer,
  type Operator,
  OPERATOR_MAIL_NAMES,
  OPERATOR_MAILS,
  type Operators,
  operators as storedOperators,
  type PendingInvitation,
  type StoredOperator,
  type Team,
} from "../../lib/features/operators/mod.ts";
import { readDeliveries } from "../../lib/platform/jobs/mod.ts";
import { MAIL_FAILURES } from "../../lib/platform/mail/mod.ts";
import type { ShownResult } from "../../lib/platform/http/action_result.ts";
import type { OrganisationKey, Surface } from "../../lib/platform/surfaces/mod.ts";
import type { OperatorPasskeys } from "../../lib/features/passkeys/operators/mod.ts";
import { type ConsoleAction, shownResult } from "../../lib/features/console/results.ts";

/** An operator in the list of the team. */
export interface TeamMember extends Operator {
  /** Replaces the address in URLs and forms. */
  person: string;
}

/** A pending invitation in the list of the team. */
export interface ShownInvitation extends PendingInvitation {
  person: string;
  /** Why its mail could not be delivered; null if it was, or is being sent. */
  failure: string | null;
}

/** The page of the team, as one operator sees it. */
export interface TeamView {
  own: TeamMember;
  /** True if the operator can leave the console, because the environment does not name them. */
  canLeave: boolean;
  sessions: OpenSession[];
  /** Null for board members. */
  managed: {
    members: TeamMember[];
    invitations: ShownInvitation[];
    /** The addresses of the operators who have no passkey on this console. */
    unprotected: string[];
  } | null;
}

interface Services {
  kv: Deno.Kv;
  clock: () => number;
  audit: AuditLog;
  operators: Operators;
  operatorPasskeys: Pick<OperatorPasskeys, "unprotected">;
  team: Team;
  consoleSessions: ConsoleSessions;
}

/** Reads the team of a console for one of its operators. */
export async function readTeam(
  services: Services,
  asking: { surface: Surface; session: Identity; layer: Layer | null },
): Promise<TeamView> {
  const { surface, session: { email, user_id } } = asking;
  const { audit, operators, consoleSessions } = services;
  const { organisation } = surface;
  const [list, sessions, unprotected, invitations] = await Promise.all([
    operators.list(organisation),
    consoleSessions.list(organisation, user_id),
    asking.layer === "L1" ? services.operatorPasskeys.unprotected(surface) : [],
    readInvitations(services, organisation), // at the same time, although only L1 sees them
  ]);
  const members = await Promise.all(list.map(async (operator) => ({
    ...operator,
    person: await audit.personKey(operator.email),
  })));
  const own = members.find((member) => member.email === email)!;
  const managed = own.layer === "L1" ? { members, invitations, unprotected } : null;
  return { own, canLeave: own.source === "console", sessions, managed };
}

async function readInvitations(
  { kv, clock, audit, team }: Services,
  organisation: OrganisationKey,
): Promise<ShownInvitation[]> {
  const pending = await team.invitations(organisation);
  return await Promise.all(pending.map(async (invitation) => {
    const [mail] = await readDeliveries(kv, invitation.about, clock());
    const failure = mail?.reason ?? null;
    return {
      ...invitation,
      person: await audit.personKey(invitation.email),
      failure: failure && (MAIL_FAILURES[failure] ?? "The site had an error."),
    };
  }));
}

/** The page of an operator, for full administrators. */
export interface OperatorView {
  operator: TeamMember;
  /** The row of an operator who was added in this console, even if the environment decides now. */
  stored: StoredOperator | null;
  /** The id of the operator's account; null before the first sign-in. */
  user: number | null;
  sessions: OpenSession[];
}

/** Reads an operator of a console; null if nobody has this key. */
export async function readOperator(
  { kv, audit, auth, operators, consoleSessions }: Services & { auth: Auth },
  organisation: OrganisationKey,
  person: string,
): Promise<OperatorView | null> {
  for (const operator of await operators.list(organisation)) {
    const { email } = operator;
    if (!await audit.isPerson(email, person)) continue;
    const [{ value: stored }, user] = await Promise.all([
      storedOperators.get(kv, organisation, email),
      auth.findUserId(email),
    ]);
    const sessions = user === null ? [] : await consoleSessions.list(organisation, user);
    return { operator: { ...operator, person }, stored, user, sessions };
  }
  return null;
}

/** Returns the result of an action on the team, which its page shows; null if it is not true any longer. */
export function teamResult(
  asked: ConsoleAction | null,
  { own, managed }: TeamView,
): ShownResult | null {
  if (asked?.done === "mail") {
    const mail = OPERATOR_MAILS.find((each) => each === asked.of);
    if (mail === undefined) return null;
    const wanted = own.mails[mail];
    return {
      title: `You ${wanted ? "" : "no longer "}get ${OPERATOR_MAIL_NAMES[mail]}`,
      undo: { fields: { act: asked.done, mail, wanted: wanted ? "off" : "on" } },
    };
  }
  if (asked?.done !== "invite") return shownResult(asked, { name: asked?.of });
  const invited = managed?.invitations.find(({ person }) => person === asked.of);
  if (invited === undefined) return null;
  const undo = { fields: { act: "withdraw_invitation", person: asked.of } };
  return shownResult(asked, { name: invited.email, undo });
}

/** Returns the result of an action on an operator, which that page shows; null if it is not true any longer. */
export function operatorResult(
  asked: ConsoleAction | null,
  { operator: { layer } }: OperatorView,
): ShownResult | null {
  if (asked?.done !== "change_layer") return shownResult(asked, { name: asked?.of });
  return shownResult(asked, {
    states: [layer],
    text: layer === "L2" ? "Their sessions have ended; they can sign in again." : undefined,
    undo: { fields: { act: asked.done, layer: layer === "L1" ? "L2" : "L1" } },
  });
}
