/** The tables behind the outbox: messages to be sent, and those that were given up. */
import { z } from "zod";
import {
  defineTable,
  expires,
  EXPIRING,
  type Expiring,
  expiring,
  isLive,
  type SlidingWindow,
  untilUsed,
} from "../kv/mod.ts";
import { DAY_MS } from "../../base/time.ts";
import { forgetDelivered } from "./deliveries.ts";

/** The columns that a message keeps if it cannot be sent. */
const MESSAGE = {
  /** The number of attempts so far, including one in progress. */
  attempts: z.int(),
  /** ISO 8601 in UTC. */
  created_at: z.iso.datetime(),
  /** The owner of the message, such as `user/7`, so that it is erased along with the owner. */
  about: z.string(),
  /** The labels of the message, see `MessageOptions`. */
  labels: z.record(z.string(), z.string()).optional(),
  tracked: z.boolean().optional(),
  recipient: z.string().optional(),
  ...EXPIRING,
};

/** The payload, encrypted with a key derived from `APP_SECRET`. */
const sealed = z.instanceof(Uint8Array<ArrayBuffer>);

/** A message to be sent. */
const message = z.strictObject({
  ...MESSAGE,
  sealed,
  /** True if a process is sending it, or died while doing so. */
  sending: z.boolean(),
  /** The messages of one group are sent one after another. */
  group: z.string().optional(),
  /** Limits in which it is counted when it is sent, see `MessageOptions`. */
  limits: z.array(z.custom<SlidingWindow>()).optional(),
});

export type OutboxRow = z.infer<typeof message>;

/** A message that could not be sent, kept until it would have expired. */
const deadLetter = z.strictObject({
  ...MESSAGE,
  /** A stable code, such as `recipient_refused`. */
  reason: z.string(),
  failed_at: z.iso.datetime(),
  /** The message, which is absent if sending it again is pointless. */
  sealed: sealed.optional(),
});

export type DeadLetter = z.infer<typeof deadLetter>;

/** Stable codes by name that say what kind of message it is. Not encrypted. */
export type Labels = Readonly<Record<string, string>>;

/** The texts about mail and notifications that wait, which features write. */
const privacy = [
  { section: "sign_in", label: "Mail to you" },
  { section: "enquiry", label: "Mail to you" },
  { section: "record", label: "Notifications" },
  { section: "record", label: "Security notices" },
] as const;

/**
 * The messages, by channel, due time and id. While one is being sent, its due time is when another
 * process may send it, in case the sender has died.
 */
export const messages = defineTable({
  prefix: "outbox",
  value: message,
  key: ["channel", "due", "id"],
  indexes: { outbox_by_owner: ["about"] },
  owner: "nobody",
  lifetime: untilUsed(
    "until it is sent, at most until its link expires (7 days)",
    "mail, push, webhooks",
  ),
  per: "email, notification, or event for an issuer",
  privacy,
});

/** The messages that were given up, for operators. */
export const deadLetters = defineTable({
  prefix: "outbox_dead",
  value: deadLetter,
  key: ["channel", "id"],
  indexes: { outbox_dead_by_owner: ["about"] },
  owner: "nobody",
  lifetime: expires("until its link would have expired (7 days)"),
  per: "message that could not be sent",
  privacy,
});

/**
 * How long the store keeps a message that has expired, so that the sender finds it after a stop and notes that it was
 * not sent.
 */
const KEPT_EXPIRED_MS = DAY_MS;

/** Adds a message with its index to a commit. Both expire, whether or not it was sent. */
export function putMessage(
  commit: Deno.AtomicOperation,
  key: Deno.KvKey,
  row: OutboxRow,
  now: number,
): void {
  const expiry = { expireIn: expiring(row, now).expireIn + KEPT_EXPIRED_MS };
  commit.set(key, row, expiry);
  for (const index of messages.indexRows(row, key)) commit.set(index.key, index.value, expiry);
}

/** Adds the deletion of a message and its index to a commit. */
export function deleteMessage(
  commit: Deno.AtomicOperation,
  { key, row }: { key: Deno.KvKey; row: OutboxRow },
): void {
  commit.delete(key);
  for (const index of messages.indexRows(row, key)) commit.delete(index.key);
}

/** Reads the due rows of a channel in order, starting after the given key. */
export function dueRows(
  kv: Deno.Kv,
  channel: string,
  { now, after = [messages.prefix, channel], limit }: {
    now: number;
    after?: Deno.KvKey;
    limit: number;
  },
): Promise<Deno.KvEntry<OutboxRow>[]> {
  // Appending a part to a key gives the next possible key.
  const selector = { start: [...after, ""], end: [messages.prefix, channel, now + 1] };
  return Array.fromAsync(kv.list<OutboxRow>(selector, { limit }));
}

/** Counts the messages of an owner whose due time is not after `until`, up to a limit. */
export async function countDue(
  kv: Deno.Kv,
  channel: string,
  { about, until, limit }: { about: string; until: number; limit: number },
): Promise<number> {
  const start = [messages.indexes[0], about, channel];
  const selector = { start, end: [...start, until + 1] };
  return (await Array.fromAsync(kv.list(selector, { limit, batchSize: limit }))).length;
}

/** The state of a channel, as the console shows it. */
interface OutboxState {
  /** The number of messages, at most {@link COUNTED}. */
  waiting: number;
  /** When the first of them was written, ISO 8601 in UTC. */
  waitingSince: string | null;
  /** The number of messages, at most {@link COUNTED}. */
  dead: number;
  /** The number of dead letters by reason. */
  reasons: Record<string, number>;
}

/** The maximum number of messages that are counted, whatever others are among them. */
export const COUNTED = 100;

/**
 * Reads the state of a channel. Expired rows that the store has not deleted yet are not counted.
 *
 * @param counts whether to count a message with these labels; by default, all are counted
 */
export async function readOutbox(
  kv: Deno.Kv,
  channel: string,
  now: number,
  counts: (labels: Labels) => boolean = () => true,
): Promise<OutboxState> {
  async function live<Row extends Expiring & { labels?: Labels }>(list: Deno.KvListIterator<Row>) {
    const rows: Row[] = [];
    for await (const { value } of list) {
      if (isLive(value, now) && counts(value.labels ?? {})) rows.push(value);
      if (rows.length === COUNTED) break;
    }
    return rows;
  }
  const [waiting, dead] = await Promise.all([
    live(messages.list(kv, [channel])),
    live(deadLetters.list(kv, [channel])),
  ]);
  const reasons: Record<string, number> = {};
  for (const { reason } of dead) reasons[reason] = (reasons[reason] ?? 0) + 1;
  return {
    waiting: waiting.length,
    waitingSince: waiting.map(({ created_at }) => created_at).sort()[0] ?? null,
    dead: dead.length,
    reasons,
  };
}

/**
 * Erases the queued messages, the dead letters and the outcomes of one owner on every channel.
 *
 * @param about the owner, such as `user/7`
 */
export async function forgetDeliveries(kv: Deno.Kv, about: string): Promise<void> {
  for (const { prefix, indexes: [index] } of [messages, deadLetters]) {
    // A message that is claimed meanwhile gets another key, so this repeats until there is none.
    for (let found = true; found;) {
      found = false;
      for await (const { key } of kv.list({ prefix: [index, about] })) {
        found = true;
        await kv.atomic().delete(key).delete([prefix, ...key.slice(2)]).commit();
      }
    }
  }
  await forgetDelivered(kv, about); // last, because a message may be sent until its row is erased
}
