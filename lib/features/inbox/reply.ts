/** Replies to an enquiry by mail, and takes a reply back before it is sent. */
import { z } from "zod";
import { fail, type RateLimited, rateLimited } from "../../base/result.ts";
import { DAY_MS, SECOND_MS } from "../../base/time.ts";
import { heldOf } from "../../platform/jobs/mod.ts";
import { isoAfter, readSlot, transact } from "../../platform/kv/mod.ts";
import {
  type Mailer,
  type MailOrganisation,
  personName,
  senderOf,
  transactAndMail,
} from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { aboutContact, nonEmptyText } from "../contact/mod.ts";
import {
  type Acted,
  type Actor,
  auditChange,
  CHANGED,
  CORRECTED,
  formKey,
  FULL,
  revisionField,
} from "./actions.ts";
import { addEntry, MOST_ENTRIES, readEnquiry } from "./enquiry.ts";
import { quotes, replyMail } from "./mails.ts";
import { entries, REPLIES_PER_HOUR, replyNames, replyTimes } from "./store.ts";

/** The longest reply, in characters. */
export const REPLY_LIMIT = 5_000;
/** The longest name under which an operator replies, in characters. */
export const NAME_LIMIT = 60;

/** How long a reply is tried to be sent, which is longer than all retries take. */
const REPLY_LIFETIME_MS = 7 * DAY_MS;
/** How long a reply waits before it is sent, and can be taken back. */
export const HOLD_MS = 10 * SECOND_MS;
const NAME_LIFETIME_MS = 365 * DAY_MS;

const NAME_ISSUE = "Use letters, digits, spaces and . , ' - only.";

/** The form for a reply. */
export const replySchema = z.object({
  text: nonEmptyText(REPLY_LIMIT, "Write a reply.", true),
  name: nonEmptyText(NAME_LIMIT, "Enter your name.").refine(
    (name) => personName.safeParse(name).success,
    NAME_ISSUE,
  ),
  revision: revisionField,
  key: formKey,
});

export type Reply = z.infer<typeof replySchema>;

export type Replied = Acted | RateLimited;

interface ReplyOptions {
  kv: Deno.Kv;
  clock: () => number;
  mailer: Mailer;
  organisations: Record<OrganisationKey, MailOrganisation>;
}

/**
 * Replies to an enquiry: the mail, the entry, the state and the limit are in one commit. A form that is
 * sent twice sends one mail. If somebody else did something since its page was loaded, nothing is sent.
 */
export function replyTo(
  { kv, clock, mailer, organisations }: ReplyOptions,
  actor: Actor,
  { text, name, revision, key: id }: Reply,
): Promise<Replied> {
  const { organisation, hash, by } = actor;
  return transactAndMail<Replied>(mailer, async () => {
    const now = clock();
    const [enquiry, existing, slot] = await Promise.all([
      readEnquiry(kv, organisation, hash),
      entries.get(kv, hash, id),
      readSlot(kv, replyTimes.of([by]), now),
    ]);
    if (existing.value !== null) {
      // A form from before the reply was taken back would seem to send it.
      const isGone = existing.value.change === "unsent";
      return { result: isGone ? fail("conflict", { message: CHANGED }) : { ok: true } };
    }
    if (enquiry === null) return { result: fail("not_found") };
    const { record, row } = enquiry;
    if (record.row.replaced_by !== null) {
      return { result: fail("conflict", { message: CORRECTED }) };
    }
    if (record.row.deletion_at) return { result: fail("conflict", { message: DELETED }) };
    if (row.revision !== revision) return { result: fail("conflict", { message: CHANGED }) };
    if (row.revision >= MOST_ENTRIES) return { result: fail("conflict", { message: FULL }) };
    if (slot.waitMs > 0) return { result: { ...rateLimited(slot.waitMs), message: TOO_MANY } };

    const { record: entered, confirmed_at } = record.contact.value;
    const content = {
      enquiry: entered,
      confirmed: confirmed_at !== null,
      hash,
      text,
      author: name,
    };
    const commit = kv.atomic().check(existing);
    const sender = senderOf(organisations, organisation);
    const mail = await mailer.add(commit, replyMail({ ...content, sender }), {
      expiresAt: now + REPLY_LIFETIME_MS,
      about: aboutContact(hash),
      kind: "reply",
      holdMs: HOLD_MS,
    });
    const waiting = heldOf(mail);
    const { state, owner } = row;
    const held = { until: isoAfter(now, HOLD_MS), mail: waiting, state, owner };
    const sent = { record: hash, id: waiting.id };
    const added = { id, by, text, name, quoted: quotes(content), mail: sent, held };
    addEntry(commit, enquiry, { ...added, change: "replied" }, { owner: row.owner ?? by, now });
    auditChange(commit, actor, "replied", now);
    slot.take(commit);
    replyNames.put(commit, [by], { name, expires_at: isoAfter(now, NAME_LIFETIME_MS) }, now);
    return { result: { ok: true }, commit, mails: [mail] };
  });
}

/**
 * Takes back a reply that waits to be sent: nobody gets the mail, and the enquiry has its earlier state and owner. Its
 * text stays in the history, so that the next reply begins with it. Doing it twice changes nothing.
 */
export function takeBack(
  { kv, clock, mailer }: Pick<ReplyOptions, "kv" | "clock" | "mailer">,
  actor: Actor,
  id: string,
): Promise<Acted> {
  const { organisation, hash, by } = actor;
  return transact<Acted>(async () => {
    const now = clock();
    const [enquiry, entry] = await Promise.all([
      readEnquiry(kv, organisation, hash),
      entries.get(kv, hash, id),
    ]);
    const reply = entry.value;
    if (enquiry === null || reply === null || reply.by !== by) return { result: fail("not_found") };
    if (reply.change === "unsent") return { result: { ok: true } };
    if (reply.change !== "replied") return { result: fail("not_found") };
    const { text, held: { mail, until, state, owner } } = reply;
    if (enquiry.row.revision !== reply.seq) {
      return { result: fail("conflict", { message: CHANGED }) };
    }
    const commit = kv.atomic().check(entry);
    if (now >= Date.parse(until) || !await mailer.recall(commit, [mail])) {
      return { result: fail("conflict", { message: TOO_LATE }) };
    }
    addEntry(commit, enquiry, { id, by, text, change: "unsent" }, { owner, state, now });
    auditChange(commit, actor, "unsent", now);
    return { result: { ok: true }, commit };
  });
}

const TOO_LATE = "It is too late to take this reply back: its email has been sent.";
const DELETED = "The holder has deleted this record, so it gets no more email.";
const TOO_MANY =
  `You can send at most ${REPLIES_PER_HOUR} replies an hour. Your text is kept below.`;

/** Returns the name that an operator has given for replies; null if the form must ask for it. */
export const readReplyName = async (
  kv: Deno.Kv,
  by: string,
  now: number,
): Promise<string | null> => (await replyNames.getLive(kv, now, by))?.value.name ?? null;
