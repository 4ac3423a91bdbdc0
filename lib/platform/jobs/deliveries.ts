import { type Expiring, expiring, isLive, isoAfter } from "../kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";

/**
 * The outcome of a message, at `["outbox_outcomes", about, id]`. It contains neither the address nor
 * the content, and remains when the message has been sent and its row in the outbox is deleted.
 */
export interface DeliveryRow extends Expiring {
  id: string;
  state: "sending" | "retrying" | "sent" | "failed";
  /** ISO 8601 in UTC. */
  created_at: string;
  /** When the state was reached. */
  at: string;
  labels: Readonly<Record<string, string>>;
  /** The number of failed attempts. */
  failures: number;
  /** Why the last attempt failed, as a stable code. */
  reason: string | null;
  /** When the next attempt is due, while it is `retrying`. */
  next_at: string | null;
}

/** How long the outcome of a delivery is kept. */
export const OUTCOME_LIFETIME_MS = 90 * DAY_MS;

const PREFIX = "outbox_outcomes";
const deliveryKey = (about: string, id: string): Deno.KvKey => [PREFIX, about, id];

/** Adds a new delivery to the commit that queues its message. */
export function startDelivery(
  commit: Deno.AtomicOperation,
  about: string,
  { id, labels }: Pick<DeliveryRow, "id" | "labels">,
  now: number,
): void {
  const at = new Date(now).toISOString();
  const row: DeliveryRow = {
    id,
    state: "sending",
    created_at: at,
    at,
    labels,
    failures: 0,
    reason: null,
    next_at: null,
    expires_at: isoAfter(now, OUTCOME_LIFETIME_MS),
  };
  commit.set(deliveryKey(about, id), row, expiring(row, now));
}

export type DeliveryChange =
  & Pick<DeliveryRow, "state">
  & Partial<Pick<DeliveryRow, "failures" | "reason" | "next_at">>;

/**
 * Adds the change of a delivery to a commit. Adds nothing if it is not stored, because its owner was
 * deleted while the message was being sent.
 */
export async function changeDelivery(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { about, id }: { about: string; id: string },
  change: DeliveryChange,
  now: number,
): Promise<void> {
  const entry = await kv.get<DeliveryRow>(deliveryKey(about, id));
  commit.check(entry);
  if (entry.value === null) return;
  const at = new Date(now).toISOString();
  const row: DeliveryRow = { ...entry.value, next_at: null, ...change, at };
  commit.set(entry.key, row, expiring(row, now));
}

/** The maximum number of deliveries that are read. */
const MOST_READ = 500;

/** Returns the deliveries of one owner, newest first. */
export async function readDeliveries(
  kv: Deno.Kv,
  about: string,
  now: number,
): Promise<DeliveryRow[]> {
  const rows = await Array.fromAsync(
    kv.list<DeliveryRow>({ prefix: [PREFIX, about] }, { limit: MOST_READ }),
  );
  return rows.map(({ value }) => value).filter((row) => isLive(row, now))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

export async function forgetDelivered(kv: Deno.Kv, about: string): Promise<void> {
  for await (const { key } of kv.list({ prefix: [PREFIX, about] })) {
    await kv.delete(key);
  }
}
