import { z } from "zod";
import { ALWAYS, defineTable } from "../kv/mod.ts";

const lastBackup = z.strictObject({
  /** When it was complete. */
  at: z.iso.datetime(),
  /** Left out for a copy that another tool made. */
  bytes: z.int().optional(),
});

export type LastBackup = z.infer<typeof lastBackup>;

/** The last copy that `deno task backup` made or recorded. */
export const backupTable = defineTable({
  prefix: "backup",
  value: lastBackup,
  owner: "nobody",
  lifetime: ALWAYS,
  per: "store",
});

/** Reads when the last backup was complete; null if none was recorded. */
export const readBackup = async (kv: Deno.Kv): Promise<LastBackup | null> =>
  (await backupTable.get(kv)).value;

/** Records a complete backup, in place of the last one. */
export async function recordBackup(kv: Deno.Kv, backup: LastBackup): Promise<void> {
  await kv.set(backupTable.key(), backup);
}
