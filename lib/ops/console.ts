import type { Treasury } from "../bank/mod.ts";
import type { State } from "../state.ts";

/** What the console of a request's surface has of the bank; the workbench is the commercial one. */

/** The treasury of the surface's organisation. */
export const treasuryOf = ({ surface, services }: State): Treasury =>
  services.treasuries[surface.organisation];

/** Whether it shows transactions, and an account of its own (spec 4.1): the commercial one alone. */
export const showsTransactions = ({ surface }: State): boolean =>
  surface.organisation === "commercial";

/** Whether it is the foundation's after its split, bound to one account (spec 2.4, rule 4). */
export const isSplit = ({ surface, services }: State): boolean =>
  surface.organisation === "foundation" && services.config.bank.account !== undefined;
