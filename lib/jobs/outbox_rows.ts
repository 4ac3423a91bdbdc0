import type { Bytes } from "../encoding.ts";
import { type Expiring, whenUnlocked } from "../kv/mod.ts";

/** Something to be sent. Its key contains when it is due. */
export interface OutboxRow extends Expiring {
  /** The payload, encrypted with a key derived from `APP_SECRET`. */
  sealed: Bytes;
  /** How often sending it was started. */
  attempts: number;
  /** A process is sending it, or died while it did. */
  sending: boolean;
  /** ISO 8601 in UTC. */
  created_at: string;
  /** What it belongs to, such as `user/7`, so that it is erased together with it. */
  about: string;
}

/** What is kept of something that could not be sent, until it would have expired. */
export interface DeadLetter extends Expiring {
  /** A stable code, such as `recipient_refused`. */
  reason: string;
  attempts: number;
  created_at: string;
  failed_at: string;
  about: string;
}

const ROWS = "outbox";
const DEAD = "outbox_dead";

/**
 * Returns the key of a row. Rows are ordered by the time when they are due; while a row is being
 * sent, that is the time when it may be sent again because its sender has died.
 */
export const rowKey = (channel: string, dueAt: number, id: string): Deno.KvKey => [
  ROWS,
  channel,
  dueAt,
  id,
];

export const deadKey = (channel: string, id: string): Deno.KvKey => [DEAD, channel, id];

/** Reads rows of a channel that are due, in order, after the one with a key. */
export function dueRows(
  kv: Deno.Kv,
  channel: string,
  { now, after = [ROWS, channel], limit }: { now: number; after?: Deno.KvKey; limit: number },
): Promise<Deno.KvEntry<OutboxRow>[]> {
  // A key with one more part is the next one in order.
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

/** The console reads no more rows than this. */
export const COUNTED = 100;

/** Reads the state of a channel. Expired rows, which the store deletes late, do not count. */
export async function readOutbox(kv: Deno.Kv, channel: string, now: number): Promise<OutboxState> {
  const live = async <Row extends Expiring>(prefix: string) => {
    const rows = await Array.fromAsync(
      kv.list<Row>({ prefix: [prefix, channel] }, { limit: COUNTED }),
    );
    return rows.map(({ value }) => value).filter((row) => now < Date.parse(row.expires_at));
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
 * Erases what waits to be sent, and the dead letters, on every channel.
 *
 * @param about what they belong to
 */
export async function forgetDeliveries(kv: Deno.Kv, about: string): Promise<void> {
  for (const prefix of [ROWS, DEAD]) {
    for await (const { key, value } of kv.list<OutboxRow | DeadLetter>({ prefix: [prefix] })) {
      if (value.about === about) await whenUnlocked(() => kv.delete(key));
    }
  }
}
