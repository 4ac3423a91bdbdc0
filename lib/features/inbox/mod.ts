/**
 * The inbox of an organisation's console: each enquiry has a state, an owner, notes and replies, which
 * belong to its record. Only full administrators (L1) see it.
 *
 * @module
 */
import type { AddToLoss } from "../../platform/mail/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { type ContactIndex, hashOfAbout, ownerOf } from "../contact/mod.ts";
import { readCurrentRecord, type RecordData } from "../records/mod.ts";
import { type Acted, actOnEnquiry, type Actor, type InboxAction } from "./actions.ts";
import { type DigestOptions } from "./digest.ts";
import { addEntry, type Enquiry, readEnquiry } from "./enquiry.ts";
import type { InboxQuery } from "./filters.ts";
import { createCounts, type InboxCounts, type InboxPage, listEnquiries } from "./list.ts";
import { type EnquiryState, isWaiting } from "./states.ts";
import { readReplyName, type Replied, type Reply, replyTo, takeBack } from "./reply.ts";
import { changeInbox, enquiries, type EnquiryRow, type Entry, readEntries } from "./store.ts";

export { CORRECTED, type InboxAction, inboxActionSchema } from "./actions.ts";
export type { Enquiry } from "./enquiry.ts";
export { type InboxFilters, inboxList, type InboxQuery, type View, VIEWS } from "./filters.ts";
export { type InboxCounts, type InboxItem, type InboxPage, MOST_COUNTED } from "./list.ts";
export { enquiryPath } from "./paths.ts";
export { NAME_LIMIT, replySchema } from "./reply.ts";
export { type EnquiryState, isWaiting, STATES } from "./states.ts";
export type { EnquiryRow, Entry };

/** The data of an enquiry's page. */
export interface OpenEnquiry extends Enquiry {
  /** The operator who takes care of it; null if nobody does, or the operator was removed. */
  owner: string | null;
  /** The history, oldest first. */
  entries: Entry[];
  /** The operators who can own it. */
  operators: string[];
}

/** A reply as the holder of the record sees it. */
export interface HolderReply {
  at: string;
  /** The name of the operator in the mail. */
  name: string;
  text: string;
}

/** The enquiries of both organisations, and the replies to them. */
export interface Inbox {
  /** Returns a page of an organisation's enquiries, as an operator sees them. */
  list(organisation: OrganisationKey, query: InboxQuery, reader: string): Promise<InboxPage>;
  /** Returns the operators of an organisation who can own an enquiry. */
  owners(organisation: OrganisationKey): Promise<string[]>;
  counts(organisation: OrganisationKey): Promise<InboxCounts>;
  /** Returns those of these records whose enquiries wait. */
  waitingOf(hashes: readonly string[]): Promise<string[]>;
  /** Returns the state of a record's enquiry; null if it has none. */
  stateOf(hash: string): Promise<EnquiryState | null>;
  /** Returns an enquiry; null if it does not exist or belongs to the other organisation. */
  read(organisation: OrganisationKey, hash: string): Promise<OpenEnquiry | null>;
  act(actor: Actor, form: InboxAction): Promise<Acted>;
  reply(actor: Actor, reply: Reply): Promise<Replied>;
  /** Returns the name under which an operator replies; null if nobody has asked for it yet. */
  replyName(by: string): Promise<string | null>;
  /** Returns the replies to a record's enquiry that have been sent, oldest first, as the holder sees them. */
  repliesTo(hash: string): Promise<HolderReply[]>;
}

/** Creates the inbox of enquiries. Nothing is read or written before the first call. */
export function createInbox(
  options: Omit<DigestOptions, "counts"> & { contactIndex: ContactIndex },
): Inbox {
  const { kv, clock, operators, contactIndex: index } = options;
  const counts = createCounts(options);

  const owners = (organisation: OrganisationKey) => operators.emails(organisation, "L1");

  return {
    counts,
    async list(organisation, query, reader) {
      // Only this filter needs the owners.
      const known = query.owner === "none" ? new Set(await owners(organisation)) : null;
      return await listEnquiries({ kv, index }, organisation, query, ({ owner }) => {
        if (known !== null) return owner === null || !known.has(owner);
        return query.owner === undefined || owner === reader;
      });
    },
    owners,
    async waitingOf(hashes) {
      const rows = await enquiries.getMany(kv, hashes.map((hash): [string] => [hash]));
      return rows.filter(({ value }) => isWaiting(value.state)).map(({ value }) => value.record);
    },
    stateOf: async (hash) => (await enquiries.get(kv, hash)).value?.state ?? null,
    async read(organisation, hash) {
      const [enquiry, entries, operators] = await Promise.all([
        readEnquiry(kv, organisation, hash),
        readEntries(kv, hash),
        owners(organisation),
      ]);
      if (enquiry === null) return null;
      const { owner } = enquiry.row;
      const known = owner !== null && operators.includes(owner);
      return { ...enquiry, entries, operators, owner: known ? owner : null };
    },
    async act(actor, form) {
      if (form.act === "unsend") return await takeBack(options, actor, form.key);
      const known = form.act === "assign" ? await owners(actor.organisation) : [];
      return await actOnEnquiry(options, actor, form, (email) => known.includes(email));
    },
    reply: (actor, reply) => replyTo(options, actor, reply),
    replyName: (by) => readReplyName(kv, by, clock()),
    async repliesTo(hash) {
      const now = new Date(clock()).toISOString();
      return (await readEntries(kv, hash)).flatMap((entry) =>
        entry.change === "replied" && entry.held.until <= now
          ? [{ at: entry.at, name: entry.name, text: entry.text }]
          : []
      );
    },
  };
}

/** Opens an enquiry again in the commit that gives up a reply, so that somebody notices. */
export const reopenUndelivered =
  ({ kv, clock }: { kv: Deno.Kv; clock: () => number }): AddToLoss =>
  async (commit, { kind, about, reason }) => {
    if (kind !== "reply") return;
    const record = await readCurrentRecord(kv, hashOfAbout(about));
    if (record === null) return;
    const enquiry = await readEnquiry(kv, ownerOf(record.contact.value), record.hash);
    unchecked("If there is an enquiry, its entry checks the record.", record.contact, record.entry);
    if (enquiry === null) return;
    const id = crypto.randomUUID();
    addEntry(commit, enquiry, { change: "not_delivered", id, by: null, reason }, { now: clock() });
  };

/** Enquiries take part in the deletion and the download of their record. */
export const inboxData = ({ kv }: { kv: Deno.Kv }): RecordData => ({
  name: "inbox",
  deleteOf: (hash) =>
    transact(async () => {
      const entry = await enquiries.get(kv, hash);
      if (entry.value === null) return { result: undefined };
      const commit = kv.atomic().check(entry);
      enquiries.delete(commit, entry.value);
      changeInbox(commit, entry.value.organisation);
      return { result: undefined, commit };
    }),
  async download(hash) {
    const [{ value }, entries] = await Promise.all([
      enquiries.get(kv, hash),
      readEntries(kv, hash),
    ]);
    if (value === null) return {};
    const notes = entries.flatMap((entry) =>
      entry.change === "noted" || entry.change === "unsent"
        ? [{ at: entry.at, text: entry.text }]
        : []
    );
    const replies = entries.flatMap((entry) =>
      entry.change === "replied" ? [{ at: entry.at, name: entry.name, text: entry.text }] : []
    );
    return { enquiry: { state: value.state, notes, replies } };
  },
});
