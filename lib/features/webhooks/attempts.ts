/** One attempt to deliver an event, and what follows from its outcome. */
import { DAY_MS, MINUTE_MS } from "../../base/time.ts";
import type { Attempt, Delivery } from "../../platform/jobs/mod.ts";
import { isoAfter, transact, unchecked } from "../../platform/kv/mod.ts";
import { transactAndMail } from "../../platform/mail/mod.ts";
import type { IssuerRow } from "../issuers/mod.ts";
import type { WebhookEvent } from "./events.ts";
import { webhookAttempts, type WebhookOptions } from "./options.ts";
import { addPauseNotices, paused, recovered } from "./pausing.ts";
import { type PostError, type PostResult, postTo } from "./post.ts";
import {
  deliveries,
  DELIVERY_LIFETIME_MS,
  type DeliveryRow,
  type EndpointRef,
  type EndpointRow,
  endpoints,
  MOST_FAILURES,
  type PauseReason,
  readDelivery,
  readEndpoint,
  saveDelivery,
} from "./rows.ts";
import { signedHeaders } from "./secrets.ts";

/** How long an endpoint may fail before it is paused. */
const FAILING_MS = 3 * DAY_MS;
/** How often a new event is sent to an endpoint that fails, to find out whether it works again. */
const PROBE_MS = 5 * MINUTE_MS;

/** An event on its way to one endpoint, as it is in the outbox. */
export interface Message extends WebhookEvent {
  endpoint: EndpointRef;
  /** When it was queued, in milliseconds since 1970. */
  queued_at: number;
  /** The attempts of earlier messages with the same event. */
  attempts: number;
}

/** Returns whether an endpoint has failed so often that new events wait. */
export const isFailing = ({ failures }: EndpointRow): boolean => failures >= MOST_FAILURES;

/** Returns whether new events for an endpoint are held. Retries go on while it fails, but not while it is paused. */
export const holdsNew = (row: EndpointRow, now: number): boolean =>
  row.state === "paused" ||
  isFailing(row) && row.probe_at !== null && now < Date.parse(row.probe_at);

/**
 * Attempts to deliver a message, and stores the outcome with the state of the endpoint in one commit. The
 * same message may come twice, if the process died after that.
 */
export async function attempt(
  options: WebhookOptions,
  message: Message,
  { retryMs }: Attempt,
): Promise<Delivery> {
  const { kv, clock, count, secrets, network, log } = options;
  const [{ value: endpoint }, entry, issuer] = await Promise.all([
    readEndpoint(kv, message.endpoint),
    readDelivery(kv, { endpoint: message.endpoint.id, id: message.id }),
    options.issuers.read("commercial", message.endpoint.issuer),
  ]);
  const known = entry?.value ?? null;
  if (endpoint === null || issuer === null || isSettled(known, message)) return { ok: true };
  const isRetry = known?.state === "retrying";
  const waits = issuer.state === "ended" || endpoint.state === "paused" ||
    !isRetry && holdsNew(endpoint, clock());
  if (waits) {
    await hold(options, message);
    return { ok: true };
  }
  const { id, body } = message;
  const elapsed = options.elapsed ?? (() => performance.now());
  const from = elapsed();
  const headers = await signedHeaders(secrets, endpoint, { id, body, now: clock() });
  const result: PostResult = headers === null
    ? { status: null, error: "secret_unreadable" }
    : await postTo({ url: endpoint.url, network, inDevelopment: options.inDevelopment }, {
      headers,
      body,
      onFailure: (reason) =>
        log({ level: "info", event: "webhook_unreachable", webhook: endpoint.id, reason }),
    });
  const now = clock();
  const row: DeliveryRow = {
    ...rowOf(message, now),
    attempts: (known?.attempts ?? message.attempts) + 1,
    ...result,
    latency_ms: Math.round(elapsed() - from),
    attempted_at: new Date(now).toISOString(),
  };
  const { error } = result;
  const state = error === null
    ? await saveSuccess(options, message.endpoint, row)
    : await saveFailure(options, { endpoint, issuer, row, isRetry, error, retryMs });
  count?.(webhookAttempts, { outcome: state });
  // The delivery's own row says that it failed, so the outbox keeps no dead letter.
  return state === "retrying" ? { ok: false, error: error!, permanent: false } : { ok: true };
}

/** Returns whether nothing is left to do for a message: it was delivered or given up, or a replay replaced it. */
const isSettled = (known: DeliveryRow | null, { queued_at }: Message): boolean =>
  known !== null && (known.queued_at > queued_at ||
    known.queued_at === queued_at && known.state !== "retrying");

const rowOf = (
  { id, endpoint, type, body, created_at, queued_at, attempts }: Message,
  now: number,
): DeliveryRow => ({
  id,
  endpoint: endpoint.id,
  type,
  body,
  created_at,
  queued_at,
  state: "delivered",
  attempts,
  status: null,
  error: null,
  latency_ms: null,
  attempted_at: null,
  next_attempt_at: null,
  expires_at: isoAfter(now, DELIVERY_LIFETIME_MS),
});

/** Adds to a commit that an event is held for an endpoint. */
export function addHeldDelivery(
  commit: Deno.AtomicOperation,
  message: Message,
  before: Deno.KvEntry<DeliveryRow> | null,
  now: number,
): void {
  const row = before?.value ?? rowOf(message, now);
  const { queued_at, endpoint } = message;
  const held = { ...row, queued_at, state: "held", next_attempt_at: null } as const;
  saveDelivery(commit, endpoint, held, before, now);
}

/** Holds a message that was in the outbox, unless its endpoint was removed. */
const hold = ({ kv, clock }: WebhookOptions, message: Message): Promise<void> =>
  transact(async () => {
    const [endpoint, before] = await Promise.all([
      readEndpoint(kv, message.endpoint),
      readDelivery(kv, { endpoint: message.endpoint.id, id: message.id }),
    ]);
    if (endpoint.value === null) return { result: undefined };
    const commit = kv.atomic().check(endpoint);
    addHeldDelivery(commit, message, before, clock());
    return { result: undefined, commit };
  });

const saveSuccess = (
  { kv, clock }: WebhookOptions,
  ref: EndpointRef,
  row: DeliveryRow,
): Promise<"delivered"> =>
  transact(async () => {
    const [endpoint, before] = await Promise.all([readEndpoint(kv, ref), readDelivery(kv, row)]);
    if (endpoint.value === null) return { result: "delivered" };
    const commit = kv.atomic().check(endpoint);
    if (endpoint.value.failures > 0) endpoints.set(commit, recovered(endpoint.value));
    saveDelivery(commit, ref, row, before, clock());
    return { result: "delivered", commit };
  });

interface FailedAttempt {
  /** The endpoint at the beginning of the attempt. */
  endpoint: EndpointRow;
  issuer: IssuerRow;
  row: DeliveryRow;
  isRetry: boolean;
  error: PostError;
  retryMs: number | null;
}

/**
 * Stores a failed attempt, and pauses the endpoint if this was the last one and no later event was
 * accepted, if none was accepted for days, or if its server says that it is gone.
 */
async function saveFailure(
  options: WebhookOptions,
  { endpoint: tried, issuer, row, isRetry, error, retryMs }: FailedAttempt,
): Promise<"retrying" | "failed" | "held"> {
  const { kv, clock, log } = options;
  const { state, reason } = await transactAndMail<{
    state: "retrying" | "failed" | "held";
    reason: PauseReason | null;
  }>(options.mailer, async () => {
    const [entry, before, newest] = await Promise.all([
      readEndpoint(kv, tried),
      readDelivery(kv, row),
      newestDelivered(kv, tried.id),
    ]);
    if (entry.value === null) return { result: { state: "failed", reason: null } };
    const now = clock();
    const isLast = retryMs === null;
    const isAlone = newest !== null && newest > row.id; // later events were accepted
    // A failure of the URL that the endpoint had before says nothing about the new one.
    const isOld = entry.value.url !== tried.url;
    // Retries do not count, because a single event that the server cannot process has many of them.
    const failing = isOld || isRetry ? entry.value : withFailure(entry.value, now);
    const reason = isOld || failing.state === "paused"
      ? null
      : error === "gone"
      ? "gone"
      : isLast && (isFailing(failing) || !isAlone) || hasFailedFor(failing, FAILING_MS, now)
      ? "failing"
      : null;
    const endpoint = reason === null ? failing : paused(failing, reason, now);
    const waits = endpoint.state === "paused" || isFailing(entry.value) && !isRetry;
    const state = isLast || reason === "gone" ? "failed" : waits ? "held" : "retrying";
    const commit = kv.atomic().check(entry);
    endpoints.set(commit, endpoint);
    const next_attempt_at = state === "retrying" ? isoAfter(now, retryMs!) : null;
    saveDelivery(commit, endpoint, { ...row, state, next_attempt_at }, before, now);
    const mails = reason === null
      ? []
      : await addPauseNotices(options, commit, { endpoint, issuer, error, now });
    return { result: { state, reason }, commit, mails };
  });
  if (reason !== null) {
    log({ level: "warn", event: "webhook_paused", webhook: tried.id, reason, error });
  }
  return state;
}

const hasFailedFor = ({ failing_since }: EndpointRow, ms: number, now: number): boolean =>
  failing_since !== null && now - Date.parse(failing_since) >= ms;

function withFailure(row: EndpointRow, now: number): EndpointRow {
  const failures = row.failures + 1;
  const failing_since = row.failing_since ?? new Date(now).toISOString();
  const probe_at = failures >= MOST_FAILURES ? isoAfter(now, PROBE_MS) : null;
  return { ...row, failures, failing_since, probe_at };
}

/** Returns the id of the newest event that an endpoint has accepted; null if there is none. */
async function newestDelivered(kv: Deno.Kv, endpoint: string): Promise<string | null> {
  const list = deliveries.list(kv, [endpoint, "sent"], { limit: 1, reverse: true });
  const [found] = await Array.fromAsync(list);
  if (found === undefined) return null;
  unchecked("A later delivery only counts for the next failure.", found);
  return found.value.id;
}
