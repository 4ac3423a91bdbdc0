/** Delivers the push notifications of events from the outbox, with retries per device. */
import type { AddToEvent } from "../chain/mod.ts";
import { aboutContact, hashOfAbout } from "../contact/mod.ts";
import { inTime } from "../../base/in_time.ts";
import { createOutbox, type Delivery, type NextMessage } from "../../platform/jobs/mod.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { readCurrentRecord, type RecordEntry, SITE } from "../records/mod.ts";
import type { Platform } from "../../platform/feature.ts";
import { type Count, counter } from "../../platform/telemetry/mod.ts";
import { MINUTE_MS } from "../../base/time.ts";
import { keepLive, liveDevices, removeDevice } from "./devices.ts";
import { PUSHES, type PushKind } from "../../../packages/proof/mod.ts";
import { isPushedAt, isPushKind } from "./events.ts";
import type { PushMessage, PushOutcome, PushPlatform, PushProviders } from "./provider.ts";
import { endOfQuiet } from "./quiet_hours.ts";
import {
  type DeviceRef,
  type DeviceRow,
  NO_SETTINGS,
  openTarget,
  PUSH_LIFETIME_MS,
  type PushSettings,
  readDevice,
  readSettings,
  recordSettings,
} from "./rows.ts";

export const PUSH_CHANNEL = "push";

export const pushes = counter("pushes", "Attempts to send push notifications.", {
  platform: ["ios", "android", "web"],
  outcome: ["sent", "remove", "retry", "give_up"],
});

/** The delays after the failures of a device. The last one repeats until the message expires. */
const BACKOFF_MS = [MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 15 * MINUTE_MS];

/** Later messages wait this long for one that failed, which may no longer exist after that. */
const TURN_MS = MINUTE_MS;

/** The reasons for not pushing an event: the record's level, or the holder's choice. */
export type NotPushedReason = "level" | "turned_off";

export interface SenderOptions extends Pick<Platform, "kv" | "clock" | "secrets" | "log"> {
  providers: PushProviders;
  url: string;
  count?: Count;
  /** Adds to the commit that gives a message up. It may run again, so it has no other effects. */
  addToLoss?: (commit: Deno.AtomicOperation, lost: LostPush) => Promise<void>;
}

/** A push that will no longer be sent. */
interface LostPush {
  hash: string;
  /** A stable code. */
  reason: string;
  kind: PushKind;
  /** Absent if it was not sent to any device yet. */
  platform?: PushPlatform;
}

/** An event to push: to every device of its record, or to one of them. */
interface PushPayload {
  hash: string;
  kind: PushKind;
  seq: number;
  event: string;
  expiresAt: number;
  /** The device, with the id of the message to it. */
  to?: DeviceRef & { message: string };
}

export type PushContent = Pick<PushMessage, "text" | "seq" | "event" | "expiresAt">;

/**
 * Creates the sender of pushes. The commit of an event adds one message to the outbox. When that is
 * delivered, it is replaced by a message for each device in one commit, so that a device that fails
 * does not repeat the others. The holder's choices and the level are read each time.
 *
 * After a failure the device, not the message, waits: later messages wait with it, and all are sent in
 * the order of `seq` when the push service is back.
 */
export function createSender(options: SenderOptions) {
  const { kv, clock, secrets, providers, log, addToLoss } = options;
  const outbox = createOutbox<PushPayload>({
    kv,
    clock,
    secrets,
    channel: PUSH_CHANNEL,
    deliver: (payload) => payload.to === undefined ? fanOut(payload) : deliver(payload, payload.to),
    onFailure({ reason, retryMs }) {
      const [level, event] = retryMs === null ? ["error", "push_failed"] : ["warn", "push_delayed"];
      log({ level, event, reason });
    },
    addToLoss: (commit, { reason, about, labels }) =>
      addToLoss?.(commit, {
        hash: hashOfAbout(about),
        reason,
        ...labels as Pick<LostPush, "kind" | "platform">,
      }),
  });

  /** Returns the record whose devices get an event now, or else the outcome of the message. */
  async function recipientOf(
    { hash, kind, seq }: PushPayload,
  ): Promise<{ record: RecordEntry } | { instead: Delivery }> {
    const record = await readCurrentRecord(kv, hash);
    if (record === null) return { instead: { ok: true } };
    const settings = await readSettings(kv, record.hash);
    if (heldBy(record, settings, kind) !== null) return { instead: { ok: true } };
    const now = clock();
    const end = settings.quiet && endOfQuiet(settings.quiet, now);
    if (end === null) return { record };
    return { instead: { ok: false, error: "quiet_hours", postponeMs: end - now + inOrder(seq) } };
  }

  async function fanOut(payload: PushPayload): Promise<Delivery<PushPayload>> {
    const recipient = await recipientOf(payload);
    if ("instead" in recipient) return recipient.instead;
    const devices = await liveDevices(options, recipient.record.hash);
    const next = devices.filter(({ platform }) => providers[platform] !== undefined)
      .map(({ id, platform }): NextMessage<PushPayload> => ({
        payload: { ...payload, to: { id, platform, message: crypto.randomUUID() } },
        expiresAt: payload.expiresAt,
        about: aboutContact(payload.hash),
        group: id,
        labels: { kind: payload.kind, platform },
      }));
    return { ok: true, next };
  }

  async function deliver(
    payload: PushPayload,
    to: DeviceRef & { message: string },
  ): Promise<Delivery> {
    const recipient = await recipientOf(payload);
    if ("instead" in recipient) return recipient.instead;
    const { value: row } = await readDevice(kv, to);
    // It may have been removed, or registered for somebody else's record.
    if (row?.contact_hash !== recipient.record.hash) return { ok: true };
    // Its session or grant may have ended while the message waited.
    const [device] = await keepLive(options, row.contact_hash, [row]);
    if (device === undefined) return { ok: true };
    const { seq, event, expiresAt, kind } = payload;
    const waitMs = waitFor(device, to.message, clock());
    if (waitMs !== null) return { ok: false, error: "expired", postponeMs: waitMs + inOrder(seq) };
    const content = { text: PUSHES[kind].text, seq, event, expiresAt };
    const outcome = await sendTo(options, device, content, to.message);
    if (outcome.ok && device.failures > 0) await recover(options, device);
    if (outcome.ok || outcome.action === "remove") return { ok: true };
    const { error } = outcome;
    if (outcome.action === "give_up") return { ok: false, error, permanent: true };
    const retryMs = await delay(options, to, outcome.afterMs);
    log({ level: "warn", event: "push_delayed", platform: to.platform, reason: error });
    return { ok: false, error, postponeMs: retryMs + inOrder(seq) };
  }

  /** Adds the push of an event to the commit of the event, if its record has a device. */
  const addToEvent: AddToEvent = async (commit, hash, { kind, seq, hash: event, at }) => {
    if (!isPushKind(kind)) return undefined;
    const settings = await recordSettings.get(kv, hash);
    if ((settings.value ?? NO_SETTINGS).devices === 0) {
      commit.check(settings); // a device may be registered at the same time
      return undefined;
    }
    unchecked("Sending reads the choices and the devices again.", settings);
    const expiresAt = Date.parse(at) + PUSH_LIFETIME_MS;
    const payload = { hash, kind, seq, event, expiresAt };
    const options = { expiresAt, about: aboutContact(hash), group: hash, labels: { kind } };
    const queued = await outbox.add(commit, payload, options);
    return () => outbox.send([queued]);
  };

  return {
    addToEvent,
    drain: outbox.drain,
    flush: outbox.flush,
    /** Flushes for at most `limitMs`. */
    async close(limitMs: number): Promise<void> {
      await inTime(outbox.flush(), limitMs);
    },
    /** Returns why a kind of event is not pushed to the devices of a record now; null if it is. */
    heldBecause: async (record: RecordEntry, kind: PushKind): Promise<NotPushedReason | null> =>
      heldBy(record, await readSettings(kv, record.hash), kind),
    sendTo: (device: DeviceRow, content: PushContent, id: string) =>
      sendTo(options, device, content, id),
  };
}

/** Sends one message to one device, and removes the device if its token is dead. */
async function sendTo(
  options: SenderOptions,
  device: DeviceRow,
  { text, seq, event, expiresAt }: PushContent,
  id: string,
): Promise<PushOutcome> {
  const { secrets, providers, url, count } = options;
  const provider = providers[device.platform];
  if (provider === undefined) return { ok: false, error: "not_configured", action: "give_up" };
  const target = await openTarget(secrets, device);
  if (target === null) return { ok: false, error: "not_decrypted", action: "give_up" };
  const collapse = (await secrets.sign("push-collapse", device.contact_hash)).slice(0, 32);
  const message = { id, text, seq, event, collapse, expiresAt, url };
  const outcome = await provider.send(target, message).catch(() => UNEXPECTED);
  const { platform } = device;
  count?.(pushes, { platform, outcome: outcome.ok ? "sent" : outcome.action });
  if (!outcome.ok && outcome.action === "remove") {
    // The same token may have been registered again, which revives it.
    const until = outcome.since ?? device.last_seen ?? device.created_at;
    const removed = await removeDevice(
      options,
      device,
      ({ last_seen, created_at }) => (last_seen ?? created_at) <= until,
      SITE,
    );
    if (!removed) return { ok: false, error: outcome.error, action: "retry" };
  }
  return outcome;
}

/** Returns how long a message must wait for a device; null if it may be sent. */
function waitFor(
  { failures, retry_at, failed_message }: DeviceRow,
  message: string,
  now: number,
): number | null {
  if (now < retry_at) return retry_at - now;
  const isLater = failures > 0 && message !== failed_message;
  return isLater && now < retry_at + TURN_MS ? 0 : null;
}

/** Records a failure of a device. Returns how long it waits. */
function delay(
  { kv, clock }: SenderOptions,
  { message, ...ref }: DeviceRef & { message: string },
  afterMs = 0,
): Promise<number> {
  return transact(async () => {
    const entry = await readDevice(kv, ref);
    if (entry.value === null) return { result: 0 };
    const { failures } = entry.value;
    const waitMs = Math.max(
      Math.min(afterMs, PUSH_LIFETIME_MS),
      BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)],
    );
    const device = {
      ...entry.value,
      failures: failures + 1,
      retry_at: clock() + waitMs,
      failed_message: message,
    };
    return { result: waitMs, commit: kv.atomic().check(entry).set(entry.key, device) };
  });
}

/** Records that a device with failures has received a message. */
function recover({ kv }: SenderOptions, ref: DeviceRef): Promise<void> {
  return transact(async () => {
    const entry = await readDevice(kv, ref);
    if (entry.value === null) return { result: undefined };
    const device = { ...entry.value, failures: 0, retry_at: 0, failed_message: null };
    return { result: undefined, commit: kv.atomic().check(entry).set(entry.key, device) };
  });
}

/** Returns why a kind of event is not pushed at the level of a record and with these settings. */
const heldBy = (
  { row }: RecordEntry,
  { off }: PushSettings,
  kind: PushKind,
): NotPushedReason | null =>
  !isPushedAt(kind, row.level) ? "level" : off.includes(kind) ? "turned_off" : null;

/** Returns extra milliseconds that keep messages with the same due time in order. */
const inOrder = (seq: number): number => seq % 10_000;

const UNEXPECTED = { ok: false, error: "unexpected", action: "retry" } as const;
