/** The table of deliveries: the outcome of each message that the site has sent or tried to send. */
import { z } from "zod";
import { defineTable, expires, EXPIRING, isLive, isoAfter, unchecked } from "../kv/mod.ts";
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
  /** `returned`: it was sent, and came back. */
  state: z.enum(["sending", "retrying", "sent", "failed", "returned"]),
  /** ISO 8601 in UTC. */
  created_at: time,
  /** When the state was reached. */
  at: time,
  labels: z.record(z.string(), z.string()),
  /** The number of failed attempts. */
  failures: z.int(),
  /** Why the last attempt failed, as a stable code. */
  reason: z.string().nullable(),
  /** The code of the receiving server's last reply, such as `550 5.1.1`, if that refused it. */
  reply: z.string().nullable(),
  /** When the next attempt is due, while it is `retrying`. */
  next_at: time.nullable(),
  /** A keyed fingerprint of the address, by which the deliveries to it are found; null if it has none. */
  recipient: z.string().nullable(),
  ...EXPIRING,
});

export type DeliveryRow = z.infer<typeof delivery>;

const BY_ID = "outbox_outcomes_by_id";
const BY_RECIPIENT = "outbox_outcomes_by_recipient";
/** Deliveries that have not succeeded, by their sender. */
const BY_PROBLEM = "outbox_outcomes_by_problem";

const isProblem = ({ state }: DeliveryRow): boolean => state !== "sending" && state !== "sent";

/** The outcome of each message, by its subject. */
export const deliveries = defineTable({
  prefix: "outbox_outcomes",
  value: delivery,
  key: ["about", "id"],
  indexes: {
    [BY_ID]: {
      keysOf: (row: DeliveryRow, key: Deno.KvKey) =>
        row.recipient === null ? [] : [[row.id, ...key]],
      value: () => null,
    },
    [BY_RECIPIENT]: {
      keysOf: ({ recipient, created_at }: DeliveryRow, key: Deno.KvKey) =>
        recipient === null ? [] : [[recipient, created_at, ...key]],
      value: () => null,
    },
    [BY_PROBLEM]: {
      keysOf: (row: DeliveryRow, key: Deno.KvKey) =>
        row.labels.sender !== undefined && isProblem(row)
          ? [[row.labels.sender, row.at, ...key]]
          : [],
      value: () => null,
    },
  },
  owner: "record",
  lifetime: expires(inDays(OUTCOME_LIFETIME_MS)),
  per: "email",
  privacy: [
    {
      section: "sign_in",
      label: "Mail to you",
      text:
        "What became of each email: its kind, when it was sent, whether it came back and why, with a " +
        `keyed fingerprint of your address, for ${inDays(OUTCOME_LIFETIME_MS)}.`,
    },
    { section: "enquiry", label: "Mail to you" },
  ],
});

/** Adds a new delivery to the commit that queues its message. */
export function startDelivery(
  commit: Deno.AtomicOperation,
  about: string,
  { id, labels, recipient }: Pick<DeliveryRow, "id" | "labels" | "recipient">,
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
    reply: null,
    next_at: null,
    recipient,
    expires_at: isoAfter(now, OUTCOME_LIFETIME_MS),
  };
  deliveries.put(commit, [about, id], row, now);
}

/** Adds the deletion of a delivery to the commit that recalls its message. */
export async function endDelivery(
  kv: Deno.Kv,
  commit: Deno.AtomicOperation,
  { about, id }: { about: string; id: string },
): Promise<void> {
  const entry = await deliveries.get(kv, about, id);
  unchecked(
    "It changes only together with its message, which the commit checks or deletes.",
    entry,
  );
  if (entry.value !== null) deliveries.deleteAt(commit, [about, id], entry.value);
}

export type DeliveryChange =
  & { state: DeliveryRow["state"] }
  & Partial<Pick<DeliveryRow, "failures" | "reason" | "reply" | "next_at">>;

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
  commit.check(entry);
  if (entry.value === null) return;
  // It may come back before the sender has noted that it was accepted.
  if (entry.value.state === "returned" && change.state === "sent") return;
  const at = new Date(now).toISOString();
  deliveries.deleteAt(commit, [about, id], entry.value);
  deliveries.put(commit, [about, id], { ...entry.value, next_at: null, ...change, at }, now);
}

/** Reads a delivery by its id, with the owner; null if it has no recipient or is not stored any more. */
export async function findDelivery(
  kv: Deno.Kv,
  id: string,
): Promise<{ about: string; row: DeliveryRow } | null> {
  const [found] = await deliveries.find(kv, BY_ID, [id], { limit: 1 });
  return found === undefined ? null : { about: String(found.key[1]), row: found.value };
}

/**
 * Returns the deliveries to an address with their owners, the newest first.
 *
 * @param recipients the fingerprints of the address
 */
export async function deliveriesTo(
  kv: Deno.Kv,
  recipients: readonly string[],
  { limit, now }: { limit: number; now: number },
): Promise<{ about: string; row: DeliveryRow }[]> {
  const lists = await Promise.all(
    recipients.map((each) =>
      deliveries.find(kv, BY_RECIPIENT, [each], { limit, batchSize: limit, reverse: true })
    ),
  );
  return lists.flat().filter(({ value }) => isLive(value, now))
    .sort((a, b) => b.value.created_at.localeCompare(a.value.created_at)).slice(0, limit)
    .map(({ key, value }) => ({ about: String(key[1]), row: value }));
}

/** Returns the latest deliveries of senders that have not succeeded, with their owners. */
export async function failedDeliveries(
  kv: Deno.Kv,
  senders: readonly string[],
  { limit, now }: { limit: number; now: number },
): Promise<{ about: string; row: DeliveryRow }[]> {
  const lists = await Promise.all(
    senders.map((each) =>
      deliveries.find(kv, BY_PROBLEM, [each], { limit, batchSize: limit, reverse: true })
    ),
  );
  return lists.flat().filter(({ value }) => isLive(value, now))
    .sort((a, b) => b.value.at.localeCompare(a.value.at)).slice(0, limit)
    .map(({ key, value }) => ({ about: String(key[1]), row: value }));
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
  for await (const { key, value } of deliveries.list(kv, [about])) {
    const commit = kv.atomic();
    deliveries.deleteAt(commit, [about, String(key[2])], value);
    await commit.commit();
  }
}
