/** Applies events to stored payments, in any order and once each, and reads payments by id or record. */
import { z } from "zod";
import { addObservation, type Condition, type Observation } from "../alerts/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  changeVersion,
  defineTable,
  expires,
  EXPIRING,
  isLive,
  isoAfter,
  transact,
  unchecked,
} from "../../platform/kv/mod.ts";
import type { RecordData } from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";
import { changeDay } from "./days.ts";
import { type PaymentState, type PaymentUpdate, reference } from "./event.ts";
import { addToHistory } from "./history.ts";
import { type Payment, PAYMENT_LIFETIME_MS, paymentRows, type Version } from "./rows.ts";

/** Providers repeat an event for up to 3 days, and on request for up to 30. */
const EVENT_LIFETIME_MS = 31 * DAY_MS;

/** Returns the key of the version of an organisation's payments, which every change of one changes. */
export const versionKey = (organisation: OrganisationKey): Deno.KvKey => [
  "versions",
  organisation,
  "payments",
];

/** The events that were applied, by the hash of their id. */
export const paymentEvents = defineTable({
  prefix: "payment_events",
  value: z.strictObject(EXPIRING),
  key: ["organisation", "hash"],
  owner: "organisation",
  lifetime: expires(inDays(EVENT_LIFETIME_MS)),
  per: "report of the payment provider",
  privacy: {
    section: "payments",
    label: "Reports",
    text: "A fingerprint (SHA-256) of the id of each report, for " +
      `${inDays(EVENT_LIFETIME_MS)}, so that no report takes effect twice.`,
  },
});

const idKey = (organisation: OrganisationKey, id: string) => ["payments_by_id", organisation, id];

/**
 * Applies an event in the commit that stores its id, so that it takes effect once. Events may arrive
 * in any order.
 *
 * @returns false if the event was already applied
 */
export function applyUpdate(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  update: PaymentUpdate,
  now: number,
): Promise<boolean> {
  return transact(async () => {
    const hash = sha256(update.event);
    const [known, { pointer, current }] = await Promise.all([
      paymentEvents.get(kv, organisation, hash),
      readById(kv, organisation, update.payment, now),
    ]);
    if (known.value !== null && isLive(known.value, now)) return { result: false };
    const commit = kv.atomic().check(known).check(pointer);
    const expires_at = isoAfter(now, EVENT_LIFETIME_MS);
    paymentEvents.put(commit, [organisation, hash], { expires_at }, now);
    const next = merge(current, update);
    replace(commit, organisation, { current, next }, now);
    addToHistory(commit, organisation, update, {
      hash,
      now,
      expires_at: next.expires_at,
      applied: [next.set_by.state, next.set_by.refunded].some((by) => by?.event === update.event),
    });
    await reportFailure(kv, commit, { organisation, current, next, now });
    return { result: true, commit };
  });
}

export const PAYMENT_FAILED = "payment_failed";

const paymentFailed: Condition = { kind: PAYMENT_FAILED, reopens: true };

/** Adds an alert to a commit if a payment fails, and marks it as done if the payment ends well. */
async function reportFailure(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { organisation, current, next, now }: {
    organisation: OrganisationKey;
    current: Payment | null;
    next: Payment;
    now: number;
  },
): Promise<void> {
  const problem = { condition: paymentFailed, organisation, problem: next.id };
  if (current?.set_by.state.event === next.set_by.state.event) return;
  const observed: Observation = next.state === "failed"
    ? { state: "bad", again: true, links: { payment: next.id } }
    : { state: FINAL.includes(next.state) ? "ok" : "near" };
  await addObservation(kv, commit, problem, observed, now);
}

/** Reads a payment, with the row that leads to it. */
async function readById(kv: Deno.Kv, organisation: OrganisationKey, id: string, now: number) {
  const pointer = await kv.get<string>(idKey(organisation, id));
  const entry = pointer.value === null
    ? null
    : await paymentRows.get(kv, organisation, pointer.value, id);
  if (entry !== null) unchecked("Each change of a payment writes its pointer.", entry);
  return { pointer, current: entry?.value && isLive(entry.value, now) ? entry.value : null };
}

export const readPayment = async (
  kv: Deno.Kv,
  organisation: OrganisationKey,
  id: string,
  now: number,
): Promise<Payment | null> =>
  reference.safeParse(id).success ? (await readById(kv, organisation, id, now)).current : null;

/** Reads the payments whose ids begin with a text. */
export async function readByIds(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  beginning: string,
  limit: number,
  now: number,
): Promise<Payment[]> {
  const prefix = ["payments_by_id", organisation];
  const range = { start: [...prefix, beginning], end: [...prefix, `${beginning}\uffff`] };
  const found = await Array.fromAsync(
    kv.list<string>(range, { limit }),
    ({ key, value }): [OrganisationKey, string, string] => [organisation, value, String(key[2])],
  );
  return (await paymentRows.getMany(kv, found)).map(({ value }) => value)
    .filter((row) => isLive(row, now));
}

/**
 * Adds the replacement of a payment to a commit. The caller checks its pointer, which always changes.
 */
function replace(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  { current, next }: { current: Payment | null; next: Payment },
  now: number,
): void {
  if (current !== null) {
    paymentRows.deleteAt(commit, [organisation, current.created_at, current.id], current);
    changeDay(commit, organisation, current);
  }
  changeDay(commit, organisation, next);
  paymentRows.put(commit, [organisation, next.created_at, next.id], next, now);
  changeVersion(commit, versionKey(organisation));
}

/**
 * Returns a payment after an event. The result of several events does not depend on their order: each
 * part comes from the newest event that contains it, and a final state is never left for another.
 */
export function merge(current: Payment | null, update: PaymentUpdate): Payment {
  const version: Version = { at: update.at, event: update.event };
  const details = update.description !== null || update.record !== null;
  const created = current !== null && current.created_at < update.created_at
    ? current.created_at
    : update.created_at;
  const row: Payment = current === null ? rowOf(update, version) : { ...current };
  row.created_at = created;
  row.expires_at = isoAfter(Date.parse(created), PAYMENT_LIFETIME_MS);
  if (current === null || prevails(update.state, version, current)) {
    row.amount = update.amount;
    row.currency = update.currency;
    row.state = update.state;
    row.type = update.type;
    row.set_by = { ...row.set_by, state: version };
  }
  if (update.refunded !== null && isLaterRefund(update.refunded, version, row)) {
    row.refunded = update.refunded;
    row.set_by = { ...row.set_by, refunded: version };
  }
  if (details && !row.erased && isNewer(version, row.set_by.details)) {
    row.description = update.description;
    row.record = update.record;
    row.set_by = { ...row.set_by, details: version };
  }
  if (update.payer !== null && !row.erased && isNewer(version, row.set_by.payer ?? null)) {
    row.payer = update.payer;
    row.set_by = { ...row.set_by, payer: version };
  }
  return row;
}

const rowOf = (update: PaymentUpdate, state: Version): Payment => ({
  id: update.payment,
  amount: update.amount,
  currency: update.currency,
  state: update.state,
  refunded: 0,
  created_at: update.created_at,
  expires_at: "",
  description: null,
  record: null,
  payer: null,
  type: update.type,
  set_by: { state, refunded: null, details: null, payer: null },
});

const FINAL: readonly PaymentState[] = ["succeeded", "cancelled"];
/** Events of one second are in the order of the states that they lead to. */
const RANK: Record<PaymentState, number> = { pending: 0, failed: 1, cancelled: 2, succeeded: 3 };

function prevails(state: PaymentState, version: Version, { state: known, set_by }: Payment) {
  if (FINAL.includes(state) !== FINAL.includes(known)) return FINAL.includes(state);
  if (version.at !== set_by.state.at) return version.at > set_by.state.at;
  if (state !== known) return RANK[state] > RANK[known];
  return version.event > set_by.state.event;
}

const isNewer = (version: Version, known: Version | null): boolean =>
  known === null || version.at > known.at ||
  version.at === known.at && version.event > known.event;

/** Refunds of one second add up, so the larger amount is the newer one. */
function isLaterRefund(refunded: number, version: Version, row: Payment): boolean {
  const known = row.set_by.refunded;
  if (known?.at === version.at && refunded !== row.refunded) return refunded > row.refunded;
  return isNewer(version, known);
}

const MAX_ON_RECORD = 20;

/** Reads an organisation's payments that reference a record, the newest first, at most 20. */
export async function paymentsOfRecord(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  hash: string,
  now: number,
): Promise<Payment[]> {
  const rows = await paymentRows.find(kv, "payments_by_record", [hash, organisation], {
    reverse: true,
    limit: MAX_ON_RECORD,
  });
  return rows.map(({ value }) => value).filter((row) => isLive(row, now));
}

/** Removes the description and the payer of payments, and their reference to a record that is deleted. */
export const paymentData = ({ kv, clock }: { kv: Deno.Kv; clock: () => number }): RecordData => ({
  name: "payments",
  async deleteOf(hash) {
    for await (const { key } of kv.list({ prefix: ["payments_by_record", hash] })) {
      const [, , organisation, , id] = key as [string, string, OrganisationKey, string, string];
      await erase(kv, organisation, id, clock());
      await kv.delete(key); // left over if the payment has expired
    }
  },
});

function erase(kv: Deno.Kv, organisation: OrganisationKey, id: string, now: number): Promise<void> {
  return transact(async () => {
    const { pointer, current } = await readById(kv, organisation, id, now);
    if (current === null) return { result: undefined };
    const commit = kv.atomic().check(pointer);
    const next: Payment = {
      ...current,
      description: null,
      record: null,
      payer: null,
      erased: true,
    };
    replace(commit, organisation, { current, next }, now);
    return { result: undefined, commit };
  });
}
