/**
 * Push notifications about the events of records (spec 2.9, 4.7 and 6): the devices and browsers
 * that holders register, what they want to receive, and sending.
 *
 * @module
 */
import type { Chains } from "../chain/store/mod.ts";
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { takeSlot, transact } from "../../platform/kv/mod.ts";
import type { Grant, Registrant } from "../oauth/mod.ts";
import {
  addAccess,
  checkSession,
  type Reader,
  readRecord,
  type RecordEntry,
} from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { HOUR_MS, MINUTE_MS } from "../../base/time.ts";
import {
  type DeviceDeps,
  type DeviceSummary,
  liveDevices,
  registerDevice,
  removeDevice,
  removeGranted,
  summaryOf,
} from "./devices.ts";
import { PUSHES } from "../chain/mod.ts";
import { isPushKind, TEST_TEXT } from "./events.ts";
import { isPushEndpoint } from "./hosts.ts";
import type { PushPlatform, PushTarget } from "./provider.ts";
import { endOfQuiet } from "./quiet_hours.ts";
import { pushData } from "./record_data.ts";
import {
  NO_SETTINGS,
  PUSH_LIFETIME_MS,
  type PushSettings,
  readDevices,
  readSettings,
  recordSettings,
  testTimes,
} from "./rows.ts";
import { createSender, type Held, type PushContent, type SenderOptions } from "./sender.ts";

export { type DeviceSummary, registeredDeviceSchema } from "./devices.ts";
export { PUSH_KINDS } from "./events.ts";
export { PUSH_FAILURES, PUSH_SERVICES } from "./failures.ts";
export {
  deviceSchema,
  endpointSchema,
  expectedRecordSchema,
  notificationsSchema,
  PUSH_BODY_LIMIT,
  sendSchema,
  subscriptionSchema,
} from "./input.ts";
export type * from "./provider.ts";
export { timeZones } from "./quiet_hours.ts";
export { deviceId as idOfTarget, MAX_DEVICES } from "./rows.ts";
export type { PushInbox } from "./stand_in.ts";

export interface PushOptions extends SenderOptions, Omit<DeviceDeps, "noticeLimiter"> {
  chains: Pick<Chains, "page" | "head">;
  /** Returns the monotonic time in milliseconds, for limits in memory. */
  monotonic?: () => number;
}

/** The data of the page about notifications. */
export interface PushOverview {
  devices: DeviceSummary[];
  choices: Omit<PushSettings, "devices">;
  /** The platforms that are configured. */
  platforms: PushPlatform[];
}

/** The result of a message to one device: `sent`, `would_send`, why it was held, or an error's code. */
export interface SendResult {
  device: string;
  platform: PushPlatform;
  name: string;
  result: string;
}

/** A message that an administrator or a holder sends to all devices of a record. */
export interface SentNow {
  ok: true;
  text: string;
  /** Why nothing was sent; null if something was. */
  held: Held | "quiet_hours" | null;
  results: SendResult[];
}

/** Tests per record and hour. */
const TESTS_PER_HOUR = 5;

const TEST_LIFETIME_MS = 5 * MINUTE_MS;

/**
 * Registrations by the apps of one record per hour. A new phone adds to the access log for a year, so
 * an app could otherwise fill it and hide other entries.
 */
export const APP_REGISTRATIONS_PER_HOUR = 60;
/** Notices of new devices per record and hour. */
const NOTICES_PER_HOUR = 10;
const MAX_RECORDS = 10_000;

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type Push = ReturnType<typeof createPush>;

/** Creates the push notifications. Nothing is sent or stored yet. */
export function createPush(options: PushOptions) {
  const { kv, clock, chains, providers, monotonic } = options;
  const sender = createSender(options);
  const perHour = (limit: number) =>
    createRateLimiter({ limit, windowMs: HOUR_MS, monotonic, maxClients: MAX_RECORDS });
  const appRegistrations = perHour(APP_REGISTRATIONS_PER_HOUR);
  const deviceDeps = { ...options, noticeLimiter: perHour(NOTICES_PER_HOUR) };

  async function sendAll(
    hash: string,
    content: PushContent,
    held: SentNow["held"],
    dryRun: boolean,
  ): Promise<SentNow> {
    const devices = await liveDevices(options, hash);
    const results = await Promise.all(devices.map(async (device): Promise<SendResult> => {
      const { id, platform, name } = device;
      const about = { device: id, platform, name };
      if (providers[platform] === undefined) return { ...about, result: "not_configured" };
      if (held !== null) return { ...about, result: held };
      if (dryRun) return { ...about, result: "would_send" };
      const outcome = await sender.sendTo(device, content, crypto.randomUUID());
      return { ...about, result: outcome.ok ? "sent" : outcome.error };
    }));
    return { ok: true, text: content.text, held, results };
  }

  async function testContent(hash: string): Promise<PushContent | null> {
    const head = await chains.head(hash);
    const expiresAt = clock() + TEST_LIFETIME_MS;
    return head && { text: TEST_TEXT, seq: head.size - 1, event: head.tip, expiresAt };
  }

  return {
    addToEvent: sender.addToEvent,
    drain: sender.drain,
    flush: sender.flush,
    close: sender.close,
    /** Registers a device for a record. Registering it again updates when it was seen. */
    async register(target: PushTarget, registrant: Registrant & { reader: Reader }) {
      if (providers[target.platform] === undefined) return fail("unavailable", NOT_CONFIGURED);
      if (target.platform === "web" && !isPushEndpoint(target.endpoint)) {
        const issues = { endpoint: "This is not the endpoint of a known push service." };
        return fail("invalid_request", { message: issues.endpoint, issues });
      }
      if ("grant" in registrant) {
        const allowed = appRegistrations.take(registrant.record);
        if (!allowed.ok) return allowed;
      }
      return await registerDevice(deviceDeps, target, registrant);
    },
    /** Removes a device of the record. Succeeds if there is none. */
    async remove(hash: string, id: string, reader: Reader): Promise<void> {
      const devices = await readDevices(kv, hash);
      const device = devices.find(({ value }) => value.id === id);
      if (device === undefined) return;
      await removeDevice(options, device.value, (row) => row.contact_hash === hash, reader);
    },
    onGrantEnd: (grant: Pick<Grant, "id" | "record">) => removeGranted(options, grant),
    async overview(hash: string): Promise<PushOverview> {
      const [devices, { off, quiet }] = await Promise.all([
        liveDevices(options, hash),
        readSettings(kv, hash),
      ]);
      return {
        devices: devices.map(summaryOf),
        choices: { off, quiet },
        platforms: Object.keys(providers) as PushPlatform[],
      };
    },
    /** Stores what a record's devices receive. */
    choose: (hash: string, choices: PushOverview["choices"], reader: Reader) =>
      transact<{ ok: true } | Failure<"not_found" | "conflict">>(async () => {
        const [record, settings] = await Promise.all([
          readRecord(kv, hash),
          recordSettings.get(kv, hash),
        ]);
        if (record === null) return { result: fail("not_found") };
        if (record.row.replaced_by !== null) return { result: fail("conflict") };
        const { devices } = settings.value ?? NO_SETTINGS;
        const commit = kv.atomic().check(record.contact, record.entry, settings)
          .set(settings.key, { devices, ...choices } satisfies PushSettings);
        await checkSession(kv, commit, reader.session);
        addAccess(commit, hash, { what: "notifications_changed", reader }, clock());
        return { result: { ok: true as const }, commit };
      }),
    /** Sends a test to all devices of a record. */
    async test(hash: string): Promise<SentNow | Failure> {
      const content = await testContent(hash);
      if (content === null || (await liveDevices(options, hash)).length === 0) {
        return fail("conflict", NO_DEVICE);
      }
      const limit = { key: testTimes.key(hash), limit: TESTS_PER_HOUR, windowMs: HOUR_MS };
      const slot = await takeSlot(kv, limit, clock);
      if (!slot.ok) return { ...slot, message: TOO_MANY_TESTS };
      return await sendAll(hash, content, null, false);
    },
    /** Sends an event, or a test without one, to all devices of a record at once, without retries. */
    async sendNow(
      record: RecordEntry,
      { seq, dryRun }: { seq?: number; dryRun: boolean },
    ): Promise<SentNow | Failure> {
      const { hash } = record;
      if (seq === undefined) {
        const content = await testContent(hash);
        return content === null ? fail("not_found") : await sendAll(hash, content, null, dryRun);
      }
      const page = await chains.page(hash, { after: seq - 1, limit: 1 });
      const event = page?.events.find((each) => each.seq === seq);
      if (event === undefined) return fail("not_found", NO_EVENT);
      const { kind } = event;
      if (!isPushKind(kind)) {
        return fail("invalid_request", {
          message: `Events of the kind ${kind} cause no notification.`,
        });
      }
      const now = clock();
      const { quiet } = await readSettings(kv, hash);
      const held = await sender.heldBecause(record, kind) ??
        (quiet && endOfQuiet(quiet, now) !== null ? "quiet_hours" as const : null);
      const expiresAt = now + PUSH_LIFETIME_MS;
      const content = { text: PUSHES[kind].text, seq, event: event.hash, expiresAt };
      return await sendAll(hash, content, held, dryRun);
    },
    recordData: pushData(options),
  };
}

const NOT_CONFIGURED = {
  message: "This site does not send notifications to this kind of device at the moment.",
};
const NO_DEVICE = { message: "This record has no device to send to." };
const NO_EVENT = { message: "The record has no such event." };
const TOO_MANY_TESTS = `You can send at most ${TESTS_PER_HOUR} tests per hour.`;
