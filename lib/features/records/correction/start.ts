/** A correction begins: the corrected record is registered, and waits for a confirmation. */
import { newSalt, recordHash } from "../../../../packages/proof/mod.ts";
import {
  aboutContact,
  addContact,
  CONFIRMATION_LIFETIME_MS,
  type Enquiry,
  ownerOf,
} from "../../contact/mod.ts";
import { encodeHex } from "../../../base/encoding.ts";
import { isoAfter, readSlot, unchecked } from "../../../platform/kv/mod.ts";
import { type QueuedMail, senderOf } from "../../../platform/mail/mod.ts";
import { fail, type Failure, type RateLimited, rateLimited } from "../../../base/result.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import {
  type CorrectionOptions,
  corrections,
  CORRECTIONS_PER_DAY,
  correctionTimes,
} from "./work.ts";
import { correctionMail } from "./mail.ts";
import { isReturn } from "../notices/replaced_address.ts";
import { putInForce } from "./put_in_force.ts";
import {
  newRow,
  readRecord,
  type RecordEntry,
  recordRows,
  waitsToCorrect,
} from "../record/store.ts";
import { withdraw } from "./undo.ts";
import { type Waiting, waitingFor } from "./waiting.ts";

export type Corrected =
  | { ok: true; to: string; waitsFor: Waiting | null }
  | Failure<"not_found" | "conflict" | "rate_limited" | "unavailable">;

const tooMany = (waitMs: number): RateLimited => ({
  ...rateLimited(waitMs),
  message: `A record can be corrected at most ${CORRECTIONS_PER_DAY} times a day.`,
});

const tooManyLinks = (waitMs: number): RateLimited => ({
  ...rateLimited(waitMs),
  message: "Too many links were sent to this email address. Try again in an hour.",
});

const UNCHANGED = { message: "You have not changed anything." };
const NOT_IN_FORCE = { message: "This record is not in force, so it cannot be corrected." };

/**
 * Registers a corrected record, which takes effect once what changed is confirmed. It replaces an earlier
 * correction that is not in force yet.
 */
export async function startCorrection(
  options: CorrectionOptions,
  given: string,
  enquiry: Enquiry,
  reader: Reader,
): Promise<Corrected> {
  const { kv, chains, mailer, surfaces } = options;
  // A correction that is not in force yet is replaced, not corrected.
  const opened = await readRecord(kv, given);
  const waits = opened !== null && await waitsToCorrect(kv, opened);
  const hash = waits ? opened.row.replaces! : given;
  const confirmUrl = surfaces.url("trust", "/confirm");
  if (confirmUrl === null) return fail("unavailable");
  const before = await readRecord(kv, hash);
  if (before === null) return fail("not_found");
  if (!isOpen(before)) return fail("conflict", NOT_IN_FORCE);
  const entered = before.contact.value.record;
  if (sameEnquiry(entered, enquiry)) return fail("conflict", UNCHANGED);
  const waitsFor = waitingFor(entered, enquiry);
  const allowed = await readLimits(options, hash, enquiry, waitsFor);
  if (!allowed.ok) return allowed;
  if (before.row.correction) await withdraw(options, hash, null);

  const salt = newSalt();
  const to = await recordHash(salt, enquiry);
  let failure: Corrected = fail("not_found");
  let mails: QueuedMail[] = [];
  const chain = await chains.start(to, async (commit) => {
    const record = await readRecord(kv, hash);
    if (record === null) return false;
    const work = await corrections.get(kv, hash);
    unchecked(
      "Every commit that writes it also writes the record's row, which is read first.",
      work,
    );
    if (!isOpen(record) || record.row.correction || work.versionstamp !== null) {
      failure = fail("conflict", NOT_IN_FORCE);
      return false;
    }
    const limits = await readLimits(options, hash, enquiry, waitsFor);
    if (!limits.ok) {
      failure = limits;
      return false;
    }
    limits.take(commit);
    const correction = { record, to, enquiry, salt: encodeHex(salt), waitsFor, confirmUrl, reader };
    mails = await addCorrection(options, commit, correction);
  });
  if (chain === null) return failure;
  mailer.send(mails);
  await putInForce(options, to);
  return { ok: true, to, waitsFor };
}

/** Adds a corrected record to a commit. Returns the mails to send after it. */
async function addCorrection(
  { kv, clock, mailer, notices, organisations }: CorrectionOptions,
  commit: Deno.AtomicOperation,
  { record, to, enquiry, salt, waitsFor, confirmUrl, reader }: {
    record: RecordEntry;
    to: string;
    enquiry: Enquiry;
    salt: string;
    waitsFor: Waiting | null;
    confirmUrl: string;
    reader: Reader;
  },
): Promise<QueuedMail[]> {
  const now = clock();
  const { hash, row: { user_handle } } = record;
  const at = isoAfter(now, 0);
  const expiresAt = now + CONFIRMATION_LIFETIME_MS;
  const organisation = ownerOf(record.contact.value);
  const { confirmed_at, declarations, site } = record.contact.value;
  const token = addContact(commit, to, {
    record: enquiry,
    organisation,
    salt,
    now,
    carried: {
      ...site === undefined ? {} : { site },
      ...declarations === undefined ? {} : { declarations },
      ...waitsFor === "email" ? {} : { confirmed_at },
    },
  });
  recordRows.put(commit, [to], {
    ...newRow({ registered_at: at }),
    counted: null, // a correction is not counted until it is in force
    user_handle,
    replaces: hash,
  });
  recordRows.replace(
    commit.check(record.contact),
    record.entry,
    { ...record.row, correction: { to, at } },
  );
  corrections.put(commit, [hash], {
    state: "waiting",
    to,
    until: new Date(expiresAt).toISOString(),
  });
  const detail = "entered, not in force yet";
  addAccess(commit, hash, { what: "corrected", detail, reader }, now);
  const returns = await isReturn(kv, record, enquiry.email, now);
  const undo = returns ? null : { act: "cancel_correction" } as const;
  const mails = await notices.add(commit, { record, kind: "correction", undo, reader }, now);
  if (waitsFor !== "email") return mails;
  const mail = correctionMail({
    sender: senderOf(organisations, organisation),
    to: enquiry.email,
    link: `${confirmUrl}?token=${token}`,
  });
  const about = aboutContact(to);
  return [...mails, await mailer.add(commit, mail, { expiresAt, about, kind: "correction" })];
}

/** Returns the failure if too many corrections or links were sent; otherwise what counts one more. */
async function readLimits(
  { kv, clock, contact }: CorrectionOptions,
  hash: string,
  { email }: Enquiry,
  waitsFor: Waiting | null,
): Promise<{ ok: true; take(commit: Deno.AtomicOperation): void } | RateLimited> {
  const now = clock();
  const [own, links] = await Promise.all([
    readSlot(kv, correctionTimes.of([hash]), now),
    waitsFor === "email" ? contact.linkSlot(email, now) : null,
  ]);
  if (own.waitMs > 0) return tooMany(own.waitMs);
  if (links !== null && links.waitMs > 0) return tooManyLinks(links.waitMs);
  return {
    ok: true,
    take(commit) {
      own.take(commit);
      links?.take(commit);
    },
  };
}

/** Returns whether a record was not corrected, and will not be deleted. */
const isOpen = ({ row: { replaced_by, deletion_at } }: RecordEntry): boolean =>
  replaced_by === null && !deletion_at;

const sameEnquiry = (a: Enquiry, b: Enquiry): boolean =>
  JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
