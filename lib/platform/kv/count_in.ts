/** Lets transactions of one process that change the same row wait for each other instead of failing. */
import { keyText } from "./key_text.ts";
import { currentScope } from "./scope.ts";
import { rulesOf } from "./store_kv.ts";
import { CountingScope, type Turn } from "./turns.ts";

/**
 * Says that the running transaction counts in rows: it reads them, and its commit changes them. Transactions of
 * this process that count in the same row would all read the same, and all but one would fail, so they wait for
 * each other. One that has to wait begins again, because what it has read so far may change. Outside of a
 * transaction, nothing is counted, and nobody waits.
 *
 * This only saves work: other processes count too, so the commit must check the rows.
 *
 * @throws {MustWait} if the transaction has to wait
 */
export function countIn(kv: Deno.Kv, ...keys: readonly Deno.KvKey[]): void {
  for (const key of keys) currentTurn()?.count(rulesOf(kv).turns, keyText(key));
}

/**
 * Says that the running transaction counts in one of several rows, like {@linkcode countIn}.
 *
 * @returns the index of the row: the one for which the fewest transactions wait
 */
export function countInOne(kv: Deno.Kv, keys: readonly Deno.KvKey[]): number {
  const turn = currentTurn();
  if (turn === undefined) return 0;
  const { turns } = rulesOf(kv);
  const rows = keys.map(keyText);
  const before = rows.findIndex(turn.has);
  const lengths = rows.map((row) => turns.lengthOf(row));
  const least = Math.min(...lengths);
  const shortest = rows.flatMap((_, i) => lengths[i] === least ? i : []);
  const at = before >= 0 ? before : shortest[Math.floor(Math.random() * shortest.length)];
  turn.count(turns, rows[at]);
  return at;
}

/**
 * Lets transactions that wait for rows of the running one go on, because it does not change them. Otherwise,
 * those that will be refused as well would wait for each other.
 */
export function letOthersGo(...keys: readonly Deno.KvKey[]): void {
  currentTurn()?.open(keys.map(keyText));
}

function currentTurn(): Turn | undefined {
  const scope = currentScope();
  return scope instanceof CountingScope ? scope.turn : undefined;
}
