/** Requests for sign-in links: stored at once, and mailed after the response. */
import {
  createMailedLinks,
  createStoredRequests,
  LINKS_PER_HOUR,
  type MailedLinkRequest,
  RESTORED,
  type StoredRequest,
  TOKEN_LIFETIME,
  TOKEN_LIFETIME_MS,
} from "../../auth/mod.ts";
import { aboutContact, contactUrls, ownerOf } from "../../contact/mod.ts";
import { utf8 } from "../../../base/encoding.ts";
import { mailboxOf } from "../../../base/email.ts";
import { sha256 } from "../../../platform/kv/hash.ts";
import {
  defineLimit,
  readSlot,
  type SlidingWindow,
  transact,
  unchecked,
} from "../../../platform/kv/mod.ts";
import { type QueuedMail, senderOf } from "../../../platform/mail/mod.ts";
import type { Secrets } from "../../../base/secrets.ts";
import { HOUR_MS } from "../../../base/time.ts";
import type { Surface, SurfaceName } from "../../../platform/surfaces/mod.ts";
import { linkOn, signInLinkMail } from "./link_mails.ts";
import { type LinkData, readOpen, signInLinks, type SignInRequest } from "./mailed_link.ts";
import type { RecordsOptions } from "../record/options.ts";
import { MAX_CHOICES } from "../sessions/table.ts";
import type { RecordEntry } from "../record/store.ts";

export interface RecordLinkRequest extends MailedLinkRequest {
  /** The normalised address. */
  email: string;
  /** The id of the browser that asked, see `ensureBrowserId`. */
  browser: string;
  surface: Surface;
  /** The request that the holder signs in for. A link in another browser then shows a code. */
  request?: SignInRequest;
}

type SavedLinkRequest =
  & Pick<RecordLinkRequest, "email" | "browser" | "request">
  & { surface: SurfaceName };

export type LinkRequestsOptions = Omit<
  RecordsOptions,
  "chains" | "recordData" | "monotonic" | "tables"
>;

/** Limits the links to records for one mailbox. */
export const mailboxLinks = defineLimit({
  name: "record_link_mailbox",
  limit: LINKS_PER_HOUR,
  windowMs: HOUR_MS,
  per: "mailbox that asks for links to records",
  privacy: {
    section: "record",
    label: "Limits",
    text: "The number of links requested, with a keyed fingerprint of your email address and a " +
      "fingerprint of the network address, for an hour. The times of your latest keys and corrections, for a day.",
  },
});

/** How many of the newest unconfirmed records of an address get a new link, besides the oldest. */
const NEWEST = 2;

/** The most unconfirmed records of an address that are read. Anybody can register some. */
const MOST_UNCONFIRMED = 500;

/** Creates what stores requests for links, and mails the links after the response. */
export const createLinkRequests = (options: LinkRequestsOptions) =>
  createMailedLinks<RecordLinkRequest, SavedLinkRequest>(
    options,
    (request, stored) => prepareMail(options, request, stored),
    {
      requests: createStoredRequests(options, "holder"),
      save: ({ email, browser, surface, request }) => ({
        email,
        browser,
        surface: surface.name,
        ...request === undefined ? {} : { request },
      }),
      restore({ surface: name, ...saved }) {
        const surface = options.surfaces.get(name);
        return surface === undefined ? null : { ...saved, surface, ...RESTORED };
      },
    },
  );

async function prepareMail(
  options: LinkRequestsOptions,
  request: RecordLinkRequest,
  stored: StoredRequest,
): Promise<QueuedMail[]> {
  const { kv, clock, secrets, index, mailer, organisations } = options;
  const { email, surface, browser } = request;
  const records = await readOpen(kv, await index.find("email", email, MAX_CHOICES));
  if (records.length === 0) return await prepareConfirmations(options, request, stored);
  const window = await mailboxWindow(secrets, email);
  const choices = records.map(({ hash }) => hash);
  const owners = new Set(records.map(({ contact }) => ownerOf(contact.value)));
  const [key] = owners.size === 1 ? owners : [surface.organisation];
  const sender = senderOf(organisations, key);
  return await transact(async () => {
    const now = clock();
    const slot = await readSlot(kv, window, now);
    if (slot.waitMs > 0) return { result: [] };
    const commit = kv.atomic();
    if (!await stored.take(commit)) return { result: [] };
    slot.take(commit);
    const data: LinkData = { surface: surface.name, choices, browser: sha256(browser) };
    if (request.request !== undefined) {
      const { token, reader } = request.request;
      const sealed = await secrets.seal("sign-in-request", utf8(token), data.browser);
      data.request = { token: sealed, reader };
    }
    const { token } = signInLinks.create(commit, data, now);
    const link = linkOn(surface.baseUrl, token);
    const mail = signInLinkMail({
      sender,
      to: email,
      link,
      lasts: TOKEN_LIFETIME,
      records: choices.length,
    });
    const expiresAt = now + TOKEN_LIFETIME_MS;
    const about = aboutContact(choices[0]);
    const queued = await mailer.add(commit, mail, { expiresAt, about, kind: "record_sign_in" });
    return { result: [queued], commit };
  });
}

async function prepareConfirmations(
  options: LinkRequestsOptions,
  { email, surface }: RecordLinkRequest,
  stored: StoredRequest,
): Promise<QueuedMail[]> {
  const { kv, clock, secrets, index, contact } = options;
  const urls = contactUrls(surface, options);
  const hashes = await index.find("unconfirmed_email", email, MOST_UNCONFIRMED);
  if (hashes.length === 0 || urls === null) return [];
  const window = await mailboxWindow(secrets, email);
  return await transact<QueuedMail[]>(async () => {
    const slot = await readSlot(kv, window, clock());
    const read = await readOpen(kv, hashes);
    const records = read.filter(({ contact, row }) =>
      contact.value.confirmed_at === null && !row.deletion_at
    )
      .sort((a, b) => registeredAt(b).localeCompare(registeredAt(a)))
      // With the oldest, nobody loses the link who registered before a stranger did with the same address.
      .filter((_, i, all) => i < NEWEST || i === all.length - 1);
    if (slot.waitMs > 0 || records.length === 0) return { result: [] };
    for (const { contact, entry } of read) {
      unchecked("The link reads the record again.", entry);
      if (!records.some((each) => each.contact === contact)) unchecked("It gets no link.", contact);
    }
    const commit = kv.atomic();
    if (!await stored.take(commit)) return { result: [] };
    slot.take(commit);
    const mails = records.map(({ hash, contact: entry }) =>
      contact.addConfirmation(commit, hash, entry, urls)
    );
    return { result: await Promise.all(mails), commit };
  });
}

const registeredAt = ({ contact }: RecordEntry): string => contact.value.registered_at;

/** Returns the limit of a mailbox. Its key is an HMAC, so that it does not reveal who has a record. */
const mailboxWindow = (secrets: Secrets, email: string): Promise<SlidingWindow> =>
  mailboxLinks.signed({ secrets, purpose: "contact-index" }, `limit:${mailboxOf(email)}`, []);
