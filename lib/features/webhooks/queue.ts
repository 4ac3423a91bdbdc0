/** The queue of events: adding them, and sending them again. */
import { inTime } from "../../base/in_time.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { fail, type Failure, rateLimited } from "../../base/result.ts";
import type { Queued } from "../../platform/jobs/mod.ts";
import { apart, transact } from "../../platform/kv/mod.ts";
import { type AfterCommit, modeOf } from "../documents/mod.ts";
import { addHeldDelivery, holdsNew, type Message } from "./attempts.ts";
import {
  createEventIds,
  EVENT_ID,
  newEvent,
  TEST_EVENT,
  type WebhookEvent,
  type WebhookEventType,
} from "./events.ts";
import { createHeldDeliveries } from "./held_deliveries.ts";
import { webhookDropped, type WebhookOptions } from "./options.ts";
import { createOutgoing, messageOf } from "./outgoing.ts";
import {
  type EndpointRef,
  type EndpointRow,
  listEndpoints,
  readDelivery,
  readEndpoint,
  saveDelivery,
} from "./rows.ts";
import { createTrimmer } from "./trim.ts";

/** An event to add, with what its payload says. It must contain no names or addresses of people. */
interface NewWebhookEvent {
  issuer: string;
  test: boolean;
  type: WebhookEventType;
  data: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  now: number;
}

type SendFailure = Failure<"not_found" | "conflict" | "rate_limited">;
type ReplayResult = { ok: true } | SendFailure;

/** After this time, an endpoint whose messages fill its room may have some again. */
const BUSY_MS = MINUTE_MS;

export type Queue = ReturnType<typeof createQueue>;

/**
 * Creates the queue of events. Each event is one message for each endpoint in the outbox, in the commit that
 * causes it. An endpoint that is paused, fails, or has many messages already gets no more of them: its
 * events are held, and move to the outbox when there is room, so that no endpoint can delay those of others
 * or fill the memory.
 */
export function createQueue(options: WebhookOptions) {
  const { kv, clock, count } = options;
  const trimmer = createTrimmer(kv);
  const idAt = createEventIds();
  const outgoing = createOutgoing(options, (endpoint, isDone) => {
    trimmer.noted(endpoint.id);
    if (isDone) held.releaseMore(endpoint);
  });
  const held = createHeldDeliveries(options, outgoing);

  /** Adds an event for one endpoint to a commit. Returns what to do after it. */
  async function addFor(
    commit: Deno.AtomicOperation,
    endpoint: EndpointRow,
    event: WebhookEvent,
    now: number,
  ): Promise<AfterCommit> {
    const message = firstMessage(event, endpoint, now);
    if (!holdsNew(endpoint, now) && await outgoing.room(endpoint.id) > 0) {
      const queued = await outgoing.add(commit, message);
      return () => outgoing.send([queued]);
    }
    return await held.add(commit, message, now)
      ? () => held.note(endpoint)
      : () => count?.(webhookDropped, {});
  }

  /** Resolves when nothing is being sent. */
  async function flush(): Promise<void> {
    await outgoing.flush();
    await held.settled();
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
      const all = await apart(
        "Sending reads the endpoint again.",
        () => listEndpoints(kv, issuer, modeOf({ test })),
      );
      const wanting = all.filter(({ events }) => events === null || events.includes(type));
      if (wanting.length === 0) return () => {};
      const created = newEvent(type, data, { id: idAt(now), now });
      const after = await Promise.all(wanting.map((each) => addFor(commit, each, created, now)));
      return () => after.forEach((start) => start());
    },
    /** Sends a test event to one endpoint. Returns the id of the delivery. */
    async sendTest(
      ref: EndpointRef,
    ): Promise<{ ok: true; id: string } | SendFailure> {
      const { value: endpoint } = await readEndpoint(kv, ref);
      if (endpoint === null) return fail("not_found");
      const isFetched = endpoint.reason === "own_machine";
      if (endpoint.state === "paused" && !isFetched) return isPaused();
      if (await outgoing.room(ref.id) <= 0) return isBusy();
      const now = clock();
      const data = { webhook: ref.id, test: ref.mode === "test" };
      const event = newEvent(TEST_EVENT, data, { id: idAt(now), now });
      const commit = kv.atomic();
      if (isFetched) {
        addHeldDelivery(commit, firstMessage(event, ref, now), null, now);
        await commit.commit();
        return { ok: true, id: event.id };
      }
      const queued = await outgoing.add(commit, firstMessage(event, ref, now));
      await commit.commit();
      outgoing.send([queued]);
      return { ok: true, id: event.id };
    },
    /** Sends a delivery again, with the same id, or tries it at once if it waits for its next attempt. */
    async replay(ref: EndpointRef, id: string): Promise<ReplayResult> {
      const result = await transact<
        { ok: true; queued: Queued<Message> } | SendFailure
      >(async () => {
        const [endpoint, before] = await Promise.all([
          readEndpoint(kv, ref),
          EVENT_ID.test(id) ? readDelivery(kv, { endpoint: ref.id, id }) : null,
        ]);
        if (endpoint.value === null || before === null) return { result: fail("not_found") };
        if (endpoint.value.state === "paused") return { result: isPaused() };
        if (await outgoing.room(ref.id) <= 0) return { result: isBusy() };
        const now = clock();
        const commit = kv.atomic().check(endpoint);
        const next_attempt_at = new Date(now).toISOString();
        const row = before.value;
        const queued = await outgoing.add(commit, messageOf(row, ref, now));
        const waiting = { ...row, queued_at: now, state: "retrying", next_attempt_at } as const;
        saveDelivery(commit, ref, waiting, before, now);
        return { result: { ok: true, queued }, commit };
      });
      if (!result.ok) return result;
      outgoing.send([result.queued]);
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
      for (let moved = -1; moved !== 0; count += moved) moved = await held.holdFailed(ref, since);
      held.releaseSoon(ref);
      return { ok: true, count };
    },
    releaseSoon: held.releaseSoon,
    /** Sends what is due, in any process, and shortens the lists of this process. */
    async drain(signal: AbortSignal) {
      await held.releaseAll(signal);
      const counts = await outgoing.drain(signal);
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

/** Returns the message that sends an event to an endpoint for the first time. */
const firstMessage = (
  event: WebhookEvent,
  { issuer, mode, id }: EndpointRef,
  queued_at: number,
): Message => ({ ...event, endpoint: { issuer, mode, id }, queued_at, attempts: 0 });

const isPaused = () => fail("conflict", { message: "The webhook is paused. Resume it first." });

const isBusy = () => ({
  ...rateLimited(BUSY_MS),
  message: "Too many events are waiting for this webhook. Try again when it has received some.",
});
