/** The tables of webhooks and their deliveries. */
import { z } from "zod";
import type { Bytes } from "../../base/encoding.ts";
import { DAY_MS, inDays } from "../../base/time.ts";
import {
  counter,
  defineTable,
  expires,
  EXPIRING,
  unchecked,
  untilUsed,
} from "../../platform/kv/mod.ts";

const time = z.iso.datetime();

/** The documents whose events an endpoint receives: tests, or live ones. */
export type Mode = "live" | "test";

/** Why an endpoint is paused: its server returned 410, it failed for days, or somebody paused it. */
const PAUSE_REASONS = ["gone", "failing", "issuer", "administrator", "own_machine"] as const;
export type PauseReason = typeof PAUSE_REASONS[number];

/** A URL of an issuer that receives events. */
const endpointRow = z.strictObject({
  id: z.string(),
  issuer: z.string(),
  mode: z.enum(["live", "test"]),
  /** From 0 to {@link MAX_ENDPOINTS} - 1, so that there cannot be more. */
  slot: z.number(),
  url: z.string(),
  description: z.string().nullable(),
  /** The types of events that it receives; null for all. */
  events: z.array(z.string()).nullable(),
  /** The ids of the API keys that created it, and that set its URL and its secret last. */
  keys: z.strictObject({ created: z.string(), url: z.string(), secret: z.string() }),
  /** The signing secrets, encrypted, see `secrets.ts`. */
  secrets: z.instanceof(Uint8Array),
  /** When the previous secret stops signing; null if there is none. */
  previous_until: time.nullable(),
  state: z.enum(["active", "paused"]),
  state_at: time,
  /** Null unless it is paused. */
  reason: z.enum(PAUSE_REASONS).nullable(),
  /** The number of events whose first attempt failed since the last success of any event. */
  failures: z.number(),
  /** When the first of them failed; null if none did. */
  failing_since: time.nullable(),
  /** After {@link MOST_FAILURES}, no new event is sent before this time. */
  probe_at: time.nullable(),
  created_at: time,
});

export type EndpointRow = z.infer<typeof endpointRow>;
export type EndpointRef = Pick<EndpointRow, "issuer" | "mode" | "id">;

/** The most endpoints of one issuer and mode. */
export const MAX_ENDPOINTS = 16;

/** After this many events in a row have failed, only retries and a new event now and then are sent. */
export const MOST_FAILURES = 5;

export const BY_SLOT = "webhook_endpoints_by_slot";

export const endpoints = defineTable({
  prefix: "webhook_endpoints",
  value: endpointRow,
  key: ["issuer", "mode", "id"],
  indexes: {
    [BY_SLOT]: {
      keysOf: ({ issuer, mode, slot }: EndpointRow) => [[issuer, mode, slot]],
      value: ({ id }: EndpointRow) => id,
    },
  },
  owner: "organisation",
  lifetime: untilUsed("until the issuer removes it"),
  per: "webhook of an issuer",
});

/** How long a delivery is kept. */
export const DELIVERY_LIFETIME_MS = 30 * DAY_MS;

/** An event for one endpoint, from its first attempt on, or while it is held. */
const deliveryRow = z.strictObject({
  /** The id of the event, the same for all endpoints, in the order of time. */
  id: z.string(),
  endpoint: z.string(),
  type: z.string(),
  /** The JSON text that is sent, which never changes. */
  body: z.string(),
  /**
   * - `delivered`: the endpoint accepted it
   * - `retrying`: the last attempt failed, and there will be another one
   * - `failed`: all attempts failed
   * - `held`: it waits because the endpoint is paused, fails, or has too many deliveries waiting
   */
  state: z.enum(["delivered", "retrying", "failed", "held"]),
  attempts: z.number(),
  /** The status of the last response; null if there was none. */
  status: z.number().nullable(),
  /** A stable code of the last failure; null after a success. */
  error: z.string().nullable(),
  /** How long the last attempt took, in milliseconds. */
  latency_ms: z.number().nullable(),
  created_at: time,
  attempted_at: time.nullable(),
  next_attempt_at: time.nullable(),
  /** When the message that the row describes was queued, in milliseconds since 1970: a replay is a new one. */
  queued_at: z.number(),
  ...EXPIRING,
});

export type DeliveryRow = z.infer<typeof deliveryRow>;
type DeliveryState = DeliveryRow["state"];

/**
 * The lists of an endpoint's deliveries, in the key, so that each can be read and shortened alone. Moving a
 * row costs one deletion.
 */
const LISTS = ["sent", "open", "held"] as const;
export type DeliveryList = typeof LISTS[number];

const listOf = (state: DeliveryState): DeliveryList =>
  state === "delivered" ? "sent" : state === "held" ? "held" : "open";

export const deliveries = defineTable({
  prefix: "webhook_deliveries",
  value: deliveryRow,
  key: ["endpoint", "list", "id"],
  owner: "organisation",
  lifetime: expires(`${inDays(DELIVERY_LIFETIME_MS)}, the last 100 that were accepted`),
  per: "event and webhook",
  privacy: {
    section: "record",
    label: "Events for the issuer",
    text:
      "If the issuer of a document asked us to tell its server about events, such as that you " +
      "accepted the document: the document’s number, the issuer’s own number for it, its state and " +
      "the time, which other organisation has registered the same file, and whether the server " +
      "accepted it. It contains no names or addresses of people. We keep it " +
      `for at most ${inDays(DELIVERY_LIFETIME_MS)}.`,
  },
});

/**
 * How many deliveries of an endpoint are held. Commits change it with sums, which cannot conflict, and its
 * versionstamp shows whether one was added since. It is at least the number of rows, because held rows may expire;
 * a job corrects it.
 */
export const heldCounts = defineTable({
  prefix: "webhook_held",
  value: counter,
  key: ["issuer", "mode", "id"],
  owner: "organisation",
  lifetime: untilUsed("until nothing is held", "webhooks"),
  per: "webhook with held deliveries",
});

/** The tables of webhooks. */
export const webhookTables = [endpoints, deliveries, heldCounts];

/** The most deliveries that are held for one endpoint. Later events are not kept for it. */
export const MAX_HELD = 20_000;

/** Sums wrap around, so this subtracts. */
const minus = (count: number): bigint => BigInt.asUintN(64, -BigInt(count));

/** Adds a change of the number of held deliveries to a commit. */
export const changeHeldCount = (
  commit: Deno.AtomicOperation,
  { issuer, mode, id }: EndpointRef,
  change: number,
): void =>
  void commit.sum(
    heldCounts.key(issuer, mode, id),
    change < 0 ? minus(-change) : BigInt(change),
  );

/** The owner of an endpoint's messages in the outbox. */
export const aboutEndpoint = (id: string): string => `webhook/${id}`;

export const readEndpoint = (
  kv: Deno.Kv,
  { issuer, mode, id }: EndpointRef,
): Promise<Deno.KvEntryMaybe<EndpointRow>> => endpoints.get(kv, issuer, mode, id);

/** Returns the endpoints of an issuer and mode, oldest first. */
export const listEndpoints = async (
  kv: Deno.Kv,
  issuer: string,
  mode: Mode,
): Promise<EndpointRow[]> =>
  (await Array.fromAsync(endpoints.list(kv, [issuer, mode]), ({ value }) => value))
    .sort((a, b) => a.created_at < b.created_at ? -1 : 1);

/** How many deliveries of an endpoint are shown, the newest events first. */
const MOST_SHOWN = 100;

/** Returns the newest deliveries of an endpoint, whatever their state. */
export async function recentDeliveries(
  kv: Deno.Kv,
  endpoint: string,
  limit: number = MOST_SHOWN,
): Promise<DeliveryRow[]> {
  const options = { limit, batchSize: limit, reverse: true };
  const lists = await Promise.all(
    LISTS.map((list) =>
      Array.fromAsync(deliveries.list(kv, [endpoint, list], options), ({ value }) => value)
    ),
  );
  return lists.flat().sort((a, b) => a.id < b.id ? 1 : -1).slice(0, limit);
}

/** Reads a delivery in whichever list it is, as an entry that a commit can check. Null if there is none. */
export async function readDelivery(
  kv: Deno.Kv,
  { endpoint, id }: { endpoint: string; id: string },
): Promise<Deno.KvEntry<DeliveryRow> | null> {
  const keys = LISTS.map((list) => [endpoint, list, id] as [string, DeliveryList, string]);
  const found = (await deliveries.getMany(kv, keys))[0] ?? null;
  const others = keys.map((key) => ({ key: deliveries.key(...key) }))
    .filter(({ key }) => key[2] !== found?.key[2]);
  unchecked("A message is sent by one process at a time, and is in one list.", ...others);
  return found;
}

/**
 * Adds a new or changed delivery of an endpoint to a commit, with its deletion from the list where it was,
 * and the number of those that are held. The commit fails if the delivery has changed since it was read.
 */
export function saveDelivery(
  commit: Deno.AtomicOperation,
  endpoint: EndpointRef,
  row: DeliveryRow,
  before: Deno.KvEntry<DeliveryRow> | null,
  now: number,
): void {
  const list = listOf(row.state);
  if (before !== null) {
    commit.check(before);
    if (listOf(before.value.state) !== list) removeDelivery(commit, before.value);
  }
  deliveries.put(commit, [row.endpoint, list, row.id], row, now);
  const change = Number(list === "held") - Number(before?.value.state === "held");
  if (change !== 0) changeHeldCount(commit, endpoint, change);
}

export const removeDelivery = (commit: Deno.AtomicOperation, row: DeliveryRow): void =>
  deliveries.deleteAt(commit, [row.endpoint, listOf(row.state), row.id], row);

/** The sealed secrets, as `secrets.ts` writes them. */
export const sealedOf = ({ secrets }: EndpointRow): Bytes => secrets as Bytes;
