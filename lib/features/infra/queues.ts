import { messages, type OutboxRow } from "../../platform/jobs/mod.ts";
import { isLive, listEach } from "../../platform/kv/mod.ts";
import { organisationOfMail } from "../../platform/mail/mod.ts";
import type { OrganisationKey, SenderKey } from "../../platform/surfaces/mod.ts";

/** The messages of one kind that wait to be sent. */
export interface Queue {
  /** `mail` or `push`. */
  channel: string;
  /** The kind of message, such as `sign_in`; empty if it has none. */
  kind: string;
  /** Null for notifications, which both organisations share. */
  organisation: OrganisationKey | null;
  waiting: number;
  /** When the oldest was written, ISO 8601. */
  oldest: string;
}

/** The most messages of one channel that are read. */
const MOST_READ = 5_000;

/** Reads the messages that wait, by channel, kind and organisation, the oldest first. */
export async function readQueues(kv: Deno.Kv, now: number): Promise<Queue[]> {
  const queues = new Map<string, Queue>();
  for await (
    const { key, value } of listEach<OutboxRow>(kv, [messages.prefix], { limit: MOST_READ })
  ) {
    if (!isLive(value, now)) continue;
    const channel = String(key[1]);
    const { kind = "", sender } = value.labels ?? {};
    const organisation = sender === undefined ? null : organisationOfMail(sender as SenderKey);
    const id = JSON.stringify([channel, kind, organisation]);
    const queue = queues.get(id) ??
      { channel, kind, organisation, waiting: 0, oldest: value.created_at };
    queue.waiting++;
    if (value.created_at < queue.oldest) queue.oldest = value.created_at;
    queues.set(id, queue);
  }
  return [...queues.values()].sort((a, b) => a.oldest < b.oldest ? -1 : 1);
}
