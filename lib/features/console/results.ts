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
  check: { title: () => "The identity check is recorded", back: "later: revoke" },
  revoke_level: { title: () => "Level 4 is revoked", back: "asks" },
  recover: { title: () => "The recovery has started", back: "undo" },
  cancel_recovery: { title: () => "The recovery is cancelled", back: "asks" },
  delete_record: { title: (name) => `Record ${name}… is deleted`, back: "asks" },
  add: { title: () => "The document is added", back: "later: withdraw" },
  replace: { title: () => "The new version is added", back: "later: withdraw" },
  edit: { title: () => "The description is saved", back: "later: edit" },
  withdraw: { title: () => "The version is withdrawn", back: "asks" },
  delete_user: { title: (name) => `User ${name} is deleted`, back: "asks" },
} as const satisfies Record<string, ResultText>;

export type ConsoleResult = keyof typeof CONSOLE_RESULTS;

/** Returns which result the URL of a page asks for, with what it concerns. */
export const consoleResultOf = (url: URL): { done: ConsoleResult; of: string } | null => {
  const { done, of } = resultIn(url);
  return Object.hasOwn(CONSOLE_RESULTS, done) ? { done: done as ConsoleResult, of } : null;
};

/** Returns the result of the deletion of a record, which the list shows; null if it is not true. */
export async function recordDeletionResult(
  { chains, records }: { chains: Pick<Chains, "page">; records: Pick<Records, "read"> },
  url: URL,
): Promise<ShownResult | null> {
  const result = consoleResultOf(url);
  const hash = hashSchema.safeParse(result?.of);
  if (result?.done !== "delete_record" || !hash.success) return null;
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
  const result = consoleResultOf(url);
  if (result?.done !== "delete_user" || !/^\d{1,15}$/.test(result.of)) return null;
  if (await auth.readUser(Number(result.of)) !== null) return null;
  return { title: CONSOLE_RESULTS.delete_user.title(result.of) };
}

/** Returns the result of a change of a document, which its page shows; null if it is not true. */
export function documentResult(url: URL, document: DocumentRow): ShownResult | null {
  const done = consoleResultOf(url)?.done;
  const { state } = latestVersion(document);
  const holds: Partial<Record<ConsoleResult, boolean>> = {
    add: true,
    edit: true,
    replace: document.versions.length > 1,
    withdraw: state === "withdrawn",
  };
  return done !== undefined && holds[done] ? { title: CONSOLE_RESULTS[done].title("") } : null;
}
