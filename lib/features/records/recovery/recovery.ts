import { z } from "zod";
import { addAudit } from "../../audit/mod.ts";
import { aboutContact, maskEmail, ownerOf } from "../../contact/mod.ts";
import { utf8 } from "../../../base/encoding.ts";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import {
  createSingleUseTokens,
  defineTable,
  expires,
  isoAfter,
  TOKEN,
  type TokenRow,
  transact,
} from "../../../platform/kv/mod.ts";
import { type QueuedMail, senderOf, transactAndMail } from "../../../platform/mail/mod.ts";
import { fail, type Failure } from "../../../base/result.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { SURFACE_NAMES } from "../../../platform/surfaces/mod.ts";
import { DAY_MS, inDays, MINUTE_MS, plural } from "../../../base/time.ts";
import { type Migration, resealStep } from "../../../platform/store/mod.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import { linkOn, recoveryLinkMail } from "../sign_in/link_mails.ts";
import type { LinkedData } from "../record/record_data.ts";
import { RECOVERY_DELAY_MS } from "../notices/notices.ts";
import type { PartOptions } from "../record/options.ts";
import { readExisting, readRecord, waitsToCorrect } from "../record/store.ts";

/** How long the link works. */
export const RECOVERY_LINK_LIFETIME_MS = 7 * DAY_MS;

/** How long a row is kept if no job runs. */
const ROW_LIFETIME_MS = RECOVERY_DELAY_MS + 30 * DAY_MS;

/** ISO 8601 in UTC. */
const time = z.iso.datetime();

/**
 * A recovery: an administrator has checked who the holder is, and gives them access through a new
 * address.
 */
const recoveryRow = z.strictObject({
  /** The new address, encrypted. */
  address: z.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
  /** The new address as people may see it: `a•••@e•••.org`. */
  masked: z.string(),
  /** The administrator's email address. */
  by: z.string(),
  /** How the administrator checked who the holder is. */
  note: z.string(),
  requested_at: time,
  due_at: time,
  sent_at: time.nullable(),
  /** SHA-256 of the link's token, once it was sent. */
  link: z.string().nullable(),
});

type RecoveryRow = z.infer<typeof recoveryRow>;

const TABLE = {
  owner: "record",
  lifetime: {
    ...expires(`${inDays(RECOVERY_LINK_LIFETIME_MS)} after the link was sent`),
    job: "recoveries",
  },
  per: "recovery",
  privacy: {
    section: "record",
    label: "Recovery",
    text: "If you have lost every way to sign in and an administrator sends a link to a new " +
      "address: the new address, encrypted; the administrator's address; a note on how they " +
      "checked who you are; and a fingerprint of the link. We keep them until you use the link " +
      `or stop the recovery, or until the link expires after ${inDays(RECOVERY_LINK_LIFETIME_MS)}.`,
  },
} as const;

const recoveries = defineTable({
  ...TABLE,
  prefix: "record_recoveries",
  value: recoveryRow,
  key: ["hash"],
});

const recoveryLink = z.strictObject({
  /** The record that it opens, which is the one of the recovery. */
  hash: z.string(),
  surface: z.enum(SURFACE_NAMES),
});

type RecoveryLink = z.infer<typeof recoveryLink>;

export const recoveryTables = [
  recoveries,
  defineTable({ ...TABLE, prefix: "record_recovery_links", value: recoveryLink.extend(TOKEN) }),
];

/** The links to new addresses. Each opens one record. */
export const recoveryLinks = createSingleUseTokens<RecoveryLink>({
  prefix: "record_recovery_links",
  lifetimeMs: RECOVERY_LINK_LIFETIME_MS,
  rememberedMs: DAY_MS,
});

/** A recovery as the console and the holder see it. */
export type Recovery = Omit<RecoveryRow, "address" | "link">;

export interface NewRecovery {
  hash: string;
  /** The normalised address. */
  newEmail: string;
  /** The administrator's email address. */
  by: string;
  /** How the administrator checked who the holder is. */
  note: string;
  /** Where the administrator's request came from. */
  reader: Reader;
}

type Started =
  | { ok: true; dueAt: string }
  | Failure<"not_found" | "unconfirmed" | "conflict" | "unavailable">;

type RecoveriesOptions = Pick<
  PartOptions,
  "kv" | "clock" | "secrets" | "mailer" | "notices" | "surfaces" | "organisations"
>;

const FAILURES = {
  unavailable: { message: "Records cannot be opened here." },
  not_found: { message: "There is no such record." },
  unconfirmed: {
    message: "The email address of this record was never confirmed, so nobody has signed in to it.",
  },
  conflict: { message: "A recovery of this record is already open." },
  replaced: {
    message: "This record was replaced. Start the recovery on the record that replaces it.",
  },
  waiting: {
    message:
      "This is a correction that is not in force. Start the recovery on the record that it " +
      "corrects.",
  },
};

export type Recoveries = ReturnType<typeof createRecoveries>;

/** Creates the recoveries by an administrator, for holders who have lost every way to sign in. */
export function createRecoveries(options: RecoveriesOptions) {
  const { kv, clock, mailer } = options;
  /** The recovery of a record moves with its corrections, so that both addresses can stop it. */
  const data: LinkedData = {
    name: "recoveries",
    deleteOf: (hash) =>
      transact(async () => {
        const commit = kv.atomic();
        return await addCancellation(kv, commit, hash)
          ? { result: undefined, commit }
          : { result: undefined };
      }),
    move: (from, to, undoneSince) => moveOrEnd(options, from, to, undoneSince),
    undo: { cancel_recovery: (commit, { record }) => addCancellation(kv, commit, record.hash) },
  };

  /** Sends the links that are due. */
  const job: Job = {
    name: "recoveries",
    title: "Sending recovery links that are due",
    everyMs: 10 * MINUTE_MS,
    maxMs: MINUTE_MS,
    resumeMs: MINUTE_MS,
    async run(context) {
      let sent = 0;
      await sweepRows<RecoveryRow>(kv, recoveries.prefix, context, async ({ value }, hash) => {
        if (!isDue(value, clock())) return false;
        const mails = await sendLink(options, hash);
        mailer.send(mails);
        sent += mails.length;
        return true;
      });
      return `${sent} sent`;
    },
  };

  return {
    data,
    job,
    start: (recovery: NewRecovery) => startRecovery(options, recovery),

    /** Returns the open recovery of a record, until its link is used. */
    async read(hash: string): Promise<Recovery | null> {
      const { value } = await recoveries.get(kv, hash);
      if (value === null) return null;
      const { address: _, link: __, ...recovery } = value;
      return recovery;
    },

    /**
     * Cancels a recovery and its link. Returns false if none is open.
     *
     * @param by the administrator's email address
     */
    cancel: (hash: string, by: string, reader: Reader) =>
      transact(async () => {
        const commit = kv.atomic();
        const record = await readExisting(kv, hash);
        if (record === null || !await addCancellation(kv, commit, hash)) return { result: false };
        const now = clock();
        commit.check(record.contact);
        addAccess(commit, hash, { what: "recovery_cancelled", reader }, now);
        const organisation = ownerOf(record.contact.value);
        const object = { record: hash };
        addAudit(commit, { organisation, by, action: "recovery_cancelled", object }, now);
        return { result: true, commit };
      }),
  };
}

/**
 * Starts a recovery and notifies the old address. Fails with `unconfirmed` if nobody has ever signed in
 * to the record, `conflict` if one is open, or `unavailable` without a trust surface.
 */
async function startRecovery(
  { kv, clock, secrets, surfaces, notices, mailer }: RecoveriesOptions,
  { hash, newEmail, by, note, reader }: NewRecovery,
): Promise<Started> {
  if (surfaces.get("trust") === undefined) return fail("unavailable", FAILURES.unavailable);
  const address = await secrets.seal("recovery", utf8(newEmail), hash);
  return await transactAndMail<Started>(mailer, async () => {
    const now = clock();
    const [entry, record] = await Promise.all([recoveries.get(kv, hash), readRecord(kv, hash)]);
    if (record === null) return { result: fail("not_found", FAILURES.not_found) };
    if (record.contact.value.confirmed_at === null) {
      return { result: fail("unconfirmed", FAILURES.unconfirmed) };
    }
    if (record.row.replaced_by !== null) return { result: fail("conflict", FAILURES.replaced) };
    if (await waitsToCorrect(kv, record)) return { result: fail("conflict", FAILURES.waiting) };
    if (entry.versionstamp !== null) return { result: fail("conflict", FAILURES.conflict) };
    const dueAt = isoAfter(now, RECOVERY_DELAY_MS);
    const row: RecoveryRow = {
      address,
      masked: maskEmail(newEmail),
      by,
      note,
      requested_at: isoAfter(now, 0),
      due_at: dueAt,
      sent_at: null,
      link: null,
    };
    const commit = kv.atomic().check(entry, record.contact, record.entry)
      .set(entry.key, row, { expireIn: ROW_LIFETIME_MS });
    const detail = `for ${row.masked}`;
    addAccess(commit, hash, { what: "recovery_started", reader, detail }, now);
    const organisation = ownerOf(record.contact.value);
    addAudit(
      commit,
      { organisation, by, action: "recovery_started", object: { record: hash } },
      now,
    );
    const undo = { act: "cancel_recovery" } as const;
    const mails = await notices.add(commit, { record, kind: "recovery", undo }, now);
    return { result: { ok: true, dueAt }, commit, mails };
  });
}

/** Sends the link of a recovery that is due. Returns no mail if it was cancelled. */
function sendLink(
  { kv, clock, secrets, surfaces, organisations, mailer }: RecoveriesOptions,
  hash: string,
): Promise<QueuedMail[]> {
  return transact<QueuedMail[]>(async () => {
    const now = clock();
    const [entry, record] = await Promise.all([recoveries.get(kv, hash), readRecord(kv, hash)]);
    if (entry.versionstamp === null || !isDue(entry.value, now)) return { result: [] };
    const commit = kv.atomic().check(entry);
    const opened = await secrets.open("recovery", entry.value.address, hash);
    const trust = surfaces.get("trust");
    // Without the record or the secret, the link can never be sent.
    if (record === null || opened === null || trust === undefined) {
      return { result: [], commit: commit.delete(entry.key) };
    }
    if (record.row.replaced_by !== null) return { result: [] }; // the recovery moves to the new record first
    commit.check(record.contact, record.entry);
    const { token, row } = recoveryLinks.create(commit, { hash, surface: trust.name }, now);
    const sent: RecoveryRow = { ...entry.value, sent_at: isoAfter(now, 0), link: row.token };
    commit.set(entry.key, sent, { expireIn: RECOVERY_LINK_LIFETIME_MS });
    addAccess(commit, hash, { what: "recovery_sent", reader: SERVER }, now);
    const key = ownerOf(record.contact.value);
    const mail = recoveryLinkMail({
      sender: senderOf(organisations, key),
      to: new TextDecoder().decode(opened),
      link: linkOn(trust.baseUrl, token),
      lasts: plural(RECOVERY_LINK_LIFETIME_MS / DAY_MS, "day"),
      hash,
    });
    const expiresAt = now + RECOVERY_LINK_LIFETIME_MS;
    const about = aboutContact(hash);
    const queued = await mailer.add(commit, mail, { expiresAt, about, kind: "recovery" });
    return { result: [queued], commit };
  });
}

/** Adds the cancellation of a recovery with its link to a commit. Returns false if none is open. */
async function addCancellation(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  hash: string,
): Promise<boolean> {
  const entry = await recoveries.get(kv, hash);
  commit.check(entry);
  if (entry.versionstamp === null) return false;
  commit.delete(entry.key);
  if (entry.value.link !== null) commit.delete(recoveryLinks.key(entry.value.link));
  return true;
}

/** Moves a recovery, or ends it if it was started since a correction that is undone. */
async function moveOrEnd(
  options: RecoveriesOptions,
  from: string,
  to: string,
  undoneSince: string | undefined,
): Promise<void> {
  const { kv, clock } = options;
  const { value } = await recoveries.get(kv, from);
  if (undoneSince === undefined || value === null || value.requested_at < undoneSince) {
    return await moveRecovery(options, from, to);
  }
  await transact(async () => {
    const commit = kv.atomic();
    if (!await addCancellation(kv, commit, from)) return { result: undefined };
    addAccess(commit, to, { what: "recovery_cancelled", reader: SERVER }, clock());
    return { result: undefined, commit };
  });
}

/** Moves the recovery of a record to another one, with its link. */
function moveRecovery(
  { kv, secrets, clock }: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
  from: string,
  to: string,
): Promise<void> {
  return transact(async () => {
    const now = clock();
    const [entry, target] = await Promise.all([recoveries.get(kv, from), recoveries.get(kv, to)]);
    if (entry.versionstamp === null) return { result: undefined };
    const commit = kv.atomic().check(entry, target).delete(entry.key);
    const { address, link } = entry.value;
    const opened = await secrets.open("recovery", address, from);
    const found = link === null
      ? null
      : await kv.get<RecoveryLink & TokenRow>(recoveryLinks.key(link));
    if (opened !== null && target.versionstamp === null) {
      const row = { ...entry.value, address: await secrets.seal("recovery", opened, to) };
      commit.set(target.key, row, { expireIn: Math.max(1, endOf(row) - now) });
    }
    if (found?.value && target.versionstamp === null) {
      recoveryLinks.change(commit, found, { hash: to }, now);
    } else if (found?.value) commit.delete(found.key);
    return { result: undefined, commit };
  });
}

/** Returns when the store removes a row, in milliseconds since 1970. */
const endOf = ({ due_at, sent_at }: RecoveryRow): number =>
  sent_at === null
    ? Date.parse(due_at) - RECOVERY_DELAY_MS + ROW_LIFETIME_MS
    : Date.parse(sent_at) + RECOVERY_LINK_LIFETIME_MS;

/** Encrypts the new addresses with the current secret. */
export const resealRecoveries = (
  options: Pick<PartOptions, "kv" | "secrets" | "clock">,
): Migration => ({
  name: "recoveries",
  label: "addresses of recoveries",
  rotates: true,
  beside: "the addresses can be read with both secrets",
  step: resealStep<RecoveryRow>({
    ...options,
    purpose: "recovery",
    tables: [recoveries],
    sealedIn: ({ address }, key) => ({ sealed: address, context: String(key[1]) }),
    with: (row, address) => ({ ...row, address }),
    expiresAt: endOf,
  }),
});

/** Adds the use of a recovery link to a commit, which ends the recovery. */
export function redeemRecovery(
  commit: Deno.AtomicOperation,
  entry: Deno.KvEntry<RecoveryLink & TokenRow>,
  now: number,
): void {
  recoveryLinks.use(commit, entry, now);
  commit.delete(recoveries.key(entry.value.hash));
}

const isDue = ({ due_at, sent_at }: RecoveryRow, now: number) =>
  sent_at === null && now >= Date.parse(due_at);

/** The reader that the access log names for an action of the server itself. */
const SERVER: Reader = { network: "of the publisher", browser: "A scheduled job" };
