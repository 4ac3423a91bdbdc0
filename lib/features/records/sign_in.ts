import { z } from "zod";
import {
  createDevices,
  createMailedLinks,
  createStoredRequests,
  deviceWindow,
  isShort,
  LINKS_PER_HOUR,
  type MailedLinkRequest,
  RESTORED,
  signIns,
  type StoredRequest,
  TOKEN_LIFETIME,
  TOKEN_LIFETIME_MS,
} from "../auth/mod.ts";
import {
  aboutContact,
  type Contact,
  type ContactIndex,
  contactUrls,
  ownerOf,
} from "../contact/mod.ts";
import { utf8 } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  createSingleUseTokens,
  readSlot,
  type SlidingWindow,
  transact,
} from "../../platform/kv/mod.ts";
import { emailSchema, mailboxOf } from "../../base/email.ts";
import type { Mailer, QueuedMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { Secrets } from "../../base/secrets.ts";
import type {
  OrganisationKey,
  Surface,
  SurfaceName,
  Surfaces,
} from "../../platform/surfaces/mod.ts";
import type { Count } from "../../platform/telemetry/mod.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import type { Reader } from "./access_log.ts";
import {
  createLinkCodes,
  deleteLinkCodes,
  type LinkCodeFailure,
  type LinkCodePlace,
} from "./link_codes.ts";
import { linkOn, signInLinkMail } from "./link_mails.tsx";
import { recoveryLinks, redeemRecovery } from "./recovery.ts";
import { MAX_CHOICES, startSession } from "./sessions.ts";
import { readRecord, type RecordEntry } from "./store.ts";

/** The body of `POST /my-record/sign-in`. */
export const recordLinkSchema = z.object({ email: emailSchema() });

/** The body of `POST /my-record/sign-out`. */
export const signOutSchema = z.object({
  everywhere: z.literal("1").optional()
    .describe("Ends all sessions of the record instead of this one."),
});

export interface RecordLinkRequest extends MailedLinkRequest {
  /** Normalised. */
  email: string;
  /** The request's device cookies, see `deviceCookies`. */
  devices: string[];
  /** The id of the browser that asked, see `ensureBrowserId`. */
  browser: string;
  surface: Surface;
  /** The request that the holder signs in for. A link in another browser then shows a code. */
  request?: SignInRequest;
}

/** An app's request that a holder signs in for (design, section 14). */
export interface SignInRequest {
  /** The token of the request. */
  token: string;
  /** Where the link was requested. */
  reader: Reader;
}

/** The person who opens a link, and the place. */
export interface LinkUse {
  surface: SurfaceName;
  /** The id of the browser, see `browserIdOf`. */
  browser: string | null;
  reader: Reader;
  /** The request's device cookies, see `deviceCookies`. */
  devices: string[];
  /** The id of the session that the browser has had so far. It ends. */
  previous: string | null;
}

/** A link that can still be used. */
export interface OpenLink {
  ok: true;
  /** The records that it opens. */
  records: RecordEntry[];
  /** True if it was opened in a different browser from the one that requested it. */
  elsewhere: boolean;
  /** True if an administrator sent it, to a new address. */
  recovery: boolean;
  /** The request that the holder signs in for; null for an ordinary sign-in. */
  request: SignInRequest | null;
}

/** A sign-in, with its `Set-Cookie` values. */
export interface RecordSignIn {
  ok: true;
  cookies: string[];
  /** The token of the request that the holder signed in for; null for an ordinary sign-in. */
  request: string | null;
  /** The record, if an administrator's link opened it again. */
  recovered: string | null;
}

export type LinkFailure = Failure<"not_found" | "expired" | "used">;

/** A code typed into the tab that asked for a link, because the link was opened elsewhere. */
export interface LinkCodeUse extends LinkUse {
  /** The token of the request that the holder signs in for. */
  request: string;
  /** As typed. */
  code: string;
}

/** Sign-in to records with mailed links (design, section 11). */
export interface SignInLinks {
  /**
   * Mails a link to an address, if records with this confirmed address exist and the limits of
   * spec 4.3 allow it. If all of its records are unconfirmed, it gets new confirmation links, because
   * the earlier ones may have expired. All of this happens after the response, which is the same for
   * every address.
   */
  request(request: RecordLinkRequest): Promise<{ ok: true } | Failure>;
  /** Mails the links of requests that a process has left behind. */
  resume(signal: AbortSignal): Promise<void>;
  /** Reads a link without changing anything, because mail scanners open links too. */
  read(
    token: string,
    opened: { surface: SurfaceName; browser: string | null },
  ): Promise<OpenLink | LinkFailure>;
  /**
   * Signs in with a link: marks it as used and starts the session, in one commit. A link that was
   * requested for an app's request works only in the browser that requested it.
   */
  use(token: string, use: LinkUse): Promise<RecordSignIn | LinkFailure>;
  /**
   * Uses a link for an app's request in a different browser from the one that requested it. It signs
   * nobody in, but returns a code to type into the original tab.
   */
  showCode(
    token: string,
    surface: SurfaceName,
  ): Promise<{ ok: true; code: string; request: SignInRequest } | LinkFailure>;
  /** Signs in with a code that a link has shown in another browser. */
  useCode(use: LinkCodeUse): Promise<RecordSignIn | LinkCodeFailure>;
}

/** A request in the store. */
type SavedLinkRequest =
  & Pick<RecordLinkRequest, "email" | "devices" | "browser" | "request">
  & { surface: SurfaceName };

export interface SignInLinksOptions {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  contact: Pick<Contact, "addConfirmation">;
  index: ContactIndex;
  mailer: Mailer;
  surfaces: Surfaces;
  organisations: Record<OrganisationKey, { name: string }>;
  /** Requests per hour from one client address; 0 for no limit. */
  clientLimit: number;
  log: (entry: Record<string, unknown>) => void;
  count?: Count;
}

interface LinkData {
  /** The surface that it signs in to. It is invalid on all others. */
  surface: SurfaceName;
  /** The hashes of the records that it opens. The address is not stored. */
  choices: string[];
  /** SHA-256 of the id of the browser that asked. */
  browser: string;
  /** The request that it signs in for. The token is sealed, because only the browser may know it. */
  request?: { token: Uint8Array<ArrayBuffer>; reader: Reader };
}

/** How long a link is stored, to report "expired" and "used" instead of "unknown". */
export const RECORD_LINK_STORED_MS = DAY_MS;

/** How many unconfirmed records of an address get a new link, the newest first. */
const MAX_CONFIRMATIONS = 3;

const registeredAt = ({ contact }: RecordEntry): string => contact.value.registered_at;

const signInLinks = createSingleUseTokens<LinkData>({
  prefix: "record_links",
  lifetimeMs: TOKEN_LIFETIME_MS,
  rememberedMs: RECORD_LINK_STORED_MS - TOKEN_LIFETIME_MS,
});

/**
 * Deletes every link that opens a record, and every code that a link has shown. There are few, because
 * they are stored for a day at most.
 */
export async function deleteSignInLinks(kv: Deno.Kv, hash: string): Promise<void> {
  await deleteLinkCodes(kv, hash);
  for await (const { key, value } of kv.list<LinkData>({ prefix: ["record_links"] })) {
    if (value.choices.includes(hash)) await kv.delete(key);
  }
}

/** A link of either kind that was found in the store. */
interface FoundLink {
  choices: string[];
  browser: string | null;
  recovery: boolean;
  request: SignInRequest | null;
  use(commit: Deno.AtomicOperation, now: number): void;
}

export function createSignInLinks(options: SignInLinksOptions): SignInLinks {
  const { kv, clock, secrets, contact, index, mailer, organisations, count } = options;
  const devices = createDevices(secrets, clock);
  const codes = createLinkCodes(options);
  const links = createMailedLinks<RecordLinkRequest, SavedLinkRequest>(options, prepareMail, {
    requests: createStoredRequests(options, "holder"),
    save: ({ email, devices, browser, surface, request }) => ({
      email,
      devices: devices.filter(isShort),
      browser,
      surface: surface.name,
      ...request === undefined ? {} : { request },
    }),
    restore({ surface: name, ...saved }) {
      const surface = options.surfaces.get(name);
      return surface === undefined ? null : { ...saved, surface, ...RESTORED };
    },
  });

  /** The limit of a mailbox. Its key is an HMAC, so that it does not reveal who has a record. */
  const mailboxWindow = async (email: string): Promise<SlidingWindow> => ({
    key: ["record_link_limits", await secrets.sign("contact-index", `limit:${mailboxOf(email)}`)],
    limit: LINKS_PER_HOUR,
    windowMs: HOUR_MS,
  });

  /**
   * Reads the records that a link opens. A record that was corrected is not among them: its old
   * address may no longer be the holder's.
   */
  async function readOpen(hashes: string[]): Promise<RecordEntry[]> {
    const read = await Promise.all(hashes.map((hash) => readRecord(kv, hash)));
    return read.filter((record) => record !== null).filter(({ row }) => row.replaced_by === null);
  }

  async function prepareMail(
    request: RecordLinkRequest,
    stored: StoredRequest,
  ): Promise<QueuedMail[]> {
    const { email, surface, browser } = request;
    const records = await readOpen(await index.find("email", email, MAX_CHOICES));
    if (records.length === 0) return await prepareConfirmations(request, stored);
    const device = await devices.find(request.devices, { email, surface: surface.name });
    const window = device === null ? await mailboxWindow(email) : deviceWindow(device);
    const choices = records.map(({ hash }) => hash);
    const owners = new Set(records.map(({ contact }) => ownerOf(contact.value)));
    const [key] = owners.size === 1 ? owners : [surface.organisation];
    const sender = { key, name: organisations[key].name };
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
    { email, surface }: RecordLinkRequest,
    stored: StoredRequest,
  ) {
    const urls = contactUrls(surface, options);
    const hashes = await index.find("unconfirmed_email", email, MAX_CHOICES);
    if (hashes.length === 0 || urls === null) return [];
    const window = await mailboxWindow(email);
    return await transact<QueuedMail[]>(async () => {
      const slot = await readSlot(kv, window, clock());
      const records = (await readOpen(hashes))
        .filter(({ contact, row }) => contact.value.confirmed_at === null && !row.deletion_at)
        .sort((a, b) => registeredAt(b).localeCompare(registeredAt(a)))
        .slice(0, MAX_CONFIRMATIONS);
      if (slot.waitMs > 0 || records.length === 0) return { result: [] };
      const commit = kv.atomic();
      if (!await stored.take(commit)) return { result: [] };
      slot.take(commit);
      const mails = records.map(({ hash, contact: entry }) =>
        contact.addConfirmation(commit, hash, entry, urls)
      );
      return { result: await Promise.all(mails), commit };
    });
  }

  async function find(
    token: string,
    surface: SurfaceName,
    now: number,
  ): Promise<{ ok: true; link: FoundLink } | LinkFailure> {
    const found = await signInLinks.find(kv, token, now);
    if (found.state === "unknown") return await findRecovery(token, surface, now);
    const { entry } = found;
    if (entry.value.surface !== surface) return fail("not_found");
    if (found.state !== "open") return fail(found.state);
    const { choices, browser } = entry.value;
    const request = await requestOf(entry.value);
    const use = (commit: Deno.AtomicOperation) => signInLinks.use(commit, entry, now);
    return { ok: true, link: { choices, browser, recovery: false, request, use } };
  }

  /** Returns what a link signs in for. It is never an ordinary link again, whatever happens. */
  async function requestOf({ request, browser }: LinkData): Promise<SignInRequest | null> {
    if (request === undefined) return null;
    const opened = await secrets.open("sign-in-request", request.token, browser);
    const token = opened === null ? "" : new TextDecoder().decode(opened);
    return { token, reader: request.reader };
  }

  async function findRecovery(
    token: string,
    surface: SurfaceName,
    now: number,
  ): Promise<{ ok: true; link: FoundLink } | LinkFailure> {
    const found = await recoveryLinks.find(kv, token, now);
    if (found.state === "unknown" || found.entry.value.surface !== surface) {
      return fail("not_found");
    }
    const { state, entry } = found;
    if (state !== "open") return fail(state);
    const use = (commit: Deno.AtomicOperation) => redeemRecovery(commit, entry, now);
    return {
      ok: true,
      link: { choices: [entry.value.hash], browser: null, recovery: true, request: null, use },
    };
  }

  const isElsewhere = (link: FoundLink, browser: string | null): boolean =>
    link.browser !== null && (browser === null || sha256(browser) !== link.browser);

  /** Starts the session of a sign-in in a commit. */
  async function signIn(
    commit: Deno.AtomicOperation,
    records: RecordEntry[],
    method: "link" | "link_code",
    { surface, reader, devices: known, previous }: LinkUse,
    { recovery, request }: Pick<FoundLink, "recovery"> & { request: string | null },
  ): Promise<RecordSignIn | null> {
    const choices = records.map(({ hash }) => hash);
    const recent = method === "link";
    const session = { surface, choices, method, recent, previous, reader };
    const started = await startSession(kv, commit, session, clock());
    if (started === null) return null;
    const cookies = [started.cookie];
    if (!recovery) {
      const { email } = records[0].contact.value.record;
      cookies.push(await devices.cookie(known, { email, surface }));
    }
    return { ok: true, cookies, request, recovered: recovery ? choices[0] : null };
  }

  return {
    resume: links.resume,
    async request(request) {
      const result = await links.request(request);
      if (result.ok && request.request !== undefined) {
        await codes.reset(placeOf(request.browser, request.request.token));
      }
      return result;
    },

    async read(token, { surface, browser }) {
      const found = await find(token, surface, clock());
      if (!found.ok) return found;
      const { link } = found;
      const records = await readOpen(link.choices);
      if (records.length === 0) return fail("not_found");
      const { recovery, request } = link;
      return { ok: true, records, elsewhere: isElsewhere(link, browser), recovery, request };
    },

    async use(token, use) {
      const result = await transact<RecordSignIn | LinkFailure>(async () => {
        const now = clock();
        const found = await find(token, use.surface, now);
        if (!found.ok) return { result: found };
        const { link } = found;
        if (link.request !== null && isElsewhere(link, use.browser)) {
          return { result: fail("not_found") };
        }
        const commit = kv.atomic();
        link.use(commit, now);
        const request = link.request?.token ?? null;
        const records = await readOpen(link.choices);
        const { recovery } = link;
        const signedIn = await signIn(commit, records, "link", use, { recovery, request });
        if (signedIn === null) return { result: fail("not_found") };
        return { result: signedIn, commit };
      });
      if (result.ok) count?.(signIns, { who: "holder", method: "link" });
      return result;
    },

    showCode(token, surface) {
      type Shown = Awaited<ReturnType<SignInLinks["showCode"]>>;
      return transact<Shown>(async () => {
        const now = clock();
        const found = await find(token, surface, now);
        if (!found.ok) return { result: found };
        const { browser, request, choices, use } = found.link;
        if (browser === null || request === null) return { result: fail("not_found") };
        const commit = kv.atomic();
        use(commit, now);
        const place = { browser, request: sha256(request.token) };
        const code = await codes.create(commit, place, choices, now);
        return { result: { ok: true, code, request }, commit };
      });
    },

    async useCode({ request, code, ...use }) {
      if (use.browser === null) return codes.expired();
      const correct = await codes.check(placeOf(use.browser, request), code);
      if (!correct.ok) return correct;
      const result = await transact<RecordSignIn | LinkCodeFailure>(async () => {
        const commit = kv.atomic();
        if (!await correct.use(commit)) return { result: codes.expired() };
        const records = await readOpen(correct.choices);
        const context = { recovery: false, request };
        const signedIn = await signIn(commit, records, "link_code", use, context);
        return signedIn === null ? { result: codes.expired() } : { result: signedIn, commit };
      });
      if (result.ok) count?.(signIns, { who: "holder", method: "link_code" });
      return result;
    },
  };
}

const placeOf = (browser: string, requestToken: string): LinkCodePlace => ({
  browser: sha256(browser),
  request: sha256(requestToken),
});
