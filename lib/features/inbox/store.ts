/** The tables of the inbox: enquiries, their history, and the names and limits of those who reply. */
import { z } from "zod";
import { HOUR_MS } from "../../base/time.ts";
import {
  changeVersion,
  defineLimit,
  defineTable,
  expires,
  EXPIRING,
  WITH_RECORD,
} from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { ORGANISATIONS } from "../../platform/telemetry/mod.ts";
import { CHANGES, type EnquiryState, isWaiting, STATES } from "./states.ts";

/** ISO 8601 in UTC. */
const time = z.iso.datetime();
const state = z.enum(Object.keys(STATES) as EnquiryState[]);

const enquiry = z.strictObject({
  /** The hash of the record. */
  record: z.string(),
  organisation: z.enum(ORGANISATIONS),
  /** When it was registered. */
  at: time,
  state,
  /** The address of the operator who takes care of it, who may have been removed since. */
  owner: z.string().nullable(),
  /** The number of its entries. Forms send it, so that nobody overlooks what somebody else did. */
  revision: z.int(),
});

export type EnquiryRow = z.infer<typeof enquiry>;

/** The enquiries. */
export const enquiries = defineTable({
  prefix: "inbox",
  value: enquiry,
  key: ["record"],
  indexes: {
    /** By state, and those that wait once more. */
    inbox_by_state: {
      keysOf: ({ organisation, state, at, record }: EnquiryRow) =>
        [state, ...isWaiting(state) ? ["waiting"] : []]
          .map((list) => [organisation, list, at, record]),
      value: () => null,
    },
  },
  owner: { record: "record" },
  moves: true,
  lifetime: WITH_RECORD,
  per: "registration",
  privacy: {
    section: "enquiry",
    label: "Inbox",
    text: "Whether your enquiry is new, open, answered or closed, which of our administrators " +
      "takes care of it, their notes about it, and our replies, each with its author and time. " +
      "We keep them with your record, and you can download the notes and replies with it. They " +
      "are not in the chain.",
  },
});

const ENTRY = {
  record: z.string(),
  /** For notes and replies, the number that their form generated, so that none is added twice. */
  id: z.string(),
  /** Its place in the history, from 1. */
  seq: z.int(),
  at: time,
  /** The address of the operator; null for what the site did. */
  by: z.string().nullable(),
  /** The state afterwards. */
  state,
};

/** An entry of an enquiry's history. It is never changed, apart from a reply that is taken back. */
const entry = z.discriminatedUnion("change", [
  z.strictObject({ ...ENTRY, change: z.enum(CHANGES).extract(["released", "closed", "reopened"]) }),
  z.strictObject({ ...ENTRY, change: z.literal("taken"), owner: z.string() }),
  z.strictObject({ ...ENTRY, change: z.literal("noted"), text: z.string() }),
  z.strictObject({
    ...ENTRY,
    change: z.literal("replied"),
    text: z.string(),
    /** The name of the operator in the mail. */
    name: z.string(),
    /** True if the mail quotes the enquiry. */
    quoted: z.boolean(),
    /** The mail, and the record whose address it went to: a correction may have changed it since. */
    mail: z.strictObject({ record: z.string(), id: z.string() }),
    /** How the reply is taken back: until when, the mail that waits, and the state and owner before. */
    held: z.strictObject({
      until: time,
      mail: z.strictObject({ due: z.number(), id: z.string() }),
      state,
      owner: z.string().nullable(),
    }),
  }),
  /** A reply that was taken back before it was sent. It takes the place of the reply. */
  z.strictObject({ ...ENTRY, change: z.literal("unsent"), text: z.string() }),
  z.strictObject({
    ...ENTRY,
    change: z.literal("not_delivered"),
    /** A stable code, such as `recipient_refused`. */
    reason: z.string(),
  }),
]);

export type Entry = z.infer<typeof entry>;

export const entries = defineTable({
  prefix: "inbox_entries",
  value: entry,
  key: ["record", "id"],
  owner: { record: "record" },
  moves: true,
  lifetime: WITH_RECORD,
  per: "change of an enquiry, note and reply",
  privacy: { section: "enquiry", label: "Inbox" },
});

/** The name that an operator used in the last reply. */
export const replyNames = defineTable({
  prefix: "inbox_names",
  value: z.strictObject({ name: z.string(), ...EXPIRING }),
  key: ["email"],
  owner: "nobody",
  lifetime: expires("1 year after the last reply"),
  per: "administrator who replies",
  privacy: {
    section: "consoles",
    label: "Replies",
    text: "For administrators who reply to enquiries: the name that you used in your last reply, " +
      "for a year. The number of your replies within the last hour. Your browser keeps a reply or " +
      "note that you have not sent until you close the tab.",
  },
});

export const REPLIES_PER_HOUR = 20;

/** The times of an operator's replies. */
export const replyTimes = defineLimit({
  name: "inbox_replies",
  limit: REPLIES_PER_HOUR,
  windowMs: HOUR_MS,
  per: "administrator who replies",
  privacy: { section: "consoles", label: "Replies" },
});

/** Returns the key of the version of an organisation's inbox, which every change of it changes. */
export const versionKey = (organisation: OrganisationKey): Deno.KvKey => [
  "versions",
  organisation,
  "inbox",
];

export const changeInbox = (commit: Deno.AtomicOperation, organisation: OrganisationKey) =>
  changeVersion(commit, versionKey(organisation));

/** Adds a new enquiry to the commit that registers it. */
export function addEnquiry(
  commit: Deno.AtomicOperation,
  { hash: record, organisation, now }: { hash: string; organisation: OrganisationKey; now: number },
): void {
  const at = new Date(now).toISOString();
  enquiries.set(commit, { record, organisation, at, state: "new", owner: null, revision: 0 });
  changeInbox(commit, organisation);
}

/** Reads the history of an enquiry, oldest first. */
export async function readEntries(kv: Deno.Kv, record: string): Promise<Entry[]> {
  const rows = await Array.fromAsync(entries.list(kv, [record]), ({ value }) => value);
  return rows.sort((a, b) => a.seq - b.seq);
}
