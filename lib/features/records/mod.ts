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
import { type Reader, SITE } from "./access_log/access_log.ts";
import { createEmailConfirmations, type EmailConfirmations } from "./sign_in/confirm_email.ts";
import { type Correction, createCorrection } from "./correction/correction.ts";
import { declare, type Declared, undoDeclaration } from "./conditions/declaration.ts";
import { createDeletion, type Deletion } from "./deletion/deletion.ts";
import { downloadRecord } from "./download.ts";
import { createKeyService, type KeyService } from "./keys/key_service.ts";
import { createRecordKeys, type RecordKeys } from "./keys/keys.ts";
import { readRecordOf } from "./lists/list.ts";
import { createNotices, type Notices } from "./notices/notices.ts";
import type { RecordsOptions } from "./record/options.ts";
import { createRecordOverview, type RecordOverview } from "./lists/overview.ts";
import { createHolderPasskeys, type HolderPasskeys } from "./passkeys/passkeys.ts";
import { createReaderEvents, type ReaderEvents } from "./readers/reader_events.ts";
import { createRecoveries, type Recoveries } from "./recovery/recovery.ts";
import { chooseRecord, endSession, findSession } from "./sessions/sessions.ts";
import type { HolderSession } from "./sessions/table.ts";
import { createSignInLinks, type SignInLinks } from "./sign_in/sign_in.ts";
import { createSignOuts, requestSignOut } from "./sessions/sign_outs.ts";
import {
  readRecord,
  type RecordEntry,
  takesPartInCorrection,
  waitsToCorrect,
} from "./record/store.ts";
import { ownUndoers, type UndoResult, useUndo } from "./notices/undo.ts";

export {
  type HolderState,
  linkUseOf,
  readerOfContext,
  requireHolder,
  requireHolderSession,
  requireOpenRecord,
  requireRecent,
  requireRecentSession,
} from "./http.ts";
export { type ConsoleRecords, readOwnRecord } from "./http.ts";
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
} from "./access_log/access_log.ts";
export type { EmailConfirmation, EmailConfirmations } from "./sign_in/confirm_email.ts";
export { DECLARATION_LENGTH, declarationSchema } from "./conditions/declaration.ts";
export { isConfirmed, WRONG_DIGITS } from "./deletion/deletion.ts";
export { deletedAmong, deletions } from "./deletion/erase.ts";
export { DELETION_DELAY_MS, RECOVERY_DELAY_MS, UNDO_LIFETIME_MS } from "./notices/delays.ts";
export {
  recordList,
  recordOrder,
  type RecordQuery,
  recordSearch,
  type RecordsFilters,
  recordType,
} from "./lists/filters.ts";
export {
  ADMINISTRATOR,
  checkIdentity,
  identityNoteSchema,
  revokeIdentity,
} from "./conditions/identity.ts";
export {
  type KeyAnswer,
  keyReportSchema,
  keySchema,
  LOOK_UPS_PER_MINUTE,
  NOT_A_KEY,
  type Visit,
} from "./keys/key_service.ts";
export {
  createRecordKeys,
  KEY_LEVEL,
  keyActionSchema,
  keyData,
  type KeyOverview,
  KEYS_PER_DAY,
  moveKeys,
} from "./keys/keys.ts";
export {
  type ConditionChange,
  type Level,
  levelOf,
  type NextStep,
  nextStep,
} from "./record/levels.ts";
export { findKey, keyFrom, MAX_KEY_INPUT, newKey } from "./keys/key_code.ts";
export { LINK_CODE_LIFETIME_MS } from "./sign_in/link_codes.ts";
export type { NoticeKind, RecordData, Undo } from "./record/record_data.ts";
export { allRecords, listRecords, readRecordOf, type RecordList } from "./lists/list.ts";
export { logFeed, logFeedSchema, logQuerySchema } from "./access_log/feed.ts";
export type { LinkFailure, LinkUse, SignInRequest } from "./sign_in/mailed_link.ts";
export type { Notices } from "./notices/notices.ts";
export { NOTICE_TEXTS } from "./notices/texts.ts";
export type { NewRecord, RecordOverview } from "./lists/overview.ts";
export { passkeyData } from "./passkeys/removal.ts";
export { passkeyFormSchema } from "./passkeys/passkeys.ts";
export {
  type AddToAction,
  isOwnReading,
  isReading,
  NONCE_LIFETIME_MS,
  type NonceScope,
  type ReaderAction,
  type ReaderEvents,
  type ReaderResult,
} from "./readers/reader_events.ts";
export type { Recovery } from "./recovery/recovery.ts";
export { RECOVERY_LINK_LIFETIME_MS } from "./recovery/table.ts";
export {
  clearedReturnCookie,
  returnCookie,
  returnOf,
  signInAgainPath,
} from "./sessions/return_cookie.ts";
export { search, searchIssue, wordTest } from "./lists/search.ts";
export { liveSessions } from "./sessions/sessions.ts";
export { type NewHolderSession, startSession } from "./sessions/start.ts";
export {
  clearedRecordCookie,
  firstSessionOf,
  type Holder,
  type HolderSession,
  holderSessions,
  isRecent,
  type SignInMethod,
} from "./sessions/table.ts";
export { type OpenLink, recordLinkSchema, signOutSchema } from "./sign_in/sign_in.ts";
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
  replacedAmong,
  waitsToCorrect,
} from "./record/store.ts";
export type { UndoResult } from "./notices/undo.ts";
export { type OpenedUndo, readUndo, removeUndos } from "./notices/undo_links.ts";
export type { Waiting } from "./correction/waiting.ts";

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

/** Creates the records and everything that holders do with them. The caller runs the jobs. */
export function createRecords(options: RecordsOptions): Records {
  const { kv, clock, index } = options;
  const notices = createNotices(options);
  const keys = createRecordKeys({ ...options, notices });
  const readers = createReaderEvents(options);
  const recoveries = createRecoveries({ ...options, notices });
  const recordData = () => [...options.recordData(), recoveries.data];
  const correction = createCorrection({ ...options, recordData, notices });
  const signOuts = createSignOuts({ ...options, recordData, resume: correction.resume });
  const deletion = createDeletion({
    ...options,
    notices,
    recordData,
    withdraw: (hash) => correction.withdraw(hash, SITE),
    finishSignOut: signOuts.finish,
  });
  const links = createSignInLinks({ ...options, findRecovery: recoveries.findLink });
  const emails = createEmailConfirmations(options);
  const undoers = () => [
    ownUndoers(options),
    deletion.undoers,
    correction.undoers,
    { withdraw_declaration: undoDeclaration },
    ...recordData().flatMap(({ undo }) => undo ?? []),
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
          for (const each of recordData()) await each.endAccess?.(signedIn.recovered);
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
          await correction.putInForce(record.hash);
        }
        return result;
      },
    },
    session: (request, surface) => findSession(kv, request, surface, clock()),
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
