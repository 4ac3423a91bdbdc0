/** Ending every session of a record, with everything that its sessions gave to others. */
import { z } from "zod";
import { type Job, sweepRows } from "../../../platform/jobs/mod.ts";
import { asSite, defineTable, transact, untilUsed } from "../../../platform/kv/mod.ts";
import { MINUTE_MS } from "../../../base/time.ts";
import { addAccess, type Reader } from "../access_log/access_log.ts";
import type { RecordData } from "../record/record_data.ts";
import { hasSession } from "./sessions.ts";
import { holderSessions } from "./table.ts";
import { readExisting } from "../record/store.ts";

/** The records whose sessions end, until all have ended. */
export const signOuts = defineTable({
  prefix: "record_sign_outs",
  value: z.strictObject({ at: z.iso.datetime() }),
  key: ["record"],
  owner: { record: "record" },
  moves: true,
  lifetime: untilUsed("until every session has ended, normally at once", "sign-outs"),
  per: "sign-out of every browser",
  privacy: { section: "record", label: "Security notices" },
});

/**
 * Adds to a commit that every session of a record ends, with everything that sessions gave to others.
 * Call `finish` after the commit. If that fails or the process dies, the job does it.
 */
export function addSignOut(commit: Deno.AtomicOperation, hash: string, now: number): void {
  signOuts.put(commit, [hash], { at: new Date(now).toISOString() });
}

/** Logs that a holder ends every session of a record, and adds that it happens. */
export async function requestSignOut(
  kv: Deno.Kv,
  clock: () => number,
  hash: string,
  reader: Reader,
): Promise<void> {
  await transact(async () => {
    const record = await readExisting(kv, hash);
    if (record === null) return { result: undefined };
    const commit = kv.atomic().check(record.contact);
    addSignOut(commit, hash, clock());
    if (await hasSession(kv, hash)) { // otherwise, the request was repeated
      addAccess(commit, hash, { what: "signed_out_everywhere", reader }, clock());
    }
    return { result: undefined, commit };
  });
}

export interface SignOutsOptions {
  kv: Deno.Kv;
  log: (entry: Record<string, unknown>) => void;
  recordData: () => readonly RecordData[];
  /** Finishes the move of a record that is in progress. */
  resume(hash: string): Promise<void>;
}

/** Creates what ends all sessions of records. */
export function createSignOuts({ kv, log, recordData, resume }: SignOutsOptions) {
  /** Ends what belongs to one session of a record, or to all if it is null, in every feature. */
  async function leave(hash: string, session: string | null): Promise<void> {
    await all(recordData().map((each) => () => each.signOut?.(hash, session)));
  }

  async function end(hash: string): Promise<void> {
    const errors: unknown[] = [];
    // A move that fails must not keep the sessions.
    await resume(hash).catch((error) => errors.push(error));
    const entry = await signOuts.get(kv, hash);
    if (entry.versionstamp !== null) {
      // First the sessions, which could connect another agent.
      await all([() => holderSessions.deleteOf(kv, hash), () => leave(hash, null)]);
      // The check keeps a row that was written in the meantime.
      await kv.atomic().check(entry).delete(entry.key).commit();
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Finishes those that were interrupted. */
  const job: Job = {
    name: "sign-outs",
    title: "Signing out holders everywhere",
    everyMs: MINUTE_MS,
    maxMs: MINUTE_MS,
    async run(context) {
      const finished = await sweepRows(kv, signOuts.prefix, context, async (_, hash) => {
        await end(hash);
        return true;
      });
      return `${finished} finished`;
    },
  };

  return {
    leave,
    job,
    /** Does what was added to a commit. An error is logged, because the job tries again. */
    finish: (hash: string): Promise<void> =>
      // One of the sessions may be that of the request.
      asSite(() => end(hash)).catch((error) =>
        log({ level: "error", event: "sign_out_failed", reason: String(error) })
      ),
  };
}

/** Runs every step in order, also after one that throws. */
async function all(steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
