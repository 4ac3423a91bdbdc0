import type { AddToEvent } from "../../chain/store/mod.ts";
import { eventEntry, newLogSalt } from "../entries.ts";
import { addRead, keysOf } from "./pending.ts";
import { type LogChain, logChains } from "./tables.ts";

/**
 * Creates what adds the chain's new size to the log, in the commit of the event. The chain gets its salt in
 * its first commit, or in the first one after the log began.
 *
 * @param committed called after a commit
 */
export const createAddEvent = (
  { kv, clock, committed }: { kv: Deno.Kv; clock: () => number; committed: () => void },
): AddToEvent =>
async (commit, record, { seq, hash: tip }) => {
  const size = seq + 1;
  const known = { record, size, tip };
  // The slot does not depend on the salt, so everything is read in one round trip.
  const salt = newLogSalt();
  const entry = eventEntry({ ...known, salt });
  const [chain, ...rows] = await kv.getMany([logChains.key(record), ...keysOf([entry])]);
  if (chain.value === null) {
    commit.check(chain);
    logChains.put(commit, [record], { salt, live_from: size, filled: 0 });
    addRead(commit, [entry], rows, clock());
  } else {
    const { salt } = chain.value as LogChain;
    addRead(commit, [eventEntry({ ...known, salt })], rows, clock());
  }
  return committed;
};
