/**
 * Fills a store for `year.ts` with the site's own functions: the same recent records in every store,
 * and in one of them what a year leaves behind.
 *
 * @module
 */
import { createSession, sessionCookie } from "../lib/features/auth/sessions.ts";
import { emailKey, lastUserId, type User, users } from "../lib/features/auth/users.ts";
import {
  EVENT_KINDS,
  headOrigin,
  linkEvent,
  newSalt,
  recordHash,
  signHead,
  type SigningKey,
} from "../packages/proof/mod.ts";
import { chainEvents, heads, openSigningKey } from "../lib/features/chain/mod.ts";
import { countEvent } from "../lib/features/chain/counts.ts";
import { countSignUp } from "../lib/features/auth/stats.ts";
import { encodeHex } from "../lib/base/encoding.ts";
import { addAlert, setAlertState } from "../lib/features/alerts/mod.ts";
import { addAudit } from "../lib/features/audit/mod.ts";
import { type Config, parseConfig } from "../lib/app/config.ts";
import { addContact, contacts } from "../lib/features/contact/mod.ts";
import { newDocumentId } from "../lib/features/documents/ids.ts";
import { saveDocument } from "../lib/features/documents/registrants.ts";
import { type DocumentRow, listIds } from "../lib/features/documents/store.ts";
import { sha256 } from "../lib/platform/kv/hash.ts";
import { openKv } from "../lib/platform/kv/mod.ts";
import { enquiries } from "../lib/features/inbox/store.ts";
import { holderPasskeys, passkeyId } from "../lib/features/passkeys/mod.ts";
import { applyUpdate } from "../lib/features/payments/store.ts";
import { type DeviceRow, recordSettings, saveDevice } from "../lib/features/push/rows.ts";
import { addAccess } from "../lib/features/records/access_log/access_log.ts";
import { newKey } from "../lib/features/records/keys/key_code.ts";
import { type KeyRow, recordKeys } from "../lib/features/records/keys/keys.ts";
import { levelOf } from "../lib/features/records/record/levels.ts";
import { startSession } from "../lib/features/records/sessions/start.ts";
import {
  conditionsOf,
  readRecord,
  recordRows,
  recount,
} from "../lib/features/records/record/store.ts";
import { jobTable } from "../lib/platform/jobs/jobs.ts";
import type { SurfaceName } from "../lib/platform/surfaces/mod.ts";
import { createServices, type Services } from "../lib/app/services.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../lib/base/time.ts";
import { groupCommits, type GroupedKv } from "./grouped_kv.ts";

/** The numbers of rows that a year adds, besides the recent records. */
export interface YearSizes {
  records: number;
  events: number;
  sessions: number;
  /** The payments, half the entries of the audit log, and four times the alerts. Default: a tenth of the records. */
  operations?: number;
}

/** The parts of a filled store that the requests need. */
export interface FilledStore {
  /** A record with a long chain and everything that a record can have. */
  hash: string;
  /** The current key of that record. */
  key: string;
  /** Some records, by hash. */
  hashes: string[];
  documents: { id: string; sha256: string }[];
  /** Objects of the commercial console: the record's document, a payment, a user, and an operator. */
  document: string;
  payment: string;
  user: number;
  person: string;
  /** `Cookie` headers. */
  holder: string;
  accounts: string[];
  administrator: string;
  board: string;
  /** A full administrator of the foundation's console. */
  foundation: string;
}

/** The rows that every store has. */
interface CommonSizes {
  /** The recent records, alerts, payments and entries of the audit log. */
  recent: number;
  /** The events of the record with a long chain. */
  longChain: number;
}

const COMMON: CommonSizes = { recent: 120, longChain: 1_000 };
const SAMPLES = 1_000;
const BATCH = 100;

const NAMES = ["Ada Lovelace", "Grace Hopper", "Zoë Ångström", "Barbara Liskov", "Radia Perlman"];
const TYPES = ["Investor", "Enterprise Partner", "Technical", "Other"] as const;
const MESSAGE = "We would like to learn how records are verified, and what certification costs. ";
const BY = "admin@example.org";
const READER = { network: "203.0.113.0/24", browser: "Firefox on Linux" };

interface Filling {
  services: Services;
  grouped: GroupedKv;
  key: SigningKey;
  found: FilledStore;
}

/** Fills a store as the site with this environment would have done, without its jobs. */
export async function fillStore(
  env: Record<string, string>,
  year: YearSizes | null,
): Promise<FilledStore> {
  const config = parseConfig(env);
  using kv = await openKv(config.kvPath);
  return await fillKv(config, kv, year);
}

/** Fills an open store. */
export async function fillKv(
  config: Config,
  kv: Deno.Kv,
  year: YearSizes | null,
  { recent, longChain }: CommonSizes = COMMON,
): Promise<FilledStore> {
  const grouped = groupCommits(kv);
  const found: FilledStore = {
    hash: "",
    key: "",
    hashes: [],
    documents: [],
    document: "",
    payment: "",
    user: 0,
    person: "",
    holder: "",
    accounts: [],
    administrator: "",
    board: "",
    foundation: "",
  };
  const services = createServices(config, kv);
  await services.store.claim(() => services.migrate());
  await services.chains.keys(); // stores the signing key
  const key = await openSigningKey(kv, config.chain.signingKey);
  // The same services on the store with grouped commits; only what they return is used.
  const filling: Filling = {
    services: createServices(config, grouped.kv, { clock: () => grouped.clock.now }),
    grouped,
    key,
    found,
  };
  const now = Date.now() - HOUR_MS;
  if (year !== null) await addYear(filling, year, now - DAY_MS);
  await addRecords(filling, {
    count: recent,
    newest: now,
    stepMs: MINUTE_MS,
    lengthOf: averageOf(10),
    isNew: true,
  });
  const [hash] = await addRecords(filling, {
    count: 1,
    newest: now + MINUTE_MS,
    stepMs: 0,
    first: 99, // has everything
    lengthOf: () => longChain,
    isNew: true,
  });
  found.hash = hash;
  [found.document] = await listIds(kv, hash);
  await addOperations(filling, { count: recent, newest: now, stepMs: 10_000, done: false });
  await signIn(filling, services);
  await grouped.flush();
  await services.payments.computeDays(new AbortController().signal);
  await services.jobs.run("registrants");
  await finishJobs(kv);
  return found;
}

async function addYear(filling: Filling, year: YearSizes, newest: number) {
  const { records, events, sessions, operations = Math.ceil(records / 10) } = year;
  const { grouped, found } = filling;
  // Any number begins and ends on the same days, so that stores of two sizes have as many days.
  const spread = (count: number) => 363 * DAY_MS / Math.max(1, count - 1);
  const recent: string[] = [];
  await addRecords(filling, {
    count: records,
    newest,
    stepMs: spread(records),
    lengthOf: averageOf(events / records),
    onAdded: (hash) => recent.length < sessions / 4 && recent.push(hash),
  });
  const accounts = Math.ceil(sessions / 4);
  for (let i = 0; i < accounts; i++) {
    await addAccount(grouped, i + 1, Math.round(newest - i * spread(accounts)));
  }
  await grouped.kv.set(lastUserId.key(), accounts);
  // A quarter of the sessions are of holders. All were started in the last 30 days.
  for (let i = 0; i < sessions; i++) {
    const at = newest - Math.floor(i / sessions * 29 * DAY_MS);
    const commit = grouped.atomic(at);
    if (i % 4 !== 0) {
      const user_id = 1 + i % accounts;
      const id = createSession(
        commit,
        { user: { user_id, email: emailOf(user_id) }, surface: "site" },
        at,
      );
      sample(found.accounts, i, sessions, sessionCookie(id).split(";")[0]);
    } else {
      const choices = [recent[i % recent.length]];
      const session = { surface: "trust", choices, method: "link", previous: null } as const;
      await startSession(
        grouped.kv,
        commit,
        { ...session, choices, reader: READER },
        at,
      );
    }
    await commit.commit();
  }
  await addOperations(filling, {
    count: operations,
    newest,
    stepMs: spread(operations),
    done: true,
  });
}

/** Returns the lengths of chains, of at least two events, with an average. */
const averageOf = (events: number) => (i: number) =>
  2 + i % Math.max(1, 2 * Math.round(events) - 3);

const emailOf = (id: number) => `person-${id}@mail${id % 50}.example`;

/** Keeps about {@link SAMPLES} of the values, evenly spaced. */
function sample<Value>(into: Value[], i: number, count: number, value: Value) {
  const step = Math.max(1, Math.floor(count / SAMPLES));
  if (into.length < SAMPLES && i % step === Math.min(1, step - 1)) into.push(value);
}

interface RecordsToAdd {
  count: number;
  newest: number;
  stepMs: number;
  /** The number of the first record, which decides what it has. */
  first?: number;
  lengthOf: (i: number) => number;
  /** True if nobody has answered the enquiries yet. */
  isNew?: boolean;
  onAdded?: (hash: string) => void;
}

/** Adds records, the newest first, and returns the hashes of the first batch. */
async function addRecords(filling: Filling, options: RecordsToAdd): Promise<string[]> {
  const { count, newest, stepMs, first = 0, lengthOf, isNew = false, onAdded } = options;
  const { grouped, found } = filling;
  const hashes: string[] = [];
  for (let start = 0; start < count; start += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - start) }, (_, i) => start + i);
    const timeOf = (i: number) => Math.round(newest - i * stepMs);
    const added = await Promise.all(
      numbers.map((i) => register(filling, first + i, timeOf(i), { length: lengthOf(i), isNew })),
    );
    await grouped.flush();
    await Promise.all(numbers.map((i) => advance(filling, added[i - start], first + i, timeOf(i))));
    if (start === 0) hashes.push(...added);
    added.forEach((hash, i) => {
      sample(found.hashes, start + i, count, hash);
      onAdded?.(hash);
    });
  }
  await grouped.flush();
  return hashes;
}

/** Adds a record with its chain. */
async function register(
  { services: { chains: { publisher } }, grouped, key }: Filling,
  i: number,
  at: number,
  { length, isNew }: { length: number; isNew: boolean },
): Promise<string> {
  const record = {
    name: `${NAMES[i % NAMES.length]} ${i}`,
    organisation: `Northwind Certification ${i % 5_000}`,
    email: `person${i}@mail${i % 50}.example`,
    mobile: `+614${10_000_000 + i}`,
    enquiry_type: TYPES[i % TYPES.length],
    message: MESSAGE.repeat(1 + i % 8),
  };
  const salt = newSalt();
  const hash = await recordHash(salt, record);
  const commit = grouped.atomic(at);
  const organisation = i % 10 === 9 && i !== 99 ? "foundation" : "commercial";
  enquiries.set(commit, {
    record: hash,
    organisation,
    at: new Date(at).toISOString(),
    state: isNew ? "new" : "closed",
    owner: null,
    revision: 0,
  });
  addContact(commit, hash, {
    record,
    organisation,
    site: "investor",
    salt: encodeHex(salt),
    now: at,
  });
  let prev = hash;
  let time = "";
  for (let seq = 0; seq < length; seq++) {
    const { kind } = EVENT_KINDS[seq % EVENT_KINDS.length];
    time = new Date(at + seq * 1_000).toISOString();
    const event = await linkEvent(prev, { seq, kind, at: time, status: "ok" });
    chainEvents.put(commit, [hash, seq], event);
    countEvent(commit, kind);
    prev = event.hash;
  }
  const origin = headOrigin(publisher, hash);
  heads.put(commit, [hash], await signHead({ origin, size: length, tip: prev, at: time }, key));
  await commit.commit();
  return hash;
}

/** Brings a record to its level, and adds what belongs to it. */
async function advance({ services, grouped, found }: Filling, hash: string, i: number, at: number) {
  const record = (await readRecord(grouped.kv, hash))!;
  const commit = grouped.atomic(at);
  const time = new Date(at).toISOString();
  const share = i % 100;
  const check = { at: time, by: BY, note: "Passport, in person" };
  const contact = {
    ...record.contact.value,
    confirmed_at: share >= 30 ? time : null,
    ...share >= 60 ? { declarations: [{ at: time, text: "To prove my qualifications." }] } : {},
  };
  const row = {
    ...record.row,
    mobile_confirmed_at: share >= 75 ? time : null,
    passkeys: share >= 85 ? 1 : 0,
    identity: share >= 97 ? check : null,
  };
  row.level = levelOf(conditionsOf({ contact: { ...record.contact, value: contact }, row }));
  row.counted = row.level;
  recount(commit, record, row, share >= 30);
  contacts.put(commit, [hash], contact);
  recordRows.put(commit, [hash], row);
  const { contactIndex } = services;
  const { email, mobile } = contact.record;
  await contactIndex.add(commit, share >= 30 ? "email" : "unconfirmed_email", email, hash);
  if (share >= 75) await contactIndex.add(commit, "mobile", mobile!, hash);
  await contactIndex.words.add(commit, hash, contact);
  addAccess(commit, hash, { what: "email_confirmed", seq: 1, reader: READER }, at);
  addAccess(commit, hash, { what: "record_verified", seq: 2, reader: READER }, at);
  if (share >= 85) {
    const credential = crypto.randomUUID();
    holderPasskeys.set(commit, {
      id: passkeyId(credential),
      contact_hash: hash,
      credential_id: credential,
      public_key: "A".repeat(103),
      sign_count: 0,
      created_at: at,
      last_used: at,
      user_handle: row.user_handle,
      transports: ["internal", "hybrid"],
      device_type: "multiDevice",
      backed_up: true,
      aaguid: "00000000-0000-0000-0000-000000000000",
      rp_id: "trust.localhost",
      name: "Phone",
      algorithm: -7,
    });
  }
  if (share >= 75) {
    const key = newKey();
    const keyRow: KeyRow = {
      hash,
      created_at: time,
      replaced_at: null,
      replaced_by: null,
      revoked_at: null,
    };
    recordKeys.put(commit, [sha256(key)], keyRow);
    found.key = key; // the last record that is added is the one with everything
  }
  if (share >= 80) {
    const document = documentOf(hash, contact.organisation ?? "commercial", time);
    saveDocument(commit, document, null);
    const [{ original }] = document.versions;
    if (found.documents.length < SAMPLES) {
      found.documents.push({ id: document.id, sha256: original.sha256 });
    }
  }
  if (share >= 95) {
    const device: DeviceRow = {
      id: sha256(crypto.randomUUID()),
      contact_hash: hash,
      platform: "web",
      token: crypto.getRandomValues(new Uint8Array(400)),
      created_at: at,
      last_seen: Date.now(),
      name: "Firefox on Linux",
      session: null,
      session_expires_at: at,
      failures: 0,
      retry_at: 0,
      failed_message: null,
    };
    saveDevice(commit, device);
    recordSettings.put(commit, [hash], { devices: 1, off: [], quiet: null });
  }
  await commit.commit();
}

const randomHash = () => encodeHex(crypto.getRandomValues(new Uint8Array(32)));

const documentOf = (
  record: string,
  organisation: DocumentRow["organisation"],
  at: string,
): DocumentRow => ({
  id: newDocumentId(),
  record,
  organisation,
  issuer: { id: organisation, name: "Organisation" },
  title: "Certificate of completion",
  kind: "Certificate",
  public: true,
  guessable: false,
  expires_at: null,
  created_at: at,
  versions: [{
    number: 1,
    at,
    by: BY,
    state: "current",
    original: {
      blob: crypto.randomUUID(),
      store: "kv",
      sha256: randomHash(),
      size: 120_000,
      media_type: "application/pdf",
    },
    file_name: "certificate.pdf",
    issued: null,
    pages: 2,
  }],
});

async function addAccount(grouped: GroupedKv, id: number, at: number): Promise<void> {
  const time = new Date(at).toISOString();
  const email = emailOf(id);
  const user: User = { id, email, created_at: time, last_login: time, source: "signup" };
  const commit = grouped.atomic(at);
  users.set(commit, user);
  commit.set(emailKey(email), id);
  countSignUp(commit, at);
  await commit.commit();
}

/** Adds alerts, payments, and entries of the audit log. */
async function addOperations(
  { grouped, found }: Filling,
  { count, newest, stepMs, done }: { count: number; newest: number; stepMs: number; done: boolean },
): Promise<void> {
  const { kv, clock } = grouped;
  const organisation = "commercial";
  const problems: { problem: string; at: number }[] = [];
  for (let i = 0; i < count; i++) {
    const at = Math.round(newest - i * stepMs);
    clock.now = at;
    const id = crypto.randomUUID();
    found.payment = `pi_${id}`;
    const time = new Date(at).toISOString();
    const state = i % 10 === 0 ? "pending" : "succeeded";
    await applyUpdate(kv, organisation, {
      event: `evt_${id}`,
      type: `payment_intent.${state}`,
      at: time,
      payment: `pi_${id}`,
      amount: 12_900 + i,
      currency: "AUD",
      state,
      created_at: time,
      description: "Certification",
      record: null,
      payer: null,
      refunded: null,
    }, at);
    const commit = grouped.atomic(at);
    for (const action of ["sign_in", "identity_checked"] as const) {
      addAudit(commit, { organisation, by: BY, action, object: {} }, at);
    }
    const alert = { organisation, kind: "mail_failed", problem: id } as const;
    if (i % 4 === 0) {
      await addAlert(kv, commit, { ...alert, details: { reason: "rejected" } }, at);
      problems.push({ problem: id, at });
    }
    await commit.commit();
  }
  await grouped.flush();
  if (!done) return;
  for (const { problem, at } of problems) {
    const commit = grouped.atomic(at);
    const state = { state: "done", by: BY, now: at } as const;
    const alert = { organisation, kind: "mail_failed", problem } as const;
    await setAlertState(kv, commit, alert, state);
    await commit.commit();
  }
  await grouped.flush();
}

/** Signs in as a holder, as people with an account, and as an administrator. */
async function signIn({ grouped, found }: Filling, { audit, auth, kv }: Services): Promise<void> {
  const now = Date.now();
  const commit = kv.atomic();
  const session = { surface: "trust", method: "link", previous: null, reader: READER } as const;
  const holder = await startSession(kv, commit, { ...session, choices: [found.hash] }, now);
  await commit.commit();
  found.holder = holder!.cookie.split(";")[0];
  const signedIn = async (surface: SurfaceName, email: string) => {
    const { token } = await auth.issueLink({ email, surface });
    return sessionCookie((await auth.verify(token, surface))!.sessionId).split(";")[0];
  };
  found.accounts.unshift(await signedIn("site", "me@example.org"));
  found.administrator = await signedIn("commercial-console", BY);
  found.board = await signedIn("commercial-console", "board@example.org");
  found.foundation = await signedIn("foundation-console", BY);
  found.user = (await auth.findUser("me@example.org"))!.id;
  found.person = await audit.personKey(BY);
  await grouped.flush();
}

/** Stores that the daily jobs have run, as they have in a store in use. */
async function finishJobs(kv: Deno.Kv): Promise<void> {
  const time = new Date().toISOString();
  const last_run = { started: time, finished: time, outcome: "done", detail: null };
  const parts = Array.from({ length: 16 }, (_, part) => `chains/${part}`);
  for (const name of [...parts, "due-nightly"]) {
    await kv.set(jobTable.key(name), { lease: null, last_run, cursor: null });
  }
}
