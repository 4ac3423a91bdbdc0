/** The events that wait because their webhook is paused, fails or is busy. */
import { HOUR_MS } from "../../base/time.ts";
import type { Queued } from "../../platform/jobs/mod.ts";
import { apart, asSite, transact, unchecked } from "../../platform/kv/mod.ts";
import { addHeldDelivery, holdsNew, isFailing, type Message } from "./attempts.ts";
import type { WebhookOptions } from "./options.ts";
import { messageOf, MOST_DUE, type Outgoing } from "./outgoing.ts";
import {
  changeHeldCount,
  deliveries,
  type DeliveryRow,
  type EndpointRef,
  heldCounts,
  MAX_HELD,
  type Mode,
  readEndpoint,
  removeDelivery,
} from "./rows.ts";

/** How many failed deliveries a commit moves. */
const BATCH = 100;

/** From this count on, the rows themselves are counted, which takes many reads, but not often. */
const NEARLY_FULL = 0.9 * MAX_HELD;
const RECOUNT_MS = HOUR_MS;

/**
 * Creates what keeps the deliveries that an endpoint cannot get now, in a list of its own, and moves them
 * to the outbox when it can.
 */
export function createHeldDeliveries(options: WebhookOptions, outgoing: Outgoing) {
  const { kv, clock, log } = options;
  /** The endpoints that this process knows to have held deliveries, by id. */
  const known = new Set<string>();
  /** When this process counted the rows of an endpoint, by id. */
  const recounted = new Map<string, number>();
  const releasing = new Map<string, Promise<unknown>>();

  /** Moves held deliveries of an endpoint to the outbox, as many as it can take now. */
  async function release(ref: EndpointRef, least = 1): Promise<void> {
    const queued = await transact<Queued<Message>[]>(async () => {
      const [[{ value: endpoint }, free, issuer], held] = await Promise.all([
        apart("Sending reads the endpoint and its issuer again.", () =>
          Promise.all([
            readEndpoint(kv, ref),
            outgoing.room(ref.id),
            options.issuers.read("commercial", ref.issuer),
          ])),
        heldCounts.get(kv, ...keyOf(ref)),
      ]);
      const now = clock();
      const isOpen = endpoint !== null && issuer !== null && issuer.state !== "ended";
      if (!isOpen || holdsNew(endpoint, now) || free < least) return { result: [] };
      const limit = isFailing(endpoint) ? 1 : free;
      const rows = await Array.fromAsync(deliveries.list(kv, [ref.id, "held"], { limit }));
      const commit = kv.atomic();
      if (rows.length === 0) {
        known.delete(ref.id);
        if (held.versionstamp === null) return { result: [] };
        return { result: [], commit: commit.check(held).delete(held.key) };
      }
      commit.check(rows[0]); // the oldest, so that two processes do not move the same rows
      unchecked("Whoever moves rows moves the oldest.", held, ...rows.slice(1));
      const queued: Queued<Message>[] = [];
      for (const { value: row } of rows) {
        removeDelivery(commit, row);
        queued.push(await outgoing.add(commit, messageOf(row, ref, now)));
      }
      changeHeldCount(commit, ref, -rows.length);
      return { result: queued, commit };
    });
    if (queued.length > 0) known.add(ref.id);
    outgoing.send(queued);
  }

  /**
   * Corrects the count of an endpoint that may be full, because rows that expire do not change it. A held
   * row that is added or removed meanwhile changes the count, so the commit fails and the rows are counted
   * again.
   */
  async function recount(ref: EndpointRef): Promise<void> {
    const now = clock();
    if (now < (recounted.get(ref.id) ?? -Infinity) + RECOUNT_MS) return;
    recounted.set(ref.id, now);
    await transact(async () => {
      const entry = await heldCounts.get(kv, ...keyOf(ref));
      let rows = 0;
      for await (const row of deliveries.list(kv, [ref.id, "held"], { batchSize: 500 })) {
        unchecked("A row that is added or removed changes the count.", row);
        rows++;
      }
      const surplus = heldOf(entry.value) - rows;
      if (entry.versionstamp === null || surplus === 0) return { result: undefined };
      const commit = kv.atomic().check(entry);
      changeHeldCount(commit, ref, -surplus);
      return { result: undefined, commit };
    });
  }

  /** Releases in the background, once at a time for each endpoint. */
  function releaseSoon(ref: EndpointRef, least = 1): void {
    if (releasing.has(ref.id)) return;
    const step = asSite(() => release(ref, least))
      .catch(() => log({ level: "warn", event: "webhook_release_failed" })) // the job tries again
      .finally(() => releasing.delete(ref.id));
    releasing.set(ref.id, step);
  }

  return {
    /** Adds a message to a commit, unless too many are held. Returns whether it was added. */
    async add(commit: Deno.AtomicOperation, message: Message, now: number): Promise<boolean> {
      const entry = await heldCounts.get(kv, ...keyOf(message.endpoint));
      unchecked("The limit need not be exact.", entry);
      if (heldOf(entry.value) >= MAX_HELD) return false;
      addHeldDelivery(commit, message, null, now);
      return true;
    },
    /** Notes that a delivery of an endpoint is held. */
    note: (endpoint: EndpointRef): void => void known.add(endpoint.id),
    releaseSoon,
    /** Releases more after a delivery, if there may be any and half of the room is free. */
    releaseMore(endpoint: EndpointRef): void {
      if (known.has(endpoint.id)) releaseSoon(endpoint, MOST_DUE / 2);
    },
    /** Releases those of all endpoints, and corrects counts. */
    async releaseAll(signal: AbortSignal): Promise<void> {
      for await (const { key, value } of heldCounts.list(kv, [])) {
        if (signal.aborted) break;
        const [, issuer, mode, id] = key.map(String);
        const ref = { issuer, mode: mode as Mode, id };
        if (heldOf(value) >= NEARLY_FULL) await recount(ref);
        await release(ref);
      }
    },
    /** Moves some of the deliveries that have failed since a time here. Returns how many. */
    holdFailed: (ref: EndpointRef, since: number): Promise<number> =>
      transact(async () => {
        const failed: Deno.KvEntry<DeliveryRow>[] = [];
        for await (const entry of deliveries.list(kv, [ref.id, "open"])) {
          const { state, created_at } = entry.value;
          if (state === "failed" && Date.parse(created_at) >= since) failed.push(entry);
          else unchecked("It is not moved.", entry);
          if (failed.length === BATCH) break;
        }
        if (failed.length === 0) return { result: 0 };
        unchecked("Whoever moves rows moves the first of them.", ...failed.slice(1));
        const now = clock();
        const commit = kv.atomic().check(failed[0]); // the first, so that no two calls move the same rows
        for (const { value: row } of failed) {
          const held = { ...row, state: "held", queued_at: now } as const;
          removeDelivery(commit, row);
          deliveries.put(commit, [row.endpoint, "held", row.id], held, now);
        }
        changeHeldCount(commit, ref, failed.length);
        return { result: failed.length, commit };
      }),
    /** Resolves when nothing is being released. */
    async settled(): Promise<void> {
      while (releasing.size > 0) {
        await Promise.all(releasing.values());
        await outgoing.flush();
      }
    },
  };
}

const keyOf = ({ issuer, mode, id }: EndpointRef) => [issuer, mode, id] as const;

/** A count that was changed by more than there was is negative. */
const heldOf = (count: Deno.KvU64 | null): number => Number(BigInt.asIntN(64, count?.value ?? 0n));
