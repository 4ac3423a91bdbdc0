/** Assigns consecutive numbers as the ids of new rows, without conflicts between processes. */
import { asSite } from "./authority.ts";
import { transact } from "./transact.ts";

/** The numbers of one table's rows, such as the ids of users. */
export interface Ids {
  /** Returns a number that no other call in any process has returned or will return. */
  next(): Promise<number>;
}

/** One commit per 100 rows. */
const BLOCK = 100;

/**
 * Creates the numbers of a table. They are reserved in blocks, because all processes would otherwise
 * wait for each other: every new row would check the same key. A process that ends leaves a gap, and
 * the rows of several processes are not in the order of their numbers.
 *
 * @param key the key of the last reserved number
 * @param block how many numbers are reserved together
 */
export function createIds(kv: Deno.Kv, key: Deno.KvKey, block: number = BLOCK): Ids {
  let last = 0;
  let end = 0;
  let reserving: Promise<void> | undefined;

  async function reserve(): Promise<void> {
    end = await transact(async () => {
      const entry = await kv.get<number>(key);
      const result = (entry.value ?? 0) + block;
      return { result, commit: kv.atomic().check(entry).set(key, result) };
    });
    last = end - block;
  }

  return {
    async next() {
      while (last === end) {
        await (reserving ??= asSite(reserve).finally(() => reserving = undefined));
      }
      return ++last;
    },
  };
}
