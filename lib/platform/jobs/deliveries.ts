import { z } from "zod";
import { defineTable, expires, EXPIRING, isLive, isoAfter } from "../kv/mod.ts";
import { DAY_MS, inDays } from "../../base/time.ts";

/** How long the outcome of a delivery is kept. */
export const OUTCOME_LIFETIME_MS = 90 * DAY_MS;

const time = z.iso.datetime();

/**
 * The outcome of a message. It contains neither the address nor the content, and remains when the
 * message has been sent and its row in the outbox is deleted.
 */
const delivery = z.strictObject({
  id: z.string(),
  state: z.enum(["sending", "retrying", "sent", "failed"]),
  /** ISO 8601 in UTC. */
  created_at: time,
  /** When the state was reached. */
  at: time,
  labels: z.record(z.string(), z.string()),
  /** The number of failed attempts. */
  failures: z.int(),
  /** Why the last attempt failed, as a stable code. */
  reason: z.string().nullable(),
  /** When the next attempt is due, while it is `retrying`. */
  next_at: time.nullable(),
  ...EXPIRING,
});

export type DeliveryRow = z.infer<typeof delivery>;

export const deliveries = defineTable({
  prefix: "outbox_outcomes",
  value: delivery,
  key: ["about", "id"],
  owner: "record",
  lifetime: expires(inDays(OUTCOME_LIFETIME_MS)),
  per: "mail about a record",
  privacy: { section: "enquiry", label: "Mail to you" },
});

/** Adds a new delivery to the commit that queues its message. */
export function startDelivery(
  commit: Deno.AtomicOperation,
  about: string,
  { id, labels }: Pick<DeliveryRow, "id" | "labels">,
  now: number,
): void {
  const at = new Date(now).toISOString();
  const row = {
    id,
    state: "sending" as const,
    created_at: at,
    at,
    labels,
    failures: 0,
    reason: null,
    next_at: null,
    expires_at: isoAfter(now, OUTCOME_LIFETIME_MS),
  };
  deliveries.put(commit, [about, id], row, now);
}

/** Adds the deletion of a delivery to the commit that recalls its message. */
export const endDelivery = (
  commit: Deno.AtomicOperation,
  { about, id }: { about: string; id: string },
): void => void commit.delete(deliveries.key(about, id));

export type DeliveryChange =
  & { state: DeliveryRow["state"] }
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
  const entry = await deliveries.get(kv, about, id);
  if (entry.value === null) return void commit.check(entry);
  const at = new Date(now).toISOString();
  deliveries.replace(commit, entry, { ...entry.value, next_at: null, ...change, at }, now);
}

/**
 * The maximum number of deliveries that are read: more than anybody can cause with requests for sign-in links in
 * 90 days, so that the newest ones are among them.
 */
const MOST_READ = 10_000;

/** Returns the deliveries of one owner, newest first. */
export async function readDeliveries(
  kv: Deno.Kv,
  about: string,
  now: number,
): Promise<DeliveryRow[]> {
  const rows = await Array.fromAsync(
    deliveries.list(kv, [about], { limit: MOST_READ, batchSize: 500 }),
  );
  return rows.map(({ value }) => value).filter((row) => isLive(row, now))
    .sort((a, b) => b.created_at.localeCompare(a.created_at));
}

export async function forgetDelivered(kv: Deno.Kv, about: string): Promise<void> {
  for await (const { key } of deliveries.list(kv, [about])) await kv.delete(key);
}
