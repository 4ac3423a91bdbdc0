/** Removes or moves push devices and settings when a record is deleted or corrected, or its holder signs out. */
import { transact } from "../../platform/kv/mod.ts";
import type { RecordData } from "../records/mod.ts";
import { type DeviceDeps, removeDevice, signOutDevices } from "./devices.ts";
import {
  countDevices,
  deleteDevice,
  type DeviceRow,
  NO_SETTINGS,
  readDevice,
  readDevices,
  recordSettings,
  saveDevice,
} from "./rows.ts";

type Deps = Pick<DeviceDeps, "kv" | "clock">;

/** Makes devices take part in the deletion and correction of records, and in signing out. */
export const pushData = (deps: Deps): RecordData => ({
  name: "push",
  async move(from, to, undoneSince) {
    const since = undoneSince === undefined ? Infinity : Date.parse(undoneSince);
    // A correction ends the grants of the record.
    const ends = ({ grant, created_at }: DeviceRow) => grant !== undefined || created_at >= since;
    for (const { value } of await readDevices(deps.kv, from)) {
      if (ends(value)) await removeDevice(deps, value, ends);
      else await moveDevice(deps, value, from, to);
    }
    await moveSettings(deps, from, to);
  },
  signOut: (hash, session) => signOutDevices(deps, hash, session),
});

function moveDevice(
  { kv }: Deps,
  { id, platform }: DeviceRow,
  from: string,
  to: string,
): Promise<void> {
  return transact(async () => {
    const [entry, before, after] = await Promise.all([
      readDevice(kv, { id, platform }),
      recordSettings.get(kv, from),
      recordSettings.get(kv, to),
    ]);
    if (entry.value?.contact_hash !== from) return { result: undefined };
    const commit = kv.atomic().check(entry);
    deleteDevice(commit, entry.value);
    countDevices(commit, before, -1);
    saveDevice(commit, { ...entry.value, contact_hash: to });
    countDevices(commit, after, 1);
    return { result: undefined, commit };
  });
}

/** Moves the holder's choices, unless the record that they move to has its own. */
function moveSettings({ kv }: Deps, from: string, to: string): Promise<void> {
  return transact(async () => {
    const [before, after] = await Promise.all([
      recordSettings.get(kv, from),
      recordSettings.get(kv, to),
    ]);
    if (before.value === null) return { result: undefined };
    const { devices, off, quiet } = after.value ?? NO_SETTINGS;
    const own = off.length > 0 || quiet !== null;
    const choices = own ? { off, quiet } : { off: before.value.off, quiet: before.value.quiet };
    const commit = kv.atomic().check(before, after).set(after.key, { devices, ...choices });
    if (before.value.devices === 0) commit.delete(before.key);
    else commit.set(before.key, { ...NO_SETTINGS, devices: before.value.devices });
    return { result: undefined, commit };
  });
}
