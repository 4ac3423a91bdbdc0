/** The subjects of notices and undo links, and how other features take part in what happens to a record. */
import { z } from "zod";
import type { QueuedMail } from "../../../platform/mail/mod.ts";
import type { RecordEntry } from "./store.ts";

/** A sensitive event that is mailed to the holder's confirmed address (docs/records.md). */
export const noticeKind = z.enum([
  "passkey_added",
  "passkey_removed",
  "passkey_counter",
  "device_added",
  "mobile_confirmed",
  "mobile_rejected",
  "signed_in_by_code",
  "key_created",
  "key_replaced",
  "key_revoked",
  "declared",
  "exported",
  "access_approved",
  "document_shared",
  "correction",
  "correction_in_force",
  "correction_undone",
  "deletion",
  "deletion_cancelled",
  "recovery",
  "agent_connected",
]);

export type NoticeKind = z.infer<typeof noticeKind>;

/** An action of the link in a security notice. */
export const undoAction = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("remove_passkey"), credential: z.string() }),
  /**
   * Nothing besides what every link does. A link never restores a passkey or a key that was removed:
   * whoever removed it may have added it.
   */
  z.strictObject({ act: z.literal("sign_out") }),
  z.strictObject({ act: z.literal("unconfirm_mobile") }),
  z.strictObject({ act: z.literal("accept_mobile") }),
  z.strictObject({ act: z.literal("end_session"), session: z.string() }),
  z.strictObject({ act: z.literal("revoke_key"), key: z.string() }),
  z.strictObject({ act: z.literal("withdraw_declaration"), at: z.string() }),
  z.strictObject({ act: z.literal("revoke_access"), request: z.string() }),
  z.strictObject({ act: z.literal("revoke_share"), share: z.string() }),
  z.strictObject({ act: z.literal("cancel_correction") }),
  z.strictObject({ act: z.literal("cancel_deletion") }),
  z.strictObject({ act: z.literal("cancel_recovery") }),
  z.strictObject({ act: z.literal("disconnect_agent"), grant: z.string() }),
]);

export type Undo = z.infer<typeof undoAction>;

/**
 * The part of another feature when something happens to a record, such as moving its passkeys. Features
 * pass it in the hook `recordData`, so that they take part in deletion, correction and undo without
 * records importing them. Rows of tables with the column of their record need no `deleteOf`, and
 * those of tables that say `moves` no `move`.
 *
 * @example
 * ```ts
 * export const passkeyData = ({ kv, clock }: Deps): RecordData => ({
 *   name: "passkeys",
 *   move: (from, to, undoneSince) => removeSince(from, to, undoneSince),
 *   undo: { remove_passkey: (commit, { record, undo }) => … },
 * });
 * ```
 */
export interface RecordData {
  /** Identifies the feature in logs. */
  name: string;
  /**
   * Deletes what is stored for a record, besides the rows that their tables delete. It runs again
   * after a crash, so it succeeds if nothing is left.
   */
  deleteOf?(hash: string): Promise<void>;
  /**
   * Moves everything to the record that corrects `from`, or ends it, besides the rows of tables that
   * move afterwards. It runs again after a crash. The rows of both records, with their number of
   * passkeys and the user handle, are already updated.
   *
   * @param undoneSince for a correction that is withdrawn, lapses or is undone: when it was entered,
   * ISO 8601 in UTC. Whatever has given access to the record since then is deleted.
   */
  move?(from: string, to: string, undoneSince?: string): Promise<void>;
  /**
   * Removes data that must not outlive a session, such as devices that it registered for
   * notifications.
   *
   * @param session the session that ends, by its `firstSessionOf`; null if all sessions of the record
   * end
   */
  signOut?(hash: string, session: string | null): Promise<void>;
  /**
   * Ends the access of others to a record, such as connected apps, when an administrator's
   * link opens it again: somebody else may have had access.
   */
  endAccess?(hash: string): Promise<void>;
  /** Returns further members of the file that the holder downloads. */
  download?(hash: string): Promise<Record<string, unknown>>;
  undo?: Undoers;
}

/** The functions that undo an event, by its kind. */
export type Undoers = { [Action in Undo["act"]]?: Undoer<Action> };

/**
 * Adds to a commit what undoes an event. It checks whatever it depends on, and has no other effects.
 * Mails that it adds to the commit go to `mails`, and are sent after it.
 * If it changes the record's conditions, it calls `changeRecord` with the given record.
 *
 * @returns false if there is nothing left to undo; then it adds nothing
 */
export type Undoer<Action extends Undo["act"]> = (
  commit: Deno.AtomicOperation,
  context: {
    record: RecordEntry;
    undo: Extract<Undo, { act: Action }>;
    mails: QueuedMail[];
    now: number;
  },
) => Promise<boolean>;
