import { plural } from "../../base/time.ts";
import {
  configuredAnchor,
  configuredWitnesses,
  openCopy,
  openLogKeys,
  originOf,
  recoverLog,
} from "../../features/log/mod.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import type { Config } from "../config.ts";

/**
 * Rebuilds the log of a store from a copy, and prints the result. Returns false if the copy is not accepted, or
 * if the store contradicts it.
 */
export async function recoverFrom(kv: Deno.Kv, config: Config, location: string): Promise<boolean> {
  const origin = originOf(createSurfaces(config));
  const witnesses = configuredWitnesses(config.log, fetch);
  const result = await recoverLog({
    kv,
    clock: Date.now,
    origin,
    signers: await openLogKeys(kv, config.log.signingKeys, origin),
    witnesses,
    anchor: configuredAnchor(config.log, config.documents.s3, fetch),
    copy: openCopy(location),
  }).catch((error) => ({
    ok: false as const,
    message: `Cannot read ${location}: ${error.message}`,
  }));
  if (!result.ok) {
    console.error(result.message);
    return false;
  }
  const { size, before, dropped, again, forked } = result;
  console.log(`The log has ${plural(size, "entry", "entries")}; the store had ${before}.`);
  if (witnesses.length === 0) {
    console.log("No witness is configured, so nobody can say whether this copy is the newest.");
  } else {
    console.log(`It is the largest tree of: ${result.witnesses.join(", ")}.`);
  }
  if (dropped > 0) {
    console.log(`${plural(dropped, "pending entry was", "pending entries were")} in it.`);
  }
  if (again > 0) console.log(`${plural(again, "entry is", "entries are")} added again.`);
  if (forked > 0) {
    console.error(
      `${
        plural(forked, "entry contradicts", "entries contradict")
      } the log: the store continued differently after it was restored. The log stays ` +
        "halted. Restore the backup again, or begin another log: see docs/ops/backup.md.",
    );
  }
  return forked === 0;
}
