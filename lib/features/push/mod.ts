/**
 * Push notifications about the events of records (spec 2.9, 4.7 and 6): the devices and browsers
 * that holders register, what they want to receive, and sending.
 *
 * @module
 */
import { createRateLimiter } from "../../platform/http/rate_limit.ts";
import { transact } from "../../platform/kv/mod.ts";
import type { Grant, Registrant } from "../oauth/mod.ts";
import { addAccess, type Reader, readRecord } from "../records/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import { HOUR_MS } from "../../base/time.ts";
import {
  type DeviceDeps,
  type DeviceSummary,
  liveDevices,
  registerDevice,
  removeDevice,
  removeGranted,
  summaryOf,
} from "./devices.ts";
import { isPushEndpoint } from "./hosts.ts";
import type { PushPlatform, PushTarget } from "./provider.ts";
import { pushData } from "./record_data.ts";
import {
  NO_SETTINGS,
  type PushSettings,
  readDevices,
  readSettings,
  recordSettings,
} from "./rows.ts";
import { createSendNow, type SendNowOptions } from "./send_now.ts";
import { createSender } from "./sender.ts";

export { type DeviceSummary, registeredDeviceSchema } from "./devices.ts";
export { PUSH_KINDS } from "./events.ts";
export type { SentNow } from "./send_now.ts";
export { PUSH_FAILURES, PUSH_SERVICES } from "./failures.ts";
export {
  deviceSchema,
  endpointSchema,
  notificationsSchema,
  PUSH_BODY_LIMIT,
  sendSchema,
  subscriptionSchema,
} from "./input.ts";
export type * from "./provider.ts";
export { timeZones } from "./quiet_hours.ts";
export { deviceId as idOfTarget, MAX_DEVICES } from "./rows.ts";
export type { PushInbox } from "./stand_in.ts";

export interface PushOptions extends SendNowOptions, Omit<DeviceDeps, "noticeLimiter"> {
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

/**
 * Registrations by the apps of one record per hour. A new phone adds to the access log for a year, so
 * an app could otherwise fill it and hide other entries.
 */
const APP_REGISTRATIONS_PER_HOUR = 60;
/** Notices of new devices per record and hour. */
const NOTICES_PER_HOUR = 10;
const MAX_RECORDS = 10_000;

/** Every method rejects with `KvBusyError` while the store is too busy. */
export type Push = ReturnType<typeof createPush>;

/** Creates the push notifications. Nothing is sent or stored yet. */
export function createPush(options: PushOptions) {
  const { kv, clock, providers, monotonic } = options;
  const sender = createSender(options);
  const perHour = (limit: number) =>
    createRateLimiter({ limit, windowMs: HOUR_MS, monotonic, maxClients: MAX_RECORDS });
  const appRegistrations = perHour(APP_REGISTRATIONS_PER_HOUR);
  const deviceDeps = { ...options, noticeLimiter: perHour(NOTICES_PER_HOUR) };

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
        addAccess(commit, hash, { what: "notifications_changed", reader }, clock());
        return { result: { ok: true as const }, commit };
      }),
    ...createSendNow(options, sender),
    recordData: pushData(options),
  };
}

const NOT_CONFIGURED = {
  message: "This site does not send notifications to this kind of device at the moment.",
};
