/** Registers and removes the phones and browsers that get a record's notifications. */
import { z } from "zod";
import type { Platform } from "../../platform/feature.ts";
import type { RateLimiter } from "../../platform/http/rate_limit.ts";
import { transact, unchecked } from "../../platform/kv/mod.ts";
import { type Grant, liveGrant, liveGrants, type Registrant, revokeGrant } from "../oauth/mod.ts";
import {
  addAccess,
  firstSessionOf,
  type HolderSession,
  liveSessions,
  NOT_IN_FORCE,
  type Notices,
  type Reader,
  readExisting,
  readRecord,
  SITE,
  waitsToCorrect,
} from "../records/mod.ts";
import { type QueuedMail, transactAndMail } from "../../platform/mail/mod.ts";
import { fail, type Failure } from "../../base/result.ts";
import type { PushPlatform, PushTarget } from "./provider.ts";
import type { DeletesDue } from "../../platform/jobs/mod.ts";
import {
  countDevices,
  deleteDevice,
  deviceId,
  type DeviceRef,
  type DeviceRow,
  DEVICES,
  isUnseen,
  MAX_DEVICES,
  NO_SETTINGS,
  readDevice,
  readDevices,
  recordSettings,
  saveDevice,
  sealTarget,
} from "./rows.ts";

export interface DeviceDeps extends Pick<Platform, "kv" | "clock" | "secrets" | "mailer"> {
  notices: Notices;
  /** Limits the notices of new devices by record. The link of any of them removes all devices. */
  noticeLimiter: RateLimiter;
}

const summarySchema = z.object({
  id: z.string(),
  platform: z.enum(["ios", "android", "web"] satisfies PushPlatform[]),
  name: z.string().describe("Such as `iPhone or iPad`, or `Firefox on Windows`."),
  created_at: z.iso.datetime(),
  last_seen: z.iso.datetime(),
  failing: z.boolean().describe("Whether the push service did not accept the last message."),
});

/** A device as its holder sees it. Times are ISO 8601 in UTC. */
export type DeviceSummary = z.infer<typeof summarySchema>;

/** The response of `POST /api/push/register` and `POST /api/push/subscribe`. */
export const registeredDeviceSchema = z.object({ device: summarySchema });

/**
 * Registers a device for the events of a record. Registering it again only updates when it was seen,
 * and which session or grant it belongs to. A device of another record moves to this one.
 */
export async function registerDevice(
  deps: DeviceDeps,
  target: PushTarget,
  registrant: Registrant & { reader: Reader },
): Promise<
  | { ok: true; device: DeviceSummary; added: boolean }
  | Failure<"unauthenticated" | "conflict" | "too_many_devices">
> {
  const result = await addDevice(deps, target, registrant);
  if (result.ok || result.error !== "too_many_devices") return result;
  await liveDevices(deps, registrant.record); // removes those that are no longer in use
  return await addDevice(deps, target, registrant);
}

async function addDevice(
  { kv, clock, secrets, mailer, notices, noticeLimiter }: DeviceDeps,
  target: PushTarget,
  registrant: Registrant & { reader: Reader },
): ReturnType<typeof registerDevice> {
  const { record: hash, reader } = registrant;
  const token = await sealTarget(secrets, target);
  const ref = { id: deviceId(target), platform: target.platform };
  return await transactAndMail<Awaited<ReturnType<typeof registerDevice>>>(mailer, async () => {
    const now = clock();
    const [record, owner, entry, settings] = await Promise.all([
      readRecord(kv, hash),
      readOwner(kv, registrant, now),
      readDevice(kv, ref),
      recordSettings.get(kv, hash),
    ]);
    if (record === null || owner === null) return { result: fail("unauthenticated") };
    if (record.row.replaced_by !== null) return { result: fail("conflict", CORRECTED) };
    if (await waitsToCorrect(kv, record)) {
      return { result: fail("conflict", { message: NOT_IN_FORCE }) };
    }
    const before = entry.value;
    const added = before?.contact_hash !== hash;
    if (!added) unchecked("The number of devices stays.", settings);
    if (added && (settings.value ?? NO_SETTINGS).devices >= MAX_DEVICES) {
      return { result: fail("too_many_devices", TOO_MANY) };
    }
    const device: DeviceRow = {
      ...ref,
      contact_hash: hash,
      token,
      ...target.platform === "ios" ? { environment: target.environment } : {},
      created_at: added ? now : before.created_at,
      last_seen: now,
      name: NAMES[target.platform] ?? reader.browser,
      ...owner.columns,
      failures: 0,
      retry_at: 0,
      failed_message: null,
    };
    const commit = kv.atomic()
      .check(record.contact, record.entry, ...owner.entry === null ? [] : [owner.entry], entry);
    if (before !== null && added) {
      deleteDevice(commit, before);
      countDevices(commit, await recordSettings.get(kv, before.contact_hash), -1);
      const detail = `${before.name}, which another record now uses`;
      const moved = { what: "device_removed", detail, reader: SITE } as const;
      addAccess(commit, before.contact_hash, moved, now);
    }
    saveDevice(commit, device);
    const earlier = before === null || added ? null : await supersededGrant(kv, before, owner, now);
    if (earlier !== null) {
      commit.check(earlier);
      revokeGrant(commit, earlier.value);
      const ended = { what: "agent_disconnected", detail: owner.app!, reader: SITE } as const;
      addAccess(commit, hash, ended, now);
    }
    let mails: QueuedMail[] = [];
    if (added) {
      countDevices(commit, settings, 1);
      const detail = owner.app === null ? device.name : `${device.name}, by “${owner.app}”`;
      addAccess(commit, hash, { what: "device_added", detail, reader }, now);
      // The notice of a connected app has been mailed already.
      if (owner.app === null && noticeLimiter.take(hash).ok) {
        const undo = { act: "sign_out" } as const;
        const facts = [["Device", device.name]] as const;
        const notice = { record, kind: "device_added", undo, reader, facts } as const;
        mails = await notices.add(commit, notice, now);
      }
    }
    return { result: { ok: true as const, device: summaryOf(device), added }, commit, mails };
  });
}

/** The session or grant that a device belongs to. */
interface Owner {
  /** The row of the grant, which a commit checks; null for a session. */
  entry: Deno.KvEntryMaybe<unknown> | null;
  columns: Pick<DeviceRow, "session" | "session_expires_at" | "grant">;
  /** The name of the app that registers the device; null for a holder. */
  app: string | null;
}

/**
 * Reads the session or grant that a device will belong to. Returns null if the grant has ended.
 */
async function readOwner(kv: Deno.Kv, registrant: Registrant, now: number): Promise<Owner | null> {
  if ("grant" in registrant) {
    const { grant, record } = registrant;
    const entry = await liveGrant(kv, grant, now);
    if (entry?.value.record !== record) return null;
    const columns = { session: null, session_expires_at: 0, grant };
    return { entry, columns, app: entry.value.client_name };
  }
  return { entry: null, columns: columnsOf(registrant.session), app: null };
}

/**
 * Returns the grant with which an app registered a phone before it was connected again, if the grant
 * has no other phone. Nothing else shows that two connections belong to the same installation: a
 * client's id is either the same on all phones or different each time.
 */
async function supersededGrant(
  kv: Deno.Kv,
  { id, contact_hash, grant }: DeviceRow,
  { app, columns }: Owner,
  now: number,
): Promise<Deno.KvEntry<Grant> | null> {
  if (app === null || grant === undefined || grant === columns.grant) return null;
  const [earlier, devices] = await Promise.all([
    liveGrant(kv, grant, now),
    readDevices(kv, contact_hash),
  ]);
  unchecked("A phone that is added with the earlier grant now has to connect again.", ...devices);
  if (earlier === null) return null;
  unchecked("An earlier grant that ends is checked, and any other one stays.", earlier);
  if (earlier.value.client_name !== app) return null;
  return devices.some(({ value }) => value.grant === grant && value.id !== id) ? null : earlier;
}

const columnsOf = (session: HolderSession): Owner["columns"] => ({
  session: firstSessionOf(session),
  session_expires_at: Date.parse(session.expires_at),
});

const CORRECTED = { message: "This record was corrected. Open the new record." };
const TOO_MANY = {
  message: `A record has at most ${MAX_DEVICES} devices. Remove one on “My record” first.`,
};

/** The names of devices whose requests do not contain one. */
const NAMES: Partial<Record<PushPlatform, string>> = {
  ios: "iPhone or iPad",
  android: "Android device",
};

export const summaryOf = (
  { id, platform, name, created_at, last_seen, failures }: DeviceRow,
): DeviceSummary => ({
  id,
  platform,
  name,
  created_at: new Date(created_at).toISOString(),
  last_seen: new Date(last_seen ?? created_at).toISOString(),
  failing: failures > 0,
});

/**
 * Removes a device if a condition still applies.
 *
 * @param reader who removes it, for the access log; without one the removal is not logged
 */
export function removeDevice(
  { kv, clock }: Pick<DeviceDeps, "kv" | "clock">,
  ref: DeviceRef,
  applies: (device: DeviceRow) => boolean,
  reader?: Reader,
): Promise<boolean> {
  return transact(async () => {
    const entry = await readDevice(kv, ref);
    if (entry.value === null || !applies(entry.value)) return { result: false };
    const { contact_hash: hash, name } = entry.value;
    const commit = kv.atomic().check(entry);
    deleteDevice(commit, entry.value);
    countDevices(commit, await recordSettings.get(kv, hash), -1);
    if (reader !== undefined) {
      const record = await readExisting(kv, hash);
      if (record !== null) {
        commit.check(record.contact);
        addAccess(commit, hash, { what: "device_removed", detail: name, reader }, clock());
      }
    }
    return { result: true, commit };
  });
}

/** Removes the devices that a session has registered for a record, or all of the record's devices. */
export async function signOutDevices(
  deps: Pick<DeviceDeps, "kv" | "clock">,
  hash: string,
  session: string | null,
): Promise<void> {
  for (const { value } of await readDevices(deps.kv, hash)) {
    const applies = (device: DeviceRow) =>
      device.contact_hash === hash && (session === null || device.session === session);
    if (applies(value)) await removeDevice(deps, value, applies);
  }
}

/** Removes the devices that an app registered with a grant that has ended. */
export async function removeGranted(
  deps: Pick<DeviceDeps, "kv" | "clock">,
  { id, record }: { id: string; record: string | null },
): Promise<void> {
  if (record === null) return;
  const applies = ({ grant }: DeviceRow) => grant === id;
  for (const { value } of await readDevices(deps.kv, record)) {
    if (applies(value)) await removeDevice(deps, value, applies, SITE);
  }
}

/** Returns how devices are removed that have not been seen for a long time, in each of their tables. */
export function deletesUnseen(deps: Pick<DeviceDeps, "kv" | "clock">): DeletesDue {
  const remove = ({ value }: Deno.KvEntry<DeviceRow>) =>
    removeDevice(deps, value, (device) => isUnseen(device, deps.clock()), SITE);
  return Object.fromEntries(DEVICES.map(({ prefix }) => [prefix, remove]));
}

/** Returns the devices of a record that are {@link keepLive live}, and removes the others. */
export async function liveDevices(
  deps: Pick<DeviceDeps, "kv" | "clock">,
  hash: string,
): Promise<DeviceRow[]> {
  return await keepLive(deps, hash, (await readDevices(deps.kv, hash)).map(({ value }) => value));
}

/**
 * Returns those of a record's devices that are live. Removes those that have not been seen for
 * a long time, those whose session was ended before it expired, for example by an undo or because
 * somebody else signed in with the same browser, and those whose grant has ended.
 */
export async function keepLive(
  deps: Pick<DeviceDeps, "kv" | "clock">,
  hash: string,
  devices: readonly DeviceRow[],
): Promise<DeviceRow[]> {
  const { kv, clock } = deps;
  const sessions = devices.map(({ session }) => session).filter((id) => id !== null);
  const open = await liveSessions(kv, hash, sessions, clock());
  const now = clock();
  const ids = devices.map(({ grant }) => grant).filter((id) => id !== undefined);
  const granted = await liveGrants(kv, ids, now);
  const isLive = ({ session, session_expires_at, grant, last_seen, created_at }: DeviceRow) =>
    !isUnseen({ last_seen, created_at }, now) &&
    (session === null || open.has(session) || now >= session_expires_at) &&
    (grant === undefined || granted.has(grant));
  for (const device of devices) {
    if (isLive(device)) continue;
    const { session, grant, last_seen } = device;
    await removeDevice(
      deps,
      device,
      (current) =>
        current.session === session && current.grant === grant && current.last_seen === last_seen,
      SITE,
    );
  }
  return devices.filter(isLive);
}
