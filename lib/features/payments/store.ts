import { addAlert, setAlertState } from "../alerts/mod.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import {
  type Expiring,
  expiring,
  getLive,
  isLive,
  isoAfter,
  transact,
} from "../../platform/kv/mod.ts";
import type { LinkedData } from "../records/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PaymentState, PaymentUpdate } from "./event.ts";

/** A payment, as the newest events describe it. */
export interface Payment extends Expiring {
  id: string;
  /** Minor units of the currency. */
  amount: number;
  currency: string;
  state: PaymentState;
  /** Minor units. */
  refunded: number;
  created_at: string;
  description: string | null;
  record: string | null;
  /** The type of the event that set the state. */
  type: string;
  /** The events that set the state, the refund and the description with the record. */
  set_by: { state: Version; refunded: Version | null; details: Version | null };
  /** True once its record was deleted: its description and record are not stored again. */
  erased?: true;
}

/** An event. Of two events, the one created later is newer; the ids decide between equal times. */
interface Version {
  at: string;
  event: string;
}

/** Payments are accounting records: they are kept for seven years. */
export const PAYMENT_LIFETIME_MS = 7 * 365 * DAY_MS;
/** Providers repeat an event for up to 3 days, and on request for up to 30. */
export const EVENT_LIFETIME_MS = 31 * DAY_MS;

export const paymentsKey = (organisation: OrganisationKey): string[] => [
  "payments",
  organisation,
];
const rowKey = (organisation: OrganisationKey, { created_at, id }: Pick<Payment, RowParts>) => [
  ...paymentsKey(organisation),
  created_at,
  id,
];
type RowParts = "created_at" | "id";
/** Its value is the payment's `created_at`, and it is written with every change of the payment. */
const idKey = (organisation: OrganisationKey, id: string) => ["payments_by_id", organisation, id];
const eventKey = (organisation: OrganisationKey, event: string) => [
  "payment_events",
  organisation,
  sha256(event),
];
const recordKey = (hash: string, organisation: OrganisationKey, row: Pick<Payment, RowParts>) => [
  "payments_by_record",
  hash,
  organisation,
  row.created_at,
  row.id,
];

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
    const key = eventKey(organisation, update.event);
    const [known, pointer] = await kv.getMany<[Expiring, string]>([
      key,
      idKey(organisation, update.payment),
    ]);
    if (known.value !== null && isLive(known.value, now)) return { result: false };
    const current = await readRow(kv, organisation, update.payment, pointer.value, now);
    const event = { expires_at: isoAfter(now, EVENT_LIFETIME_MS) };
    const commit = kv.atomic().check(known).check(pointer).set(key, event, expiring(event, now));
    const next = merge(current, update);
    setRow(commit, organisation, current, next, now);
    await reportFailure(kv, commit, { organisation, current, next, now });
    return { result: true, commit };
  });
}

export const PAYMENT_FAILED = "payment_failed";

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
  const alert = { organisation, kind: PAYMENT_FAILED, problem: next.id };
  if (current?.set_by.state.event === next.set_by.state.event) return;
  if (next.state === "failed") {
    await addAlert(kv, commit, { ...alert, links: { payment: next.id } }, now);
  } else if (FINAL.includes(next.state)) {
    await setAlertState(kv, commit, alert, { state: "done", by: null, now });
  }
}

async function readRow(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  id: string,
  createdAt: string | null,
  now: number,
): Promise<Payment | null> {
  if (createdAt === null) return null;
  const entry = await getLive<Payment>(
    kv,
    rowKey(organisation, { id, created_at: createdAt }),
    now,
  );
  return entry?.value ?? null;
}

/** Reads one payment of an organisation. */
export async function readPayment(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  id: string,
  now: number,
): Promise<Payment | null> {
  const { value } = await kv.get<string>(idKey(organisation, id));
  return await readRow(kv, organisation, id, value, now);
}

/**
 * Adds the replacement of a payment to a commit. The caller checks its pointer, which always changes.
 */
function setRow(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  current: Payment | null,
  next: Payment,
  now: number,
): void {
  const options = expiring(next, now);
  if (current !== null && current.created_at !== next.created_at) {
    commit.delete(rowKey(organisation, current));
  }
  if (current !== null && current.record !== null) {
    commit.delete(recordKey(current.record, organisation, current));
  }
  commit.set(idKey(organisation, next.id), next.created_at, options);
  commit.set(rowKey(organisation, next), next, options);
  if (next.record !== null) commit.set(recordKey(next.record, organisation, next), null, options);
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
  type: update.type,
  set_by: { state, refunded: null, details: null },
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
  const prefix = ["payments_by_record", hash, organisation];
  const keys: Deno.KvKey[] = [];
  for await (const { key } of kv.list({ prefix }, { reverse: true, limit: MAX_ON_RECORD })) {
    keys.push(key);
  }
  const rows = await Promise.all(
    keys.map(([, , , created_at, id]) =>
      readRow(kv, organisation, String(id), String(created_at), now)
    ),
  );
  return rows.filter((row) => row !== null);
}

/** Removes the description of payments and their reference to a record that is deleted. */
export const paymentData = ({ kv, clock }: { kv: Deno.Kv; clock: () => number }): LinkedData => ({
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
    const pointer = await kv.get<string>(idKey(organisation, id));
    const current = await readRow(kv, organisation, id, pointer.value, now);
    if (current === null) return { result: undefined };
    const commit = kv.atomic().check(pointer);
    const next: Payment = { ...current, description: null, record: null, erased: true };
    setRow(commit, organisation, current, next, now);
    return { result: undefined, commit };
  });
}
