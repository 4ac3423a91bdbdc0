/** The recovery of a lost or outdated log, which two commands share. */
import { plural } from "../../base/time.ts";
import {
  configuredAnchor,
  configuredWitnesses,
  openLogKeys,
  originOf,
  recoverLog,
} from "../../features/log/mod.ts";
import { createLocalFetch } from "../../platform/http/local_fetch.ts";
import { openCopy } from "../../../packages/proof/monitor/mod.ts";
import { createSurfaces } from "../../platform/surfaces/mod.ts";
import type { Config } from "../config.ts";
import type { CommandIo } from "./command.ts";

/**
 * Rebuilds the log of a store from a copy, and prints the result. Returns false if the copy is not accepted, or
 * if the store contradicts it.
 */
export async function recoverFrom(
  kv: Deno.Kv,
  config: Config,
  location: string,
  { log, error }: Pick<CommandIo, "log" | "error">,
): Promise<boolean> {
  const origin = originOf(createSurfaces(config));
  const witnesses = configuredWitnesses(config.log, fetch);
  const result = await recoverLog({
    kv,
    clock: Date.now,
    origin,
    signers: await openLogKeys(kv, config.log.signingKeys, origin),
    witnesses,
    anchor: configuredAnchor(config.log, config.documents.s3, fetch),
    copy: openCopy(location, createLocalFetch()),
  }).catch((cause) => ({
    ok: false as const,
    message: `Cannot read ${location}: ${cause.message}`,
  }));
  if (!result.ok) {
    error(result.message!);
    return false;
  }
  const { size, before, dropped, again, forked } = result;
  log(`The log has ${plural(size, "entry", "entries")}; the store had ${before}.`);
  if (witnesses.length === 0) {
    log("No witness is configured, so nobody can say whether this copy is the newest.");
  } else {
    log(`It is the largest tree of: ${result.witnesses.join(", ")}.`);
  }
  if (dropped > 0) {
    log(`${plural(dropped, "pending entry was", "pending entries were")} in it.`);
  }
  if (again > 0) log(`${plural(again, "entry is", "entries are")} added again.`);
  if (forked > 0) {
    error(
      `${
        plural(forked, "entry contradicts", "entries contradict")
      } the log: the store continued differently after it was restored. The log stays ` +
        "halted. Restore the backup again, or begin another log: see docs/ops/backup.md.",
    );
  }
  return forked === 0;
}
