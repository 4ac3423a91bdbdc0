/**
 * The messages of an outbox in the store. Each function takes a message one step further, in one
 * commit. A message is claimed by the process that sends it: only that process may send it before its
 * due time.
 *
 * @module
 */
import { type Bytes, utf8 } from "../../base/encoding.ts";
import { SEAL_BYTES, type Secrets } from "../../base/secrets.ts";
import { SECOND_MS } from "../../base/time.ts";
import { isLive, type SlidingWindow, takeSlot, transact, unchecked } from "../kv/mod.ts";
import { changeDelivery, type DeliveryChange, endDelivery, startDelivery } from "./deliveries.ts";
import {
  type DeadLetter,
  deadLetters,
  deleteMessage,
  type Labels,
  messages,
  type OutboxRow,
  putMessage,
} from "./outbox_rows.ts";

/** The settings of one message. */
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
  /** A keyed fingerprint of the address, by which the outcome is found. */
  recipient?: string;
  /** Milliseconds for which the message waits, and can be recalled. Default: it is sent at once. */
  holdMs?: number;
  /**
   * Limits in which the message is counted when it is sent for the first time. If one of them is reached, it is
   * not sent. They are not applied in the commit that adds the message, so nobody learns what others were sent.
   */
  limits?: readonly SlidingWindow[];
}

/** A message that follows another one. */
export interface NextMessage<Payload> extends MessageOptions {
  payload: Payload;
}

/** A message that this process has claimed. */
export interface Claimed {
  readonly key: Deno.KvKey;
  readonly row: OutboxRow;
}

/** A message that was added to a commit, to pass to `send` once the commit has succeeded. */
export interface Queued<Payload> extends Claimed {
  readonly payload: Payload;
}

/** Identifies a message that waits before it is sent for the first time. */
export interface HeldMessage {
  /** When it is sent, in milliseconds since 1970. */
  due: number;
  id: string;
}

/** A message that was given up. An operator can send it again. */
export interface LostMessage {
  id: string;
  /** A stable code. */
  reason: string;
  about: string;
  labels: Labels;
  recipient?: string;
  /** The code of the receiving server's reply, if it refused the message. */
  reply?: string;
}

/** The options of an outbox that its messages in the store depend on. */
export interface MessageStore {
  kv: Deno.Kv;
  clock: () => number;
  secrets: Secrets;
  /** Used in the store's keys, such as `mail`. */
  channel: string;
  /**
   * Adds to the commit that gives a message up. It runs again if the commit fails, so it must have
   * no other effects.
   */
  addToLoss?(commit: Deno.AtomicOperation, lost: LostMessage): void | Promise<void>;
  /** The same for the commit that puts the message off after the first attempt. */
  addToDelay?(commit: Deno.AtomicOperation, delayed: LostMessage): void | Promise<void>;
}

/** The store allows 65,536 bytes per value; the rest of the row needs some of them. */
export const MAX_PAYLOAD_BYTES = 64_000;

/** After this time, a message that is still claimed is sent again. */
export const CLAIM_MS = 90 * SECOND_MS;

export const dueOf = ({ key }: Claimed): number => Number(key[2]);
export const idOf = ({ key }: Claimed): string => String(key[3]);

const contextOf = (channel: string, id: string) => `${channel}/${id}`;

/** Returns what releases or removes a held message later. */
export const heldOf = (message: Claimed): HeldMessage => ({
  due: dueOf(message),
  id: idOf(message),
});

/**
 * Adds an encrypted message to a commit, already claimed unless it is held.
 *
 * @throws {RangeError} if the message is too long for the store
 */
export async function addMessage<Payload>(
  { clock, secrets, channel }: MessageStore,
  commit: Deno.AtomicOperation,
  payload: Payload,
  { expiresAt, about, group, labels, tracked, recipient, holdMs, limits }: MessageOptions,
): Promise<Queued<Payload>> {
  const bytes = utf8(JSON.stringify(payload));
  if (bytes.length + SEAL_BYTES > MAX_PAYLOAD_BYTES) {
    throw new RangeError(`A payload has ${bytes.length} bytes, too many for the store.`);
  }
  const now = clock();
  const id = crypto.randomUUID();
  const row: OutboxRow = {
    sealed: await secrets.seal("outbox", bytes, contextOf(channel, id)),
    attempts: holdMs === undefined ? 1 : 0,
    sending: holdMs === undefined,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    about,
    ...group === undefined ? {} : { group },
    ...labels === undefined ? {} : { labels },
    ...tracked ? { tracked } : {},
    ...recipient === undefined ? {} : { recipient },
    ...limits === undefined ? {} : { limits: [...limits] },
  };
  const key = messages.key(channel, now + (holdMs ?? CLAIM_MS), id);
  putMessage(commit, key, row, now);
  if (tracked) {
    const delivery = { id, labels: labels ?? {}, recipient: recipient ?? null };
    startDelivery(commit, about, delivery, now);
  }
  return { key, row, payload };
}

/**
 * Adds the deletion of a held message to a commit, which fails if the message is claimed meanwhile.
 *
 * @returns false if its time is over, or if it was claimed or erased; then nothing is added
 */
export async function recallMessage(
  { kv, clock, channel }: MessageStore,
  commit: Deno.AtomicOperation,
  { due, id }: HeldMessage,
): Promise<boolean> {
  const entry = await messages.get(kv, channel, due, id);
  if (entry.value === null || clock() >= due) {
    unchecked("A message that is being sent cannot be recalled any more.", entry);
    return false;
  }
  const { about, tracked } = entry.value;
  deleteMessage(commit.check(entry), { key: entry.key, row: entry.value });
  if (tracked) await endDelivery(kv, commit, { about, id });
  return true;
}

/** Decrypts a message. Returns null if its secret was removed. */
export async function openMessage<Payload>(
  { secrets, channel }: MessageStore,
  message: Claimed,
): Promise<Payload | null> {
  const context = contextOf(channel, idOf(message));
  const bytes = await secrets.open("outbox", message.row.sealed, context);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * Where the messages are encrypted. Those that were given up come first and last, because an operator can
 * send them again, and sending can give others up meanwhile.
 */
export const sealedMessages = {
  purpose: "outbox",
  tables: [deadLetters, messages, deadLetters],
  sealedIn({ sealed }: OutboxRow | DeadLetter, key: Deno.KvKey) {
    const [, channel, ...rest] = key.map(String);
    return sealed === undefined ? null : { sealed, context: contextOf(channel, rest.at(-1)!) };
  },
  with: (row: OutboxRow | DeadLetter, sealed: Bytes) => ({ ...row, sealed }),
  expiresAt: ({ expires_at }: OutboxRow | DeadLetter) => Date.parse(expires_at),
} as const;

/** Claims a due message for this process. Returns null if another process claimed it first. */
export async function claimMessage(
  { kv, clock, channel }: MessageStore,
  { key, value, versionstamp }: Deno.KvEntry<OutboxRow>,
): Promise<Claimed | null> {
  const now = clock();
  const row = { ...value, attempts: value.attempts + 1, sending: true };
  const claimed = { key: messages.key(channel, now + CLAIM_MS, idOf({ key, row })), row };
  const commit = kv.atomic().check({ key, versionstamp });
  deleteMessage(commit, { key, row: value });
  putMessage(commit, claimed.key, row, now);
  return (await commit.commit()).ok ? claimed : null;
}

/**
 * Counts a message in its limits before the first attempt. If one of them is reached, it deletes the message as
 * if it had not been added.
 *
 * @returns whether the message may be sent
 */
export async function countMessage(store: MessageStore, message: Claimed): Promise<boolean> {
  const { attempts, limits, tracked, about } = message.row;
  if (limits === undefined || attempts > 1) return true;
  if ((await takeSlot(store.kv, limits, store.clock)).ok) return true;
  const commit = store.kv.atomic();
  deleteMessage(commit, message);
  if (tracked) await endDelivery(store.kv, commit, { about, id: idOf(message) });
  await commit.commit();
  return false;
}

/** Deletes a message that was sent. */
export async function finishMessage(store: MessageStore, message: Claimed): Promise<void> {
  await transact(async () => {
    const commit = store.kv.atomic();
    deleteMessage(commit, message);
    await track(store, commit, message, { state: "sent" });
    return { result: undefined, commit };
  });
}

export const replaceMessage = <Payload>(
  store: MessageStore,
  message: Claimed,
  next: readonly NextMessage<Payload>[],
): Promise<Queued<Payload>[]> =>
  transact<Queued<Payload>[]>(async () => {
    const entry = await store.kv.get(message.key);
    if (entry.value === null) return { result: [] }; // erased, or claimed by another process
    const commit = store.kv.atomic().check(entry);
    deleteMessage(commit, message);
    const result: Queued<Payload>[] = [];
    for (const { payload, ...options } of next) {
      result.push(await addMessage(store, commit, payload, options));
    }
    return { result, commit };
  });

/** Why a message was not sent. */
export interface Setback {
  /** A stable code. */
  reason: string;
  /** Milliseconds until the next attempt; undefined if there is none. */
  delay?: number;
  /** True if sending it again is pointless, so that the payload is erased. */
  permanent?: boolean;
  /** True if this was not an attempt, so that it is not counted. */
  postponed?: boolean;
  /** The code of the receiving server's reply. */
  reply?: string;
}

/**
 * Schedules the next attempt, or gives the message up.
 *
 * @returns milliseconds until the next attempt; null if there is none
 */
export const setBackMessage = (
  store: MessageStore,
  message: Claimed,
  setback: Setback,
): Promise<number | null> =>
  transact(async () => {
    const { key, row } = message;
    const { delay } = setback;
    const now = store.clock();
    const retryMs = delay !== undefined && isLive(row, now + delay) ? delay : null;
    const entry = await store.kv.get(key);
    if (entry.value === null) return { result: retryMs }; // erased, or claimed by another process
    const commit = store.kv.atomic().check(entry);
    deleteMessage(commit, message);
    if (retryMs === null) await giveUp(store, commit, message, setback, now);
    else await retryLater(store, commit, message, setback, { now, retryMs });
    return { result: retryMs, commit };
  });

async function retryLater(
  store: MessageStore,
  commit: Deno.AtomicOperation,
  message: Claimed,
  { reason, postponed, reply }: Setback,
  { now, retryMs }: { now: number; retryMs: number },
): Promise<void> {
  const { row } = message;
  const due = now + retryMs;
  const attempts = postponed ? row.attempts - 1 : row.attempts;
  const waiting = { ...row, sending: false, attempts };
  putMessage(commit, messages.key(store.channel, due, idOf(message)), waiting, now);
  const next_at = new Date(due).toISOString();
  const change = { failures: attempts, reason, reply: reply ?? null, next_at };
  await track(store, commit, message, { state: "retrying", ...change });
  if (!postponed && row.attempts === 1) {
    await store.addToDelay?.(commit, lostOf(message, { reason, reply }));
  }
}

const lostOf = (
  message: Claimed,
  { reason, reply }: Pick<Setback, "reason" | "reply">,
): LostMessage => {
  const { about, labels = {}, recipient } = message.row;
  return {
    ...{ id: idOf(message), reason, about, labels },
    ...recipient !== undefined && { recipient },
    ...reply !== undefined && { reply },
  };
};

async function giveUp(
  store: MessageStore,
  commit: Deno.AtomicOperation,
  message: Claimed,
  { reason, permanent, reply }: Setback,
  now: number,
): Promise<void> {
  const id = idOf(message);
  const { sending: _, group: __, limits: ___, sealed, ...row } = message.row;
  if (isLive(row, now)) {
    const failed_at = new Date(now).toISOString();
    const letter = { ...row, reason, failed_at, ...permanent ? {} : { sealed } };
    deadLetters.put(commit, [store.channel, id], letter, now);
  }
  const change = { failures: row.attempts, reason, reply: reply ?? null };
  await track(store, commit, message, { state: "failed", ...change });
  await store.addToLoss?.(commit, lostOf(message, { reason, reply }));
}

/**
 * Claims a message that was given up, to send it again.
 *
 * @returns null if it is no longer stored
 */
export const reviveMessage = (
  store: MessageStore,
  id: string,
  addToCommit?: (commit: Deno.AtomicOperation) => void,
): Promise<Claimed | null> =>
  transact<Claimed | null>(async () => {
    const { kv, clock, channel } = store;
    const now = clock();
    const entry = await deadLetters.getLive(kv, now, channel, id);
    if (entry?.value.sealed === undefined) return { result: null };
    const { reason: _, failed_at: __, sealed, ...letter } = entry.value;
    const row = { ...letter, sealed, attempts: 1, sending: true };
    const key = messages.key(channel, now + CLAIM_MS, id);
    const commit = kv.atomic().check(entry);
    deadLetters.deleteAt(commit, [channel, id], entry.value);
    putMessage(commit, key, row, now);
    await track(store, commit, { key, row }, { state: "sending" });
    addToCommit?.(commit);
    return { result: { key, row }, commit };
  });

/** Adds the state of a message to a commit, if its outcome is kept. */
async function track(
  { kv, clock }: MessageStore,
  commit: Deno.AtomicOperation,
  message: Claimed,
  change: DeliveryChange,
): Promise<void> {
  const { about, tracked } = message.row;
  if (tracked) await changeDelivery(kv, commit, { about, id: idOf(message) }, change, clock());
}
