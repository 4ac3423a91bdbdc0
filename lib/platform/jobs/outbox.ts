/** The outbox: sends stored messages at least once, with retries, in any process. */
import { sleep } from "../../base/sleep.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { asSite, createKeyedQueue, isLive, isUnusable } from "../kv/mod.ts";
import {
  addMessage,
  CLAIM_MS,
  type Claimed,
  claimMessage,
  countMessage,
  dueOf,
  finishMessage,
  type HeldMessage,
  idOf,
  type MessageOptions,
  type MessageStore,
  type NextMessage,
  openMessage,
  type Queued,
  recallMessage,
  replaceMessage,
  reviveMessage,
  type Setback,
  setBackMessage,
} from "./messages.ts";
import { countDue, deadLetters, dueRows, type Labels, type OutboxRow } from "./outbox_rows.ts";
import { createSlots, type Slots } from "../../base/slots.ts";

/**
 * The outcome of a delivery. `error` is a stable code, `reply` the receiving server's.
 *
 * - `next`: messages that replace the one that was delivered, in one commit.
 * - `permanent` failures are not retried, others are after the delays of the outbox.
 * - `postponeMs`: delivers after that time instead. This does not count as an attempt, and is only
 *   reported if the message expires first.
 */
export type Delivery<Payload = never> =
  | { ok: true; next?: readonly NextMessage<Payload>[] }
  | { ok: false; error: string; permanent: boolean; reply?: string }
  | { ok: false; error: string; postponeMs: number };

/** A failed attempt. */
export interface DeliveryFailure {
  /** A stable code. */
  reason: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Milliseconds until the next attempt; null if there is none. */
  retryMs: number | null;
  /** The code of the receiving server, such as `550 5.1.1`. */
  reply?: string;
  labels: Labels;
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
   * Adds the deletion of held messages to a commit.
   *
   * @returns false if one of them was sent, is being sent, or is due; then the commit must not be used
   */
  recall(commit: Deno.AtomicOperation, held: readonly HeldMessage[]): Promise<boolean>;
  /**
   * Sends messages in the background after their commit has succeeded. It never throws. If the
   * process dies before a message is sent, `drain` sends it, in any process, and so it does with
   * messages that are held.
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
  /**
   * Counts the messages of an owner that are being sent or due, without those that wait for another
   * attempt.
   *
   * @param limit where the count ends
   */
  countDue(about: string, limit: number): Promise<number>;
  /** Resolves when nothing is being sent. */
  flush(): Promise<void>;
}

/** One attempt to deliver a message. */
export interface Attempt {
  /** The same in every attempt, so that the receiver can detect duplicates. */
  id: string;
  /** The number of the attempt, from 1. */
  attempt: number;
  /** Milliseconds until the next attempt if this one fails; null if it is the last. */
  retryMs: number | null;
  labels: Labels;
}

export interface OutboxOptions<Payload> extends MessageStore {
  /** Sends one payload, in less than {@link SENDING_MS}. */
  deliver(payload: Payload, attempt: Attempt): Promise<Delivery<Payload>>;
  /** The delays after each failed attempt. Default: {@link RETRY_MS}. */
  retryMs?: readonly number[];
  /** How much a delay may differ from these, as a share of it, so that failed messages spread. Default: 0. */
  jitter?: number;
  /** The number of messages that are sent at once: newly committed ones, and as many again of the backlog. */
  slots?: number;
  /** Called for each failed attempt. */
  onFailure(failure: DeliveryFailure): void | Promise<void>;
  /** Waits while the store does not respond; replaced in tests. */
  pause?: (ms: number) => Promise<void>;
}

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

/** How long sending may take, which is longer than any transport's timeout. */
const SENDING_MS = 65 * SECOND_MS;

/**
 * A process younger than this does not retry deliveries that another process started: if the
 * message itself crashes processes, every restart could deliver another copy.
 */
export const SETTLING_MS = 10 * SECOND_MS;

/** How long a process waits before it notes an outcome again that it could not store. */
const PAUSE_MS = SECOND_MS;

/** Concurrent deliveries: of newly committed messages, and of the backlog. */
const SEND_SLOTS = 8;
const DRAIN_SLOTS = 4;
/** How many messages of the backlog are read together. */
const PAGE = 50;
/** How many messages of the backlog may wait for those of their groups before more are read. */
const MOST_PENDING = 500;

/**
 * Creates the outbox of a channel.
 *
 * A message is claimed before it is sent: its due time becomes the time when the claim expires, so no
 * two processes send it at once, and a claim does not outlive a dead process for long. `add` writes
 * messages that are already claimed. A message is deleted once it is sent. So every committed message
 * is sent at least once, and again only if, after the receiver has accepted it, the process dies before
 * it is deleted, or the store does not respond until the claim has expired.
 */
export function createOutbox<Payload>(options: OutboxOptions<Payload>): Outbox<Payload> {
  const { kv, clock, channel, pause = sleep, retryMs: delays = RETRY_MS, jitter = 0 } = options;
  const createdAt = clock();
  const steps = createSteps();
  const sending = createSlots(options.slots ?? SEND_SLOTS);
  // Separate, so that a backlog does not delay new messages.
  const draining = createSlots(options.slots ?? DRAIN_SLOTS);

  /** Sends a claimed message in the background. */
  function start(claimed: Claimed, payload?: Payload): void {
    asSite(() => steps.run(sending, claimed.row.group, () => attempt(claimed, payload)))
      .catch(() => {});
  }

  function send(queued: readonly Queued<Payload>[]): void {
    for (const each of queued) if (each.row.sending) start(each, each.payload);
  }

  /** Sends a claimed message. Returns whether it was sent, or undefined if it was left for later. */
  async function attempt(claimed: Claimed, given?: Payload): Promise<boolean | undefined> {
    // The claim could expire, and another process send the message, before this one is done.
    if (clock() > dueOf(claimed) - SENDING_MS) return undefined;
    if (!await countMessage(options, claimed)) return undefined;
    const retryMs = delayAfter(claimed.row.attempts);
    const delivery = await deliver(options, claimed, retryMs, given);
    if (delivery.ok) {
      const { next } = delivery;
      if (next === undefined) await note(claimed, () => finishMessage(options, claimed));
      else send(await note(claimed, () => replaceMessage(options, claimed, next)));
      return true;
    }
    const { error: reason } = delivery;
    if ("postponeMs" in delivery) {
      await setBack(claimed, { reason, delay: delivery.postponeMs, postponed: true });
      return undefined;
    }
    const { permanent, reply } = delivery;
    const delay = permanent ? undefined : retryMs ?? undefined;
    await setBack(claimed, { reason, delay, permanent, reply });
    return false;
  }

  /** Returns the delay after a number of attempts; null after the last one. */
  function delayAfter(attempts: number): number | null {
    const delay = delays[attempts - 1];
    if (delay === undefined) return null;
    return Math.round(delay * (1 + jitter * (2 * Math.random() - 1)));
  }

  /** Schedules the next attempt or gives the message up, and reports it. */
  async function setBack(claimed: Claimed, setback: Setback): Promise<void> {
    const { reason, reply } = setback;
    const retryMs = await note(claimed, () => setBackMessage(options, claimed, setback));
    if (setback.postponed && retryMs !== null) return;
    const { attempts: attempt, labels = {} } = claimed.row;
    await options.onFailure({ reason, attempt, retryMs, reply, labels });
  }

  /** Stores the outcome of a delivery, if need be when the store responds again. */
  async function note<Result>(claimed: Claimed, store: () => Promise<Result>): Promise<Result> {
    while (true) {
      try {
        return await store();
      } catch (error) {
        const isLate = clock() + PAUSE_MS >= dueOf(claimed);
        if (!isUnusable(error) || isLate) throw error;
        await pause(PAUSE_MS);
      }
    }
  }

  /** Claims a due message and sends it, unless it is too late or another process may be sending it. */
  async function sendDue(entry: Deno.KvEntry<OutboxRow>): Promise<boolean | undefined> {
    const { key, value: row } = entry;
    const now = clock();
    const finalReason = !isLive(row, now)
      ? "expired"
      : row.attempts > delays.length
      ? "interrupted"
      : null;
    if (finalReason !== null) {
      await setBack({ key, row }, { reason: finalReason, permanent: true });
      return false;
    }
    if (row.sending && now < createdAt + SETTLING_MS) return undefined;
    const claimed = await claimMessage(options, entry);
    return claimed === null ? undefined : await attempt(claimed);
  }

  return {
    add: (commit, payload, message) => addMessage(options, commit, payload, message),
    async recall(commit, held) {
      for (const each of held) if (!await recallMessage(options, commit, each)) return false;
      return true;
    },
    send,
    async drain(signal) {
      const counts = { sent: 0, failed: 0 };
      const now = clock();
      const aborted = new Promise<void>((resolve) =>
        signal?.addEventListener("abort", () => resolve(), { once: true })
      );
      const pending = new Set<Promise<void>>();
      const errors: unknown[] = [];
      let after: Deno.KvKey | undefined;
      while (!signal?.aborted && errors.length === 0) {
        const due = await dueRows(kv, channel, { now, after, limit: PAGE });
        if (due.length === 0) break;
        after = due[due.length - 1].key;
        for (const entry of due) {
          const step = steps.run(draining, entry.value.group, async () => {
            const sent = signal?.aborted ? undefined : await sendDue(entry);
            if (sent !== undefined) counts[sent ? "sent" : "failed"]++;
          }).catch((error) => void errors.push(error)).finally(() => pending.delete(step));
          pending.add(step);
        }
        // Messages of a slow group do not delay those of others, unless there are very many.
        while (pending.size > MOST_PENDING && !signal?.aborted) {
          await Promise.race([...pending, aborted]);
        }
      }
      await Promise.race([Promise.all(pending), aborted]);
      if (errors.length > 0) throw errors[0];
      return counts;
    },
    async findLost(ids) {
      const letters = await Promise.all(
        ids.map((id) => deadLetters.getLive(kv, clock(), channel, id)),
      );
      return new Set(ids.filter((_, i) => letters[i]?.value.sealed !== undefined));
    },
    async sendAgain(id, addToCommit) {
      const claimed = await reviveMessage(options, id, addToCommit);
      if (claimed !== null) start(claimed);
      return claimed !== null;
    },
    countDue: (about, limit) => countDue(kv, channel, { about, until: clock() + CLAIM_MS, limit }),
    flush: steps.settled,
  };
}

/** Creates a runner of steps in slots. Steps of the same group run one after another. */
function createSteps() {
  const inOrder = createKeyedQueue();
  const running = new Set<Promise<unknown>>();
  return {
    run<Result>(
      slots: Slots,
      group: string | undefined,
      step: () => Promise<Result>,
    ): Promise<Result> {
      const inSlot = () => slots.run(step);
      const result = group === undefined ? inSlot() : inOrder(group, inSlot);
      const settled = result.then(() => {}, () => {}).finally(() => running.delete(settled));
      running.add(settled);
      return result;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** @param given the payload, if it need not be decrypted */
async function deliver<Payload>(
  options: OutboxOptions<Payload>,
  claimed: Claimed,
  retryMs: number | null,
  given?: Payload,
): Promise<Delivery<Payload>> {
  const payload = given ?? await openMessage<Payload>(options, claimed);
  if (payload === null) return { ok: false, error: "not_decrypted", permanent: true };
  const { attempts: attempt, labels = {} } = claimed.row;
  return await options.deliver(payload, { id: idOf(claimed), attempt, retryMs, labels })
    .catch(() => ({ ok: false, error: "unexpected", permanent: false }));
}
