/**
 * The people who may use the consoles: their layers, invitations, and every change of them. Their accounts,
 * sessions and passkeys belong to other features, which take part by the hook `operatorData`.
 *
 * @module
 */
export { createOperators, forgetOperator, type Operator, type Operators } from "./access.ts";
export { consolesOf, hasConsole } from "./consoles.ts";
export type { Actor } from "./deps.ts";
export {
  INVITATIONS_PER_HOUR,
  invitationSchema,
  MOST_OPERATORS,
  type PendingInvitation,
} from "./invitations.ts";
export { includesLayer, type Layer, LAYERS } from "./layers.ts";
export type { ConsoleUser, OperatorData } from "./operator_data.ts";
export { LAYER_NAMES, LAYER_TITLES, LAYER_VIEWS, OPERATOR_MAIL_NAMES } from "./mails.ts";
export {
  type Invitation,
  INVITATION_LIFETIME_MS,
  invitations,
  OPERATOR_MAILS,
  type OperatorMail,
  operators,
  type StoredOperator,
  teamVersion,
} from "./tables.ts";
export type { Team } from "./team.ts";
export type { OpsConfig } from "./variables.ts";
