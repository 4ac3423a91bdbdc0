import { utf8 } from "../../base/encoding.ts";
import { createKeyedQueue, expiring, getLive, isLive, transact } from "../kv/mod.ts";
import { SEAL_BYTES, type Secrets } from "../../base/secrets.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { changeDelivery, type DeliveryChange, startDelivery } from "./deliveries.ts";
import {
  deadKey,
  type DeadLetter,
  dueRows,
  type Labels,
  type OutboxRow,
  rowKey,
} from "./outbox_rows.ts";
import { createSlots, type Slots } from "./slots.ts";

/**
 * The outcome of a delivery. `error` is a stable code.
 *
 * - `next`: messages that replace the one that was delivered, in one commit.
 * - `permanent` failures are not retried, others are after {@link RETRY_MS}.
 * - `postponeMs`: delivers after that time instead. This does not count as an attempt, and is only
 *   reported if the message expires first.
 */
export type Delivery<Payload = never> =
  | { ok: true; next?: readonly NextMessage<Payload>[] }
  | { ok: false; error: string; permanent: boolean }
  | { ok: false; error: string; postponeMs: number };

export interface MessageOptions {
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** The owner of the message, such as `user/7`; must not contain personal data. */
  about: string;
  /**
   * A process sends the messages of one group one after another: new ones in the order of their
   * commits, others in the order of their due times. Must not contain personal data.
   */
  group?: string;
  /** Describe the message to operators if it cannot be sent. Must not contain personal data. */
  labels?: Labels;
  /** True if the outcome is kept for the owner, see `readDeliveries`. */
  tracked?: boolean;
}

export interface NextMessage<Payload> extends MessageOptions {
  payload: Payload;
}

export interface DeliveryFailure {
  /** A stable code. */
  reason: string;
  /** Starts at 1. */
  attempt: number;
  /** Milliseconds until the next attempt; null if there is none. */
  retryMs: number | null;
  labels: Labels;
}

/** A message that was given up. An operator can send it again. */
export interface LostMessage {
  id: string;
  /** A stable code. */
  reason: string;
  about: string;
  labels: Labels;
}

/** A message that was added to a commit, to pass to `send` once the commit has succeeded. */
export interface Queued<Payload> {
  readonly key: Deno.KvKey;
  readonly row: OutboxRow;
  readonly payload: Payload;
}

/**
 * The messages to be sent on one channel, such as mail. They stay in the store until they are sent.
 */
export interface Outbox<Payload> {
  /**
   * Adds an encrypted message to the commit that causes it.
   *
   * @throws {RangeError} if the message is too long for the store
   */
  add(
    commit: Deno.AtomicOperation,
    payload: Payload,
    options: MessageOptions,
  ): Promise<Queued<Payload>>;
  /**
   * Sends messages in the background after their commit has succeeded. It never throws. If the
   * process dies before a message is sent, `drain` sends it, in any process.
   */
  send(queued: readonly Queued<Payload>[]): void;
  /**
   * Sends all messages that are due. When the signal aborts, it returns at once and starts no
   * further delivery; `flush` waits for deliveries in progress.
   *
   * @returns how many were sent and how many failed
   */
  drain(signal?: AbortSignal): Promise<{ sent: number; failed: number }>;
  /** Returns which of these lost messages can be sent again. */
  findLost(ids: readonly string[]): Promise<Set<string>>;
  /**
   * Sends a lost message again in the background, with all its retries, if it is still stored.
   *
   * @param addToCommit adds to the commit that queues it
   * @returns false if it is no longer stored
   */
  sendAgain(id: string, addToCommit?: (commit: Deno.AtomicOperation) => void): Promise<boolean>;
  /** Resolves when nothing is being sent. */
  flush(): Promise<void>;
}

export interface OutboxOptions<Payload> {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  /** Used in the store's keys, such as `mail`. */
  channel: string;
  /**
   * Sends one payload, in less than {@link SENDING_MS}.
   *
   * @param id the same in every attempt, so that the receiver can detect duplicates
   */
  deliver(payload: Payload, id: string): Promise<Delivery<Payload>>;
  /** Called for each failed attempt. */
  onFailure(failure: DeliveryFailure): void | Promise<void>;
  /**
   * Adds to the commit that gives a message up. It runs again if the commit fails, so it must have
   * no other effects.
   */
  addToLoss?(commit: Deno.AtomicOperation, lost: LostMessage): void | Promise<void>;
}

/** The store allows 65,536 bytes per value; the rest of the row needs some of them. */
export const MAX_PAYLOAD_BYTES = 64_000;

/** Delays after each failed attempt, which spread the attempts over about four days. */
export const RETRY_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  4 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

/** How long sending may take. Longer than any transport's timeout. */
const SENDING_MS = 65 * SECOND_MS;
/** After this time, a row that is still claimed is sent again. */
export const CLAIM_MS = 90 * SECOND_MS;

/**
 * A process younger than this does not retry deliveries that another process started: if the
 * message itself crashes processes, every restart could deliver another copy.
 */
export const SETTLING_MS = 10 * SECOND_MS;

/** Concurrent deliveries: of newly committed messages, and of the backlog. */
const SEND_SLOTS = 8;
const DRAIN_SLOTS = 4;
const PAGE = 50;

/**
 * Creates the outbox of a channel over rows `["outbox", channel, due, id]`.
 *
 * A row is claimed before it is sent: its due time becomes the time when the claim expires, so no
 * two processes send it at once, and a claim does not outlive a dead process for long. `add` writes
 * rows that are already claimed. A row is deleted once it is sent. So every committed row is sent
 * at least once, and again only if the process dies after the receiver has accepted it and before
 * the row is deleted.
 *
 * @example
 * ```ts
 * const queued = await outbox.add(commit, mail, { expiresAt, about: "user/7" });
 * if ((await commit.commit()).ok) outbox.send([queued]);
 * ```
 */
export function createOutbox<Payload>(options: OutboxOptions<Payload>): Outbox<Payload> {
  const { kv, clock, secrets, channel, deliver, onFailure, addToLoss } = options;
  const sending = createSlots(SEND_SLOTS);
  const draining = createSlots(DRAIN_SLOTS); // so that a backlog does not delay new messages
  const inOrder = createKeyedQueue();
  const steps = new Set<Promise<unknown>>();
  const createdAt = clock();
  const context = (id: string) => `${channel}/${id}`;

  /** Runs a step in a slot, after the earlier ones of the same group. */
  function run<Result>(
    slots: Slots,
    group: string | undefined,
    step: () => Promise<Result>,
  ): Promise<Result> {
    const inSlot = () => slots.run(step);
    const result = group === undefined ? inSlot() : inOrder(group, inSlot);
    const settled = result.then(() => {}, () => {}).finally(() => steps.delete(settled));
    steps.add(settled);
    return result;
  }

  async function open({ key, row }: Claimed): Promise<Payload | null> {
    const bytes = await secrets.open("outbox", row.sealed, context(idOf(key)));
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  }

  /** Claims a due row for this process. Returns null if another process claimed it first. */
  async function claim({ key, value, versionstamp }: Deno.KvEntry<OutboxRow>) {
    const now = clock();
    const row = { ...value, attempts: value.attempts + 1, sending: true };
    const claimed = { key: rowKey(channel, now + CLAIM_MS, idOf(key)), row };
    const { ok } = await kv.atomic().check({ key, versionstamp }).delete(key)
      .set(claimed.key, row, expiring(row, now)).commit();
    return ok ? claimed : null;
  }

  /** Sends a claimed row. Returns whether it was sent, or undefined if it was left for later. */
  async function attempt(claimed: Claimed, given?: Payload): Promise<boolean | undefined> {
    // The claim could expire, and another process send the row, before this one is done.
    if (clock() > dueOf(claimed.key) - SENDING_MS) return undefined;
    const payload = given ?? await open(claimed);
    const delivery = payload === null
      ? { ok: false as const, error: "not_decrypted", permanent: true }
      : await deliver(payload, idOf(claimed.key)).catch(() => UNEXPECTED);
    if (delivery.ok) {
      if (delivery.next === undefined) await finish(claimed);
      else await replace(claimed, delivery.next);
      return true;
    }
    if ("postponeMs" in delivery) {
      await fail(claimed, delivery.error, { delay: delivery.postponeMs, postponed: true });
      return undefined;
    }
    const delay = delivery.permanent ? undefined : RETRY_MS[claimed.row.attempts - 1];
    await fail(claimed, delivery.error, { delay, permanent: delivery.permanent });
    return false;
  }

  /** Deletes the row of a message that was sent. */
  async function finish({ key, row }: Claimed): Promise<void> {
    await transact(async () => {
      const commit = kv.atomic().delete(key);
      await track(commit, { key, row }, { state: "sent" });
      return { result: undefined, commit };
    });
  }

  /** Adds the state of a message to a commit, if its outcome is kept. */
  async function track(
    commit: Deno.AtomicOperation,
    { key, row }: Claimed,
    change: DeliveryChange,
  ): Promise<void> {
    if (!row.tracked) return;
    await changeDelivery(kv, commit, { about: row.about, id: idOf(key) }, change, clock());
  }

  /** Replaces a row with other messages in one commit, and sends them. */
  async function replace(
    { key }: Claimed,
    messages: readonly NextMessage<Payload>[],
  ): Promise<void> {
    const queued = await transact<Queued<Payload>[]>(async () => {
      const entry = await kv.get<OutboxRow>(key);
      if (entry.value === null) return { result: [] }; // erased, or claimed by another process
      const commit = kv.atomic().check(entry).delete(key);
      const result: Queued<Payload>[] = [];
      for (const { payload, ...options } of messages) {
        result.push(await add(commit, payload, options));
      }
      return { result, commit };
    });
    send(queued);
  }

  /**
   * Schedules the next attempt, or replaces the row with a dead letter.
   *
   * @param delay undefined for no further attempt
   * @param permanent whether sending it again is pointless, so that the payload is erased
   * @param postponed whether this was no attempt, so that it is neither counted nor reported
   */
  async function fail(
    { key, row }: Claimed,
    reason: string,
    { delay, permanent = false, postponed = false }: {
      delay?: number;
      permanent?: boolean;
      postponed?: boolean;
    },
  ): Promise<void> {
    const { attempts: attempt, created_at, expires_at, about, labels, sealed, tracked } = row;
    const id = idOf(key);
    const retryMs = await transact(async () => {
      const now = clock();
      const live = isLive(row, now);
      const retryMs = delay !== undefined && isLive(row, now + delay) ? delay : null;
      const entry = await kv.get<OutboxRow>(key);
      if (entry.value === null) return { result: retryMs }; // erased, or claimed by another process
      const commit = kv.atomic().check(entry).delete(key);
      if (retryMs !== null) {
        const waiting = { ...row, sending: false, attempts: postponed ? 0 : attempt };
        commit.set(rowKey(channel, now + retryMs, id), waiting, expiring(row, now));
        const next_at = new Date(now + retryMs).toISOString();
        const change = { state: "retrying", failures: attempt, reason, next_at } as const;
        await track(commit, { key, row }, change);
        return { result: retryMs, commit };
      }
      if (live) {
        const failed_at = new Date(now).toISOString();
        const dead: DeadLetter = {
          reason,
          attempts: attempt,
          created_at,
          failed_at,
          expires_at,
          about,
          ...labels === undefined ? {} : { labels },
          ...permanent ? {} : { sealed },
          ...tracked ? { tracked } : {},
        };
        commit.set(deadKey(channel, id), dead, expiring(dead, now));
      }
      await track(commit, { key, row }, { state: "failed", failures: attempt, reason });
      await addToLoss?.(commit, { id, reason, about, labels: labels ?? {} });
      return { result: retryMs, commit };
    });
    if (!postponed || retryMs === null) {
      await onFailure({ reason, attempt, retryMs, labels: labels ?? {} });
    }
  }

  async function sendDue(entry: Deno.KvEntry<OutboxRow>): Promise<boolean | undefined> {
    const { key, value: row } = entry;
    const now = clock();
    const finalReason = !isLive(row, now)
      ? "expired"
      : row.attempts > RETRY_MS.length
      ? "interrupted"
      : null;
    if (finalReason !== null) {
      await fail({ key, row }, finalReason, { permanent: true });
      return false;
    }
    if (row.sending && now < createdAt + SETTLING_MS) return undefined;
    const claimed = await claim(entry);
    return claimed === null ? undefined : await attempt(claimed);
  }

  const add: Outbox<Payload>["add"] = async (commit, payload, options) => {
    const bytes = utf8(JSON.stringify(payload));
    if (bytes.length + SEAL_BYTES > MAX_PAYLOAD_BYTES) {
      throw new RangeError(`A payload has ${bytes.length} bytes, too many for the store.`);
    }
    const now = clock();
    const id = crypto.randomUUID();
    const { expiresAt, about, group, labels, tracked } = options;
    const row: OutboxRow = {
      sealed: await secrets.seal("outbox", bytes, context(id)),
      attempts: 1,
      sending: true,
      created_at: new Date(now).toISOString(),
      expires_at: new Date(expiresAt).toISOString(),
      about,
      ...group === undefined ? {} : { group },
      ...labels === undefined ? {} : { labels },
      ...tracked ? { tracked } : {},
    };
    const key = rowKey(channel, now + CLAIM_MS, id);
    commit.set(key, row, expiring(row, now));
    if (tracked) startDelivery(commit, about, { id, labels: labels ?? {} }, now);
    return { key, row, payload };
  };

  function send(queued: readonly Queued<Payload>[]): void {
    for (const each of queued) {
      run(sending, each.row.group, () => attempt(each, each.payload)).catch(() => {});
    }
  }

  return {
    add,
    send,
    async drain(signal) {
      const counts = { sent: 0, failed: 0 };
      const now = clock();
      const aborted = new Promise<void>((resolve) =>
        signal?.addEventListener("abort", () => resolve(), { once: true })
      );
      let after: Deno.KvKey | undefined;
      while (!signal?.aborted) {
        const due = await dueRows(kv, channel, { now, after, limit: PAGE });
        if (due.length === 0) break;
        after = due[due.length - 1].key;
        const page = due.map((entry) =>
          run(draining, entry.value.group, async () => {
            const sent = signal?.aborted ? undefined : await sendDue(entry);
            if (sent !== undefined) counts[sent ? "sent" : "failed"]++;
          })
        );
        await Promise.race([Promise.all(page), aborted]);
      }
      return counts;
    },
    async findLost(ids) {
      const letters = await Promise.all(
        ids.map((id) => getLive<DeadLetter>(kv, deadKey(channel, id), clock())),
      );
      return new Set(ids.filter((_, i) => letters[i]?.value.sealed !== undefined));
    },
    async sendAgain(id, addToCommit) {
      const claimed = await transact<Claimed | null>(async () => {
        const now = clock();
        const entry = await getLive<DeadLetter>(kv, deadKey(channel, id), now);
        if (entry?.value.sealed === undefined) return { result: null };
        const { reason: _, failed_at: __, sealed, ...letter } = entry.value;
        const row: OutboxRow = { ...letter, sealed, attempts: 1, sending: true };
        const key = rowKey(channel, now + CLAIM_MS, id);
        const commit = kv.atomic().check(entry).delete(entry.key).set(key, row, expiring(row, now));
        await track(commit, { key, row }, { state: "sending" });
        addToCommit?.(commit);
        return { result: { key, row }, commit };
      });
      if (claimed !== null) run(sending, undefined, () => attempt(claimed)).catch(() => {});
      return claimed !== null;
    },
    async flush() {
      while (steps.size > 0) await Promise.all(steps);
    },
  };
}

const UNEXPECTED: Delivery = { ok: false, error: "unexpected", permanent: false };

/** A row that only this process may send until its due time. */
interface Claimed {
  key: Deno.KvKey;
  row: OutboxRow;
}

const dueOf = (key: Deno.KvKey) => Number(key[2]);
const idOf = (key: Deno.KvKey) => String(key[3]);
