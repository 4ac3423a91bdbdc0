import type { Bytes } from "../../base/encoding.ts";
import { type Expiring } from "../kv/mod.ts";
import { forgetDelivered } from "./deliveries.ts";

/** A message to be sent. Its key contains its due time. */
export interface OutboxRow extends Expiring {
  /** The payload, encrypted with a key derived from `APP_SECRET`. */
  sealed: Bytes;
  /** The number of attempts so far, including one in progress. */
  attempts: number;
  /** True if a process is sending it, or died while doing so. */
  sending: boolean;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** The owner of the message, such as `user/7`, so that it is erased along with the owner. */
  about: string;
  /** The messages of one group are sent one after another. */
  group?: string;
  /** See `MessageOptions`. */
  labels?: Labels;
  tracked?: boolean;
}

/** Stable codes by name that say what kind of message it is. Not encrypted. */
export type Labels = Readonly<Record<string, string>>;

/** The record of a message that could not be sent, kept until the message would have expired. */
export interface DeadLetter extends Expiring {
  /** A stable code, such as `recipient_refused`. */
  reason: string;
  attempts: number;
  created_at: string;
  failed_at: string;
  about: string;
  labels?: Labels;
  tracked?: boolean;
  /** The payload, encrypted. Absent if sending it again is pointless. */
  sealed?: Bytes;
}

const ROWS = "outbox";
const DEAD = "outbox_dead";

/**
 * Returns the key of a row. Rows are ordered by due time. While a row is being sent, its due time
 * is when another process may send it, in case the sender has died.
 */
export const rowKey = (channel: string, dueAt: number, id: string): Deno.KvKey => [
  ROWS,
  channel,
  dueAt,
  id,
];

export const deadKey = (channel: string, id: string): Deno.KvKey => [DEAD, channel, id];

/** Reads the due rows of a channel in order, starting after the given key. */
export function dueRows(
  kv: Deno.Kv,
  channel: string,
  { now, after = [ROWS, channel], limit }: { now: number; after?: Deno.KvKey; limit: number },
): Promise<Deno.KvEntry<OutboxRow>[]> {
  // Appending a part to a key gives the next possible key.
  const selector = { start: [...after, ""], end: [ROWS, channel, now + 1] };
  return Array.fromAsync(kv.list<OutboxRow>(selector, { limit }));
}

/** The state of a channel, as the console shows it. */
export interface OutboxState {
  /** At most {@link COUNTED}. */
  waiting: number;
  /** When the first of them was written, ISO 8601 in UTC. */
  waitingSince: string | null;
  /** At most {@link COUNTED}. */
  dead: number;
  /** The number of dead letters by reason. */
  reasons: Record<string, number>;
}

/** The maximum number of rows that the console reads. */
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
  const live = async <Row extends Expiring & { labels?: Labels }>(prefix: string) => {
    const rows: Row[] = [];
    const list = kv.list<Row>({ prefix: [prefix, channel] }, { limit: 10 * COUNTED });
    for await (const { value } of list) {
      if (now < Date.parse(value.expires_at) && counts(value.labels ?? {})) rows.push(value);
      if (rows.length === COUNTED) break;
    }
    return rows;
  };
  const [waiting, dead] = await Promise.all([live<OutboxRow>(ROWS), live<DeadLetter>(DEAD)]);
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
  for (const prefix of [ROWS, DEAD]) {
    for await (const { key, value } of kv.list<OutboxRow | DeadLetter>({ prefix: [prefix] })) {
      if (value.about === about) await kv.delete(key);
    }
  }
  await forgetDelivered(kv, about); // last, because a message may be sent until its row is erased
}
