/**
 * The asking for access: a person sends a request and confirms the address.
 *
 * @module
 */
import { createMailedLinks, type MailedLinkRequest } from "../../auth/mod.ts";
import { addAlert } from "../../alerts/mod.ts";
import { addressKey, siteKey } from "../../../platform/http/client_address.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import {
  isLive,
  readSlot,
  type SlidingWindow,
  takeSlot,
  transact,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { mailboxOf } from "../../../base/email.ts";
import type { Mailer, MailOrganisation, QueuedMail } from "../../../platform/mail/mod.ts";
import {
  type Notices,
  readCurrentRecord,
  type Reader,
  type ReaderEvents,
} from "../../records/mod.ts";
import { fail, type Failure, type RateLimited, rateLimited } from "../../../base/result.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { OrganisationKey } from "../../../platform/surfaces/mod.ts";
import { formatWait, MINUTE_MS } from "../../../base/time.ts";
import { accessLimits } from "./limits.ts";
import { addLink, findLink, type FoundLink, useLink } from "./confirmations.ts";
import { createAccessMails } from "./mails.ts";
import {
  type AccessRequestRow,
  afterAction,
  canBeUndone,
  describe,
  personKey,
  personText,
  type Requester,
  requests,
  saveRequest,
  stateOf,
  timesOf,
} from "./requests.ts";
import { addUnconfirmed } from "./unconfirmed.ts";
import { newDocumentId } from "../ids.ts";
import { addPersonalLink, listOpened } from "./personal_links.ts";
import { type DocumentRow, documents, endOf } from "../store.ts";

/** The kind of the alert about a new request for access. */
export const ACCESS_REQUESTED = "access_requested";

/** The dependencies that the parts of the feature share. */
export interface AccessOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  mailer: Mailer;
  readers: ReaderEvents;
  notices: Notices;
  organisations: Record<OrganisationKey, MailOrganisation>;
  /** Returns the full URL of a path of the trust surface. */
  trustUrl: (path: string) => string;
  /** Requests for mailed links per hour from one client address; 0 for no limit. */
  clientLimit: number;
  log: (entry: Record<string, unknown>) => void;
}

/** A request for access to a document, as the form sends it. */
export interface NewAccessRequest extends MailedLinkRequest {
  /** An id as `parseDocumentId` returns it, whether or not there is such a document. */
  document: string;
  person: Requester;
}

export interface Requesting {
  /**
   * Stores a request and mails a link that confirms the address. The result depends neither on the
   * address nor on whether the document exists: they are looked up after the response. Somebody who
   * already has access gets a new link instead.
   */
  request(request: NewAccessRequest): Promise<{ ok: true } | Failure>;
  /** Reads the link that confirms an address, without using it. */
  readConfirmation(token: string): Promise<OpenConfirmation>;
  /** Confirms the address, which opens the request: an event of the record and an alert. */
  confirm(token: string, reader: Reader): Promise<OpenConfirmation>;
}

/**
 * A request whose address can be confirmed, or why not: `used` if it was confirmed before,
 * `rate_limited` if too many requests for the document were confirmed today.
 */
export type OpenConfirmation =
  | { ok: true; request: Pick<AccessRequestRow, "document" | "person"> }
  | Failure<"not_found" | "used">
  | RateLimited;

/** A request that is repeated within this time, or this soon after its approval, is not mailed again. */
export const RESEND_AFTER_MS = 10 * MINUTE_MS;

const clientWindow = (clientAddress: string, limit: number): SlidingWindow =>
  accessLimits.client.of([sha256(addressKey(clientAddress))], limit);
const clientDocumentWindow = (clientAddress: string, document: string): SlidingWindow =>
  accessLimits.clientDocument.of([sha256(`${siteKey(clientAddress)}\n${document}`)]);
const mailboxWindow = (secrets: Secrets, email: string): Promise<SlidingWindow> =>
  accessLimits.mailbox.signed({ secrets, purpose: "access-request" }, mailboxOf(email), []);

export function createRequesting(options: AccessOptions): Requesting {
  const { kv, clock, secrets, readers } = options;
  const mails = createAccessMails(options);

  const clientOf = async (clientAddress: string, document: string) =>
    await secrets.sign("access-request", `client\n${siteKey(clientAddress)}\n${document}`);

  /** Stores a request. Returns no mail if there is no such document, or nothing to mail. */
  function prepare(
    { document: id, person, clientAddress }: NewAccessRequest,
  ): Promise<QueuedMail[]> {
    return transact<QueuedMail[]>(async () => {
      const now = clock();
      const found = await documents.get(kv, id);
      const { value: document } = found;
      if (document === null || document.record === null) return { result: [] };
      const record = await readCurrentRecord(kv, document.record); // a correction moves the document later
      const isOpen = endOf(document, now) === null;
      if (!isOpen || !record || record.row.deletion_at) return { result: [] };
      const mailbox = await mailboxWindow(secrets, person.email);
      const [{ before, mac, checks }, slot] = await Promise.all([
        findRequest(options, id, person.email, now),
        readSlot(kv, mailbox, now),
      ]);
      const opened = before !== null && stateOf(before, now) === "approved" &&
        (await listOpened(kv, [before])).has(before.id);
      const renewed = renew(before, document, { record: record.hash, person, mac, opened, now });
      if (renewed === null || slot.waitMs > 0) return { result: [] };
      const { purpose } = renewed;
      unchecked("The link of the mail reads it again.", found);
      const commit = kv.atomic().check(record.contact, ...checks);
      slot.take(commit);
      if (renewed.row.id === before?.id) {
        unchecked("A correction moves the request.", record.entry);
      } else {
        commit.check(record.entry); // a correction does not move what is added after it took effect
        await addUnconfirmed(kv, commit, renewed.row, await clientOf(clientAddress, id), now);
      }
      const isNew = purpose === "confirm";
      const { token, row } = isNew
        ? addLink(commit, renewed.row, now)
        : await addPersonalLink(kv, commit, renewed.row, now);
      saveRequest(commit, row, now);
      const addMail = isNew ? mails.addConfirmation : mails.addGrant;
      return { result: [await addMail(commit, row, token)], commit };
    });
  }

  // Clients are counted below, apart from those who ask to sign in.
  const links = createMailedLinks<NewAccessRequest>({ ...options, clientLimit: 0 }, prepare);

  return {
    async request(request) {
      const limited = await countRequest(options, request);
      if (limited !== null) return limited;
      return await links.request(request);
    },

    async readConfirmation(token) {
      const link = await openLink(options, token);
      return "ok" in link ? link : { ok: true, request: link.row };
    },

    async confirm(token, reader) {
      const first = await openLink(options, token);
      if ("ok" in first) return first;
      const { id, record, document } = first.row;
      let refused: OpenConfirmation = fail("not_found");
      const result = await readers.add({
        hash: record,
        kind: "access_requested",
        object: document,
        reader,
        as: "anonymous",
        detail: describe(first.row),
      }, async (commit) => {
        const now = clock();
        const [link, entry, found, slot] = await Promise.all([
          openLink(options, token),
          requests.get(kv, id),
          documents.get(kv, document),
          readSlot(kv, accessLimits.confirmed.of([document]), now),
        ]);
        if ("ok" in link) {
          refused = link;
          return false;
        }
        const open = entry.value && afterAction(entry.value, "confirm", now);
        if (!open || open.record !== record) return false;
        if (endOf(found.value, now) !== null) return false;
        if (slot.waitMs > 0) {
          refused = rateLimited(slot.waitMs);
          return false;
        }
        slot.take(commit);
        const at = new Date(now).toISOString();
        const row = { ...open, confirmed_at: at };
        useLink(commit.check(entry, found), link, now);
        saveRequest(commit, row, now);
        const { organisation, expires_at } = row;
        const links = { record, document, request: id };
        await addAlert(
          kv,
          commit,
          { organisation, kind: ACCESS_REQUESTED, problem: id, links, expires_at },
          now,
        );
      });
      return result.ok ? { ok: true, request: first.row } : refused;
    },
  };
}

/** Finds a person's latest request for a document, with what a commit has to check. */
async function findRequest(
  { kv, secrets }: AccessOptions,
  document: string,
  email: string,
  now: number,
) {
  const macs = await secrets.signatures("access-request", personText(email, document));
  const pointers = await kv.getMany<string[]>(macs.map((mac) => personKey(document, mac)));
  const found = pointers.find(({ value }) => value !== null);
  const entry = found?.value ? await requests.get(kv, found.value) : null;
  const before = entry?.value && isLive(entry.value, now) ? entry.value : null;
  return { mac: macs[0], before, checks: entry === null ? pointers : [...pointers, entry] };
}

/** Counts a request. Returns the failure if one of the limits is reached. */
async function countRequest(
  { kv, clock, clientLimit }: AccessOptions,
  { clientAddress, document }: NewAccessRequest,
): Promise<RateLimited | null> {
  // Counted for every id, so that the limits say nothing about the document.
  const clientWindows = clientLimit === 0 ? [] : [
    clientWindow(clientAddress, clientLimit),
    clientDocumentWindow(clientAddress, document),
  ];
  const counted = await takeSlot(
    kv,
    [...clientWindows, accessLimits.requests.of([document])],
    clock,
  );
  if (counted.ok) return null;
  const wait = formatWait(counted.retryAfterSeconds);
  return { ...counted, message: `Too many requests for access were sent. Try again ${wait}.` };
}

async function openLink(
  { kv, clock }: AccessOptions,
  token: string,
): Promise<FoundLink | Failure<"not_found" | "used">> {
  const found = await findLink(kv, token, clock());
  if (found === null) return fail("not_found");
  if (found.row.confirmed_at !== null) return fail("used");
  // A newer link replaced this one.
  return found.state === "open" ? found : fail("not_found");
}

/** Returns the request to store, and what its mail is for; null if nothing is mailed. */
function renew(
  before: AccessRequestRow | null,
  { id: document, organisation }: DocumentRow,
  { record, person, mac, opened, now }: {
    record: string;
    person: Requester;
    mac: string;
    /** True if the person has opened the document. */
    opened: boolean;
    now: number;
  },
): { row: AccessRequestRow; purpose: "confirm" | "open" } | null {
  const state = before === null ? null : stateOf(before, now);
  // While a decision can be undone, its mail waits, and nothing else says what was decided.
  if (state === "open" || before !== null && canBeUndone(before, now)) return null;
  if (state === "approved") {
    // A newer link would make the one in the mail of the decision useless.
    const waits = !opened && before!.decided_at !== null &&
      now - Date.parse(before!.decided_at) < RESEND_AFTER_MS;
    return waits ? null : { row: before!, purpose: "open" };
  }
  const requested_at = new Date(now).toISOString();
  if (state === "requested") {
    if (now - Date.parse(before!.requested_at) < RESEND_AFTER_MS) return null;
    // Only the newest link works, so it confirms what the person entered last.
    return { row: { ...before!, person, ...timesOf("requested", now) }, purpose: "confirm" };
  }
  const row: AccessRequestRow = {
    id: newDocumentId(),
    document,
    record,
    organisation,
    person,
    mac,
    state: "requested",
    requested_at,
    confirmed_at: null,
    decided_at: null,
    decided_by: null,
    decision_reason: null,
    links: [],
    share: null,
    ...timesOf("requested", now),
  };
  return { row, purpose: "confirm" };
}
