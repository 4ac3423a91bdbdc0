import type { IssuerRow } from "../issuers/mod.ts";
import {
  DECISION_RESULTS,
  type DocumentRow,
  latestVersion,
  type ResultText,
} from "../documents/mod.ts";
import type { Auth } from "../auth/mod.ts";
import { hashSchema } from "../chain/mod.ts";
import type { Chains } from "../chain/store/mod.ts";
import type { Records } from "../records/mod.ts";
import { resultIn, type ShownResult } from "../../platform/http/action_result.ts";

/** The results of the actions on the pages of issuers, by the name of the issuer. */
const ISSUER_RESULTS = {
  add_issuer: { title: (name) => `${name} is added`, back: "later: remove" },
  rename_issuer: { title: (name) => `The issuer is now called ${name}`, back: "later: rename" },
  remove_issuer: { title: () => "The issuer is removed", back: "asks" },
  set_contact: { title: () => "The contact is saved", back: "later: set it again" },
  set_logo: { title: () => "The logo is saved", back: "later: remove_logo" },
  remove_logo: { title: () => "The logo is removed", back: "later: set_logo" },
  suspend_issuer: { title: (name) => `${name} is suspended`, back: "later: activate_issuer" },
  activate_issuer: { title: (name) => `${name} is active`, back: "later: suspend_issuer" },
  end_issuer: { title: (name) => `${name} has ended`, back: "later: suspend_issuer" },
  set_domain: { title: () => "The domain is saved", back: "later: remove_domain" },
  check_domain: { title: () => "The domain was checked", back: "nothing" },
  remove_domain: { title: () => "The domain is removed", back: "asks" },
  withdraw_issued: { title: () => "The document is withdrawn", back: "asks" },
  create_key: { title: () => "The key is created", back: "later: revoke_key" },
  replace_key: { title: () => "The key is replaced", back: "later: revoke_key" },
  revoke_key: { title: () => "The key is revoked", back: "asks" },
  pause_webhook: { title: () => "The webhook is paused", back: "later: resume_webhook" },
  resume_webhook: { title: () => "The webhook is resumed", back: "later: pause_webhook" },
  remove_webhook: { title: () => "The webhook is removed", back: "asks" },
} as const satisfies Record<string, ResultText>;

/**
 * The results of all actions in the consoles, in one place: what the page says afterwards, and how an
 * action is taken back. Searches and downloads change nothing, and the bank's figures are only read
 * again, so they have no entry.
 */
export const CONSOLE_RESULTS = {
  ...DECISION_RESULTS,
  read: { title: () => "Marked as read", back: "undo" },
  read_all: { title: () => "All alerts are marked as read", back: "undo" },
  unread: { title: () => "Marked as new", back: "nothing" },
  done: { title: () => "Marked as done", back: "undo" },
  reopen: { title: () => "Opened again", back: "undo" },
  send: { title: () => "Being sent again", back: "asks" },
  assign: { title: () => "The owner is changed", back: "later: assign" },
  note: { title: () => "The note is added", back: "nothing" },
  reply: { title: () => "The reply is on its way", back: "asks" },
  close: { title: (name) => `The enquiry of ${name} is closed`, back: "undo" },
  reopen_enquiry: { title: () => "The enquiry is open again", back: "later: close" },
  check: { title: () => "The identity check is recorded", back: "later: revoke" },
  revoke_level: { title: () => "Level 4 is revoked", back: "asks" },
  recover: { title: () => "The recovery has started", back: "undo" },
  cancel_recovery: { title: () => "The recovery is cancelled", back: "asks" },
  delete_record: { title: (name) => `Record ${name}… is deleted`, back: "asks" },
  add: { title: () => "The document is added", back: "later: withdraw" },
  replace: { title: () => "The new version is added", back: "later: withdraw" },
  edit: { title: () => "The description is saved", back: "later: edit" },
  withdraw: { title: () => "The version is withdrawn", back: "asks" },
  ...ISSUER_RESULTS,
  set_limit: { title: (name) => `The limit of ${name} is saved`, back: "later: set it again" },
  invite: { title: (name) => `${name} is invited`, back: "undo" },
  invite_again: { title: () => "The invitation is sent again", back: "nothing" },
  withdraw_invitation: { title: () => "The invitation is withdrawn", back: "later: invite" },
  change_layer: { title: () => "The layer is changed", back: "undo" },
  remove_operator: { title: () => "The operator is removed", back: "asks" },
  digest: { title: () => "The digest is changed", back: "undo" },
  end_sessions: {
    title: (count) => count === "1" ? "One session has ended" : `${count} sessions have ended`,
    back: "nothing",
  },
  delete_user: { title: (name) => `User ${name} is deleted`, back: "asks" },
} as const satisfies Record<string, ResultText>;

export type ConsoleResult = keyof typeof CONSOLE_RESULTS;

export const isConsoleResult = (done: string): done is ConsoleResult =>
  Object.hasOwn(CONSOLE_RESULTS, done);

/** Returns the result of the deletion of a record, which the list shows; null if it is not true. */
export async function recordDeletionResult(
  { chains, records }: { chains: Pick<Chains, "page">; records: Pick<Records, "read"> },
  url: URL,
): Promise<ShownResult | null> {
  const { done, of } = resultIn(url);
  const hash = hashSchema.safeParse(of);
  if (done !== "delete_record" || !hash.success) return null;
  const [record, chain] = await Promise.all([
    records.read(hash.data),
    chains.page(hash.data, { limit: 1 }),
  ]);
  if (record !== null || chain === null) return null;
  const title = CONSOLE_RESULTS.delete_record.title(hash.data.slice(0, 8));
  return { title, text: "Its chain remains." };
}

/** Returns the result of the deletion of a user, which the list shows; null if it is not true. */
export async function userDeletionResult(
  { auth }: { auth: Pick<Auth, "readUser"> },
  url: URL,
): Promise<ShownResult | null> {
  const { done, of } = resultIn(url);
  if (done !== "delete_user" || !/^\d{1,15}$/.test(of)) return null;
  if (await auth.readUser(Number(of)) !== null) return null;
  return { title: CONSOLE_RESULTS.delete_user.title(of) };
}

/** Returns the result of a change of a document, which its page shows; null if it is not true. */
export function documentResult(
  done: ConsoleResult | undefined,
  document: DocumentRow,
): ShownResult | null {
  const { state } = latestVersion(document);
  const holds: Partial<Record<ConsoleResult, boolean>> = {
    add: true,
    edit: true,
    replace: document.versions.length > 1,
    withdraw: state === "withdrawn",
  };
  if (done === undefined || !holds[done]) return null;
  const text = done !== "withdraw" && document.guessable
    ? "Only the holder, administrators and people with access can confirm this file. Everyone else " +
      "who checks it sees “No published match”. You can change this below."
    : undefined;
  return { title: CONSOLE_RESULTS[done].title(""), text };
}

/** Returns the result of a change of an issuer; null if it is not true any longer. */
export function issuerResult(
  result: { done: ConsoleResult; of: string } | null,
  issuers: readonly IssuerRow[],
): ShownResult | null {
  if (result === null) return null;
  const { done, of } = result;
  if (!Object.hasOwn(ISSUER_RESULTS, done)) return null;
  const issuer = issuers.find(({ id }) => id === of);
  if ((issuer === undefined) !== (done === "remove_issuer")) return null;
  return { title: CONSOLE_RESULTS[done].title(issuer?.name ?? "") };
}
