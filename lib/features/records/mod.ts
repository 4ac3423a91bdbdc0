/**
 * Records and their holders (design, section 11): trust levels, holder sessions, the access log and
 * security notices. A record is registered by the contact form, which stores its contact.
 *
 * Functions that take a `commit` only add to it: the caller decides what is committed together.
 *
 * @module
 */
import type { Chains } from "../chain/store/mod.ts";
import {
  type Contact,
  type ContactIndex,
  type MonthCount,
  readMonths,
  readRegistrations,
  readTotals,
  type RecordTotals,
  type RegistrationCount,
} from "../contact/mod.ts";
import type { Job } from "../../platform/jobs/mod.ts";
import { type TableDescription } from "../../platform/kv/mod.ts";
import type { Mailer } from "../../platform/mail/mod.ts";
import type { Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { OrganisationKey, SurfaceName, Surfaces } from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { type Reader, SITE } from "./access_log.ts";
import { createConfirmEmail, type EmailConfirmation } from "./confirm_email.ts";
import { type Correction, createCorrection } from "./correction.ts";
import { declare, type Declared, undoDeclaration } from "./declaration.ts";
import { type Completed, completeDeletion, createDeletion, type Deletion } from "./deletion.ts";
import {
  checkIdentity,
  type IdentityDecision,
  type IdentityResult,
  revokeIdentity,
} from "./identity.ts";
import { downloadRecord } from "./download.ts";
import { createKeyService, type KeyService } from "./key_service.ts";
import { createRecordKeys, type RecordKeys } from "./keys.ts";
import type { LinkedData } from "./linked.ts";
import { type SearchQuery, searchRecords, type SearchResult } from "./search.ts";
import type { RecordFilters } from "./filters.ts";
import { allRecords, type ListQuery, listRecords, readRecordOf, type RecordList } from "./list.ts";
import { createNotices, type Notices } from "./notice_mails.tsx";
import { createRecordOverview, type RecordOverview } from "./overview.ts";
import { createReaderEvents, type ReaderEvents } from "./reader_events.ts";
import { createRecoveries, type Recoveries } from "./recovery.ts";
import { chooseRecord, endSession, findSession, type HolderSession } from "./sessions.ts";
import { createSignInLinks, deleteSignInLinks, type LinkUse, type SignInLinks } from "./sign_in.ts";
import { createSignOuts, requestSignOut } from "./sign_outs.ts";
import { readRecord, type RecordEntry, waitsToCorrect } from "./store.ts";
import { type OpenedUndo, ownUndoers, readUndo, type UndoResult, useUndo } from "./undo.ts";

export {
  checkSession,
  type Holder,
  holderReaderOf,
  isRecent,
  linkUseOf,
  readerOfContext,
  readOpenRecord,
  requireHolder,
  requireLiveSession,
  requireRecent,
  requireRecentSession,
} from "./access.ts";
export * from "./access_log.ts";
export { LINK_CODE_LIFETIME_MS } from "./link_codes.ts";
export { logFeed, logFeedSchema, logQuerySchema } from "./log_feed.ts";
export { type Corrected, type Correction, type Waiting } from "./correction.ts";
export type { RecordTotals } from "../contact/mod.ts";
export { DECLARATION_LENGTH, declarationSchema, type Declared } from "./declaration.ts";
export { type Completed, type Deletion, isConfirmed, WRONG_DIGITS } from "./deletion.ts";
export {
  ADMINISTRATOR,
  type IdentityDecision,
  identityNoteSchema,
  type IdentityResult,
} from "./identity.ts";
export * from "./key_service.ts";
export * from "./keys.ts";
export * from "./levels.ts";
export type { LinkedData, NoticeKind, Undo } from "./linked.ts";
export {
  DELETION_DELAY_MS,
  type Notice,
  NOTICE_TEXTS,
  type Notices,
  RECOVERY_DELAY_MS,
} from "./notice_mails.tsx";
export { recordList, type RecordQuery, type RecordsFilters } from "./filters.ts";
export { type SearchResult } from "./search.ts";
export { type RecordList } from "./list.ts";
export * from "./reader_events.ts";
export { deletionKey, DELETIONS, type Scheduled } from "./erase.ts";
export {
  moveRecovery,
  type NewRecovery,
  type Recovery,
  RECOVERY_LINK_LIFETIME_MS,
} from "./recovery.ts";
export { recordLinkSchema, signOutSchema } from "./sign_in.ts";
export {
  clearedRecordCookie,
  firstSessionOf,
  type HolderSession,
  liveSessions,
  type NewHolderSession,
  sessionEntry,
  type SignInMethod,
  type StartedSession,
  startSession,
} from "./sessions.ts";
export {
  type LinkFailure,
  type LinkUse,
  type OpenLink,
  type RecordLinkRequest,
  type RecordSignIn,
  type SignInRequest,
} from "./sign_in.ts";
export * from "./store.ts";
export type { NewRecord, RecordOverview } from "./overview.ts";
export { type OpenedUndo, UNDO_LIFETIME_MS, type UndoResult } from "./undo.ts";

/** The dependencies that the parts of the feature share. */
export interface RecordsOptions {
  kv: Deno.Kv;
  clock: () => number;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
  secrets: Secrets;
  chains: Chains;
  contact: Contact;
  index: ContactIndex;
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, { name: string }>;
  /** Requests for sign-in links per hour from one client address; 0 for no limit. */
  clientLimit: number;
  log: (entry: Record<string, unknown>) => void;
  count?: Count;
  /** The data of other features that belongs to records. */
  linked: () => readonly LinkedData[];
  /** Those with the column of their record are deleted with it. */
  tables: readonly TableDescription[];
}

/** Every method rejects with `KvBusyError` while the store is too busy. */
export interface Records {
  notices: Notices;
  keys: RecordKeys;
  keyService: KeyService;
  readers: ReaderEvents;
  correction: Correction;
  deletion: Deletion;
  /** Stores an intent declaration that was validated with `declarationSchema`. */
  declare(hash: string, text: string, reader: Reader): Promise<Declared>;
  /** Returns the holder's copy of a record as a JSON file, or null if it does not exist. */
  download(hash: string, reader: Reader): Promise<string | null>;
  checkIdentity(decision: IdentityDecision): Promise<IdentityResult>;
  revokeIdentity(decision: IdentityDecision): Promise<IdentityResult>;
  /** Returns a page of an organisation's records, by default the newest. */
  list(organisation: OrganisationKey, query?: ListQuery): Promise<RecordList>;
  /** Searches an organisation's records for words or a hash. */
  search(organisation: OrganisationKey, query: SearchQuery): Promise<SearchResult>;
  /** Returns every record of an organisation that matches, in the order of registration. */
  all(
    organisation: OrganisationKey,
    query: RecordFilters,
  ): AsyncIterable<RecordEntry>;
  /** Returns the numbers of an organisation's registrations and of its records at each level. */
  totals(organisation: OrganisationKey): Promise<RecordTotals>;
  /** Returns the totals, and what the dashboard shows. It costs one read until a record is added. */
  overview(organisation: OrganisationKey): Promise<RecordOverview>;
  /** Returns the registrations of a period by day, type and site. */
  registrations(
    organisation: OrganisationKey,
    period: { from: string; to: string },
  ): Promise<RegistrationCount[]>;
  /** Returns the registrations of the months that days are in. It costs less than by type. */
  months(organisation: OrganisationKey, days: readonly string[]): Promise<MonthCount[]>;
  /** Reads a record of one organisation; null if it belongs to the other one. */
  readOf(organisation: OrganisationKey, hash: string): Promise<RecordEntry | null>;
  /** Reads the link of a security notice. */
  readUndo(token: string): Promise<OpenedUndo>;
  /** Undoes the event of a security notice, and ends every session of the record. */
  undo(token: string, reader: Reader): Promise<UndoResult>;
  /** Completes a deletion with the link of its notice, before it is due. */
  completeDeletion(token: string, digits: string): Promise<Completed>;
  /** Sign-in with mailed links. */
  links: SignInLinks;
  /** Recoveries by an administrator, for holders who have lost every way to sign in. */
  startRecovery: Recoveries["start"];
  recovery: Recoveries["read"];
  cancelRecovery: Recoveries["cancel"];
  /** Background work, for `jobs.register`. */
  jobs: readonly Job[];
  read(hash: string): Promise<RecordEntry | null>;
  /** Reads several records. Those that do not exist are left out. */
  readAll(hashes: readonly string[]): Promise<RecordEntry[]>;
  /** Confirms the email address of a record and signs in, if this is the first use of the link. */
  confirmEmail(token: string, use: LinkUse): Promise<EmailConfirmation>;
  session(request: Request, surface: SurfaceName): Promise<HolderSession | null>;
  choose(session: HolderSession, hash: string): Promise<{ ok: true } | Failure>;
  signOut(request: Request): Promise<void>;
  /** Ends every session that may open a record, because its holder asked for it. */
  signOutEverywhere(hash: string, reader: Reader): Promise<void>;
}

export function createRecords(options: RecordsOptions): Records {
  const { kv, clock } = options;
  const notices = createNotices(options);
  const keys = createRecordKeys({ ...options, notices });
  const readers = createReaderEvents(options);
  const recoveries = createRecoveries({ ...options, notices });
  const moved = (): LinkedData[] => [
    ...options.linked(),
    recoveries.data,
    { name: "sign-in links", deleteOf: (hash) => deleteSignInLinks(kv, hash) },
    signOuts.data,
  ];
  const correction = createCorrection({ ...options, linked: moved, notices });
  const linked = () => [...moved(), correction.data];
  const signOuts = createSignOuts({ ...options, linked, resume: correction.resume });
  const confirmEmail = createConfirmEmail(options);
  const deletion = createDeletion({
    ...options,
    notices,
    linked,
    withdraw: (hash) => correction.withdraw(hash, SITE),
    finishSignOut: signOuts.finish,
  });
  const links = createSignInLinks(options);
  const undoers = () => [
    ownUndoers(options),
    deletion.undoers,
    correction.undoers,
    { withdraw_declaration: undoDeclaration, sign_out: () => Promise.resolve(true) },
    ...moved().flatMap(({ undo }) => undo ?? []),
  ];
  return {
    notices,
    keys,
    correction,
    deletion,
    declare: (hash, text, reader) => declare({ ...options, notices }, hash, text, reader),
    download: (hash, reader) => downloadRecord({ ...options, notices }, hash, reader),
    checkIdentity: (decision) => checkIdentity(options, decision),
    revokeIdentity: (decision) => revokeIdentity(options, decision),
    list: (organisation, query) => listRecords({ kv }, organisation, query),
    search: (organisation, query) => searchRecords({ kv }, organisation, query),
    all: (organisation, query) => allRecords(kv, organisation, query),
    totals: (organisation) => readTotals(kv, organisation),
    overview: createRecordOverview({ kv, clock }),
    registrations: (organisation, period) => readRegistrations(kv, organisation, period),
    months: (organisation, days) => readMonths(kv, organisation, days),
    readOf: (organisation, hash) => readRecordOf(kv, organisation, hash),
    readUndo: (token) => readUndo(options, token),
    undo: (token, reader) =>
      useUndo(
        {
          ...options,
          undoers: undoers(),
          beforeUndo: correction.resumeAll,
          afterUndo: signOuts.finish,
        },
        token,
        reader,
      ),
    completeDeletion: (token, digits) => completeDeletion({ kv, clock, deletion }, token, digits),
    keyService: createKeyService({ ...options, keys, readers }),
    readers,
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
    startRecovery: recoveries.start,
    recovery: recoveries.read,
    cancelRecovery: recoveries.cancel,
    jobs: [recoveries.job, {
      name: "corrections",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      run: async (context) => `${await correction.run(context)} finished`,
    }, {
      name: "sign-outs",
      everyMs: MINUTE_MS,
      maxMs: MINUTE_MS,
      run: async (context) => `${await signOuts.run(context)} finished`,
    }, {
      name: "deletions",
      everyMs: 5 * MINUTE_MS,
      maxMs: MINUTE_MS,
      resumeMs: MINUTE_MS,
      run: async (context) => `${await deletion.deleteDue(context)} deleted`,
    }],
    async confirmEmail(token, use) {
      const result = await confirmEmail(token, use);
      if (result.confirmation.ok) await correction.settle(result.confirmation.hash);
      return result;
    },
    read: (hash) => readRecord(kv, hash),
    async readAll(hashes) {
      const read = await Promise.all(hashes.map((hash) => readRecord(kv, hash)));
      return read.filter((record) => record !== null);
    },
    session: (request, surface) => findSession(kv, request, surface, clock()),
    choose: (session, hash) => chooseRecord(kv, clock, session, hash),
    signOut: (request) => endSession(kv, clock, request, signOuts.leave),
    async signOutEverywhere(hash, reader) {
      const record = await readRecord(kv, hash);
      // A correction that is not in force has nothing of its own: the record that it corrects has it.
      const waits = record !== null && await waitsToCorrect(kv, record);
      for (const each of waits ? [record.row.replaces!, hash] : [hash]) {
        await requestSignOut(kv, clock, each, reader);
        await signOuts.finish(each);
      }
    },
  };
}
