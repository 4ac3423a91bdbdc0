/** The tables of push notifications: devices, settings and the limit of tests. */
import { z } from "zod";
import type { Bytes } from "../../base/encoding.ts";
import { utf8 } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { defineLimit, defineTable, untilUsed, WITH_RECORD } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS, HOUR_MS, inDays, inHours } from "../../base/time.ts";
import { type Migration, resealStep } from "../../platform/store/mod.ts";
import { PUSH_KINDS } from "./events.ts";
import type { PushPlatform, PushTarget } from "./provider.ts";
import { quietHours } from "./quiet_hours.ts";

/** Milliseconds since 1970. */
const time = z.number();

/**
 * A row of `device_tokens` (spec 2.9, and the columns that it lacks), or of `push_subscriptions`,
 * which has the same columns.
 */
const device = z.strictObject({
  /** SHA-256 of the platform and the token, which identifies both. */
  id: z.string(),
  /** The record whose events the device receives. */
  contact_hash: z.string(),
  platform: z.enum(["ios", "android", "web"] satisfies PushPlatform[]),
  /** The {@link PushTarget}, encrypted. */
  token: z.instanceof(Uint8Array),
  /** The APNs environment that the token belongs to. */
  environment: z.enum(["sandbox", "production"]).optional(),
  created_at: time,
  /** When it was last registered. Apps and pages register at each start. */
  last_seen: time.nullable(),
  /** The name of the browser or app that registered it. */
  name: z.string(),
  /** The holder session that registered it, by its `firstSessionOf`; null if none did. */
  session: z.string().nullable(),
  /** When that session expires. */
  session_expires_at: time,
  /** The grant of the app that registered it with a bearer token; undefined if a session did. */
  grant: z.string().optional(),
  /** The number of failed attempts since the last success. */
  failures: z.number(),
  /** The earliest time at which the push service accepts another message for this device. */
  retry_at: time,
  /** The message that failed, which is the next one to be sent; null without failures. */
  failed_message: z.string().nullable(),
});

export type DeviceRow = z.infer<typeof device>;

export type DeviceRef = Pick<DeviceRow, "id" | "platform">;

/** The notification settings of a record, with the number of its devices. */
const settings = z.strictObject({
  /** The number of devices and browsers. */
  devices: z.number(),
  /** The kinds of events that the holder has turned off. */
  off: z.array(z.literal(PUSH_KINDS)),
  quiet: quietHours.nullable(),
});

export type PushSettings = z.infer<typeof settings>;

/** The maximum number of devices and browsers of one record. A correction may join two records. */
export const MAX_DEVICES = 10;

/** Devices that have not been seen for this long are removed: their tokens no longer work. */
export const UNSEEN_MS = 270 * DAY_MS;

/** How long after its event a push is still sent. */
export const PUSH_LIFETIME_MS = DAY_MS;

/** Returns whether a device has not been seen for {@link UNSEEN_MS}. */
export const isUnseen = (
  { last_seen, created_at }: Pick<DeviceRow, "last_seen" | "created_at">,
  now: number,
): boolean => now >= (last_seen ?? created_at) + UNSEEN_MS;

const UNSEEN = inDays(UNSEEN_MS);

const privacy = {
  section: "record",
  label: "Notifications",
  text: "If you turn on notifications, for each phone and browser: the address at which its push " +
    "service reaches it, encrypted, with a fingerprint (SHA-256); what kind of device it is; " +
    "when you added it, with which connected app, when it was last seen and whether sending to " +
    "it failed. We delete it when you remove it, when you disconnect that app, when you sign " +
    `out of it, and ${UNSEEN} after it was last ` +
    "seen. Also the kinds of events and the quiet hours that you choose, the times of your " +
    "latest tests for an hour, and each notification, encrypted, until it is sent, for at most " +
    `${inHours(PUSH_LIFETIME_MS)}. A notification contains a general text and the number and ` +
    "hash of the event, and nothing about you. It passes through the push service of the device: " +
    "Apple, Google, Mozilla or Microsoft.",
} as const;

const devices = {
  value: device,
  key: ["id"],
  owner: { record: "contact_hash" },
  lifetime: untilUsed(`${UNSEEN} after it was last seen`),
  // Sending to a record removes them, too, but nothing may ever be sent to the record again.
  due: { when: isUnseen, nightly: true },
  privacy,
} as const;

const phones = defineTable({
  ...devices,
  prefix: "device_tokens",
  indexes: { device_tokens_by_contact: ["contact_hash"] },
  per: "phone",
});
const browsers = defineTable({
  ...devices,
  prefix: "push_subscriptions",
  indexes: { push_subscriptions_by_contact: ["contact_hash"] },
  per: "browser",
});
export const recordSettings = defineTable({
  prefix: "push_settings",
  value: settings,
  key: ["record"],
  owner: { record: "record" },
  lifetime: WITH_RECORD,
  per: "record that has had devices",
  privacy,
});

/** Tests per record and hour. */
export const TESTS_PER_HOUR = 5;

export const testTimes = defineLimit({
  name: "push_tests",
  limit: TESTS_PER_HOUR,
  windowMs: HOUR_MS,
  owner: "record",
  per: "record that sends test notifications",
  privacy,
});

export const DEVICES = [phones, browsers];
export const pushTables = [...DEVICES, recordSettings, testTimes];

/** Returns the table of a platform's devices. */
const devicesOf = (platform: PushPlatform) => platform === "web" ? browsers : phones;

/** Reads a device as an entry that a commit can check. */
export const readDevice = (
  kv: Deno.Kv,
  { platform, id }: DeviceRef,
): Promise<Deno.KvEntryMaybe<DeviceRow>> => devicesOf(platform).get(kv, id);

export const NO_SETTINGS: PushSettings = { devices: 0, off: [], quiet: null };

export const readSettings = async (kv: Deno.Kv, hash: string): Promise<PushSettings> =>
  (await recordSettings.get(kv, hash)).value ?? NO_SETTINGS;

/** The part of a {@link PushTarget} that identifies a device. */
type DeviceAddress =
  | { platform: "ios" | "android"; token: string }
  | { platform: "web"; endpoint: string };

/** Returns the id of a target's row. */
export const deviceId = (target: DeviceAddress): string =>
  sha256(`${target.platform}\n${"endpoint" in target ? target.endpoint : target.token}`);

export const sealTarget = (secrets: Secrets, target: PushTarget): Promise<Bytes> =>
  secrets.seal("push", utf8(JSON.stringify(target)), deviceId(target));

/** Decrypts a device's target. Returns null if `APP_SECRET` has changed. */
export async function openTarget(
  secrets: Secrets,
  { id, token }: Pick<DeviceRow, "id" | "token">,
): Promise<PushTarget | null> {
  const bytes = await secrets.open("push", token, id);
  return bytes && JSON.parse(new TextDecoder().decode(bytes));
}

/** Encrypts the targets of devices with the current secret. */
export const resealDevices = (
  options: { kv: Deno.Kv; secrets: Secrets; clock: () => number },
): Migration => ({
  name: "devices",
  label: "addresses of phones and browsers",
  rotates: true,
  beside: "the addresses can be read with both secrets",
  step: resealStep<DeviceRow>({
    ...options,
    purpose: "push",
    tables: DEVICES,
    sealedIn: ({ token, id }) => ({ sealed: token as Bytes, context: id }),
    with: (row, token) => ({ ...row, token }),
  }),
});

/** Reads the devices of a record as entries that a commit can check, oldest first. */
export async function readDevices(
  kv: Deno.Kv,
  hash: string,
): Promise<Deno.KvEntry<DeviceRow>[]> {
  const found = await Promise.all([
    phones.find(kv, "device_tokens_by_contact", [hash]),
    browsers.find(kv, "push_subscriptions_by_contact", [hash]),
  ]);
  return found.flat().filter(({ value }) => value.contact_hash === hash)
    .sort((a, b) => a.value.created_at - b.value.created_at);
}

/** Adds a new or moved device to a commit. */
export const saveDevice = (commit: Deno.AtomicOperation, device: DeviceRow): void =>
  devicesOf(device.platform).set(commit, device);

export const deleteDevice = (commit: Deno.AtomicOperation, device: DeviceRow): void =>
  devicesOf(device.platform).delete(commit, device);

/** Adds a change of the number of devices to a commit, which checks the settings. */
export function countDevices(
  commit: Deno.AtomicOperation,
  { key, value, versionstamp }: Deno.KvEntryMaybe<PushSettings>,
  change: number,
): void {
  const settings = value ?? NO_SETTINGS;
  commit.check({ key, versionstamp })
    .set(key, { ...settings, devices: Math.max(0, settings.devices + change) });
}
