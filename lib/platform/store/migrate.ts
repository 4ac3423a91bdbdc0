/** Runs the migrations that must be complete before the site serves. */
import type { Secrets } from "../../base/secrets.ts";
import { ConfigError } from "../config/error.ts";
import { FORMAT, FORMAT_KEY, unlessReadOnly } from "../kv/mod.ts";
import { type BatchOptions, runBatch, save } from "./batches.ts";
import { fingerprints, plannedFormat, runsBefore, type StoreFormat } from "./format_row.ts";
import { refusesVersion } from "./refuses_format.ts";

interface MigrateOptions extends BatchOptions {
  secrets: Secrets;
  /** The secrets that are lost or no longer trusted, see `shortFingerprint`. */
  givenUp?: readonly string[];
  /** The value of `KV_PATH`. */
  kvPath: string | undefined;
  /** The format of this build; tests give the next one. */
  format?: number;
}

/**
 * Brings the store to the current format, as far as the site cannot serve without it, and notes what
 * `createStoreWork` has to do beside the site. If its process dies, another one continues at the batch where it
 * stopped. Processes that start at the same time all return once the last batch is saved.
 *
 * @throws {ConfigError} (rejects) if this build does not open the store's format, or a secret that rows depend
 * on is not configured
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const { kv, secrets, givenUp = [], kvPath, migrations, clock, format = FORMAT } = options;
  const configured = { ids: await fingerprints(secrets), givenUp };
  while (true) {
    const entry = await kv.get<StoreFormat>(FORMAT_KEY);
    const refused = entry.value && refusesVersion(entry.value.version, kvPath, format);
    if (refused !== null) throw new ConfigError([`KV_PATH: ${refused}`]);
    const planned = plannedFormat(migrations(), entry.value, configured, clock(), format);
    const { work } = planned;
    const mustRun = work !== undefined && runsBefore(migrations(), work.steps[0]);
    if (JSON.stringify(entry.value) !== JSON.stringify(planned)) {
      const write = () => save(kv, entry, planned);
      // The rows can be read with both secrets, so a read-only site need not wait for the work.
      const isUsable = entry.value?.version === format && !mustRun;
      const saved = isUsable ? await unlessReadOnly(write) : await write();
      if (saved === false) continue;
    }
    if (!mustRun) return;
    await runBatch(options, entry as Deno.KvEntry<StoreFormat>, work);
  }
}
