import type { Bytes } from "../../base/encoding.ts";
import { utf8 } from "../../base/encoding.ts";
import { sha256 } from "../../platform/kv/hash.ts";
import { whenUnlocked } from "../../platform/kv/mod.ts";
import type { Secrets } from "../../base/secrets.ts";
import { DAY_MS } from "../../base/time.ts";
import type { PushKind } from "./events.ts";
import type { PushPlatform, PushTarget } from "./provider.ts";
import type { QuietHours } from "./quiet_hours.ts";

/**
 * A row of `device_tokens` (spec 2.9, and the columns that it lacks), or of `push_subscriptions`,
 * which has the same columns. Times are milliseconds since 1970.
 */
export interface DeviceRow {
  /** SHA-256 of the platform and the token, which identifies both. */
  id: string;
  /** The record whose events the device receives. */
  contact_hash: string;
  platform: PushPlatform;
  /** The {@link PushTarget}, encrypted. */
  token: Bytes;
  /** The APNs environment that the token belongs to. */
  environment?: "sandbox" | "production";
  created_at: number;
  /** When it was last registered. Apps and pages register at each start. */
  last_seen: number | null;
  /** The name of the browser or app that registered it. */
  name: string;
  /** The holder session that registered it, by its `firstSessionOf`; null if none did. */
  session: string | null;
  /** When that session expires. */
  session_expires_at: number;
  /** The grant of the app that registered it with a bearer token; undefined if a session did. */
  grant?: string;
  /** The number of failed attempts since the last success. */
  failures: number;
  /** The earliest time at which the push service accepts another message for this device. */
  retry_at: number;
  /** The message that failed, which is the next one to be sent; null without failures. */
  failed_message: string | null;
}

/** Identifies a device. */
export type DeviceRef = Pick<DeviceRow, "id" | "platform">;

/** The row `["push_settings", hash]`: what a record's devices receive. */
export interface PushSettings {
  /** The number of devices and browsers. */
  devices: number;
  /** The kinds of events that the holder has turned off. */
  off: PushKind[];
  quiet: QuietHours | null;
}

/** The maximum number of devices and browsers of one record. A correction may join two records. */
export const MAX_DEVICES = 10;

/** Devices that have not been seen for this long are removed: their tokens no longer work. */
export const UNSEEN_MS = 270 * DAY_MS;

/** KV reads at most ten keys at once. */
const READ_SIZE = 10;

export const TABLES = ["device_tokens", "push_subscriptions"] as const;
const tableOf = (platform: PushPlatform) => TABLES[platform === "web" ? 1 : 0];

export const deviceKey = ({ platform, id }: DeviceRef): Deno.KvKey => [tableOf(platform), id];
export const indexKey = (
  { platform, id, contact_hash }: DeviceRef & Pick<DeviceRow, "contact_hash">,
): Deno.KvKey => [`${tableOf(platform)}_by_contact`, contact_hash, id];
export const settingsKey = (hash: string): Deno.KvKey => ["push_settings", hash];

export const testTimesKey = (hash: string): Deno.KvKey => ["push_test_times", hash];

export const NO_SETTINGS: PushSettings = { devices: 0, off: [], quiet: null };

/** The part of a {@link PushTarget} that identifies a device. */
export type DeviceAddress =
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

/** Reads the devices of a record as entries that a commit can check, oldest first. */
export function readDevices(kv: Deno.Kv, hash: string): Promise<Deno.KvEntry<DeviceRow>[]> {
  return whenUnlocked(async () => {
    const keys: Deno.KvKey[] = [];
    for (const table of TABLES) {
      for await (const { key } of kv.list({ prefix: [`${table}_by_contact`, hash] })) {
        keys.push([table, key[2]]);
      }
    }
    const devices: Deno.KvEntry<DeviceRow>[] = [];
    for (let i = 0; i < keys.length; i += READ_SIZE) {
      const entries = await kv.getMany<DeviceRow[]>(keys.slice(i, i + READ_SIZE));
      for (const entry of entries) {
        if (entry.versionstamp !== null && entry.value.contact_hash === hash) devices.push(entry);
      }
    }
    return devices.sort((a, b) => a.value.created_at - b.value.created_at);
  });
}

/** Adds a new or moved device to a commit. */
export function saveDevice(commit: Deno.AtomicOperation, device: DeviceRow): void {
  commit.set(deviceKey(device), device).set(indexKey(device), null);
}

/** Adds the deletion of a device to a commit. */
export function deleteDevice(commit: Deno.AtomicOperation, device: DeviceRow): void {
  commit.delete(deviceKey(device)).delete(indexKey(device));
}

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
