import type { Failure } from "../../base/result.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import type { Actor, JoiningSession, TeamDeps } from "./deps.ts";
import {
  acceptInvitation,
  invite,
  listInvitations,
  type PendingInvitation,
  readInvitation,
  sendInvitationAgain,
  withdrawInvitation,
} from "./invitations.ts";
import type { Layer } from "./layers.ts";
import { changeLayer, removeOperator, setMail } from "./members.ts";
import type { Invitation, OperatorMail } from "./tables.ts";

type Done = Promise<{ ok: true } | Failure>;

/**
 * Changes who may use the consoles. Every change is in the audit log, and takes effect with the next request of any process.
 */
export interface Team {
  /** Invites an address, or sends its invitation again with another layer. */
  invite(actor: Actor, invited: { email: string; layer: Layer }): Done;
  sendAgain(actor: Actor, email: string): Done;
  withdraw(actor: Actor, email: string): Done;
  /** Returns the pending invitations to a console, by address. */
  invitations(organisation: OrganisationKey): Promise<PendingInvitation[]>;
  /** Returns the invitation of a link, for the person who is signed in, or for whoever has the link. */
  readInvitation(
    organisation: OrganisationKey,
    token: string,
    session: JoiningSession | null,
  ): Promise<{ ok: true; invitation: Invitation } | Failure>;
  accept(
    organisation: OrganisationKey,
    token: string,
    session: JoiningSession,
  ): Promise<{ ok: true; layer: Layer } | Failure>;
  changeLayer(actor: Actor, change: { email: string; layer: Layer }): Done;
  /** Removes an operator, who may be the actor. */
  remove(actor: Actor, email: string): Done;
  /** Sets whether the actor gets a kind of mail. */
  setMail(actor: Actor, choice: { mail: OperatorMail; wanted: boolean }): Done;
}

export const createTeam = (deps: TeamDeps): Team => ({
  invite: (actor, invited) => invite(deps, actor, invited),
  sendAgain: (actor, email) => sendInvitationAgain(deps, actor, email),
  withdraw: (actor, email) => withdrawInvitation(deps, actor, email),
  invitations: (organisation) => listInvitations(deps, organisation),
  readInvitation: (organisation, token, session) =>
    readInvitation(deps, organisation, token, session),
  accept: (organisation, token, session) => acceptInvitation(deps, organisation, token, session),
  changeLayer: (actor, change) => changeLayer(deps, actor, change),
  remove: (actor, email) => removeOperator(deps, actor, email),
  setMail: (actor, choice) => setMail(deps, actor, choice),
});
