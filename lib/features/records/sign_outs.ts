import { type JobContext, sweepRows } from "../../platform/jobs/mod.ts";
import { transact } from "../../platform/kv/mod.ts";
import { addAccess, type Reader } from "./access_log.ts";
import type { LinkedData } from "./linked.ts";
import { endAllSessions, hasSession } from "./sessions.ts";
import { readRecord } from "./store.ts";

const PREFIX = "record_sign_outs";
const signOutKey = (hash: string): Deno.KvKey => [PREFIX, hash];

/**
 * Adds to a commit that every session of a record ends, with everything that sessions gave to others.
 * Call `finish` after the commit. If that fails or the process dies, the job does it.
 */
export function addSignOut(commit: Deno.AtomicOperation, hash: string, now: number): void {
  commit.set(signOutKey(hash), { at: new Date(now).toISOString() });
}

/** Logs that a holder ends every session of a record, and adds that it happens. */
export async function requestSignOut(
  kv: Deno.Kv,
  clock: () => number,
  hash: string,
  reader: Reader,
): Promise<void> {
  await transact(async () => {
    const record = await readRecord(kv, hash);
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
  linked: () => readonly LinkedData[];
  /** Finishes the move of a record that is in progress. */
  resume(hash: string): Promise<void>;
}

/** The ends of all sessions of records. */
export interface SignOuts {
  /** Ends what belongs to one session of a record, or to all if it is null, in every feature. */
  leave(hash: string, session: string | null): Promise<void>;
  /** Does what was added to a commit. An error is logged, because the job tries again. */
  finish(hash: string): Promise<void>;
  /** Finishes those that were interrupted. */
  run(context: JobContext): Promise<number>;
  data: LinkedData;
}

export function createSignOuts({ kv, log, linked, resume }: SignOutsOptions): SignOuts {
  async function leave(hash: string, session: string | null): Promise<void> {
    await all(linked().map((each) => () => each.signOut?.(hash, session)));
  }

  async function end(hash: string): Promise<void> {
    const errors: unknown[] = [];
    // A move that fails must not keep the sessions.
    await resume(hash).catch((error) => errors.push(error));
    const entry = await kv.get(signOutKey(hash));
    if (entry.versionstamp !== null) {
      // First the sessions, which could connect another agent.
      await all([() => endAllSessions(kv, hash), () => leave(hash, null)]);
      // The check keeps a row that was written in the meantime.
      await kv.atomic().check(entry).delete(entry.key).commit();
    }
    if (errors.length > 0) throw errors[0];
  }

  return {
    leave,
    finish: (hash) =>
      end(hash).catch((error) =>
        log({ level: "error", event: "sign_out_failed", reason: String(error) })
      ),
    run: (context) =>
      sweepRows(kv, PREFIX, context, async (_, hash) => {
        await end(hash);
        return true;
      }),
    data: {
      name: "sign-outs",
      async move(from, to) {
        const { value, versionstamp } = await kv.get(signOutKey(from));
        if (versionstamp === null) return;
        await kv.atomic().set(signOutKey(to), value).delete(signOutKey(from)).commit();
      },
    },
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
