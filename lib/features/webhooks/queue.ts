import { inTime } from "../../base/in_time.ts";
import { fail, type Failure } from "../../base/result.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../base/time.ts";
import { createOutbox, type LostMessage, type Queued } from "../../platform/jobs/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import { type AfterCommit, modeOf } from "../documents/mod.ts";
import { addHeld, attempt, holdsNew, isFailing, type Message } from "./attempts.ts";
import {
  createEventIds,
  EVENT_ID,
  newEvent,
  TEST_EVENT,
  type WebhookEvent,
  type WebhookEventType,
} from "./events.ts";
import { webhookDropped, type WebhookOptions } from "./options.ts";
import {
  aboutEndpoint,
  countHeld,
  deliveries,
  type DeliveryRow,
  type EndpointRef,
  type EndpointRow,
  heldCounts,
  listEndpoints,
  MAX_HELD,
  type Mode,
  readDelivery,
  readEndpoint,
  removeDelivery,
  saveDelivery,
} from "./rows.ts";
import { createTrimmer } from "./trim.ts";

export const WEBHOOK_CHANNEL = "webhook";

/** Delays after each failed attempt, which spread the attempts over three days. */
export const WEBHOOK_RETRY_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  20.5 * HOUR_MS,
];
const JITTER = 0.05;
/** Longer than all attempts, even if the site is down for days. */
const MESSAGE_LIFETIME_MS = 7 * DAY_MS;

/** Servers may take 15 seconds each, so many deliveries are in progress at once. */
const SLOTS = 32;
/** How many events one process sends to an endpoint at once. */
const LANES = 4;
/** The most messages of one endpoint in the outbox that are due. Further ones are held until there is room. */
export const MOST_DUE = 100;
/** How many failed deliveries a commit moves. */
const BATCH = 100;

/** An event to add, with what its payload says. It must contain no names or addresses. */
export interface NewWebhookEvent {
  issuer: string;
  test: boolean;
  type: WebhookEventType;
  data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  now: number;
}

export type ReplayResult = { ok: true } | Failure<"not_found" | "conflict">;

/**
 * Creates the queue of events. Each event is one message for each endpoint in the outbox, in the commit that
 * causes it. An endpoint that is paused, fails, or has {@link MOST_DUE} messages gets no more of them: its
 * events are held in a list of its own and move to the outbox when there is room, so that no endpoint can
 * delay those of others or fill the memory.
 */
export function createQueue(options: WebhookOptions) {
  const { kv, clock, secrets, count, log } = options;
  const trimmer = createTrimmer(kv);
  const idAt = createEventIds();
  /** The endpoints that this process knows to have held deliveries, by id. */
  const holding = new Map<string, EndpointRef>();
  const releasing = new Map<string, Promise<unknown>>();

  const outbox = createOutbox<Message>({
    kv,
    clock,
    secrets,
    channel: WEBHOOK_CHANNEL,
    retryMs: WEBHOOK_RETRY_MS,
    jitter: JITTER,
    slots: SLOTS,
    async deliver(message, step) {
      const delivery = await attempt(options, message, step);
      trimmer.noted(message.endpoint.id);
      if (delivery.ok && holding.has(message.endpoint.id)) {
        releaseSoon(message.endpoint, MOST_DUE / 2);
      }
      return delivery;
    },
    onFailure({ reason }) {
      if (reason === "unexpected") log({ level: "error", event: "webhook_attempt_failed" });
    },
    addToLoss: addLoss,
  });

  /** Notes in the commit that gives a message up, if that was not the outcome of an attempt. */
  async function addLoss(
    commit: Deno.AtomicOperation,
    { reason, labels }: LostMessage,
  ): Promise<void> {
    const { issuer, endpoint, event } = labels;
    const before = await readDelivery(kv, { endpoint, id: event });
    if (before?.value.state !== "retrying") return;
    const row = { ...before.value, state: "failed", error: reason, next_attempt_at: null } as const;
    const ref = { issuer, mode: labels.mode as Mode, id: endpoint };
    saveDelivery(commit, ref, row, before, clock());
  }

  const addMessage = (
    commit: Deno.AtomicOperation,
    message: Message,
  ): Promise<Queued<Message>> =>
    outbox.add(commit, message, {
      expiresAt: message.queued_at + MESSAGE_LIFETIME_MS,
      about: aboutEndpoint(message.endpoint.id),
      group: `${message.endpoint.id}/${Math.floor(Math.random() * LANES)}`,
      labels: labelsOf(message),
    });

  /** Adds an event for one endpoint to a commit. Returns what to do after it. */
  async function addFor(
    commit: Deno.AtomicOperation,
    endpoint: EndpointRow,
    event: WebhookEvent,
    now: number,
  ): Promise<AfterCommit> {
    const message: Message = { ...event, endpoint: refOf(endpoint), queued_at: now, attempts: 0 };
    if (!holdsNew(endpoint, now) && await room(endpoint.id) > 0) {
      const queued = await addMessage(commit, message);
      return () => outbox.send([queued]);
    }
    const { value: held } = await heldCounts.get(kv, ...keyOf(endpoint));
    if (heldOf(held) >= MAX_HELD) return () => count?.(webhookDropped, {});
    addHeld(commit, message, null, now);
    return () => void holding.set(endpoint.id, message.endpoint);
  }

  const room = async (endpoint: string): Promise<number> =>
    MOST_DUE - await outbox.countDue(aboutEndpoint(endpoint), MOST_DUE);

  /** Moves held deliveries of an endpoint to the outbox, as many as it can take now. */
  async function release(ref: EndpointRef, least = 1): Promise<void> {
    const queued = await transact<Queued<Message>[]>(async () => {
      const [{ value: endpoint }, held, free, issuer] = await Promise.all([
        readEndpoint(kv, ref),
        heldCounts.get(kv, ...keyOf(ref)),
        room(ref.id),
        options.issuers.read("commercial", ref.issuer),
      ]);
      const now = clock();
      const isOpen = endpoint !== null && issuer !== null && issuer.state !== "ended";
      if (!isOpen || holdsNew(endpoint, now) || free < least) return { result: [] };
      const limit = isFailing(endpoint) ? 1 : free;
      const rows = await Array.fromAsync(deliveries.list(kv, [ref.id, "held"], { limit }));
      const commit = kv.atomic();
      if (rows.length === 0) {
        holding.delete(ref.id);
        if (held.versionstamp === null) return { result: [] };
        return { result: [], commit: commit.check(held).delete(held.key) };
      }
      commit.check(rows[0]); // the oldest, so that two processes do not move the same rows
      const queued: Queued<Message>[] = [];
      for (const { value: row } of rows) {
        removeDelivery(commit, row);
        queued.push(await addMessage(commit, messageOf(row, ref, now)));
      }
      countHeld(commit, ref, -rows.length);
      return { result: queued, commit };
    });
    if (queued.length > 0) holding.set(ref.id, ref);
    outbox.send(queued);
  }

  /** Moves some of the deliveries that have failed since a time to those that are held. Returns how many. */
  const holdFailed = (ref: EndpointRef, since: number): Promise<number> =>
    transact(async () => {
      const failed: Deno.KvEntry<DeliveryRow>[] = [];
      for await (const entry of deliveries.list(kv, [ref.id, "open"])) {
        const { state, created_at } = entry.value;
        if (state === "failed" && Date.parse(created_at) >= since) failed.push(entry);
        if (failed.length === BATCH) break;
      }
      if (failed.length === 0) return { result: 0 };
      const now = clock();
      const commit = kv.atomic().check(failed[0]); // the first, so that no two calls move the same rows
      for (const { value: row } of failed) {
        const held = { ...row, state: "held", queued_at: now } as const;
        removeDelivery(commit, row);
        deliveries.put(commit, [row.endpoint, "held", row.id], held, now);
      }
      countHeld(commit, ref, failed.length);
      return { result: failed.length, commit };
    });

  /** Releases in the background, once at a time for each endpoint. */
  function releaseSoon(ref: EndpointRef, least = 1): void {
    if (releasing.has(ref.id)) return;
    const step = release(ref, least)
      .catch(() => log({ level: "warn", event: "webhook_release_failed" })) // the job tries again
      .finally(() => releasing.delete(ref.id));
    releasing.set(ref.id, step);
  }

  /** Resolves when nothing is being sent. */
  async function flush(): Promise<void> {
    await outbox.flush();
    while (releasing.size > 0) {
      await Promise.all(releasing.values());
      await outbox.flush();
    }
    await trimmer.settled();
  }

  return {
    /**
     * Adds an event to the commit that causes it, for each endpoint of the issuer that receives its type.
     * It runs again if the commit fails.
     *
     * @returns the function to call once the commit has succeeded, which sends without waiting
     */
    async add(commit: Deno.AtomicOperation, event: NewWebhookEvent): Promise<AfterCommit> {
      const { issuer, test, type, data, now } = event;
      const all = await listEndpoints(kv, issuer, modeOf({ test }));
      const wanting = all.filter(({ events }) => events === null || events.includes(type));
      if (wanting.length === 0) return () => {};
      const created = newEvent(type, data, { id: idAt(now), now });
      const after = await Promise.all(wanting.map((each) => addFor(commit, each, created, now)));
      return () => after.forEach((start) => start());
    },
    /** Sends a test event to one endpoint. Returns the id of the delivery. */
    async sendTest(
      ref: EndpointRef,
    ): Promise<{ ok: true; id: string } | Failure<"not_found" | "conflict">> {
      const { value: endpoint } = await readEndpoint(kv, ref);
      if (endpoint === null) return fail("not_found");
      if (endpoint.state === "paused") return isPaused();
      const now = clock();
      const data = { webhook: ref.id, test: ref.mode === "test" };
      const event = newEvent(TEST_EVENT, data, { id: idAt(now), now });
      const commit = kv.atomic();
      const message = { ...event, endpoint: refOf(endpoint), queued_at: now, attempts: 0 };
      const queued = await addMessage(commit, message);
      await commit.commit();
      outbox.send([queued]);
      return { ok: true, id: event.id };
    },
    /** Sends a delivery again, with the same id, or tries it at once if it waits for its next attempt. */
    async replay(ref: EndpointRef, id: string): Promise<ReplayResult> {
      const result = await transact<ReplayResult & { queued?: Queued<Message> }>(async () => {
        const [endpoint, before] = await Promise.all([
          readEndpoint(kv, ref),
          EVENT_ID.test(id) ? readDelivery(kv, { endpoint: ref.id, id }) : null,
        ]);
        if (endpoint.value === null || before === null) return { result: fail("not_found") };
        if (endpoint.value.state === "paused") return { result: isPaused() };
        const now = clock();
        const commit = kv.atomic().check(endpoint);
        const next_attempt_at = new Date(now).toISOString();
        const row = before.value;
        const queued = await addMessage(commit, messageOf(row, ref, now));
        const waiting = { ...row, queued_at: now, state: "retrying", next_attempt_at } as const;
        saveDelivery(commit, ref, waiting, before, now);
        return { result: { ok: true, queued }, commit };
      });
      if (!result.ok) return result;
      if (result.queued !== undefined) outbox.send([result.queued]);
      return { ok: true };
    },
    /**
     * Sends all deliveries again that have failed since a time and are still stored.
     *
     * @returns how many
     */
    async replayFailed(
      ref: EndpointRef,
      since: number,
    ): Promise<{ ok: true; count: number } | Failure<"not_found">> {
      if ((await readEndpoint(kv, ref)).value === null) return fail("not_found");
      let count = 0;
      for (let moved = -1; moved !== 0; count += moved) moved = await holdFailed(ref, since);
      releaseSoon(ref);
      return { ok: true, count };
    },
    releaseSoon,
    /** Sends what is due, in any process, and shortens the lists of this process. */
    async drain(signal: AbortSignal) {
      for await (const { key } of heldCounts.list(kv, [])) {
        if (signal.aborted) break;
        const [, issuer, mode, id] = key.map(String);
        await release({ issuer, mode: mode as Mode, id });
      }
      const counts = await outbox.drain(signal);
      await trimmer.trimAll();
      return counts;
    },
    flush,
    /** Flushes for at most `limitMs`. The rest stays in the store. */
    async close(limitMs: number): Promise<void> {
      await inTime(flush(), limitMs);
    },
  };
}

export type Queue = ReturnType<typeof createQueue>;

const refOf = ({ issuer, mode, id }: EndpointRef): EndpointRef => ({ issuer, mode, id });
const keyOf = ({ issuer, mode, id }: EndpointRef) => [issuer, mode, id] as const;

const messageOf = (
  { id, type, body, created_at, attempts }: DeliveryRow,
  ref: EndpointRef,
  queued_at: number,
): Message => ({ id, type, body, created_at, endpoint: refOf(ref), queued_at, attempts });

/** Describe a message to {@link createQueue}'s `addLoss`. They contain no personal data. */
const labelsOf = ({ id, endpoint: { issuer, mode, id: endpoint } }: Message) => ({
  issuer,
  mode,
  endpoint,
  event: id,
});

/** A count that was changed by more than there was is negative. */
const heldOf = (count: Deno.KvU64 | null): number => Number(BigInt.asIntN(64, count?.value ?? 0n));

const isPaused = () => fail("conflict", { message: "The webhook is paused. Resume it first." });
