/** The sentences that console pages show after each action, and how the action is taken back. */
import { DECISION_RESULTS, type DocumentRow, latestVersion } from "../documents/mod.ts";
import type { Identity } from "../auth/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import {
  type DoneAction,
  readResult,
  type ResultText,
  type ShownResult,
  titleOf,
  withResult,
} from "../../platform/http/action_result.ts";

/** The results of the actions on the pages of issuers, by the name of the issuer. */
const ISSUER_RESULTS = {
  add_issuer: { title: (name) => `${name} is added`, back: "later: remove" },
  rename_issuer: { title: (name) => `The issuer is now called ${name}`, back: "later: rename" },
  remove_issuer: { title: () => "The issuer is removed", back: "asks" },
  set_contact: { title: () => "The contact is saved", back: "later: set it again" },
  set_logo: { title: () => "The logo is saved", back: "later: remove_logo" },
  remove_logo: { title: () => "The logo is removed", back: "later: set_logo" },
  set_signature: { title: () => "The signature is saved", back: "later: remove_signature" },
  remove_signature: { title: () => "The signature is removed", back: "later: set_signature" },
  suspend_issuer: { title: (name) => `${name} is suspended`, back: "later: activate_issuer" },
  activate_issuer: { title: (name) => `${name} is active`, back: "later: suspend_issuer" },
  end_issuer: { title: (name) => `${name} has ended`, back: "later: suspend_issuer" },
  set_domain: { title: () => "The domain is saved", back: "later: remove_domain" },
  check_domain: { title: () => "The domain was checked", back: "nothing" },
  remove_domain: { title: () => "The domain is removed", back: "asks" },
  withdraw_issued: { title: (name) => `The document of ${name} is withdrawn`, back: "asks" },
  mail_issued: { title: (name) => `${name} is emailed again`, back: "nothing" },
  create_key: { title: () => "The key is created", back: "later: revoke_key" },
  replace_key: { title: () => "The key is replaced", back: "later: revoke_key" },
  revoke_key: { title: () => "The key is revoked", back: "asks" },
  pause_webhook: { title: () => "The webhook is paused", back: "later: resume_webhook" },
  resume_webhook: { title: () => "The webhook is resumed", back: "later: pause_webhook" },
  remove_webhook: { title: () => "The webhook is removed", back: "asks" },
} as const satisfies Record<string, ResultText>;

/**
 * The results of all actions in the consoles, in one place: what the page says afterwards, how an
 * action is taken back, and in which state of its object its result is true. Searches and downloads change nothing, and the bank's figures are only read
 * again, so they have no entry.
 */
export const CONSOLE_RESULTS = {
  ...DECISION_RESULTS,
  read: { title: () => "Marked as read", back: "undo", after: () => "read" },
  read_all: { title: () => "All alerts are marked as read", back: "undo", after: () => "read" },
  unread: { title: () => "Marked as new", back: "nothing", after: () => "unread" },
  done: { title: () => "Marked as done", back: "undo", after: () => "done" },
  reopen: { title: () => "Reopened", back: "undo", after: () => "read" },
  send: { title: () => "Being sent again", back: "asks" },
  assign: { title: () => "The owner is changed", back: "later: assign" },
  note: { title: () => "The note is added", back: "nothing" },
  reply: { title: () => "The reply is written", back: "undo" },
  unsend: { title: () => "The reply was taken back. Its text is below", back: "nothing" },
  close: {
    title: (name) => `The enquiry of ${name} is closed`,
    back: "undo",
    after: () => "closed",
  },
  reopen_enquiry: { title: () => "The enquiry is open again", back: "later: close" },
  check: {
    title: () => "The identity check is recorded",
    back: "later: revoke",
    after: () => "checked",
  },
  revoke_level: { title: () => "Level 4 is revoked", back: "asks", after: () => "revoked" },
  recover: { title: () => "The recovery has started", back: "undo", after: () => "recovering" },
  cancel_recovery: {
    title: () => "The recovery is cancelled",
    back: "asks",
    after: () => "not recovering",
  },
  delete_record: { title: (name) => `Record ${name}… is deleted`, back: "asks" },
  add: { title: () => "The document is added", back: "later: withdraw" },
  replace: { title: () => "The new version is added", back: "later: withdraw" },
  edit: { title: () => "The description is saved", back: "later: edit" },
  withdraw: { title: () => "The version is withdrawn", back: "asks", after: () => "withdrawn" },
  ...ISSUER_RESULTS,
  set_limit: { title: (name) => `The limit of ${name} is saved`, back: "later: set it again" },
  invite: { title: (name) => `${name} is invited`, back: "undo" },
  invite_again: { title: () => "The invitation is sent again", back: "nothing" },
  withdraw_invitation: { title: () => "The invitation is withdrawn", back: "later: invite" },
  change_layer: { title: () => "The layer is changed", back: "undo", after: (layer) => layer },
  remove_operator: { title: () => "The operator is removed", back: "asks" },
  mail: { title: () => "Your email settings are changed", back: "undo" },
  end_sessions: {
    title: (count) => count === "1" ? "One session has ended" : `${count} sessions have ended`,
    back: "nothing",
  },
  address_works: { title: () => "Mail goes to this address again", back: "nothing" },
  addresses_work: {
    title: (count) => `Mail goes to ${count === "1" ? "one address" : `${count} addresses`} again`,
    back: "nothing",
  },
  delete_user: { title: (name) => `User ${name} is deleted`, back: "asks" },
} as const satisfies Record<string, ResultText>;

export type ConsoleResult = keyof typeof CONSOLE_RESULTS;

/** An action in a console, whose result the operator sees. */
export type ConsoleAction = DoneAction<ConsoleResult>;

/** The members of a request's state that a result depends on. */
interface Asking {
  session: Identity | null;
  services: { secrets: Secrets; clock: () => number };
}

/** Returns the path of the page that shows the operator the result of an action. */
export const withConsoleResult = (
  { session, services }: Asking,
  href: string,
  done: ConsoleResult,
  of?: string,
): Promise<string> => withResult(services, session!.email, href, done, of);

/** Reads which action's result the URL of a page asks for; null if this operator has not just done it. */
export async function readConsoleResult(
  { session, services }: Asking,
  url: URL,
): Promise<ConsoleAction | null> {
  const asked = session && await readResult(services, session.email, url);
  return asked !== null && isConsoleResult(asked) ? asked : null;
}

const isConsoleResult = (asked: DoneAction): asked is ConsoleAction =>
  Object.hasOwn(CONSOLE_RESULTS, asked.done);

/**
 * Returns the result of an action, as its page shows it; null if there is none, or its object is in another state
 * now.
 */
export function shownResult(
  asked: ConsoleAction | null,
  { name, states, ...shown }:
    & { name?: string; states?: readonly string[] }
    & Omit<ShownResult, "title"> = {},
): ShownResult | null {
  if (asked === null) return null;
  const title = titleOf(CONSOLE_RESULTS[asked.done], asked, { name, states });
  return title === null ? null : { title, ...shown };
}

/** Returns the result of a change of a document, which its page shows. */
export function documentResult(
  asked: ConsoleAction | null,
  document: DocumentRow,
): ShownResult | null {
  const text = asked?.done !== "withdraw" && document.guessable
    ? "Only the holder, administrators and people with access can confirm this file. Everyone else " +
      "who checks it sees “No published match”. You can change this below."
    : undefined;
  return shownResult(asked, { states: [latestVersion(document).state], text });
}
