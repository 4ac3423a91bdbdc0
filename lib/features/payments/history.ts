/** The stored events of each payment, which its page shows as a history. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isLive } from "../../platform/kv/mod.ts";
import type { OrganisationKey } from "../../platform/surfaces/mod.ts";
import { type PaymentState, type PaymentUpdate, STATES } from "./event.ts";

/** An event of a payment. It has no personal data. */
const historyRow = z.strictObject({
  type: z.string(),
  /** When the site received it. */
  received_at: z.iso.datetime(),
  state: z.enum(STATES),
  /** Minor units. */
  amount: z.int(),
  /** Minor units; null if the event did not contain it. */
  refunded: z.int().nullable(),
  /** False if a newer event or a final state kept it from changing the payment. */
  applied: z.boolean(),
  ...EXPIRING,
});

type HistoryRow = z.infer<typeof historyRow>;

/** The events of each payment, in the order in which the provider created them. */
export const paymentHistory = defineTable({
  prefix: "payment_history",
  value: historyRow,
  key: ["organisation", "payment", "at", "hash"],
  owner: "organisation",
  lifetime: expires("as long as the payment"),
  per: "report of the payment provider",
  privacy: {
    section: "payments",
    label: "Course of a payment",
    text: "For each report about a payment, its type, its times, the state and the amounts, as " +
      "long as we keep the payment.",
  },
});

/** Adds an event to the commit that applies it. */
export function addToHistory(
  commit: Deno.AtomicOperation,
  organisation: OrganisationKey,
  { payment, at, type, state, amount, refunded }: PaymentUpdate,
  { hash, now, expires_at, applied }: {
    /** The hash of the event's id. */
    hash: string;
    now: number;
    expires_at: string;
    applied: boolean;
  },
): void {
  const received_at = new Date(now).toISOString();
  const row = { type, received_at, state, amount, refunded, applied, expires_at };
  paymentHistory.put(commit, [organisation, payment, at, hash], row, now);
}

/** An event of a payment as its page shows it. */
export interface HistoryEvent extends Omit<HistoryRow, "expires_at" | "received_at"> {
  /** When the provider created it. */
  at: string;
  /** Null for payments that earlier builds stored. */
  received_at: string | null;
  /** True if it was received after an event that the provider created later. */
  late: boolean;
}

/** The events that a payment's own row shows. */
interface KnownEvents {
  id: string;
  type: string;
  state: PaymentState;
  amount: number;
  refunded: number;
  set_by: Record<"state", SetBy> & Record<"refunded", SetBy | null>;
}

interface SetBy {
  at: string;
  event: string;
}

const MOST_EVENTS = 200;

/**
 * Reads the events of a payment, the newest first, at most 200. Of the events that earlier builds
 * received, only those that set the state and the refund are known.
 */
export async function readHistory(
  kv: Deno.Kv,
  organisation: OrganisationKey,
  payment: KnownEvents,
  now: number,
): Promise<HistoryEvent[]> {
  const rows = await Array.fromAsync(
    paymentHistory.list(kv, [organisation, payment.id], { reverse: true, limit: MOST_EVENTS }),
  );
  const events: HistoryEvent[] = [];
  let earliest = "~"; // of those that were created later
  for (const { key, value } of rows) {
    if (!isLive(value, now)) continue;
    const { expires_at: _, ...event } = value;
    events.push({ ...event, at: String(key[3]), late: event.received_at > earliest });
    if (event.received_at < earliest) earliest = event.received_at;
  }
  return events.length > 0 ? events : knownEvents(payment);
}

function knownEvents({ set_by, state, type, amount, refunded }: KnownEvents): HistoryEvent[] {
  const shared = { state, amount, applied: true, late: false, received_at: null };
  const events: HistoryEvent[] = [{ ...shared, at: set_by.state.at, type, refunded: null }];
  if (set_by.refunded !== null && set_by.refunded.event !== set_by.state.event) {
    events.unshift({ ...shared, at: set_by.refunded.at, type: "refund", refunded });
  }
  return events;
}
