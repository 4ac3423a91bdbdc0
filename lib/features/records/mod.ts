/**
 * Records and their holders (docs/records.md): trust levels, holder sessions, the access log and
 * security notices. A record is registered by the contact form, which stores its contact.
 *
 * Functions that take a `commit` only add to it: the caller decides what is committed together.
 *
 * @module
 */
import type { Job } from "../../platform/jobs/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { OrganisationKey, SurfaceName } from "../../platform/surfaces/mod.ts";
import { type Reader, SITE } from "./access_log.ts";
import { createEmailConfirmations, type EmailConfirmations } from "./confirm_email.ts";
import { type Correction, createCorrection } from "./correction.ts";
import { declare, type Declared, undoDeclaration } from "./declaration.ts";
import { createDeletion, type Deletion } from "./deletion.ts";
import { downloadRecord } from "./download.ts";
import { createKeyService, type KeyService } from "./key_service.ts";
import { createRecordKeys, type RecordKeys } from "./keys.ts";
import { readRecordOf } from "./list.ts";
import { createNotices, type Notices } from "./notice_mails.ts";
import type { RecordsOptions } from "./options.ts";
import { createRecordOverview, type RecordOverview } from "./overview.ts";
import { createHolderPasskeys, type HolderPasskeys } from "./passkeys.ts";
import { createReaderEvents, type ReaderEvents } from "./reader_events.ts";
import { createRecoveries, type Recoveries } from "./recovery.ts";
import {
  chooseRecord,
  createSessionHints,
  endSession,
  findSession,
  type HolderSession,
} from "./sessions.ts";
import { createSignInLinks, type SignInLinks } from "./sign_in.ts";
import { createSignOuts, requestSignOut } from "./sign_outs.ts";
import { readRecord, type RecordEntry, takesPartInCorrection, waitsToCorrect } from "./store.ts";
import { ownUndoers, type UndoResult, useUndo } from "./undo.ts";

export {
  type Holder,
  type HolderState,
  isRecent,
  linkUseOf,
  readerOfContext,
  requireHolder,
  requireHolderSession,
  requireOpenRecord,
  requireRecent,
  requireRecentSession,
} from "./access.ts";
export { type ConsoleRecords, readOwnRecord } from "./own_records.ts";
export {
  ACCESS_TEXTS,
  type AccessEntry,
  accessIdSchema,
  type AccessKind,
  addAccess,
  OTHER_PROGRAM,
  readAccessLog,
  type Reader,
  readerOf,
  SITE,
} from "./access_log.ts";
export type { EmailConfirmation, EmailConfirmations } from "./confirm_email.ts";
export { DECLARATION_LENGTH, declarationSchema } from "./declaration.ts";
export { isConfirmed, WRONG_DIGITS } from "./deletion.ts";
export { DELETION_DELAY_MS, deletions } from "./erase.ts";
export {
  recordList,
  recordOrder,
  type RecordQuery,
  recordSearch,
  type RecordsFilters,
  recordType,
} from "./filters.ts";
export { ADMINISTRATOR, checkIdentity, identityNoteSchema, revokeIdentity } from "./identity.ts";
export {
  type KeyAnswer,
  keyReportSchema,
  keySchema,
  LOOK_UPS_PER_MINUTE,
  NOT_A_KEY,
  type Visit,
} from "./key_service.ts";
export {
  createRecordKeys,
  KEY_LEVEL,
  keyActionSchema,
  keyData,
  type KeyOverview,
  moveKeys,
} from "./keys.ts";
export { type ConditionChange, type Level, levelOf, type NextStep, nextStep } from "./levels.ts";
export { findKey, keyFrom, MAX_KEY_INPUT, newKey } from "./key_code.ts";
export { KEYS_PER_DAY } from "./limits.ts";
export { LINK_CODE_LIFETIME_MS } from "./link_codes.ts";
export type { LinkedData, NoticeKind, Undo } from "./linked.ts";
export { allRecords, listRecords, readRecordOf, readRecords, type RecordList } from "./list.ts";
export { logFeed, logFeedSchema, logQuerySchema } from "./log_feed.ts";
export type { LinkFailure, SignInRequest } from "./mailed_link.ts";
export { NOTICE_TEXTS, type Notices, RECOVERY_DELAY_MS } from "./notice_mails.ts";
export type { NewRecord, RecordOverview } from "./overview.ts";
export { passkeyData } from "./passkey_removal.ts";
export { passkeyFormSchema } from "./passkeys.ts";
export {
  type AddToAction,
  isOwnReading,
  isReading,
  NONCE_LIFETIME_MS,
  type NonceScope,
  type ReaderAction,
  type ReaderEvents,
  type ReaderResult,
} from "./reader_events.ts";
export { type Recovery, RECOVERY_LINK_LIFETIME_MS } from "./recovery.ts";
export { clearedReturnCookie, returnCookie, returnOf, signInAgainPath } from "./return_cookie.ts";
export { search, searchIssue, wordTest } from "./search.ts";
export {
  clearedRecordCookie,
  firstSessionOf,
  type HolderSession,
  holderSessions,
  liveSessions,
  type NewHolderSession,
  type SignInMethod,
  startSession,
} from "./sessions.ts";
export { type LinkUse, type OpenLink, recordLinkSchema, signOutSchema } from "./sign_in.ts";
export {
  changeRecord,
  conditionsOf,
  type IdentityCheck,
  newRow,
  NOT_IN_FORCE,
  readCurrentRecord,
  readExisting,
  readRecord,
  type RecordChange,
  type RecordEntry,
  type RecordRow,
  recordRows,
  waitsToCorrect,
} from "./store.ts";
export {
  type OpenedUndo,
  readUndo,
  removeUndos,
  UNDO_LIFETIME_MS,
  type UndoResult,
} from "./undo.ts";
export type { Waiting } from "./waiting.ts";

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Records {
  notices: Notices;
  passkeys: HolderPasskeys;
  keys: RecordKeys;
  keyService: KeyService;
  readers: ReaderEvents;
  correction: Correction;
  deletion: Deletion;
  recoveries: Recoveries;
  links: SignInLinks;
  /** Background work, for `jobs.register`. */
  jobs: readonly Job[];
  /** Stores an intent declaration that was validated with `declarationSchema`. */
  declare(hash: string, text: string, reader: Reader): Promise<Declared>;
  /** Returns the holder's copy of a record as a JSON file, or null if it does not exist. */
  download(hash: string, reader: Reader): Promise<string | null>;
  /** Returns the totals, and what the dashboard shows. It costs one read until a record is added. */
  overview(organisation: OrganisationKey): Promise<RecordOverview>;
  read(hash: string): Promise<RecordEntry | null>;
  /** Reads a record of one organisation; null if it belongs to the other one. */
  readOf(organisation: OrganisationKey, hash: string): Promise<RecordEntry | null>;
  /** Undoes the event of a security notice, and ends every session of the record. */
  undo(token: string, reader: Reader): Promise<UndoResult>;
  emails: EmailConfirmations;
  session(request: Request, surface: SurfaceName): Promise<HolderSession | null>;
  /** Returns the records that a session may open. Those that do not exist are left out. */
  choicesOf(session: HolderSession): Promise<RecordEntry[]>;
  choose(session: HolderSession, hash: string): Promise<{ ok: true } | Failure>;
  signOut(request: Request): Promise<void>;
  /** Ends every session that may open a record, because its holder asked for it. */
  signOutEverywhere(hash: string, reader: Reader): Promise<void>;
}

export function createRecords(options: RecordsOptions): Records {
  const { kv, clock, index } = options;
  const notices = createNotices(options);
  const keys = createRecordKeys({ ...options, notices });
  const readers = createReaderEvents(options);
  const recoveries = createRecoveries({ ...options, notices });
  const linked = () => [...options.linked(), recoveries.data];
  const correction = createCorrection({ ...options, linked, notices });
  const signOuts = createSignOuts({ ...options, linked, resume: correction.resume });
  const deletion = createDeletion({
    ...options,
    notices,
    linked,
    withdraw: (hash) => correction.withdraw(hash, SITE),
    finishSignOut: signOuts.finish,
  });
  const links = createSignInLinks(options);
  const hints = createSessionHints();
  const emails = createEmailConfirmations(options);
  const undoers = () => [
    ownUndoers(options),
    deletion.undoers,
    correction.undoers,
    { withdraw_declaration: undoDeclaration },
    ...linked().flatMap(({ undo }) => undo ?? []),
  ];
  return {
    notices,
    passkeys: createHolderPasskeys({ ...options, notices }),
    keys,
    keyService: createKeyService({ ...options, keys, readers }),
    readers,
    correction,
    deletion,
    recoveries,
    links: {
      ...links,
      async use(token, use) {
        const signedIn = await links.use(token, use);
        if (signedIn.ok && signedIn.recovered !== null) {
          for (const each of linked()) await each.endAccess?.(signedIn.recovered);
        }
        return signedIn;
      },
    },
    jobs: [recoveries.job, correction.job, signOuts.job],
    declare: (hash, text, reader) => declare({ ...options, notices }, hash, text, reader),
    download: (hash, reader) => downloadRecord({ ...options, notices }, hash, reader),
    overview: createRecordOverview({ kv, clock, index }),
    read: (hash) => readRecord(kv, hash),
    readOf: (organisation, hash) => readRecordOf(kv, organisation, hash),
    undo(token, reader) {
      const { resumeAll: beforeUndo } = correction;
      const undo = { ...options, undoers: undoers(), beforeUndo, afterUndo: signOuts.finish };
      return useUndo(undo, token, reader);
    },
    emails: {
      read: emails.read,
      async confirm(token, use) {
        const result = await emails.confirm(token, use);
        const { confirmation, record } = result;
        if (confirmation.ok && record !== null && takesPartInCorrection(record)) {
          await correction.settle(record.hash);
        }
        return result;
      },
    },
    session: (request, surface) => findSession({ kv, hints }, request, surface, clock()),
    async choicesOf({ choices, opened }) {
      const read = await Promise.all(
        choices.map((hash) => hash === opened?.hash ? opened : readRecord(kv, hash)),
      );
      return read.filter((record) => record !== null);
    },
    choose: (session, hash) => chooseRecord(kv, clock, session, hash),
    signOut: (request) => endSession(kv, clock, request, signOuts.leave),
    async signOutEverywhere(hash, reader) {
      const record = await readRecord(kv, hash);
      // A correction that is not in force has nothing of its own: the record that it corrects has it.
      const waits = record !== null && await waitsToCorrect(kv, record);
      const hashes = waits ? [record.row.replaces!, hash] : [hash];
      // All are requested first, because finishing one may end the session of the request.
      for (const each of hashes) await requestSignOut(kv, clock, each, reader);
      for (const each of hashes) await signOuts.finish(each);
    },
  };
}
