/** The access log of a record: what its holder sees of every access and change. */
import { z } from "zod";
import { LOGGED_EVENTS } from "../../../../packages/proof/mod.ts";
import type { Device } from "../../../platform/http/device.ts";
import { PAGE_SIZE } from "../../../platform/http/feed.ts";
import {
  attemptOnce,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  keyAfter,
  noteChange,
} from "../../../platform/kv/mod.ts";
import { eachOf } from "../../../base/slots.ts";
import { DAY_MS, inDays } from "../../../base/time.ts";

export { deviceOf as readerOf, OTHER_PROGRAM } from "../../../platform/http/device.ts";

/** How long an entry of the access log is kept. */
const ACCESS_LOG_LIFETIME_MS = 365 * DAY_MS;

/** The kinds of entries with their texts: the logged events of the chain, and everything else. */
export const ACCESS_TEXTS = {
  ...LOGGED_EVENTS,
  signed_in: "Signed in",
  signed_out: "Signed out",
  signed_out_everywhere: "Signed out everywhere",
  passkey_added: "Passkey added",
  passkey_renamed: "Passkey renamed",
  passkey_removed: "Passkey removed",
  passkey_counter: "Passkey used with an unexpected counter",
  device_added: "Device added for notifications",
  device_removed: "Device removed from notifications",
  notifications_changed: "Choice of notifications changed",
  mobile_confirmed: "Mobile number confirmed",
  mobile_unconfirmed: "Mobile number no longer confirmed",
  declared: "Declaration made",
  key_shown: "Key shown",
  key_replaced: "Key replaced",
  key_revoked: "Key revoked",
  documents_accepted: "Documents accepted",
  issuer_ended: "Issuer no longer adds documents",
  document_added: "Document added",
  document_replaced: "New version of a document",
  document_withdrawn: "Document withdrawn",
  document_edited: "Description of a document changed",
  access_approved: "Access approved",
  access_refused: "Access refused",
  access_revoked: "Access revoked",
  access_undone: "Decision on access undone",
  access_opened: "Access link used",
  document_shared: "Link to a document created",
  share_opened: "Link to a document opened",
  share_ended: "Link to a document ended",
  readings_suppressed: "Further views that are not in the chain",
  identity_checked: "Identity checked",
  identity_revoked: "Identity check revoked",
  recovery_started: "Recovery started",
  recovery_sent: "Recovery link sent",
  recovery_cancelled: "Recovery cancelled",
  corrected: "Contact data corrected",
  exported: "Data downloaded",
  deletion_requested: "Deletion requested",
  deletion_cancelled: "Deletion cancelled",
  undone: "Undone with the link in an email",
  agent_connected: "App connected",
  agent_disconnected: "App disconnected",
};

export type AccessKind = keyof typeof ACCESS_TEXTS;

const ACCESS_KINDS = Object.keys(ACCESS_TEXTS) as AccessKind[];

const readerSchema = z.object({
  network: z.string().describe(
    "The network: the first 24 bits of an IPv4 address, or the first 48 of an IPv6 address.",
  ),
  browser: z.string().describe("The browser and system, such as `Firefox on Windows`."),
});

export const storedReader = z.strictObject(readerSchema.shape);

/** The origin of a request, as the holder sees it. */
export type Reader = Device;

/** The reader for automatic actions of the site, such as removing a device that is no longer in use. */
export const SITE: Reader = { network: "of the publisher", browser: "This site" };

const accessEntrySchema = readerSchema.extend({
  at: z.iso.datetime(),
  what: z.enum(ACCESS_KINDS).meta({
    open: true,
    description: "What happened. Accept values that you do not know.",
  }),
  seq: z.int().min(0).optional().describe("The event that was appended to the chain, if any."),
  detail: z.string().optional().describe(
    "Further information for the holder, such as how they signed in.",
  ),
});

/** One entry. `at` is ISO 8601 in UTC. */
export type AccessEntry = z.infer<typeof accessEntrySchema>;

const NETWORK =
  "(the first three of the four numbers of an IPv4 address, or the first 48 bits of " +
  "an IPv6 address)";
const LOGGED = inDays(ACCESS_LOG_LIFETIME_MS);

const storedEntry = z.strictObject({ ...accessEntrySchema.shape, ...EXPIRING });

/** The access logs of records. The key also has a counter per record, see {@link accessCountKey}. */
export const accessLog = defineTable({
  prefix: "access_log",
  value: storedEntry,
  key: ["record", "at", "id"],
  owner: { record: "record" },
  lifetime: expires(LOGGED),
  per: "action of a reader or holder",
  privacy: [{
    section: "record",
    label: "Access log",
    text: "Each sign-in, change and check of your record, with the time, the network " +
      `${NETWORK} and the name of the browser, for ${LOGGED}. You and administrators ` +
      "can see it.",
  }, {
    section: "check",
    label: "Access log",
    text: "If you check the key on a card and your browser verifies the chain, or if you check " +
      `a file that matches a registered document: the time, your network ${NETWORK} and the ` +
      `name of your browser, for ${LOGGED}. The record's holder and administrators ` +
      "can see them. The chain, which is public, contains only the time.",
  }, {
    section: "open_document",
    label: "Access log",
    text: "If you were granted access or opened a link of the holder's, each view, download and " +
      "print with the page's button: " +
      `the time, your network ${NETWORK}, the name of your browser and the grant or link, for ` +
      `${LOGGED}. The record's holder and administrators can see them. The chain, ` +
      "which is public, contains only the time.",
  }],
});

let added = 0;

/** Returns an ID that sorts after the earlier ones of this process. */
function nextId(): string {
  const count = (added++ >>> 0).toString(16).padStart(8, "0");
  return count + crypto.randomUUID().slice(count.length);
}

/**
 * The key of a counter that grows with every entry of a record's access log. It is shorter than the
 * entries' keys, so lists of entries do not contain it.
 */
export const accessCountKey = (hash: string): Deno.KvKey => [accessLog.prefix, hash];

/**
 * Adds an entry to a record's access log, in the commit of what it describes.
 *
 * @returns the entry's key
 */
export function addAccess(
  commit: Deno.AtomicOperation,
  hash: string,
  { reader: { network, browser }, ...entry }: {
    what: AccessKind;
    reader: Reader;
    seq?: number;
    detail?: string;
  },
  now: number,
): Deno.KvKey {
  const at = new Date(now).toISOString();
  const expires_at = isoAfter(now, ACCESS_LOG_LIFETIME_MS);
  const row = { ...entry, network, browser, at, expires_at };
  const id = nextId();
  accessLog.put(commit, [hash, at, id], row, now);
  countAccess(commit, hash);
  return accessLog.key(hash, at, id);
}

function countAccess(commit: Deno.AtomicOperation, hash: string): void {
  const key = accessCountKey(hash);
  commit.sum(key, 1n);
  noteChange(commit, key);
}

/** The id of an entry, `<at>~<UUID>`. Ids sort like the entries' keys, by time. */
export const accessIdSchema = z.string()
  .regex(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z~[0-9a-f-]{36}$/, "the id of an entry of the access log");

export const accessRowSchema = accessEntrySchema.extend({ id: accessIdSchema });

export type AccessRow = z.infer<typeof accessRowSchema>;

/** Selects entries of a log. Without `before` and `after`, it selects the newest. */
export interface AccessQuery {
  /** The newest entries before this id. */
  before?: string;
  /** The oldest entries after this id. */
  after?: string;
  limit: number;
}

/** Entries in the order of time, and whether there are others on either side. */
export interface AccessPage {
  rows: AccessRow[];
  /** The ids at the ends of the page, including entries that have expired. */
  first?: string;
  last?: string;
  older: boolean;
  newer: boolean;
}

/** Returns a page of a record's access log, oldest first. */
export async function readAccessPage(
  kv: Deno.Kv,
  hash: string,
  now: number,
  { before, after, limit }: AccessQuery,
): Promise<AccessPage> {
  const prefix = accessCountKey(hash);
  const keyOf = (id: string) => [...prefix, ...id.split("~")];
  const since = (id: string) => ({ prefix, start: keyAfter(keyOf(id)) });
  const until = (id: string) => ({ prefix, end: keyOf(id) });
  const list = (selector: Deno.KvListSelector, options: Deno.KvListOptions) =>
    Array.fromAsync(kv.list<z.infer<typeof storedEntry>>(selector, options));
  const forward = after !== undefined;
  const found = await list(
    forward ? since(after) : before !== undefined ? until(before) : { prefix },
    { limit: limit + 1, reverse: !forward },
  );
  const entries = found.slice(0, limit);
  if (!forward) entries.reverse();
  const [first, last] = [entries.at(0), entries.at(-1)].map((entry) =>
    entry?.key.slice(2).join("~")
  );
  const more = found.length > limit;
  const hasOther = async (selector: Deno.KvListSelector) =>
    (await list(selector, { limit: 1 })).length > 0;
  return {
    rows: entries.filter(({ value }) => isLive(value, now))
      .map(({ key, value: { expires_at: _, ...entry } }) => ({
        id: key.slice(2).join("~"),
        ...entry,
      })),
    first,
    last,
    older: forward ? await hasOther(until(first ?? after)) : more,
    // Without `before`, these are the newest.
    newer: forward ? more : before !== undefined && await hasOther(since(last ?? before)),
  };
}

/**
 * Returns a page of a record's access log, newest first.
 *
 * @param cursor continues after an earlier page
 */
export async function readAccessLog(
  kv: Deno.Kv,
  hash: string,
  now: number,
  { limit = PAGE_SIZE, cursor }: { limit?: number; cursor?: string } = {},
): Promise<{ entries: AccessEntry[]; cursor: string | null }> {
  const { rows, first, older } = await readAccessPage(kv, hash, now, { limit, before: cursor });
  return {
    entries: rows.reverse().map(({ id: _, ...entry }) => entry),
    cursor: older ? first! : null,
  };
}

/** Moves a record's access log to the record that corrects it. */
export async function moveAccessLog(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  await eachOf(accessLog.list(kv, [from]), ({ key }) =>
    attemptOnce(async () => {
      const entry = await kv.get<z.infer<typeof storedEntry>>(key);
      // An entry that another process has moved meanwhile is not counted again.
      if (entry.value === null) return { result: undefined };
      const commit = kv.atomic().check(entry).delete(key);
      countAccess(commit, to);
      accessLog.put(commit, [to, String(key[2]), String(key[3])], entry.value, now);
      return { result: undefined, commit };
    }));
  const end = kv.atomic().delete(accessCountKey(from));
  noteChange(end, accessCountKey(from)); // open streams of the log then end
  await end.commit();
}
