/** Adds each event of a record to the public log, in the commit that appends it. */
import { unchecked } from "../../../platform/kv/mod.ts";
import { type AddToEvent, heads } from "../../chain/mod.ts";
import { eventEntry, newLogSalt } from "../../../../packages/proof/mod.ts";
import { addRead, ChainBehindLogError, keysOf } from "./pending.ts";
import { type LogChain, logChains } from "./tables.ts";

/**
 * Creates what adds the chain's new size to the log, in the commit of the event. The chain gets its salt in
 * its first commit.
 *
 * @param committed called after a commit
 */
export const createAddEvent = (
  { kv, clock, committed }: { kv: Deno.Kv; clock: () => number; committed: () => void },
): AddToEvent =>
async (commit, record, { seq, hash: tip }) => {
  const size = seq + 1;
  const entryWith = (salt: Uint8Array) => eventEntry({ record, size, tip, salt });
  // The slot does not depend on the salt, so everything is read in one round trip.
  const fresh = newLogSalt();
  const [chain, ...rows] = await kv.getMany([
    logChains.key(record),
    ...keysOf([entryWith(fresh)]),
  ]);
  const { salt } = chain.value as LogChain | null ?? { salt: fresh };
  if (chain.value === null) {
    // Its salt was lost, and another one would not open its earlier entries.
    if (size > 1) throw new ChainBehindLogError();
    commit.check(chain);
    logChains.put(commit, [record], { salt });
  } else unchecked("The salt of a chain never changes.", chain);
  try {
    addRead(commit, [entryWith(salt)], rows, clock());
  } catch (error) {
    if (!(error instanceof ChainBehindLogError)) throw error;
    // If another process has appended and logged this size since the head was read, the commit fails, and
    // the next attempt reads everything again.
    const { value: head } = await heads.get(kv, record);
    if ((head?.size ?? 0) === seq) throw error;
  }
  return committed;
};
