import { bind } from "../../base/bind.ts";
import type { TeamDeps } from "./deps.ts";
import {
  acceptInvitation,
  invite,
  listInvitations,
  readInvitation,
  sendInvitationAgain,
  withdrawInvitation,
} from "./invitations.ts";
import { changeLayer, removeOperator, setMail } from "./members.ts";

/**
 * Changes who may use the consoles. Every change is in the audit log, and takes effect with the next request of any process.
 */
export const createTeam = (deps: TeamDeps) =>
  bind(deps, {
    invite,
    sendAgain: sendInvitationAgain,
    withdraw: withdrawInvitation,
    invitations: listInvitations,
    readInvitation,
    accept: acceptInvitation,
    changeLayer,
    remove: removeOperator,
    setMail,
  });

export type Team = ReturnType<typeof createTeam>;
