/** The sessions of a record that is corrected, or whose correction is withdrawn. */
import { transact } from "../../../platform/kv/mod.ts";
import { eachOf } from "../../../base/slots.ts";
import { endById } from "./sessions.ts";
import { BY_RECORD, holderSessions } from "./table.ts";

/** Moves every session of a record to another record, which takes its place in them. */
export async function moveSessions(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  await eachOf(await sessionIds(kv, from), (id) => moveSession(kv, id, from, to, now));
}

/**
 * Returns the sessions that have opened a correction to the record that it corrects, and ends those
 * that cannot open that record: they may belong to whoever has the corrected address.
 */
export async function leaveCorrection(
  kv: Deno.Kv,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  await eachOf(await sessionIds(kv, from), async (id) => {
    const { value } = await holderSessions.get(kv, id);
    if (value === null || value.choices.includes(to)) await moveSession(kv, id, from, to, now);
    else await endById(kv, id);
  });
}

const sessionIds = (kv: Deno.Kv, hash: string): Promise<string[]> =>
  Array.fromAsync(kv.list({ prefix: [BY_RECORD, hash] }), ({ key }) => String(key[2]));

async function moveSession(
  kv: Deno.Kv,
  id: string,
  from: string,
  to: string,
  now: number,
): Promise<void> {
  await transact(async () => {
    const entry = await holderSessions.get(kv, id);
    const commit = kv.atomic().delete([BY_RECORD, from, id]);
    if (entry.versionstamp !== null) {
      const { record, choices } = entry.value;
      holderSessions.replace(commit, entry, {
        ...entry.value,
        record: record === from ? to : record,
        choices: [...new Set(choices.map((hash) => hash === from ? to : hash))],
      }, now);
    }
    return { result: undefined, commit };
  });
}

/** Opens a correction that is not in force yet in the session of the record that it corrects. */
export function openCorrection(
  kv: Deno.Kv,
  { id }: { id: string },
  hash: string,
  now: number,
): Promise<void> {
  return transact(async () => {
    const entry = await holderSessions.get(kv, id);
    if (entry.versionstamp === null) return { result: undefined };
    const choices = [...new Set([...entry.value.choices, hash])];
    const commit = kv.atomic();
    holderSessions.replace(commit, entry, { ...entry.value, record: hash, choices }, now);
    return { result: undefined, commit };
  });
}
