import { newSalt, recordHash } from "../chain/mod.ts";
import type { Chains } from "../chain/store/mod.ts";
import {
  aboutContact,
  addContact,
  CONFIRMATION_LIFETIME_MS,
  type Contact,
  type Declaration,
  type Enquiry,
  ownerOf,
  type StoredContact,
} from "../contact/mod.ts";
import { encodeHex } from "../../base/encoding.ts";
import { type JobContext, sweepRows } from "../../platform/jobs/mod.ts";
import {
  type Expiring,
  expiring,
  isLive,
  isoAfter,
  readSlot,
  type SlidingWindow,
  transact,
} from "../../platform/kv/mod.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure, type RateLimited, rateLimited } from "../../base/result.ts";
import type { OrganisationKey, Surfaces } from "../../platform/surfaces/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { checkSession } from "./access.ts";
import { addAccess, moveAccessLog, type Reader, SITE } from "./access_log.ts";
import { correctionMail } from "./correction_mail.tsx";
import { declarationsFit } from "./declaration.ts";
import { levelOf } from "./levels.ts";
import { deletionKey, type EraseOptions, eraseRecord, type Scheduled } from "./erase.ts";
import type { LinkedData, Undoer, Undoers } from "./linked.ts";
import type { Notices } from "./notice_mails.tsx";
import { isReturn, RENEWED_MS, replacedAddresses } from "./replaced_address.ts";
import {
  endAllSessions,
  type HolderSession,
  leaveCorrection,
  moveSessions,
  openCorrection,
} from "./sessions.ts";
import {
  conditionsOf,
  newRow,
  readRecord,
  type RecordEntry,
  recordKey,
  type RecordRow,
  recount,
  waitsToCorrect,
} from "./store.ts";
import { UNDO_LIFETIME_MS } from "./undo.ts";

/** The contact data that must be confirmed before a correction takes effect. */
export type Waiting = "email" | "mobile";

export type Corrected =
  | { ok: true; to: string; waitsFor: Waiting | null }
  | Failure<"not_found" | "conflict" | "rate_limited" | "unavailable">;

export interface CorrectionOptions extends EraseOptions {
  clock: () => number;
  chains: Chains;
  contact: Pick<Contact, "linkSlot">;
  mailer: Mailer;
  notices: Notices;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, { name: string }>;
}

/**
 * The correction of a record's contact data (design, section 11). A record never changes, so the
 * corrected data is a new record with its own chain. It takes effect once the changed address or
 * number is confirmed, or at once if neither changed. Until then the old record stays in force.
 */
export interface Correction {
  /** Registers the corrected record. It replaces an earlier correction that is not in force yet. */
  start(hash: string, enquiry: Enquiry, reader: Reader): Promise<Corrected>;
  /** Returns what the correction of a record waits for, or null if there is none. */
  waiting(record: RecordEntry): Promise<{ to: RecordEntry; waitsFor: Waiting | null } | null>;
  /**
   * Returns whether the number of a record can be confirmed: always, unless it is a correction that
   * does not wait for that.
   */
  mayConfirmNumber(record: RecordEntry): Promise<boolean>;
  /**
   * Puts a correction in force if what it waits for is confirmed. Call it after an address or number
   * was confirmed.
   *
   * @param hash the corrected record or the one that it corrects
   */
  settle(hash: string): Promise<void>;
  /** Opens a correction that is not in force yet, so that its holder can confirm the number. */
  open(session: HolderSession, hash: string): Promise<{ ok: true } | Failure<"not_found">>;
  /** Withdraws a correction that is not in force yet. */
  withdraw(hash: string, reader: Reader): Promise<void>;
  /** Finishes the move that a commit has started for a record, if there is one. */
  resume(hash: string): Promise<void>;
  /** Finishes the moves of a record and of those that it corrects. */
  resumeAll(hash: string): Promise<void>;
  /** Finishes interrupted corrections and withdraws those that nobody confirmed. */
  run(context: JobContext): Promise<number>;
  undoers: Undoers;
  data: LinkedData;
}

/** The row `["record_corrections", old]`: a correction that waits, or a move in progress. */
type Work = { state: "waiting"; to: string; until: string } | Move;

/** A move of everything from one record to another. */
interface Move {
  state: "moving";
  from: string;
  to: string;
  /** The records that it leaves empty, which are erased. */
  erase: string[];
  /**
   * If a correction is withdrawn, lapses or is undone: when it was entered. What has given access to
   * the record since then is not moved.
   */
  undoneSince: string | null;
  /** True if all sessions end, because the correction was undone. Absent in earlier rows. */
  signOut?: boolean;
}

const PREFIX = "record_corrections";
const workKey = (hash: string): Deno.KvKey => [PREFIX, hash];
const timesKey = (hash: string): Deno.KvKey => ["record_correction_times", hash];

/** Corrections per record and day, because each may send a mail to any address. */
export const CORRECTIONS_PER_DAY = 5;

const limitOf = (hash: string): SlidingWindow => ({
  key: timesKey(hash),
  limit: CORRECTIONS_PER_DAY,
  windowMs: DAY_MS,
});

const tooMany = (waitMs: number): RateLimited => ({
  ...rateLimited(waitMs),
  message: `A record can be corrected at most ${CORRECTIONS_PER_DAY} times a day.`,
});

const tooManyLinks = (waitMs: number): RateLimited => ({
  ...rateLimited(waitMs),
  message: "Too many links were sent to this email address. Try again in an hour.",
});

const UNCHANGED = { message: "You have not changed anything." };
const CANCEL = { act: "cancel_correction" } as const;
const NOT_IN_FORCE = { message: "This record is not in force, so it cannot be corrected." };

export function createCorrection(options: CorrectionOptions): Correction {
  const { kv, clock, chains, contact, index, mailer, notices, surfaces, organisations, linked } =
    options;

  async function start(given: string, enquiry: Enquiry, reader: Reader): Promise<Corrected> {
    // A correction that is not in force yet is replaced, not corrected.
    const opened = await readRecord(kv, given);
    const waits = opened !== null && await waitsToCorrect(kv, opened);
    const hash = waits ? opened.row.replaces! : given;
    const confirmUrl = surfaces.url("trust", "/confirm");
    if (confirmUrl === null) return fail("unavailable");
    const before = await readRecord(kv, hash);
    if (before === null) return fail("not_found");
    if (!isInForce(before.row)) return fail("conflict", NOT_IN_FORCE);
    if (sameEnquiry(before.contact.value.record, enquiry)) return fail("conflict", UNCHANGED);
    const { waitMs } = await readSlot(kv, limitOf(hash), clock());
    if (waitMs > 0) return tooMany(waitMs);
    const waitsFor = waitingFor(before.contact.value.record, enquiry);
    const links = await contact.linkSlot(enquiry.email, clock());
    if (waitsFor === "email" && links.waitMs > 0) return tooManyLinks(links.waitMs);
    await checkSession(kv, kv.atomic(), reader.session); // before the withdrawal
    if (before.row.correction) await withdraw(hash, null);

    const salt = newSalt();
    const to = await recordHash(salt, enquiry);
    let failure: Corrected = fail("not_found");
    let mails: QueuedMail[] = [];
    const chain = await chains.start(to, async (commit) => {
      const now = clock();
      const [record, work] = await Promise.all([readRecord(kv, hash), kv.get<Work>(workKey(hash))]);
      const slot = await readSlot(kv, limitOf(hash), now);
      if (record === null) return false;
      if (!isInForce(record.row) || record.row.correction || work.versionstamp !== null) {
        failure = fail("conflict", NOT_IN_FORCE);
        return false;
      }
      if (slot.waitMs > 0) {
        failure = tooMany(slot.waitMs);
        return false;
      }
      await checkSession(kv, commit, reader.session);
      slot.take(commit);
      if (waitsFor === "email") {
        const links = await contact.linkSlot(enquiry.email, now);
        if (links.waitMs > 0) {
          failure = tooManyLinks(links.waitMs);
          return false;
        }
        links.take(commit);
      }
      const at = new Date(now).toISOString();
      const organisation = ownerOf(record.contact.value);
      const { confirmed_at, declarations, site } = record.contact.value;
      const token = addContact(commit, to, {
        record: enquiry,
        organisation,
        salt: encodeHex(salt),
        now,
        carried: {
          ...site === undefined ? {} : { site },
          ...declarations === undefined ? {} : { declarations },
          ...waitsFor === "email" ? {} : { confirmed_at },
        },
      });
      const { user_handle } = record.row;
      const row: RecordRow = {
        ...newRow({ registered_at: at }),
        counted: null, // until it is in force
        user_handle,
        replaces: hash,
      };
      const until = new Date(now + CONFIRMATION_LIFETIME_MS).toISOString();
      commit.check(record.contact, record.entry, work)
        .set(recordKey(to), row)
        .set(recordKey(hash), { ...record.row, correction: { to, at } })
        .set(workKey(hash), { state: "waiting", to, until } satisfies Work);
      addAccess(
        commit,
        hash,
        { what: "corrected", detail: "entered, not in force yet", reader },
        now,
      );
      const undo = await isReturn(kv, record, enquiry.email, now) ? null : CANCEL;
      mails = await notices.add(commit, { record, kind: "correction", undo, reader }, now);
      if (waitsFor === "email") {
        const mail = correctionMail({
          organisation: { key: organisation, name: organisations[organisation].name },
          to: enquiry.email,
          link: `${confirmUrl}?token=${token}`,
        });
        const expiresAt = now + CONFIRMATION_LIFETIME_MS;
        const about = aboutContact(to);
        mails.push(await mailer.add(commit, mail, { expiresAt, about, kind: "correction" }));
      }
    });
    if (chain === null) return failure;
    mailer.send(mails);
    await settle(to);
    return { ok: true, to, waitsFor };
  }

  /** Returns the record that a correction changes, given either of the two. */
  async function correctedBy(hash: string): Promise<string> {
    const record = await readRecord(kv, hash);
    return record?.row.correction ? hash : record?.row.replaces ?? hash;
  }

  async function settle(given: string): Promise<void> {
    const hash = await correctedBy(given);
    let mails: QueuedMail[] = [];
    await transact(async () => {
      mails = [];
      const now = clock();
      const old = await readRecord(kv, hash);
      if (!old?.row.correction || old.row.deletion_at) return { result: undefined };
      const { to } = old.row.correction;
      const next = await readRecord(kv, to);
      if (next === null || stillWaiting(old, next) !== null) return { result: undefined };
      const at = new Date(now).toISOString();
      const { record: entered } = next.contact.value;
      const sameNumber = entered.mobile === old.contact.value.record.mobile;
      const row: RecordRow = {
        ...next.row,
        deletion_at: null, // of an earlier version
        passkeys: old.row.passkeys + next.row.passkeys,
        mobile_confirmed_at: entered.mobile !== undefined && sameNumber
          ? old.row.mobile_confirmed_at
          : next.row.mobile_confirmed_at,
      };
      const contact = { ...next.contact, value: withDeclarations(next, old) };
      row.level = levelOf(conditionsOf({ contact, row }));
      for (const level of [2, 3] as const) {
        if (level <= row.level) row.reached[level] ??= at;
      }
      row.counted = row.level;
      const returns = await isReturn(kv, old, entered.email, now);
      const replaced: RecordRow = {
        ...old.row,
        counted: null,
        correction: null,
        replaced_by: to,
        replaced_at: at,
        ...returns ? { undo_until: null } : {},
        passkeys: 0,
      };
      const commit = kv.atomic()
        .check(old.contact, old.entry, next.contact, next.entry)
        .set(contact.key, contact.value)
        .set(recordKey(to), row)
        .set(recordKey(hash), replaced)
        .delete(deletionKey(to))
        .set(workKey(hash), moving(hash, to));
      // The limit is per holder, so it moves too: the chain of corrections stays short.
      await copySlots(commit, hash, to, now);
      recount(commit, next, row);
      recount(commit, old, replaced);
      await indexRecord(commit, { ...next, row }, hash, old);
      addAccess(commit, to, { what: "corrected", detail: "in force", reader: SITE }, now);
      if (waitingFor(old.contact.value.record, entered) !== null) {
        // The earlier address can undo it for seven days from now, not from when it was entered.
        const undo = returns ? null : CANCEL;
        const notice = { record: old, kind: "correction_in_force", undo, reader: SITE } as const;
        mails = await notices.add(commit, notice, now);
      }
      return { result: undefined, commit };
    });
    mailer.send(mails);
    await move(hash);
  }

  /** Adds to a commit that the corrections of one record count for another one. */
  async function copySlots(
    commit: Deno.AtomicOperation,
    from: string,
    to: string,
    now: number,
  ): Promise<void> {
    const { value } = await kv.get<Expiring>(timesKey(from));
    if (value !== null && isLive(value, now)) commit.set(timesKey(to), value, expiring(value, now));
  }

  /** Adds the index entries of a record to a commit, and removes those of the one it replaces. */
  async function indexRecord(
    commit: Deno.AtomicOperation,
    record: Pick<RecordEntry, "hash" | "contact" | "row">,
    before: string,
    { contact: { value: { record: old } } }: Pick<RecordEntry, "contact">,
  ): Promise<void> {
    await index.remove(commit, "email", old.email, before);
    if (old.mobile !== undefined) await index.remove(commit, "mobile", old.mobile, before);
    await addToIndex(commit, record);
  }

  /** Adds the index entries of a record to a commit. */
  async function addToIndex(
    commit: Deno.AtomicOperation,
    { hash, contact, row }: Pick<RecordEntry, "hash" | "contact" | "row">,
  ): Promise<void> {
    const { record, confirmed_at } = contact.value;
    if (confirmed_at !== null) await index.add(commit, "email", record.email, hash);
    if (row.mobile_confirmed_at !== null && record.mobile !== undefined) {
      await index.add(commit, "mobile", record.mobile, hash);
    }
  }

  /** Finishes a move that a commit has started, if there is one. It can run again after a crash. */
  async function move(hash: string): Promise<void> {
    const { value: work } = await kv.get<Work>(workKey(hash));
    if (work?.state !== "moving") return;
    const { from, to, erase, undoneSince, signOut = undoneSince !== null } = work;
    if (signOut) {
      for (const each of [from, ...erase]) await endAllSessions(kv, each);
    }
    if (undoneSince === null) await moveSessions(kv, from, to, clock());
    else await leaveCorrection(kv, from, to, clock());
    for (const each of linked()) await each.move?.(from, to, undoneSince ?? undefined);
    await moveAccessLog(kv, from, to, clock());
    for (const each of erase) await eraseCorrection(each);
    await kv.delete(workKey(hash));
  }

  /** Erases a corrected record that is not in force, after everything was moved out of it. */
  async function eraseCorrection(hash: string): Promise<void> {
    await eraseRecord(options, hash);
    await kv.delete(workKey(hash));
  }

  /**
   * Adds to a commit that a record is in force again: every record that corrects it will be erased.
   * What was added to them in the meantime is dropped if it gives access, and moved otherwise.
   *
   * @param signOut true if the correction is undone, because somebody else may have made it
   */
  async function restore(
    commit: Deno.AtomicOperation,
    old: RecordEntry,
    signOut: boolean,
  ): Promise<boolean> {
    const later = await recordsAfter(old);
    // A correction that waits has nothing yet: the record before it has everything.
    const last = later.findLast(({ hash }, i) => i === 0 || later[i - 1].row.replaced_by === hash);
    if (last === undefined) return false;
    const deletion = await kv.get<Scheduled>(deletionKey(old.hash));
    if (deletion.value?.begun) return false;
    for (const { hash } of [old, ...later]) await move(hash); // an interrupted move
    const contact = { ...old.contact, value: declarationsAfter(old, last) };
    const row: RecordRow = {
      ...old.row,
      correction: null,
      replaced_by: null,
      passkeys: old.row.passkeys + last.row.passkeys,
      mobile_confirmed_at: numberAfter(old, last),
    };
    delete row.replaced_at;
    delete row.undo_until;
    row.level = levelOf(conditionsOf({ contact, row }));
    row.counted = row.level;
    recount(commit, old, row);
    const erase = later.map(({ hash }) => hash);
    const undoneSince = later[0].contact.value.registered_at;
    commit.check(old.contact, old.entry, last.contact, last.entry, deletion)
      .set(contact.key, contact.value)
      .set(recordKey(old.hash), row)
      .set(workKey(old.hash), { ...moving(last.hash, old.hash), erase, undoneSince, signOut });
    for (const { hash, contact: { value } } of later) {
      commit.delete(deletionKey(hash));
      await index.remove(commit, "email", value.record.email, hash);
      const { mobile } = value.record;
      if (mobile !== undefined) await index.remove(commit, "mobile", mobile, hash);
    }
    await addToIndex(commit, { ...old, row });
    return true;
  }

  /** Returns the records that correct a record, in order, including one that is not in force. */
  async function recordsAfter({ row }: RecordEntry): Promise<RecordEntry[]> {
    const later: RecordEntry[] = [];
    let next = row.replaced_by ?? row.correction?.to;
    while (next) {
      const record = await readRecord(kv, next);
      if (record === null) break;
      later.push(record);
      next = record.row.replaced_by ?? record.row.correction?.to;
    }
    return later;
  }

  const undo: Undoer<"cancel_correction"> = async (commit, { record, mails, now }) => {
    const later = await recordsAfter(record);
    if (await wasReturned(record, later, now) || !await restore(commit, record, true)) return false;
    mails.push(...await addUndoneNotices(commit, record, later, now));
    return true;
  };

  /**
   * Returns whether a record was returned to an address before its own. Its links, also those of
   * earlier notices, must not take it back.
   */
  async function wasReturned(
    record: RecordEntry,
    later: readonly RecordEntry[],
    now: number,
  ): Promise<boolean> {
    const returned = later.filter((_, i) => [record, ...later][i].row.undo_until === null);
    if (returned.length === 0) return false;
    const own = emailOf(record);
    const earlier = (await replacedAddresses(kv, record, now)).map(({ record }) => emailOf(record));
    return returned.some((each) => emailOf(each) !== own && earlier.includes(emailOf(each)));
  }

  /**
   * Adds the notices of an undone correction to its commit: to the confirmed addresses of the records
   * that are erased, and to the addresses before the restored one. The latter can take the record back
   * for seven days, even if their own links have expired.
   */
  async function addUndoneNotices(
    commit: Deno.AtomicOperation,
    record: RecordEntry,
    erased: readonly RecordEntry[],
    now: number,
  ): Promise<QueuedMail[]> {
    const own = emailOf(record);
    const inForce = erased.filter((_, i) => [record, ...erased][i].row.replaced_by !== null);
    const mails: QueuedMail[] = [];
    const told = new Set<string>();
    const before = inForce.some((each) => emailOf(each) !== own)
      ? await replacedAddresses(kv, record, now)
      : [];
    for (const { record: earlier, at, until } of before) {
      if (until === null || at + RENEWED_MS <= now || emailOf(earlier) === own) continue;
      const undo_until = isoAfter(now, UNDO_LIFETIME_MS);
      commit.check(earlier.entry, earlier.contact)
        .set(recordKey(earlier.hash), { ...earlier.row, undo_until });
      const notice = { record: earlier, kind: "correction_undone", undo: CANCEL } as const;
      mails.push(...await notices.add(commit, { ...notice, reader: SITE }, now));
      told.add(emailOf(earlier));
    }
    for (const each of erased) {
      const to = emailOf(each);
      if (each.contact.value.confirmed_at === null || told.has(to)) continue;
      told.add(to);
      // About the restored record, because mails about an erased one are not sent.
      const notice = { record, to, kind: "correction_undone", undo: null, reader: SITE } as const;
      mails.push(...await notices.add(commit, notice, now));
    }
    return mails;
  }

  async function withdraw(given: string, reader: Reader | null): Promise<void> {
    const hash = await correctedBy(given);
    await transact(async () => {
      const old = await readRecord(kv, hash);
      if (!old?.row.correction) return { result: undefined };
      const commit = kv.atomic();
      await checkSession(kv, commit, reader?.session);
      if (!await restore(commit, old, false)) return { result: undefined };
      if (reader !== null) {
        addAccess(commit, hash, { what: "corrected", detail: "withdrawn", reader }, clock());
      }
      return { result: undefined, commit };
    });
    await move(hash);
  }

  return {
    start,
    settle,
    withdraw,
    resume: move,
    async resumeAll(hash) {
      for (let each: string | null = hash; each !== null;) {
        await move(each);
        const { value }: Deno.KvEntryMaybe<RecordRow> = await kv.get(recordKey(each));
        each = value?.replaces ?? null;
      }
    },
    async open(session, hash) {
      const record = await readRecord(kv, hash);
      const to = record?.row.correction?.to;
      if (to === undefined) return fail("not_found");
      await openCorrection(kv, session, to, clock());
      return { ok: true };
    },
    async waiting(record) {
      const to = record.row.correction && await readRecord(kv, record.row.correction.to);
      return to ? { to, waitsFor: stillWaiting(record, to) } : null;
    },
    async mayConfirmNumber(record) {
      if (!await waitsToCorrect(kv, record)) return true;
      const old = await readRecord(kv, record.row.replaces!);
      return old !== null && stillWaiting(old, record) === "mobile";
    },
    run: (context) =>
      sweepRows<Work>(kv, PREFIX, context, async ({ value: work }, hash) => {
        if (work.state === "moving") await move(hash);
        else if (clock() >= Date.parse(work.until)) await withdraw(hash, null);
        else {
          await settle(hash);
          return false;
        }
        return true;
      }),
    undoers: {
      cancel_correction: undo,
    },
    data: {
      name: "corrections",
      deleteOf: (hash) => kv.delete(workKey(hash)),
    },
  };
}

const moving = (from: string, to: string) =>
  ({ state: "moving", from, to, erase: [] as string[], undoneSince: null }) satisfies Move;

/** Only a record that was not corrected, that no correction waits for, and that is open. */
const isInForce = ({ replaced_by, deletion_at }: RecordRow): boolean =>
  replaced_by === null && !deletion_at;

const emailOf = ({ contact }: RecordEntry): string => contact.value.record.email;

const sameEnquiry = (a: Enquiry, b: Enquiry): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());

/** Returns what must be confirmed before corrected data takes effect. */
function waitingFor(before: Enquiry, after: Enquiry): Waiting | null {
  if (after.email !== before.email) return "email";
  return after.mobile !== undefined && after.mobile !== before.mobile ? "mobile" : null;
}

/**
 * Returns when the number of a record was confirmed, if it still is after its corrections are undone:
 * somebody may have ended that in the meantime.
 */
function numberAfter(old: RecordEntry, last: RecordEntry): string | null {
  const { mobile } = old.contact.value.record;
  const same = old.row.replaced_by !== null && last.contact.value.record.mobile === mobile;
  return same && last.row.mobile_confirmed_at === null ? null : old.row.mobile_confirmed_at;
}

/** Returns a contact after its corrections are undone, without declarations that were withdrawn since. */
function declarationsAfter(old: RecordEntry, last: RecordEntry): StoredContact {
  const { value } = old.contact;
  if (old.row.replaced_by === null || value.declarations === undefined) return value;
  const later = last.contact.value.declarations ?? [];
  const isIn = ({ at }: Declaration) => later.some((each) => each.at === at);
  const missing = value.declarations.filter((each) => !isIn(each));
  // Those that did not fit into the corrected record were not withdrawn.
  if (!declarationsFit([...later, ...missing])) return value;
  return { ...value, declarations: value.declarations.filter(isIn) };
}

/** Returns a corrected contact with every version of the declaration, in either record. */
function withDeclarations(next: RecordEntry, old: RecordEntry): StoredContact {
  const { value } = next.contact;
  const own = value.declarations ?? [];
  const times = new Set(own.map(({ at }) => at));
  const added = (old.contact.value.declarations ?? []).filter(({ at }) => !times.has(at));
  const declarations = [...own, ...added].sort((a, b) => a.at.localeCompare(b.at));
  return added.length === 0 || !declarationsFit(declarations) ? value : { ...value, declarations };
}

function stillWaiting(old: RecordEntry, next: RecordEntry): Waiting | null {
  const waits = waitingFor(old.contact.value.record, next.contact.value.record);
  const done = waits === "email"
    ? next.contact.value.confirmed_at !== null
    : next.row.mobile_confirmed_at !== null;
  return waits === null || done ? null : waits;
}
