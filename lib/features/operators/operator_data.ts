import type { OrganisationKey } from "../../platform/surfaces/mod.ts";

/** Somebody who uses, or used, the consoles of an organisation. */
export interface ConsoleUser {
  organisation: OrganisationKey;
  /** The normalised address. */
  email: string;
}

/**
 * The work of another feature when it changes who may use a console, such as ending sessions. Features pass
 * it in the hook `operatorData`, so that operators need not know them. It runs after the commit of the
 * change, and completes it even if its author loses their authority now.
 */
export interface OperatorData {
  /** Returns the id of the account of an address, with which mails about it are deleted; null if none. */
  userId?(email: string): Promise<number | null>;
  /**
   * Ends what opens a console to somebody who joins it, whose layer is lowered, or who is removed.
   *
   * @param except the id of the session with which somebody joins; null if all of them end
   */
  signOut?(operator: ConsoleUser, except: string | null): Promise<void>;
  /** Erases what is stored for somebody who was removed. */
  erase?(operator: ConsoleUser): Promise<void>;
}
