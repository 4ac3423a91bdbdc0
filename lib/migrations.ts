import { ConfigError } from "./config.ts";
import {
  type ContactIndex,
  contactTimeKey,
  countLevel,
  countRegistration,
  ownerOf,
  registrationOf,
  type StoredContact,
  type TimeEntry,
} from "./contact/mod.ts";
import {
  type Expiring,
  expiring,
  FORMAT,
  FORMAT_KEY,
  isLive,
  isoAfter,
  refusesFormat,
  transact,
  whenUnlocked,
} from "./kv/mod.ts";
import { readRecord, type RecordEntry, recordKey } from "./records/mod.ts";
import type { Secrets } from "./secrets.ts";
import { SECOND_MS } from "./time.ts";

/** The store's format, with what the migrations need to know. */
interface StoreFormat {
  version: number;
  /** Identifies the secret whose signatures are the keys of the index by address and number. */
  index: string;
  /** The last contact that was indexed, while the migration runs. */
  cursor: string | null;
}

/** How many contacts are indexed before the progress is saved. */
const BATCH = 100;
/** How many contacts one commit indexes: each needs up to 3 of the 10 checks that the store allows. */
const PER_COMMIT = 3;

/** Held by the process that migrates. */
const LEASE_KEY: Deno.KvKey = [...FORMAT_KEY, "lease"];
/** Much longer than a batch takes. */
const LEASE_MS = 30 * SECOND_MS;
/** How often a process checks whether another one has finished. */
const WAIT_MS = 200;

export interface MigrateOptions {
  kv: Deno.Kv;
  index: ContactIndex;
  secrets: Secrets;
  clock?: () => number;
  /** Waits for another process. */
  pause?: (ms: number) => Promise<void>;
}

/**
 * Brings the store to the current format before the site serves requests: indexes records by their
 * confirmed address and number and by time, and counts them, each once. Indexes them again if
 * `APP_SECRET` was replaced, because the index's keys are signatures. Of several processes, one
 * migrates and the others wait. If it dies, another one continues where it stopped, so every step can
 * be repeated.
 *
 * @returns the number of contacts that this process indexed
 * @throws {ConfigError} if the store is newer than this build
 */
export async function migrate(
  { kv, index, secrets, clock = Date.now, pause = delay }: MigrateOptions,
): Promise<number> {
  const current = await secrets.sign("contact-index", "current");
  while (true) {
    const refused = await refusesFormat(kv);
    if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
    const { value } = await whenUnlocked(() => kv.get<StoreFormat>(FORMAT_KEY));
    const isSame = value !== null && value.version === FORMAT && value.index === current;
    if (isSame && value.cursor === null) return 0;
    const lease = await takeLease(kv, clock);
    if (lease === null) await pause(WAIT_MS);
    else return await indexAll({ kv, index, clock, current }, lease);
  }
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Returns null while another process holds it. */
async function takeLease(kv: Deno.Kv, clock: () => number): Promise<Deno.AtomicCheck | null> {
  const { key, value, versionstamp } = await whenUnlocked(() => kv.get<Expiring>(LEASE_KEY));
  const now = clock();
  if (value !== null && isLive(value, now)) return null;
  const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
  const commit = kv.atomic().check({ key, versionstamp }).set(key, row, expiring(row, now));
  const taken = await whenUnlocked(() => commit.commit());
  return taken.ok ? { key, versionstamp: taken.versionstamp } : null;
}

/** Indexes all contacts that are not yet indexed, while it holds the lease. */
async function indexAll(
  { kv, index, clock, current }: {
    kv: Deno.Kv;
    index: ContactIndex;
    clock: () => number;
    current: string;
  },
  lease: Deno.AtomicCheck,
): Promise<number> {
  /** Saves the progress and renews the lease, or ends it. */
  async function save(cursor: string | null): Promise<void> {
    const now = clock();
    const format: StoreFormat = { version: FORMAT, index: current, cursor };
    const row: Expiring = { expires_at: isoAfter(now, LEASE_MS) };
    const commit = kv.atomic().check(lease).set(FORMAT_KEY, format);
    if (cursor === null) commit.delete(LEASE_KEY);
    else commit.set(LEASE_KEY, row, expiring(row, now));
    const saved = await whenUnlocked(() => commit.commit());
    if (!saved.ok) throw new Error("Another process has taken over the migration.");
    lease.versionstamp = saved.versionstamp;
  }

  // Another process may have finished after the format was read and before the lease was taken.
  const { value } = await whenUnlocked(() => kv.get<StoreFormat>(FORMAT_KEY));
  const isSame = value !== null && value.version === FORMAT && value.index === current;
  let cursor = isSame ? value.cursor : "";
  let count = 0;
  while (cursor !== null) {
    const hashes = await contactsAfter(kv, cursor);
    const groups = Array.from(
      { length: Math.ceil(hashes.length / PER_COMMIT) },
      (_, i) => hashes.slice(i * PER_COMMIT, (i + 1) * PER_COMMIT),
    );
    await Promise.all(groups.map((group) => indexContacts({ kv, index }, group)));
    count += hashes.length;
    cursor = hashes.length < BATCH ? null : hashes.at(-1)!;
    if (cursor !== null) await save(cursor);
  }
  await save(null);
  return count;
}

function contactsAfter(kv: Deno.Kv, hash: string): Promise<string[]> {
  // The smallest key after `hash`, because `start` includes its key.
  const selector = { prefix: ["contacts"], start: ["contacts", `${hash}\0`] };
  return whenUnlocked(async () => {
    const entries = await Array.fromAsync(kv.list<StoredContact>(selector, { limit: BATCH }));
    return entries.map(({ key }) => String(key[1]));
  });
}

/** Indexes contacts with the current secret, and removes their entries with older ones. */
function indexContacts(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  hashes: readonly string[],
): Promise<void> {
  return transact(async () => {
    const commit = kv.atomic();
    const records = await Promise.all(hashes.map((hash) => readRecord(kv, hash)));
    for (const record of records) {
      if (record !== null) await addContact({ kv, index }, commit, record);
    }
    return { result: undefined, commit };
  });
}

async function addContact(
  { kv, index }: { kv: Deno.Kv; index: ContactIndex },
  commit: Deno.AtomicOperation,
  record: RecordEntry,
): Promise<void> {
  const { hash, contact, entry, row } = record;
  const { email, mobile } = contact.value.record;
  commit.check(contact, entry);
  await index.remove(commit, "email", email, hash);
  const inForce = await isInForce(kv, record);
  const listed = await kv.get<TimeEntry>(contactTimeKey(hash, contact.value));
  if (listed.value?.counted === undefined) {
    commit.check(listed);
    countRecord(commit, record, inForce);
  }
  await index.remove(commit, "unconfirmed_email", email, hash);
  if (inForce) {
    const field = contact.value.confirmed_at === null ? "unconfirmed_email" : "email";
    await index.add(commit, field, email, hash);
  }
  if (mobile !== undefined) {
    await index.remove(commit, "mobile", mobile, hash);
    const hasMobile = inForce && row.mobile_confirmed_at !== null;
    if (hasMobile) await index.add(commit, "mobile", mobile, hash);
  }
}

/** Adds a record from before records were counted to the index by time and to the counters. */
function countRecord(
  commit: Deno.AtomicOperation,
  { hash, contact: { value: contact }, entry, row }: RecordEntry,
  inForce: boolean,
): void {
  const counted = row.replaces === null;
  commit.set(contactTimeKey(hash, contact), { counted } satisfies TimeEntry);
  if (counted) countRegistration(commit, ownerOf(contact), registrationOf(contact), 1);
  const level = inForce ? row.level : null;
  countLevel(commit, ownerOf(contact), null, level);
  if (entry.versionstamp !== null) commit.set(recordKey(hash), { ...row, counted: level });
}

/** Returns whether a record was not corrected, and is no correction that waits for the holder. */
async function isInForce(kv: Deno.Kv, { hash, row }: RecordEntry): Promise<boolean> {
  if (row.replaced_by !== null) return false;
  const corrected = row.replaces === null ? null : await readRecord(kv, row.replaces);
  return corrected?.row.correction?.to !== hash;
}
